# labels: once
# The files of a run folder, and the options that choose them.
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 48x36 --seed 2 -o hills.npy >/dev/null

# The default name and the default maps
expect 0 'jako2011' "$WADI" run hills.npy --steps 20
for line in 'steps    20' 'score ' 'realism ' '         pits deeper than 1 m ' 'solid ' 'water ' 'residual' 'cell-steps/s' 'files    hills-jako2011:'; do
    grep -q "$line" <<<"$said" || fail "the summary has no '$line': $said"
done
for file in height.npy water.npy flow.npy erosion.npy deposition.npy run.json; do
    [ -s hills-jako2011/$file ] || fail "no $file"
done
if has_format png; then [ -s hills-jako2011/preview.png ] || fail "no preview.png"; fi
[ -z "$(find . -name '.wadi*' -o -name '*.tmp' -o -name '*.new')" ] || fail "left: $(find .)"

check_json all hills-jako2011/run.json
for key in wadi command model parameters seed size cell_size boundary backend device threads steps simulated_s wall_s \
    cell_steps_per_s peak_memory_bytes mass score realism inputs outputs; do
    [ -n "$(value hills-jako2011 $key)" ] || fail "run.json has no $key"
done
[ "$(value hills-jako2011 size)" = '[48, 36]' ] || fail "size: $(value hills-jako2011 size)"
[ "$(value hills-jako2011 command)" = '["wadi", "run", "hills.npy", "--steps", "20"]' ] || fail "command"
for key in solid water before in out after moved residual exchanged; do
    sed -n '/^  "mass"/,/^  }/p' hills-jako2011/run.json | grep -q "\"$key\":" || fail "mass has no $key"
done
# The hash is that of the field: wadi info finds the manifest's hash in the file.
height=$(hashes hills-jako2011 | sed -n 's/^height //p')
expect 0 "sha256   $height" "$WADI" info hills-jako2011
expect 0 "$height" "$WADI" info hills-jako2011/height.npy --json
expect 0 'steps    20' "$WADI" info hills-jako2011
# The measures are those of the height, though they are made while maps go through its memory.
measures() { sed -n '/^  "realism"/,/^  }/p' | grep '"value"'; }
"$WADI" info hills-jako2011/height.npy --json 2>/dev/null | measures >of-the-height
[ "$(wc -l <of-the-height)" = 12 ] || fail "measures: $(cat of-the-height)"
for threads in 1 3; do
    expect 0 '' "$WADI" run hills.npy --steps 20 --threads $threads -o measured --force --maps all
    measures <measured/run.json | cmp - of-the-height || fail "--threads $threads: other measures than the height's"
done
"$WADI" info hills-jako2011 --json | cmp - hills-jako2011/run.json || fail "info --json is not run.json"

