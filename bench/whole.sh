#!/usr/bin/env bash
# How long whole commands take: small, middle and large terrains, few and many steps.
#     bench/whole.sh [WADI [BACKEND]]
# On the CPU, as `auto` chooses, and on the GPU (cuda). Cold: the first run with an empty cache of kernels; warm: the second
# one. All heights must be the same. It prints a table, in seconds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
wadi=$(realpath "${1:-$here/../build/release/wadi}") gpu=${2:-cuda}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CUDA_CACHE_DISABLE=1 # NVIDIA's own cache would make a cold start look warm

run() { # run CACHE STEPS BACKEND: prints its seconds; its height goes to heights
    local begin end
    begin=$(date +%s%N)
    WADI_CACHE=$work/$1 "$wadi" run "$work/start.npy" -o "$work/out" --force --quiet --model jako2011 --steps "$2" --maps none \
        --no-checkpoint --settle off --format npy --backend "$3" >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
    end=$(date +%s%N)
    sha256sum <"$work/out/height.npy" >>"$work/heights"
    awk -v ns=$((end - begin)) 'BEGIN { printf "%.2f", ns / 1e9 }'
}

case_of() { # case_of SIZE STEPS
    local cpu auto=() other=(- -)
    rm -rf "$work/cache" "$work/auto" "$work/heights"
    cpu=$(run cache "$2" cpu)
    for _ in 1 2; do auto+=("$(run auto "$2" auto) ($(sed -n 's/^ *"backend": "\([a-z]*\)".*/\1/p' "$work/out/run.json" | head -1))"); done
    if ((has_gpu)); then other=("$(run cache "$2" "$gpu")" "$(run cache "$2" "$gpu")"); fi
    (($(sort -u "$work/heights" | wc -l) == 1)) || { echo "whole.sh: the heights differ" >&2; exit 1; }
    echo "| $1 | $2 | $cpu | ${auto[0]} | ${auto[1]} | ${other[0]} | ${other[1]} |"
}

has_gpu=0
! "$wadi" devices --json | grep -q "\"backend\": \"$gpu\", \"device\":" || has_gpu=1
echo "| cells | steps | cpu | auto | auto again | $gpu, cold | $gpu, warm |"
echo '|---|---|---|---|---|---|---|'
for size in 256x256 1197x643 4096x4096; do
    "$wadi" generate ridged --size "$size" --cell-size 10 --force -o "$work/start.npy" >/dev/null 2>&1
    for steps in 10 100 1000; do case_of "$size" "$steps"; done
done
