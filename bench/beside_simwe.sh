#!/usr/bin/env bash
# beside_simwe.sh [-d DEM] [-w WALKERS] [WADI]: steady overland flow of GRASS's r.sim.water and of `wadi run`, as the tables of
# docs/benchmarks.md. A plane of 200 m, beside the kinematic wave, and a DEM in metres (a part of data/jacksboro.tif), cell by cell.
# WALKERS: of r.sim.water, for each cell (10). It needs GRASS 8 (Debian's grass-core) and gdal-bin; about three minutes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dem='' walkers=10
while getopts d:w: option; do
    case $option in
    d) dem=$(realpath "$OPTARG") ;;
    w) walkers=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
wadi=$(realpath "${1:-$root/build/release/wadi}")
for tool in grass gdal_translate; do
    command -v $tool >/dev/null || { echo "beside_simwe.sh: no $tool: install GRASS 8 (grass-core) and gdal-bin" >&2 && exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
rain=50 n=0.05 # mm/h, s/m^(1/3)

# simwe TERRAIN [DX DY]: depth.tif and discharge.tif of the steady flow. DX and DY: the gradient, where it is the same everywhere.
simwe() {
    cat >simwe.sh <<SH
set -e
r.in.gdal --q input=$1 output=terrain -o
g.region raster=terrain
r.slope.aspect --q -e elevation=terrain dx=dx dy=dy
if [ -n "${2:-}" ]; then
    r.mapcalc --q --o "dx = float(${2:-0})"
    r.mapcalc --q --o "dy = float(${3:-0})"
fi
cells=\$(r.univar -g map=terrain | sed -n 's/^n=//p')
r.sim.water --q elevation=terrain dx=dx dy=dy rain_value=$rain man_value=$n depth=depth discharge=discharge \\
    nwalkers=\$((cells * $walkers)) niterations=1200 random_seed=1
for map in depth discharge; do r.out.gdal --q -c input=\$map output=\$map.tif type=Float64; done
SH
    rm -f depth.tif discharge.tif
    grass --tmp-location XY --exec bash simwe.sh >simwe.log 2>&1 || { cat simwe.log >&2 && exit 1; }
}

# flow TERRAIN SECONDS OPTION...: water.txt and flow.txt after so many seconds. The map of the flow is the mean of all the time, so a run
# of half the time is taken off.
flow() {
    local half=$(($2 / 2))
    water "$1" $half "${@:3}"
    values flow/flow.tif >half.txt
    water "$1" "$2" "${@:3}"
    values flow/flow.tif | paste -d' ' - half.txt | awk '{ print 2 * $1 - $2 }' >flow.txt
    values flow/water.tif >water.txt
}
water() {
    "$wadi" run "$1" -o flow --force --quiet --model mei2007 --boundary open --time "$2" --no-checkpoint --maps water,flow \
        --set pipes=8 --set pipe_area=depth --set Fr=10 --set Ke=0 --set Kc=0 \
        --set friction_law=manning --set n=$n "${@:3}"
}

values() { gdal_translate -q -of XYZ "$1" /vsistdout/ | awk '{ print $3 }'; }

# The plane falls to the right, and has a rim above and below where it does not rain.
plane() {
    awk -v slope="$1" -v what="$2" 'BEGIN {
        print "ncols 100\nnrows 102\nxllcorner 0\nyllcorner 0\ncellsize 2"
        for (y = 0; y < 102; y++) {
            for (x = 0; x < 100; x++) { rim = y < 1 || y > 100; printf "%.5f ", what == "rain" ? !rim : 10 + slope * (199 - 2 * x) + rim * (what == "rims") }
            print ""
        }
    }'
}
echo '| slope | metres from the ridge | depth of the kinematic wave, mm | Wadi | r.sim.water | discharge, l/s per metre | Wadi | r.sim.water |'
echo '|---|---|---|---|---|---|---|---|'
plane 0 rain >rain.asc
for slope in 0.01 0.05 0.1; do
    plane $slope '' >plane.asc
    plane $slope rims >rims.asc
    gdal_translate -q -ot Float32 plane.asc plane.tif
    simwe plane.tif $slope 0
    printf 'time_s,rain_mm_h\n0,%s\n' $rain >rain.csv
    flow rims.asc 3600 --set A=0.2 --set dt=0.2 --set d_floor=0.01 --rain-series rain.csv --set rain-map=@rain.asc
    paste -d' ' <(values depth.tif) <(values discharge.tif) water.txt flow.txt |
        awk -v slope=$slope -v rain=$rain -v n=$n '
        { x = (NR - 1) % 100; y = int((NR - 1) / 100); if (y > 30 && y < 71) { for (i = 1; i <= 4; i++) sum[x, i] += $i / 40 } }
        END {
            for (at = 25; at <= 95; at += at < 75 ? 25 : 20) {
                metres = 2 * at + 1; q = rain / 3.6e6 * metres; h = (q * n / sqrt(slope)) ^ 0.6
                off(1000 * h, sum[at, 3] / h, sum[at, 1] / h); off(1000 * q, sum[at, 4] / 2 / q, sum[at, 2] / 2 / q)
                printf "| %s | %d |%s%s\n", slope, metres, text[1], text[2]; k = 0
            }
        }
        function off(value, wadi, simwe) { text[++k] = sprintf(" %.2f | %+.1f %% | %+.1f %% |", value, 100 * wadi - 100, 100 * simwe - 100) }'
