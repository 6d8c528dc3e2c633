# reorder.awk: a model's file with the rows of its lists in the opposite order: fields, maps, constants, choices, what a
# stage reads and writes, the numbers of the parameters and the bits of the processes. Stages keep their order, which is
# that of the physics.

# The items of a list, last first: "F(a, STATE, 0) F(b, STATE, 0)" becomes "F(b, STATE, 0) F(a, STATE, 0)".
function turned(text, items) {
    gsub(/\/\*[^*]*\*\//, "", text)
    while (match(text, /[A-Za-z_]+\([^()]*\)/)) {
        items = substr(text, RSTART, RLENGTH) " " items
        text = substr(text, RSTART + RLENGTH)
    }
    return items
}

# The names of an enumeration but the last, which counts them, last first.
function turned_names(text, names, count, first, out, i) {
    gsub(/[ \t]/, "", text)
    sub(/,$/, "", text)
    count = split(text, names, ",")
    first = names[1]
    if (!sub(/^[^=]*/, "", first)) first = ""
    sub(/=.*/, "", names[1])
    if (count < 2) return text
    for (i = count - 1; i > 0; i--) out = out names[i] (i == count - 1 ? first : "") ", "
    return out names[count]
}

/^#define (MODEL_(FIELDS|MAPS|CONSTANTS|SWITCHES)|STAGE_[a-z_]+)\(/ {
    list = $0
    while (sub(/\\[ \t]*$/, "", list) && (getline line) > 0) list = list line
    match(list, /^#define [A-Za-z_]+\([^()]*\)/)
    print substr(list, 1, RLENGTH) " " turned(substr(list, RSTART + RLENGTH))
    next
}

/^#define [A-Z]+ [1248]u/ {
    bit = $3 + 0
    sub(/[1248]u/, (8 / bit) "u")
}

/^enum \{/ {
    list = $0
    while (list !~ /\};/ && (getline line) > 0) list = list line
    names = list
    sub(/^enum \{/, "", names)
    sub(/\};.*/, "", names)
    print names ~ /P_[A-Za-z]/ ? "enum { " turned_names(names) " };" : list
    next
}

{ print }
