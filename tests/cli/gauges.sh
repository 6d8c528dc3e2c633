# labels: once
# --gauges: water and sediment at named cells, through lines and over the border, with time. The same from run.json, in parts, and after a stop.
. "$(dirname "$0")/lib.bash"

"$WADI" generate noise --size 48x32 --cell-size 10 --seed 2 --relief 20 -o h.npy >/dev/null
printf 'time_min,rain_mm_h\n1,20\n4,60\n8,0\n' >storm.csv
base=("$WADI" run --no-preview h.npy --cell-size 10 --model mei2007 --set dt=0.5 --set Ke=0 --set Kc=0.5 --boundary open --quiet --rain-series storm.csv)
run=("${base[@]}" --gauges 'valley=20.5,10 b=5,5' --gauge-every 60 --pixel --maps 'flow,water')
near() { # WHAT FOUND RIGHT SHARE
    awk "BEGIN { off = $2 - $3; exit !(off * off <= $3 * $3 * $4 * $4) }" || fail "$1: $2, not $3"
}
column() { awk -F, -v name="$2" -v column="$3" '$2 == name { print $column }' "$1/gauges.csv"; }
cell() { od -An -t f4 -j $((128 + 4 * ($3 * 48 + $2))) -N 4 "$1" | tr -d ' '; } # of a map of npy, as bytes

"${run[@]}" --time 600 -o whole
[ "$(wc -l <whole/gauges.csv)" = 34 ] || fail "$(wc -l <whole/gauges.csv) lines, not a header and 11 times of 3"
[ "$(column whole b 1 | tr '\n' ' ')" = '0 60 120 180 240 300 360 420 480 540 600 ' ] || fail "times: $(column whole b 1)"
# The discharge is the mean of an interval, so the mean of all is the map of the flow. The volume is its integral.
mean=$(column whole valley 5 | awk '{ sum += $1 } END { print sum / 10 }')
near 'mean discharge' "$mean" "$(cell whole/flow.npy 20 10)" 1e-4
near 'volume' "$(column whole valley 8 | tail -1)" "$(awk "BEGIN { print 600 * $mean }")" 1e-4
near 'depth' "$(column whole valley 3 | tail -1)" "$(cell whole/water.npy 20 10)" 1e-6
near 'stage' "$(column whole valley 4 | head -1)" "$(cell h.npy 20 10)" 1e-6
# Over the border goes what the balance says.
over() { grep -o '"over_border": [-0-9.e+]*' whole/run.json | cut -d' ' -f2 | sed -n "$1p"; }
near 'solid over the border' "$(column whole border 9 | tail -1)" "$(over 1)" 1e-7
near 'water over the border' "$(column whole border 8 | tail -1)" "$(over 2)" 1e-7
near 'its discharge' "$(column whole border 5 | awk '{ sum += 60 * $1 } END { print sum }')" "$(over 2)" 1e-6
[ "$(column whole border 3 | tr -d '\n')" = '' ] || fail 'the border has a depth'

same() { cmp whole/gauges.csv "$1/gauges.csv" || fail "$1: another file"; }
"$WADI" run --no-preview --recipe whole/run.json -o again --quiet
same again
"${run[@]}" --time 600 --parts 2 -o parts
same parts
"${run[@]}" --time 600 --backend reference -o reference
same reference
"${run[@]}" --steps 481 --threads 2 -o stopped
"$WADI" run --no-preview --resume stopped --steps 719 --quiet
same stopped
# The end has rows too, which a resumed run leaves out.
"${run[@]}" --steps 481 -o cut
[ "$(column cut valley 1 | tail -1)" = 240.5 ] || fail "the end: $(column cut valley 1 | tail -1)"
near 'the end of the border' "$(column cut border 8 | tail -1)" "$(grep -o '"over_border": [-0-9.e+]*' cut/run.json | cut -d' ' -f2 | sed -n 2p)" 1e-7
"${run[@]}" --steps 483 -o cut4 --force
[ "$(column cut4 valley 5 | tail -1)" != 0 ] || fail 'no discharge in a short last interval'
# A trickle after a flood of 30,000 times its discharge is what it is without the flood.
"$WADI" generate noise --size 24x6 --cell-size 10 --seed 2 --relief 0 -o flat.npy >/dev/null
printf 'time_s,rain_mm_h\n0,30000\n40000,1\n' >flood.csv
printf 'time_s,rain_mm_h\n0,1\n' >trickle.csv
for rain in flood trickle; do
    "$WADI" run --no-preview flat.npy --cell-size 10 --model mei2007 --set dt=0.5 --set Ke=0 --set Kc=0 --boundary open --pixel --quiet \
        --rain-series $rain.csv --time 60000 --gauges in=1,3 --gauge-every 1000 --set pipes=8 --maps flow -o $rain
