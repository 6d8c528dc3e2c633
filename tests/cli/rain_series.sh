# labels: once
# --rain-series: rain that changes with time, to the step; the same from a recipe, from run.json and after a stop; bad files.
. "$(dirname "$0")/lib.bash"

"$WADI" generate noise --size 48x32 --cell-size 10 --seed 2 --relief 20 -o h.npy >/dev/null
"$WADI" generate noise --size 48x32 --cell-size 10 --seed 3 --relief 1 -o where.npy >/dev/null
run=("$WADI" run --no-preview h.npy --cell-size 10 --model mei2007 --set dt=0.5 --set Ke=0 --boundary closed --set Kc=0.5 --quiet)
near() { # WHAT FOUND RIGHT: to a millionth, which the digits of the water's depth allow
    awk "BEGIN { off = $2 - $3; exit !(off * off <= $3 * $3 * 1e-10) }" || fail "$1: $2, not $3"
}
rained() { grep -o '"rained": [-0-9.e+]*' "$1/run.json" | head -1 | cut -d' ' -f2; }

# 20 mm/h from minute 1, 60 mm/h from minute 4, none from minute 8, on 153,600 m2.
printf 'time_min,rain_mm_h\n1,20\n4,60\n8,0\n' >storm.csv
"${run[@]}" --time 600 --rain-series storm.csv -o storm
near rained "$(rained storm)" "$(awk 'BEGIN { print (180 * 20 + 240 * 60) / 3.6e6 * 153600 }')"
# The same in other units, with a spreadsheet's mark, comments and empty lines.
printf '\xef\xbb\xbftime_s, rain_m_s\r\n# a storm\r\n0,0\r\n60,5.5555555555555558e-06\r\n\r\n240, 1.6666666666666667e-05\r\n480,0\r\n' >si.csv
"${run[@]}" --time 600 --rain-series si.csv -o si
near 'rained in SI units' "$(rained si)" "$(rained storm)"
# To the step: half a second more of 60 mm/h is one step more.
printf 'time_s,rain_mm_h\n60,20\n240,60\n480.5,0\n' >longer.csv
"${run[@]}" --time 600 --rain-series longer.csv -o longer
near 'a step more' "$(rained longer)" "$(awk 'BEGIN { print (180 * 20 + 240.5 * 60) / 3.6e6 * 153600 }')"
# Rows between steps keep their volume: a step in which the rate changes has the mean.
printf 'time_s,rain_mm_h\n1.0,100\n1.2,0\n1.3,40\n3.1,80\n' >short.csv
"${run[@]}" --time 600 --rain-series short.csv -o short
near 'rows between steps' "$(rained short)" "$(awk 'BEGIN { print (0.2 * 100 + 1.8 * 40 + 596.9 * 80) / 3.6e6 * 153600 }')"
"${run[@]}" --time 5 --rain-series <(head -3 short.csv) -o shorter
near 'a shower within a step' "$(rained shorter)" "$(awk 'BEGIN { print 0.2 * 100 / 3.6e6 * 153600 }')"
# What lies after the end is left out.
printf 'time_h,rain_mm_h\n0,36\n1,3600\n' >late.csv
"${run[@]}" --time 600 --rain-series late.csv -o late
near 'rain to the end' "$(rained late)" "$(awk 'BEGIN { print 600 * 36 / 3.6e6 * 153600 }')"
# A map multiplies it, in both models.
for model in mei2007 jako2011; do
    "$WADI" run --no-preview h.npy --cell-size 10 --model $model --set dt=0.5 --set Ke=0 --boundary closed --time 600 --quiet --rain-series storm.csv \
        --set rain-map=2 -o twice-$model
    near "twice the rain of $model" "$(rained twice-$model)" "$(awk "BEGIN { print 2 * $(rained storm) }")"
done
"${run[@]}" --time 600 --rain-series storm.csv --set rain-map=@where.npy -o mapped
awk "BEGIN { exit !($(rained mapped) > 0.2 * $(rained storm) && $(rained mapped) < 0.8 * $(rained storm)) }" || fail "a map: $(rained mapped)"

# From run.json, without the file; and from a recipe.
mv storm.csv away.csv
"$WADI" run --no-preview --recipe storm/run.json -o again --quiet
same_hashes storm again
mv away.csv storm.csv
mkdir recipes
mv storm.csv recipes/storm.csv
cat >recipes/storm.yaml <<'YAML'
input: ../h.npy
cell-size: 10
model: mei2007
set: {dt: 0.5, Ke: 0, Kc: 0.5}
boundary: closed
time: 600
rain-series: storm.csv
events:
  - {at: 480, set: {cf: 0.04}}
YAML
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in
*'not built'*) ;;
*)
    "$WADI" run --no-preview --recipe recipes/storm.yaml -o recipe --quiet
    near 'rain of the recipe' "$(rained recipe)" "$(rained storm)"
    sed 's/set: {cf.*/set: {dt: 0.25}}/' recipes/storm.yaml >recipes/dt.yaml
    expect_error 2 'does not go with events that set dt' "$WADI" run --no-preview --recipe recipes/dt.yaml -o refused
    ;;
esac
# After a stop, at any step.
mv recipes/storm.csv .
"${run[@]}" --rain-series storm.csv -o stopped --steps 481
"$WADI" run --no-preview --resume stopped --steps 719 --quiet
same_hashes storm stopped

# What cannot be read is one line, with its place, and leaves nothing.
refuse() { # TEXT FILE OPTIONS...
    local text=$1
    shift
    expect_error 2 "$text" "${run[@]}" --time 600 -o refused --rain-series "$@"
    [ ! -e refused ] || fail "a refused run left its folder: $*"
}
bad() { # TEXT CONTENT
    printf "$2" >bad.csv
    refuse "$1" bad.csv
}
bad "bad.csv:1: the first line is 'time,rain'" 'time,rain\n0,1\n'
bad 'bad.csv:1: the first line' '0,1\n'
bad 'bad.csv:1: the first line' 'rain_mm_h,time_s\n0,1\n'
bad 'bad.csv:3: the time is not after' 'time_s,rain_mm_h\n5,1\n5,2\n'
bad 'bad.csv:2: a time before 0' 'time_s,rain_mm_h\n-1,1\n'
bad "bad.csv:2: 'x,1': two numbers" 'time_s,rain_mm_h\nx,1\n'
bad 'two numbers' 'time_s,rain_mm_h\nnan,1\n'
bad 'two numbers' 'time_s,rain_mm_h\n1,\n'
bad 'bad.csv:2: two columns' 'time_s,rain_mm_h\n1,2,3\n'
bad 'two columns' 'time_s,rain_mm_h\n12\n'
bad 'bad.csv:2: r = -' 'time_s,rain_mm_h\n0,-1\n'
bad 'is outside' 'time_s,rain_mm_h\n0,1e9\n'
bad 'holds no row' 'time_s,rain_mm_h\n'
bad 'holds no row' ''
bad 'not a text file' 'time_s,rain_mm_h\n0,\0001\n'
refuse 'cannot be read' none.csv
refuse 'is a folder' recipes
refuse 'replaces the map of --rain' storm.csv --rain @where.npy
refuse 'several levels' storm.csv --levels 2
expect_error 2 'has no rain by the second' "$WADI" run --no-preview h.npy --cell-size 10 --model schott2023 --levels 1 -o refused --rain-series storm.csv