done

# Where water gathers, on the DEM without hollows.
if [[ -z $dem ]]; then
    "$wadi" reproject "$root/data/jacksboro.tif" --crs EPSG:32617 --cell-size 90 -o utm.tif >/dev/null
    dem=utm.tif
    "$wadi" clip utm.tif --window 100,100,100,100 -o part.tif >/dev/null && dem=part.tif
fi
"$wadi" derive "$dem" -o derived --maps breached,mfd_area --breach >/dev/null
simwe derived/breached.tif
flow derived/breached.tif 43200 --set A=900 --set dt=2 --set d_floor=0.04 --rain "$(awk "BEGIN { print $rain / 3.6e6 }")"
cell=$(gdalinfo "$dem" | sed -nE 's/^Pixel Size = \(([0-9.]+),.*/\1/p')
echo
echo '| contributing area | cells | discharge by rain x area: Wadi | r.sim.water | depth, r.sim.water by Wadi | correlation of the log of depth |'
echo '|---|---|---|---|---|---|'
paste -d' ' <(values derived/mfd_area.tif) <(values depth.tif) <(values discharge.tif) water.txt flow.txt |
    awk -v cell="$cell" -v rain=$rain '
    $1 > 0 && $2 > 0 && $4 > 0 {
        class = $1 < 10 * cell * cell ? 0 : $1 < 100 * cell * cell ? 1 : $1 < 1000 * cell * cell ? 2 : 3
        due = rain / 3.6e6 * $1
        print class, $5 / due, $3 / due, $2 / $4, log($2), log($4)
    }' >cells.txt
median() { awk -v class="$1" -v field="$2" '$1 == class { print $field }' cells.txt | sort -g | awk '{ v[NR] = $1 } END { printf "%.2f", v[int((NR + 1) / 2)] }'; }
names=('under 10 cells' '10 to 100' '100 to 1000' 'more')
for class in 0 1 2 3; do
    count=$(awk -v class=$class '$1 == class { n++ } END { print n + 0 }' cells.txt)
    ((count > 2)) || continue
    correlation=$(awk -v class=$class '$1 == class { n++; a += $5; b += $6; aa += $5 * $5; bb += $6 * $6; ab += $5 * $6 }
        END { printf "%.2f", (ab - a * b / n) / sqrt((aa - a * a / n) * (bb - b * b / n)) }' cells.txt)
    echo "| ${names[class]} | $count | $(median $class 2) | $(median $class 3) | $(median $class 4) | $correlation |"
done