done
near 'a trickle after a flood' "$(column flood in 5 | tail -1)" "$(column trickle in 5 | tail -1)" 1e-3
# Through a line goes what falls above it: level, oblique, and seen from the other side. A valley that falls to the south.
awk 'BEGIN { print "ncols 22\nnrows 20\nxllcorner 0\nyllcorner 0\ncellsize 5"
    for (y = 0; y < 20; y++) {
        for (x = 0; x < 22; x++) {
            rim = x < 1 || x > 20 || y < 1
            printf "%.4f ", (19 - y) / 4 + (x > 10.5 ? x - 10.5 : 10.5 - x) / 10 + 20 * rim
        }
        print ""
    }
}' >valley.asc
lines=("$WADI" run --no-preview valley.asc --model mei2007 --boundary open --pixel --quiet --set dt=0.25 --set Ke=0 --set Kc=0.01 --set pipe_area=depth
    --set A=1 --set friction_law=manning --set n=0.05 --rain 1e-5 --gauge-every 300
    --gauges 'level=21,15:0,15 back=0,15:21,15 oblique=21,15:0,10 point=10,15')
for pipes in 4 8; do
    "${lines[@]}" --set pipes=$pipes --time 1500 -o lines$pipes
    near "a level line, $pipes pipes" "$(column lines$pipes level 5 | tail -1)" "$(awk 'BEGIN { print 1e-5 * 25 * 22 * 15.5 }')" 5e-3
    near "an oblique line, $pipes pipes" "$(column lines$pipes oblique 5 | tail -1)" "$(awk 'BEGIN { print 1e-5 * 25 * 22 * 13 }')" 1e-2
    [ "-$(column lines$pipes level 8 | tail -1)" = "$(column lines$pipes back 8 | tail -1)" ] || fail 'a line has another flow from its other side'
    [ "$(column lines$pipes level 3)" = "$(column lines$pipes point 3)" ] || fail 'the depth of a line is not that of its deepest cell'
    awk "BEGIN { exit !($(column lines$pipes level 9 | tail -1) > 1.5 * $(column lines$pipes point 9 | tail -1)) }" || fail 'no sediment through a line'
done
"${lines[@]}" --set pipes=8 --time 750 -o line --parts 2
"$WADI" run --no-preview --resume line --time 750 --quiet
cmp line/gauges.csv lines8/gauges.csv || fail 'lines: another file after a stop'
"$WADI" run --no-preview --recipe lines8/run.json -o line2 --quiet
cmp line2/gauges.csv lines8/gauges.csv || fail 'lines: another file from run.json'
# A new run without gauges leaves no old file.
"${base[@]}" --steps 10 -o whole --force
[ ! -e whole/gauges.csv ] || fail 'the file of the earlier run is still there'
# The border alone, at the usual interval.
"${base[@]}" --time 600 --gauge-every 6 -o border
[ "$(grep -c border border/gauges.csv)" = 101 ] || fail "$(grep -c border border/gauges.csv) rows of the border"

refuse() { # TEXT OPTIONS...
    local text=$1
    shift
    expect_error 2 "$text" "${base[@]}" --time 60 -o refused "$@"
    [ ! -e refused ] || fail "a refused run left its folder: $*"
}
refuse "'a': NAME=X,Y is wanted" --pixel --gauges a
refuse "'a=5': NAME=X,Y" --pixel --gauges a=5
refuse 'two numbers are wanted' --pixel --gauges a=5,y
refuse 'two numbers are wanted' --pixel --gauges a=nan,1
refuse "'' is no name" --pixel --gauges =5,5
refuse "'a/b' is no name" --pixel --gauges a/b=5,5
refuse "two gauges of the name 'a'" --pixel --gauges 'a=5,5 a=6,6'
refuse "two gauges of the name 'border'" --pixel --gauges border=5,5
refuse 'lies outside the terrain (cell 48, 5 of 48 x 32)' --pixel --gauges a=48,5
refuse 'lies outside the terrain' --pixel --gauges a=-0.1,5
refuse 'no georeference; add --pixel' --gauges a=5,5
refuse 'a: both ends of the line are in one cell' --pixel --gauges 'a=5,5:5.5,5'
refuse "'a=7': NAME=X,Y is wanted" --pixel --gauges a=5,5:7
refuse 'lies outside the terrain' --pixel --gauges a=5,5:5,32
refuse 'a: is at the open border' --pixel --set pipes=8 --gauges a=3,0:20,0
expect_error 2 'a: lines are for mei2007 and jako2011' "$WADI" run --no-preview h.npy --cell-size 10 --model swenson2018 --boundary open --pixel --steps 8 --gauges a=3,3:20,3 -o refused
refuse 'the discharge is sampled every' --gauge-every 0.5
refuse 'gauge-every' --gauge-every 0
refuse '1500003 rows' --pixel --gauges 'a=5,5 b=6,6' --gauge-every 4 --time 2e6
refuse 'a: is at the open border' --pixel --set pipes=8 --gauges a=0,5
refuse 'is at the open border' --pixel --set pipes=8 --gauges 'b=5,5 a=47,31'
expect_error 2 'one stage on one grid' "$WADI" run --no-preview h.npy --model mei2007 --steps 8 --gauge-every 6 --levels 2 -o refused
for model in schott2023 braun1999; do
    expect_error 2 'water by the second' "$WADI" run --no-preview h.npy --model $model --levels 1 --gauge-every 6 -o refused
done
