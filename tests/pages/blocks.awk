# Writes each block of code of a page into a file of its own, OUT-N.sh if it is for a shell, else OUT-N.yaml, and lists the commands
# in running text, in OUT-text.
BEGIN { words = "^(wadi|build/release/wadi|\\./dev|mkdir|mpirun|mpicc|#!/bin/bash|gdalmdimtranslate|(docs|bench)/.*\\.sh)$" }
function close_block(    first, file, shell) {
    if (block != "") {
        split(block, first, /[ \n]+/)
        shell = first[1] ~ words || block ~ /^sudo .*\nwadi /
        file = out "-" sprintf("%02d", ++count) (shell ? ".sh" : ".yaml")
        print "# " FILENAME ":" begin > file
        printf "%s", block > file
        if (!shell && block ~ /(^|\n)(build\/release\/)?wadi /) {
            print FILENAME ":" begin ": a command in a block that does not begin with one" > "/dev/stderr"
            exit 1
        }
    }
    block = blank = ""
    open = 0
}
function take(line) {
    if (block == "") begin = FNR
    block = block blank line "\n"
    blank = ""
}
/^ *```/ { if (fence) { fence = 0; close_block() } else { close_block(); fence = 1 } empty = 0; next }
fence { take($0); next }
/^    / && (open || empty || FNR == 1) { open = 1; take(substr($0, 5)); next }
/^$/ { if (open) blank = blank "\n"; empty = 1; next }
{
    close_block()
    empty = 0
    text = $0
    while (match(text, /`[^`]*`/)) {
        code = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        if (code ~ /^(mpirun .* |build\/release\/)?wadi [a-z]/) print FILENAME ":" FNR ": " code > (out "-text")
    }
}
END { close_block() }
