#!/usr/bin/env bash
# table.sh FILE: a file of bench/results as the table of docs/performance.md. Rates with all threads, in millions of
# cell-steps/s; at 2048 columns also as a ratio to one thread, to 22 GB/s of bandwidth, and to the two limits.
set -euo pipefail
awk -F, '
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
function field(name) { return $column[name] }
{
    name = field("model") (field("settings") == "" ? "" : ", " field("settings")); size = field("width")
    rate = field("cell_steps_per_s") / 1e6; threads = field("threads")
    if (!(name in seen)) { seen[name] = 1; names[++count] = name }
    if (threads == 1) { one[name, size] = rate; next }
    many[name, size] = rate; sizes[size] = 1
    bandwidth[name, size] = field("bandwidth_bytes_per_s") / 1e9; operations[name, size] = field("operations_per_s") / 1e9
    of_bandwidth[name, size] = field("bandwidth_fraction"); of_operations[name, size] = field("arithmetic_fraction")
}
function number(value) { return value == "" ? "" : sprintf("%.0f", value) }
END {
    n = split("512 1024 2048 4096 8192", all, " ")
    head = "| |"; rule = "|---|"
    for (i = 1; i <= n; i++) if (all[i] in sizes) { head = head " " all[i] "^2 |"; rule = rule "---|" }
    print head " 2048^2: to one thread | to 22 GB/s | GB/s | G operations/s | of bandwidth | of arithmetic |"
    print rule "---|---|---|---|---|---|"
    for (i = 1; i <= count; i++) {
        name = names[i]; line = "| " name " |"
        for (j = 1; j <= n; j++) if (all[j] in sizes) line = line " " number(many[name, all[j]]) " |"
        rate = many[name, 2048]
        printf "%s %.2f | %.0f | %.0f | %.0f | %.2f | %.2f |\n", line, rate / one[name, 2048], rate * 22 / bandwidth[name, 2048], \
            bandwidth[name, 2048], operations[name, 2048], of_bandwidth[name, 2048], of_operations[name, 2048]
    }
}' "$1"