# The same run again gives the same files. An existing folder is refused. --force replaces it and removes old maps.
expect_error 2 'the folder exists' "$WADI" run hills.npy --steps 20
expect 0 '' "$WADI" run hills.npy --steps 20 -o again --maps all
[ "$(hashes hills-jako2011 | head -1)" = "$(hashes again | head -1)" ] || fail "the same run, other bits"
for map in sediment velocity hardness; do [ -s again/$map.npy ] || fail "--maps all: no $map"; done
# Every map that help lists can be written and drawn. The message about a mistyped map lists the same.
listed=$("$WADI" help run | tr -s ' \n' ' ' | sed 's/.*maps to write: \([^;]*\);.*/\1/')
expect 0 '' "$WADI" run hills.npy --model schott2023 --steps 2 -o rivers --maps all # has maps that jako2011 lacks
expect 0 '' "$WADI" run hills.npy --steps 2 -o ground --maps all --set infiltration=constant
expect 0 '' "$WADI" run hills.npy --model braun1999 --steps 2 -o glaciers --maps all
for map in ${listed//,/}; do
    for folder in again rivers ground glaciers; do [ ! -s "$folder/$map.npy" ] || break; done
    [ -s "$folder/$map.npy" ] || fail "help lists $map, --maps all does not write it"
    expect 0 '' "$WADI" render $folder --map "$map" -o "$map.png"
done
[ "$(basename -a again/*.npy rivers/*.npy ground/*.npy glaciers/*.npy | sort -u | wc -l)" = "$(($(wc -w <<<"$listed") + 1))" ] || fail "--maps all writes what help does not list"
expect_error 2 "there are $listed; all; none" "$WADI" run hills.npy --maps qqqqqqqq
expect 0 '' "$WADI" run hills.npy --steps 10 -o again --maps water --format r32 --force
[ -s again/height.r32 ] && [ -s again/water.r32 ] || fail "--format r32"
[ "$(ls -A again | paste -sd" ")" = 'checkpoint.wadi height.r32 preview.png run.json water.r32' ] || fail "stale: $(ls -A again)"
expect 0 '' "$WADI" run hills.npy --steps 10 -o again --maps water --format r32 --force --no-checkpoint
[ "$(ls -A again | paste -sd" ")" = 'height.r32 preview.png run.json water.r32' ] || fail "--no-checkpoint: $(ls -A again)"
expect 0 '' "$WADI" run hills.npy --steps 10 -o again --maps water --format r32 --force --no-preview
[ "$(ls -A again | paste -sd" ")" = 'checkpoint.wadi height.r32 run.json water.r32' ] || fail "--no-preview: $(ls -A again)"
expect 0 '' "$WADI" run --resume again --steps 1
[ -s again/preview.png ] || fail "it lasts beyond its command"
expect 0 '"left_s": 0' "$WADI" run hills.npy --steps 1 -o one --json
printf 'input: hills.npy\nsteps: 1\npreview: false\n' >plain.yaml
expect 0 '' "$WADI" run --recipe plain.yaml -o plain
[ ! -e plain/preview.png ] || fail "preview: false drew one"
expect 0 '' "$WADI" run hills.npy --steps 10 -o again --maps water --format r32 --force --no-checkpoint
expect_error 2 'no checkpoint was kept' "$WADI" run --resume again --steps 5
expect 0 '' "$WADI" run hills.npy --steps 0 -o none --maps none --quiet
[ -z "$said" ] || fail "--quiet said: $said"
[ "$(hashes none | sed -n 's/^height //p')" = "$("$WADI" info hills.npy | sed -n 's/^sha256   //p')" ] || fail "0 steps changed the height"
# Other files in the folder are kept.
mkdir mine && echo keep >mine/water.txt && echo keep >mine/flow.npy
expect_error 2 'the folder exists' "$WADI" run hills.npy --steps 1 -o mine
expect 0 '' "$WADI" run hills.npy --steps 1 -o mine --maps none --force
[ "$(cat mine/water.txt mine/flow.npy)" = "keep
keep" ] || fail "other files were touched"
mkdir empty
expect 0 '' "$WADI" run hills.npy --steps 1 -o empty

# A refused --force leaves the old run unchanged.
before=$(cat none/run.json)
expect_error 2 'unknown parameter' "$WADI" run hills.npy -o none --force --set Kcc=1
[ "$before" = "$(cat none/run.json)" ] || fail "a refused run changed the old one"

# --dry-run leaves nothing
expect 0 'memory' "$WADI" run hills.npy --dry-run -o dry
expect 0 'estimated_s' "$WADI" run hills.npy --dry-run --json -o dry
[ ! -e dry ] || fail "--dry-run made a folder"

# --time
dt=$(sed -n 's/.*"dt": \([^,]*\),/\1/p' hills-jako2011/run.json)
expect 0 '' "$WADI" run hills.npy --time "$(awk "BEGIN { printf \"%.17g\", 15 * $dt }")" -o timed
[ "$(value timed steps)" = 15 ] || fail "--time: $(value timed steps) steps"

# --json writes lines. The last line is the result.
"$WADI" run hills.npy --steps 10 --json -o lines >lines.json
check_json lines lines.json
head -1 lines.json | grep -q '"event": "start"' || fail "first line: $(head -1 lines.json)"
tail -1 lines.json | grep -q '"event": "result".*"outputs"' || fail "last line: $(tail -1 lines.json)"
[ -z "$("$WADI" run hills.npy --cell-size 1 --steps 1 --json --force -o lines 2>&1 >/dev/null)" ] || fail "--json said something on stderr"
# Standard output has results alone. Progress goes to standard error.
[ "$("$WADI" run hills.npy --steps 5 --force -o lines 2>/dev/null | head -1 | cut -c1-5)" = model ] || fail "stdout"
if [ -w /dev/full ]; then expect_error 1 'standard output' bash -c '"$WADI" models >/dev/full'; fi

# A folder that holds the input and no run is refused.
mkdir home && cp hills.npy home/height.npy
expect_error 2 'the input lies in this folder' "$WADI" run home/height.npy --steps 1 -o home --force
expect_error 2 'the input lies in this folder' "$WADI" run ./home/height.npy --steps 1 -o home/ --force
