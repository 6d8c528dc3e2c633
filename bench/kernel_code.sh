#!/usr/bin/env bash
# kernel_code.sh MODEL SIZE SUBSTEPS,COLUMNS,TILES,GROUPS [NAME=VALUE...]: machine code of the fused sweep's row loops, without
# a device. For each loop over rows: instructions, the least cycles of one warp (until the next may issue), instructions by
# kind, and the predicates that comparisons use. A row with many more cycles than instructions waits for registers or
# predicates. Needs nvcc and nvdisasm (NVDISASM: its path).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
nvdisasm=${NVDISASM:-nvdisasm}
for tool in nvcc "$nvdisasm"; do
    command -v "$tool" >/dev/null || { echo "kernel_code.sh: no $tool here: it comes with the CUDA toolkit" >&2; exit 1; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build/release/bench/kernel_source "$@" >"$folder/kernel.cu"
# as src/engine/gpu/driver/cuda.c has it built
nvcc -cubin -arch=sm_90 --std=c++17 --fmad=false --prec-div=true --prec-sqrt=true --ftz=false -Xptxas -v \
    -o "$folder/kernel.cubin" "$folder/kernel.cu" 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
grep -A3 "'fused_sweep'" "$folder/log" | grep -E 'spill|registers'
"$nvdisasm" -hex -c "$folder/kernel.cubin" | awk '
    /^\.text\./ { in_sweep = index($0, ".text.fused_sweep:") == 1 }
    !in_sweep { next }
    /^\.L/ { sub(":.*", ""); label[$1] = count; next }
    # an instruction is 16 bytes: its text and the lower half stand in one line, the upper half in the next
    match($0, /\/\*[0-9a-f]+\*\/ +/) {
        text = substr($0, RSTART + RLENGTH); sub(/;.*/, "", text); instruction[count] = text; waiting = 1; next
    }
    waiting && match($0, /\/\* 0x[0-9a-f]+ \*\//) {
        upper = substr($0, RSTART + 5, RLENGTH - 8) # bits 41 to 44 of it are the cycles
        cycles[count++] = digit(substr(upper, 5, 1)) % 2 * 8 + int(digit(substr(upper, 6, 1)) / 2); waiting = 0
    }
    function digit(character) { return index("0123456789abcdef", character) - 1 }
    function kind_of(text) { sub(/^@!?U?P[0-9T]+ +/, "", text); sub(/[ .].*/, "", text); return text }
    function row(first, last,    i, kind, sum, many, used, line, name) {
        for (i = first; i <= last; i++) {
            kind = kind_of(instruction[i]); many[kind]++; sum += cycles[i]
            if (kind ~ /^(FSETP|ISETP)$/ && match(instruction[i], /P[0-6],/)) used[substr(instruction[i], RSTART, 2)]++
        }
        if (last - first < 150 || !("LDGSTS" in many) || "CALL" in many) return
        line = sprintf("%d to %d: %d instructions, %d cycles;", first, last, last - first + 1, sum)
        split("FADD FMUL FFMA FMNMX FSETP FSEL MOV IMAD MUFU SHFL LDS STS LDGSTS STG LDL STL", names, " ")
        for (i = 1; i in names; i++) if (names[i] in many) line = line sprintf(" %s %d", names[i], many[names[i]])
        line = line "; predicates:"
        for (i = 0; i < 7; i++) if (("P" i) in used) line = line sprintf(" P%d %d", i, used["P" i])
        print line
    }
    END {
        for (i = 0; i < count; i++)
            if (instruction[i] ~ /BRA/ && match(instruction[i], /\.L[A-Za-z0-9_]+/)) {
                name = substr(instruction[i], RSTART, RLENGTH)
                if (name in label && label[name] <= i) row(label[name], i)
            }
    }'
