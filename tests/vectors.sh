#!/usr/bin/env bash
# Looks at the machine code of the row kernels: the hottest loop of each must do all its float arithmetic in whole vectors
# of its instruction set. Scalar arithmetic may only be in the loops for the columns that are left over.
#     vectors.sh COMPILER OBJDUMP     GNU: a kernel that is not so fails the test; others: they are listed
# labels: vectors
set -euo pipefail
compiler=$1 objdump=$2
command -v "$objdump" >/dev/null || exit 77

# name, vector and scalar instructions, for each kernel in the disassembly that has no vectorised hottest loop; then the
# number of kernels that were looked at. Kernels that the compiler has made one are looked at once.
scan() {
    "$objdump" -d --no-show-raw-insn "$1" | awk -v register="$2" -v lanes="$3" '
    function number(hex,    i, n) {
        for (i = 1; i <= length(hex); i++) n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
        return n
    }
    # the loop that ends with jump j has none within it
    function innermost(j,    i) {
        for (i = 1; i <= jumps; i++)
            if (i != j && to[i] >= to[j] && from[i] <= from[j] && (to[i] != to[j] || from[i] != from[j])) return 0
        return 1
    }
    function look(    j, i, whole, other, most, mixed, most_scalar) {
        if (name !~ /_(standard|reduced|at_sea|any)(_border|_maps)?(_tracked)?$/) return
        most = most_scalar = mixed = 0
        for (j = 1; j <= jumps; j++) {
            if (!innermost(j)) continue
            whole = other = 0
            for (i = 1; i <= count; i++)
                if (at[i] >= to[j] && at[i] <= from[j]) kind[i] == "whole" ? whole++ : other++
            if (whole > most) { most = whole; mixed = other }
            if (whole == 0 && other > most_scalar) most_scalar = other
        }
        if (most + most_scalar == 0) return # nothing but copies
        kernels++
        # what is left over may be unrolled: one column less than a vector has, each with the same arithmetic
        if (mixed > 0 || most * lanes < most_scalar) printf "  %s: %d whole, %d other\n", name, most, mixed + most_scalar
    }
    /^[0-9a-f]+ <.*>:$/ { look(); name = substr($2, 2, length($2) - 3); count = jumps = 0; next }
    /^ +[0-9a-f]+:/ {
        address = number(substr($1, 1, length($1) - 1))
        if ($2 ~ /^v?(add|sub|mul|div|sqrt|min|max)[ps]s$/) {
            at[++count] = address
            kind[count] = $2 ~ /ps$/ && index($0, register) ? "whole" : "other"
        } else if ($2 ~ /^f(n?mul|add|sub|abd|div|sqrt|(min|max)(nm)?)$/ && $3 ~ /^(s|v[0-9]+\.[24]s)/) { # ARM
            at[++count] = address
            kind[count] = $3 ~ /\.4s/ ? "whole" : "other"
        } else if ($2 ~ /^(j.*|b|b\..*|[ct]bn?z)$/ && match($0, /[0-9a-f]+ </)) {
            target = number(substr($0, RSTART, RLENGTH - 2))
            if (target >= address) next
            from[++jumps] = address
            to[jumps] = target
        }
    }
    END { look(); print kernels + 0 }'
}

failed=0
for object in "$WADI_BUILD"/src/CMakeFiles/wadi_rows_*.dir/engine/cpu/row_kernels.c.o; do
    set_name=${object%.dir/*} set_name=${set_name##*wadi_rows_}
    case $set_name in
    *_avx512) register=%zmm lanes=16 ;;
    *_avx2) register=%ymm lanes=8 ;;
    *) register=%xmm lanes=4 ;;
    esac
    found=$(scan "$object" "$register" "$lanes")
    kernels=${found##*$'\n'}
    bad=$(($(wc -l <<<"$found") - 1))
    echo "$set_name: $kernels kernels, $bad not in whole vectors"
    ((bad == 0)) || head -n "$bad" <<<"$found"
    ((bad == 0 && kernels > 0)) || failed=1
done
[[ $compiler == GNU ]] || exit 0
exit "$failed"
