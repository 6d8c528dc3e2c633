# prose.awk: sentence lengths of Markdown prose and of comments. Prints "words<TAB>file<TAB>sentence" for each sentence.
# Code blocks, tables, headings and link targets are no prose. A list item, a paragraph or a comment ends a sentence.
# In *.c and *.h the text of each comment is read, in *.sh and *.bash whole lines that begin with #.
function flush_text(   n, i, parts, words, w, s) {
    gsub(/\]\([^)]*\)/, "]", text)                    # link targets
    gsub(/`[^`]*`/, "CODE", text)                     # code is one word
    gsub(/e\.g\.|i\.e\.|etc\.|et al\.|vs\.|Fig\.|Figs\.|eq\.|eqs\.|approx\./, "ABBR", text)
    gsub(/[.!?]["')\]*]*([ \t\n]+|$)/, "&\001", text)
    n = split(text, parts, "\001")
    for (i = 1; i <= n; i++) {
        s = parts[i]
        gsub(/[ \t\n]+/, " ", s)
        sub(/^ /, "", s)
        words = split(s, w, " ")
        if (words > 1) printf "%d\t%s\t%s\n", words, file, s
    }
    text = ""
}
# Text between /* and */; what is in a string is no comment.
function read_c(line,   at) {
    while (line != "") {
        if (!comment) {
            gsub(/"([^"\\]|\\.)*"/, "S", line)
            if ((at = index(line, "/*")) == 0) return
            line = substr(line, at + 2)
            comment = 1
        }
        at = index(line, "*/")
        text = text " " (at ? substr(line, 1, at - 1) : line)
        if (!at) return
        flush_text()
        comment = 0
        line = substr(line, at + 2)
    }
}
FNR == 1 { flush_text(); code = comment = 0; file = FILENAME }
FILENAME ~ /\.[ch]$/ {
    sub(/\\$/, "")
    if (comment && !/^ *\*\//) {
        sub(/^ *\* ?/, "")
        if (/^$|^  |[^.]   |^---/) { # indented lines, and those with columns, are code or tables
            flush_text()
            if (!/\*\//) next
            sub(/.*\*\//, "*/")
        }
    }
    read_c($0)
    next
}
FILENAME ~ /\.(sh|bash)$/ {
    if (!/^ *#/ || /^#!/) { flush_text(); next }
    sub(/^ *# ?/, "")
    if (/^$|^  |^labels: |^shellcheck |^---/) flush_text(); else text = text " " $0
    next
}
/^[ \t]*```/ { flush_text(); code = !code; next }
code || /^    / && text == "" || /^\|/ || /^#/ || /^!\[/ { flush_text(); next }
/^[ \t]*$/ { flush_text(); next }
/^[ \t]*([-*]|[0-9]+\.) / { flush_text(); sub(/^[ \t]*([-*]|[0-9]+\.) /, "") }
{ text = text " " $0 }
END { flush_text() }
