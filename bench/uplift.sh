#!/usr/bin/env bash
# Uplift against rivers, beside fastscapelib: the same random ground, uniform U and K, base level all around. Both run
# until 99 % of the cells have the slope U / (K A^m) within 2 %.
#     bench/uplift.sh [WADI] [CELLS...]     CELLS: cells along a side (256 512)
# It prints lines of a table with the time of the steps and the steady terrain. The time is the CPU time of fastscapelib,
# whose steps have one thread, and the elapsed time of Wadi, the best of three.
# Needs a C++20 compiler and the headers of fastscapelib, xtensor and xtl where it finds them (CPLUS_INCLUDE_PATH).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
wadi=$(realpath "${1:-$here/../build/release/wadi}")
shift || true
sizes=("${@:-256}")
(($# > 0)) || sizes=(256 512)
[[ -x $wadi ]] || { echo "uplift.sh: no $wadi: build first" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CXX:-c++}" -std=c++20 -O3 -march=native -DNDEBUG "$here/uplift.cpp" -o "$work/uplift" -pthread 2>"$work/errors" || {
    echo "uplift.sh: bench/uplift.cpp does not compile: $(grep -m 1 error "$work/errors")" >&2
    echo "uplift.sh: set CPLUS_INCLUDE_PATH to the headers of fastscapelib, xtensor and xtl" >&2
    exit 1
}
cd "$work"
case=(100 1e-3 1e-5 0.5) # cells of 100 m, U of 1 mm/a, K in 1/a, m
set_all=(outlets=border slopes=neighbour dt=0 U=1 K=1e-5 m=0.5 n=1 P=1 P0=1 G=0 D=0 S_c=100 spread=0 variety=0 hollows=breach)

line() { # NAME DT STEPS SECONDS FIGURES: a line of the table
    awk -v n="$cells" '{ printf "| %d | %s | %s | %s | %s | %s | %s | %s |\n", n, $1, $2, $3, $4, $5, $7, 100 * $8 " %" }' <<<"$*"
}

# run_wadi LEVELS DT STEPS THREADS: leaves h/height.r32, and the steps' time in `seconds`
run_wadi() {
    local options=()
    for set in "${set_all[@]/dt=0/dt=$2}"; do options+=(--set "$set"); done
    "$wadi" run start.r32 -o h --force --quiet --size "${cells}x$cells" --cell-size 100 --model schott2023 \
        --boundary open --scale world --allow-out-of-range --maps none --backend cpu --levels "$1" --threads "$4" \
        --steps "$3" "${options[@]}" >said 2>&1 || { cat said >&2; exit 1; }
    seconds=$(sed -n 's/^  "wall_s": \([0-9.]*\).*/\1/p' h/run.json)
}

wadi_line() { # NAME LEVELS DT THREADS: as many steps as the steady state takes, to a quarter of the side
    local steps figures best
    for ((steps = cells; steps < 20 * cells; steps += cells / 4)); do
        run_wadi "$2" "$3" "$steps" "$4"
        best=$seconds
        figures=$(./uplift look "$cells" "${case[@]}" h/height.r32)
        awk '{ exit !($4 >= 0.99) }' <<<"$figures" && break
    done
    for _ in 2 3; do
        run_wadi "$2" "$3" "$steps" "$4"
        best=$(awk "BEGIN { print $seconds < $best ? $seconds : $best }")
    done
    line "$1" "$3" "$steps" "$best" "$figures"
}

echo '| cells | | dt, years | steps | seconds | mean, m | hypsometric integral | cells within 2 % |'
echo '|---|---|---|---|---|---|---|---|'
for cells in "${sizes[@]}"; do
    "$wadi" generate random --size "${cells}x$cells" --cell-size 100 --relief 1 --force -o start.r32 >/dev/null
    for dt in 50000 200000 1000000; do
        read -r steps seconds figures <<<"$(./uplift run "$cells" "${case[@]}" "$dt" start.r32 steady.r32)"
        line fastscapelib "$dt" "$steps" "$seconds" "$figures"
    done
    for dt in 20000 50000 200000; do wadi_line wadi 1 "$dt" 1; done
    wadi_line wadi,5-levels 5 50000 1
    wadi_line wadi,2-threads 1 50000 2
done
