# labels: once
# A day with a catchment, as docs/a-day-with-a-catchment.md has it: a DEM in feet and one in degrees, a storm, infiltration, gauges,
# sediment, maps as GeoTIFF. The hydrograph stands beside a kinematic wave that is computed here.
. "$(dirname "$0")/lib.bash"
for tool in gdal_translate gdalwarp gdalinfo; do
    command -v $tool >/dev/null || { echo "skipped: no $tool (gdal-bin)" && exit 77; }
done
case $("$WADI" reproject none.tif --crs EPSG:4326 -o none.tif 2>&1 || true) in *'not built'* | *'without GDAL'*) exit 77 ;; esac

# A plane of 200 x 200 m that falls by 5 % between two rims where it does not rain. The rims are 1 m high, so nothing leaves sideways.
grid() {
    awk -v what="$1" 'BEGIN {
        print "ncols 42\nnrows 40\nxllcorner 500000\nyllcorner 4000000\ncellsize 5"
        for (y = 0; y < 40; y++) {
            for (x = 0; x < 42; x++) { rim = x < 1 || x > 40; printf "%.4f ", what == "rain" ? !rim : (100 + (39.5 - y) * 0.25 + rim) / 0.3048 }
            print ""
        }
    }' >"$1.asc"
    gdal_translate -q -a_srs EPSG:32613 -ot Float32 "$1.asc" "$1.tif"
}
grid feet
grid rain
printf 'time_min,rain_mm_h\n0,60\n30,0\n' >storm.csv

cat >storm.sh <<'SH'
"$WADI" run --no-preview feet.tif --z-unit ft -o storm --model mei2007 --boundary open --quiet \
    --set pipes=8 --set pipe_area=depth --set A=5 --set dt=0.5 --set d_floor=0.01 --set Fr=1 --set Ke=0 \
    --set friction_law=manning --set n=0.05 \
    --set infiltration=green-ampt --set Ksat=2e-6 --set psi=0.11 --set dtheta=0.25 \
    --rain-series storm.csv --set rain-map=@rain.tif --time 3600 \
    --gauges "slope=500105,4000100 outlet=500207,4000007:500003,4000007" --gauge-every 300 --maps water,flow,infiltration,erosion "$@"
SH
set -- --set Kc=0.01 --set Ks=0.01
. ./storm.sh

# The kinematic wave with Green and Ampt's infiltration: time, volume in m3 over 200 m, depth taken up.
awk 'BEGIN {
    cells = 40; dx = 5; dt = 0.5; K = 2e-6; S = 0.11 * 0.25
    for (i = 0; i < cells; i++) { h[i] = 0; F[i] = 1e-9 }
    for (k = 1; k <= 7200; k++) {
        rain = k * dt <= 1800 ? 60e-3 / 3600 * dt : 0
        above = 0
        for (i = 0; i < cells; i++) {
            take = K * (1 + S / F[i]) * dt
            have = h[i] + rain
            if (take > have) take = have
            F[i] += take
            d = have - take
            q = sqrt(0.05) / 0.05 * d ^ (5 / 3)
            h[i] = d + dt / dx * (above - q)
            above = q
        }
        volume += q * dt * 200
        if (k % 600 == 0) print k * dt, volume
    }
}' >wave.txt
awk -F, '$2 == "border" && $1 > 0 { print $1, $8 }' storm/gauges.csv >runoff.txt
paste -d' ' wave.txt runoff.txt | awk '
    $1 != $3 { print "another time:", $0; bad = 1 }
    $2 > 15 && ($4 > 1.02 * $2 || $4 < 0.98 * $2) { print "volume at", $1, "s:", $4, "m3, not", $2; bad = 1 }
    END { exit bad || NR != 12 }' || fail 'the hydrograph is not that of the kinematic wave'
# All rain runs off, soaks in, or dries up as a film.
awk -F, 'END { exit !($8 > 400 && $8 < 450) }' <(grep border storm/gauges.csv) || fail "runoff: $(tail -1 storm/gauges.csv)"
balance() { grep -o "\"$1\": [-0-9.e+]*" storm/run.json | tail -1 | cut -d' ' -f2; }
awk "BEGIN { out = $(balance infiltrated) + $(balance evaporated) + $(balance over_border); rest = $(balance rained) - out; exit !(rest * rest < 1) }" ||
    fail "the balance: $(grep -A12 '"water"' storm/run.json)"
# A line across the slope has what leaves over the border, less what falls below it.
awk -F, '{ volume[$2] = $8 } END { share = volume["outlet"] / volume["border"]; exit !(share > 0.96 && share < 1.005) }' storm/gauges.csv ||
    fail "the outlet: $(tail -2 storm/gauges.csv)"
# Sediment leaves with the water, and what left is in the yield.
awk -F, 'END { exit !($9 > 0) }' <(grep border storm/gauges.csv) || fail 'no sediment leaves'
# A map for QGIS: float32, in the terrain's CRS, in metres.
for map in height water flow infiltration erosion; do
    gdalinfo "storm/$map.tif" | grep -q '32613' || fail "$map.tif has no CRS"
done
near() { awk "BEGIN { off = $2 - $3; exit !(off * off < $4 * $4) }" || fail "$1: $2, not $3"; }
mean() { gdalinfo -stats "$1" | grep -o 'STATISTICS_MEAN=.*' | cut -d= -f2; }
near 'infiltration on the map' "$(awk "BEGIN { print $(mean storm/infiltration.tif) * 42000 }")" "$(balance infiltrated)" 0.5

# The same terrain in degrees goes into metres first.
gdalwarp -q -t_srs EPSG:4326 -r bilinear -dstnodata -9999 feet.tif degrees.tif
"$WADI" reproject degrees.tif --z-unit ft --crs EPSG:32613 --cell-size 5 -o metres.tif >/dev/null
"$WADI" run --no-preview metres.tif --model mei2007 --boundary open --time 20 --set dt=0.5 --rain-series storm.csv --gauge-every 10 \
    --gauges 'slope=500105,4000100' --quiet -o metres
near 'height of the gauge' "$(awk -F, '$2 == "slope" { print $4 - $3 }' metres/gauges.csv | head -1)" 105 0.6
