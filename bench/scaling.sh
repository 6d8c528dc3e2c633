#!/usr/bin/env bash
# How the rate grows with the number of GPUs of one host.
#     bench/scaling.sh [-m MODEL] [-s SIDE] [-l LAUNCHER] [WADI] [-- BENCH-OPTION...]
# One process drives them all. With a LAUNCHER ("mpirun -n", "srun -n") each has a process of its own.
# Weak scaling: SIDE x SIDE cells a device (16384). Strong scaling: 2 SIDE x 2 SIDE cells on all. First a run of 64 steps on
# one and on all devices, at a quarter of the side, must give the same height. It prints two tables.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
model=jako2011 side=16384 launcher=()
while getopts m:s:l: option; do
    case $option in m) model=$OPTARG ;; s) side=$OPTARG ;; l) read -ra launcher <<<"$OPTARG" ;; *) exit 2 ;; esac
done
shift $((OPTIND - 1))
wadi=$here/../build/release/wadi
if (($# > 0)) && [[ $1 != -- ]]; then
    wadi=$1
    shift
fi
[[ ${1:-} != -- ]] || shift
wadi=$(realpath "$wadi")
backend=${WADI_SCALING_BACKEND:-cuda}
devices=$("$wadi" devices --json | grep -c "\"backend\": \"$backend\", \"device\":" || true)
((devices > 0)) || { echo "scaling.sh: no device of $backend here" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

on_devices() { # on_devices COUNT COMMAND...: on the first COUNT devices
    local count=$1
    shift
    if ((count > 1 && ${#launcher[@]} > 0)); then
        "${launcher[@]}" "$count" "$wadi" "$@" --backend "$backend"
    else
        "$wadi" "$@" --backend "$backend" --devices "$(seq -s, 0 $((count - 1)))"
    fi
}

height_hash() { # height_hash COUNT
    on_devices "$1" run "$work/start.r32" -o "$work/out" --force --quiet --size "${quarter}x$quarter" --cell-size 10 --model "$model" \
        --steps 64 --maps none --no-checkpoint --settle off --format r32 >"$work/said" 2>&1 ||
        { cat "$work/said" >&2; exit 1; }
    sha256sum <"$work/out/height.r32" | cut -c1-16
}

quarter=$((side / 4))
"$wadi" generate ridged --size "${quarter}x$quarter" --cell-size 10 --force -o "$work/start.r32" >/dev/null 2>&1
one=$(height_hash 1) all=$(height_hash "$devices")
[[ $one == "$all" ]] || { echo "scaling.sh: $devices devices give another height than one: $all, $one" >&2; exit 1; }
echo "The height after 64 steps at ${quarter}^2 is the same on 1 and on $devices: $one"

options=("$@")
rate() { # rate WIDTH HEIGHT COMMAND...: the rate of `wadi bench`, run by COMMAND, in cell-steps/s
    local size=$1x$2
    shift 2
    "$@" bench --model "$model" --size "$size" --json "${options[@]}" >"$work/json" || exit 1
    sed -n 's/.*"cell_steps_per_s": \([0-9.e+]*\).*/\1/p' "$work/json" | head -1
}

one_device() { "$wadi" "${@:2}" --backend "$backend" --devices "$1"; } # one_device DEVICE COMMAND...

slowest_of() { # slowest_of WIDTH HEIGHT: devices differ by some percent, and all wait for the slowest
    for ((device = 0; device < devices; device++)); do
        rate "$1" "$2" one_device "$device"
    done | sort -g | head -1
}

table() { # table NAME: rows of `weak` or `strong`
    local count width=$side height=$side figure slowest
    [[ $1 == weak ]] || width=$((2 * side)) height=$((2 * side))
    slowest=$(slowest_of "$width" "$height")
    echo
    echo "| $1 scaling, devices | cells | G cell-steps/s | of as many times the slowest alone |"
    echo '|---|---|---|---|'
    for ((count = 1; count <= devices; count *= 2)); do
        figure=$slowest
        [[ $1 == strong ]] || height=$((side * count))
        ((count == 1)) || figure=$(rate "$width" "$height" on_devices "$count")
        awk -v n="$count" -v w="$width" -v h="$height" -v r="$figure" -v f="$slowest" \
            'BEGIN { printf "| %d | %d x %d | %.1f | %.1f %% |\n", n, w, h, r / 1e9, 100 * r / (n * f) }'
    done
}
table weak
table strong
