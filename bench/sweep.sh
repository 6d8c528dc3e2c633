#!/usr/bin/env bash
# sweep.sh [FILE [SIZES [BENCH-OPTION...]]]: wadi bench for all models and their dear variants, one thread and all cores,
# as one table. FILE: bench/results/<CPU name>.csv; SIZES: with commas between. WADI: the command.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
wadi=${WADI:-build/release/wadi}

# device KEY: what `wadi devices` says of the CPU
device() { "$wadi" devices --json | sed -n "s/.*\"$1\": \"*\([^\",}]*\).*/\1/p" | head -1; }

# Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz -> Intel-Xeon-Gold-6230-CPU-2.10GHz
name=$(device name | sed -e 's/([^)]*)//g' -e 's/[^A-Za-z0-9.]\{1,\}/-/g' -e 's/^-*//' -e 's/-*$//')
file=${1:-bench/results/$name.csv}
IFS=, read -r -a sizes <<<"${2:-512,1024,2048,4096,8192}"
options=("${@:3}")

cores=$(device cores)
threads=1
((cores == 1)) || threads=1,$cores

parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

# sweep MODEL [VARIANT...]: one size after the other; what does not fit into memory is left out
sweep() {
    local model=$1 variants=() variant side code
    shift
    for variant; do variants+=(--variant "$variant"); done
    for side in "${sizes[@]}"; do
        code=0
        "$wadi" bench --model "$model" --size "${side}x$side" --threads "$threads" "${variants[@]}" \
            --csv "$parts/$model-$side.csv" "${options[@]}" || code=$?
        ((code == 0 || code == 3)) || exit "$code"
        ((code == 3)) || tail -n +2 "$parts/$model-$side.csv" >>"$parts/rows"
        [[ -e $parts/header ]] || ((code == 3)) || head -n 1 "$parts/$model-$side.csv" >"$parts/header"
    done
}

sweep jako2011 cf=0.04 cf=0
sweep mei2007 cf=0.04 cf=0
sweep olsen2004 method=thermal method=thermal-optimised method=hydraulic method=hydraulic-optimised
sweep neidhold2005
sweep swenson2018

mkdir -p "$(dirname "$file")"
cat "$parts/header" "$parts/rows" >"$file.new"
mv "$file.new" "$file"
echo "$file: $(wc -l <"$parts/rows") results"
