# labels: once
# Tiles that are eroded one by one are the map eroded whole, to the last bit.
. "$(dirname "$0")/lib.bash"

case $("$WADI" join . -o none 2>&1 || true) in *'build with jansson'*) echo skipped: no jansson; exit 0 ;; esac

# tiles FOLDER N CxR OPTIONS...: a run of each tile of terrain.npy
tiles() {
    local folder=$1 count=$2 grid=$3 i
    shift 3
    mkdir -p "$folder"
    for ((i = 1; i <= count; i++)); do
        "$WADI" run --no-preview terrain.npy "$@" --tile "$i/$grid" -o "$folder/$i" --quiet 2>"$folder.err" || fail "$(cat "$folder.err")"
    done
}
# same NAME N CxR OPTIONS...: all maps of the tiles' whole are those of one run
same() {
    local name=$1 count=$2 grid=$3 map maps=0
    shift 3
    "$WADI" run --no-preview terrain.npy "$@" -o "$name-whole" --quiet || fail "$name: no run"
    tiles "$name" "$count" "$grid" "$@"
    "$WADI" join "$name" -o "$name-joined" >"$name.log" || fail "$name: not joined"
    grep -q 'has the bits of one run' "$name.log" || fail "$name: $(cat "$name.log")"
    for map in "$name-whole"/*.npy; do
        cmp "$map" "$name-joined/${map##*/}" || fail "$name: ${map##*/} differs"
        maps=$((maps + 1))
    done
    ((maps > 3)) || fail "$name: only $maps maps"
}

"$WADI" generate noise --size 90x64 --cell-size 2 --seed 4 -o terrain.npy >/dev/null
"$WADI" generate noise --size 90x64 --cell-size 2 --seed 9 -o map.npy >/dev/null
printf 'x,y,radius_m,rate_m3s\n31.3,31.2,9,2\n89,1,4,1\n' >sources.csv
read=(--cell-size 2 --format npy --maps all --levels 1)

# Random drops and sources lie across seams; the hardness is made from the whole map's heights.
same drops 6 3x2 "${read[@]}" --model jako2011 --steps 2 --rain drops:count=40,radius=9,rate=0.001 --sources sources.csv \
    --pixel
# The largest value of a map decides how many sub-steps there are, and it lies in one tile.
same map 2 1x2 "${read[@]}" --model mei2007 --steps 2 --set rain=@map.npy --allow-out-of-range --water map.npy
# Here a map's largest value makes two sub-steps of each step, which need twice the margin.
"$WADI" generate noise --size 90x64 --cell-size 2 --seed 9 --relief 4 -o rate.npy >/dev/null
same rate 2 2x1 "${read[@]}" --model jako2011 --steps 2 --set Kt=@rate.npy --allow-out-of-range
grep -q '"margin": 21' rate/1/run.json || fail "$(grep margin rate/1/run.json)"
same showers 2 2x1 "${read[@]}" --model swenson2018 --steps 9
same talus 2 2x1 "${read[@]}" --model olsen2004 --steps 2
same height 2 1x2 "${read[@]}" --model neidhold2005 --steps 1
# The sea reaches land that is joined to the border far from some tiles.
same sea 3 3x1 "${read[@]}" --model jako2011 --steps 2 --sea-level 30
# The sea of this model is no water that a tile must be given.
same coast 2 1x2 "${read[@]}" --model schott2023 --steps 4 --sea-level 12 --set waves=0.01
before=$(grep -A 1 '"water": {' coast/1/run.json | grep -o '"before": [^,]*') || true
[[ $before == '"before": 0' ]] || fail "a tile begins with water: $before"
same uplift 2 1x2 "${read[@]}" --model schott2023 --steps 4 --breach 50
[ "$(grep -l '"exact": true' drops/*/run.json | wc -l)" = 6 ] || fail "not all tiles are exact"
grep -q '"window": \[19, 0, 52, 43\]' drops/2/run.json || fail "$(grep window drops/2/run.json)"

# Tiles of integers are floats, so that all have the same steps. They may be of different copies of the map.
"$WADI" generate noise --size 90x64 --cell-size 2 --seed 4 -o terrain.png >/dev/null
mkdir moved png
cp terrain.png moved
number=(--cell-size 2 --height-range "0,36" --levels 1 --steps 2 --quiet)
"$WADI" run --no-preview terrain.png "${number[@]}" --tile 1/2x1 -o png/1
"$WADI" run --no-preview moved/terrain.png "${number[@]}" --tile 2/2x1 -o png/2
"$WADI" run --no-preview terrain.png "${number[@]}" --format tif -o png-whole
"$WADI" join png -o png/joined | grep -q 'has the bits of one run' || fail "PNG: not the bits of one run"
cmp png-whole/height.tif png/joined/height.tif || fail "PNG: the height differs"
# A joined map among the tiles is passed over, and replaces a run that could go on.
cp png-whole/checkpoint.wadi png/joined
"$WADI" join png -o png/joined --force >/dev/null || fail "not joined again"
[ ! -e png/joined/checkpoint.wadi ] || fail "a checkpoint stayed"
expect_error 2 'is one of the tiles' "$WADI" join png -o "$PWD/png/2" --force

# A tile that goes on from its checkpoint is the same, and knows what margin it needs now.
part() {
    "$WADI" run --no-preview terrain.npy "${read[@]}" --rain drops:count=40,radius=9,rate=0.001 --tile 2/2x2 --margin 11 --quiet "$@" \
        2>/dev/null
}
part --steps 2 -o part
part --steps 3 -o longer
"$WADI" run --no-preview --resume part --steps 1 --quiet
cmp part/water.npy longer/water.npy || fail "a resumed tile differs"
grep -q '"exact": false' part/run.json || fail "three steps need a wider margin than two"
grep -q '"number": 2' part/run.json || fail "the checkpoint lost the tile"

# Too narrow a margin is said, measured, and blended.
tiles narrow 2 2x1 "${read[@]}" --maps water --model jako2011 --steps 30 --margin 4
grep -q 'the bits of the whole need 151' narrow.err || fail "no warning: $(cat narrow.err)"
"$WADI" join narrow -o narrow-joined >narrow.log
grep -q 'differ there by .* m in the mean' narrow.log || fail "$(cat narrow.log)"
"$WADI" join narrow -o feathered --feather 4 >/dev/null
! cmp -s narrow-joined/height.npy feathered/height.npy || fail "--feather changed nothing"
"$WADI" info narrow-joined >/dev/null || fail "the joined folder is no run"
"$WADI" render narrow-joined -o joined.png >/dev/null || "$WADI" render narrow-joined -o joined.png 2>&1 | grep -q 'not built' ||
    fail "the joined folder cannot be drawn"

# What is refused.
run() { "$WADI" run --no-preview terrain.npy --cell-size 2 --steps 2 --levels 1 -o none "$@"; }
expect_error 2 'there are tiles 1 to 4' run --tile 5/2x2
expect_error 2 'N/CxR is wanted' run --tile 1,2
expect_error 2 'too small for so many tiles' run --tile 1/100x1
expect_error 2 'take open or closed' run --tile 1/2x2 --boundary wrap
expect_error 2 'they belong to the whole map' run --tile 1/2x2 --gauges 'a=3,3' --pixel
expect_error 2 '--levels 1 takes the finest alone' run --tile 1/2x2 --levels 2
expect_error 2 'is of a tile' run --margin 3
expect_error 2 'joined tiles need float32' run --tile 1/2x2 --format png
printf 'stages:\n- {model: jako2011, steps: 1}\n- {model: jako2011, steps: 1, sea-level: 30}\n' >late.yaml
expect_error 2 'only the first stage' "$WADI" run --no-preview terrain.npy --recipe late.yaml --tile 1/2x2 -o none
printf 'model: jako2011\nsteps: 4\nevents:\n- {at: 1, knobs: {scree: 1}}\n' >knob.yaml
expect_error 2 'only those that change the rain' "$WADI" run --no-preview terrain.npy --recipe knob.yaml --levels 1 --tile 1/2x2 -o none
expect_error 2 'exists' "$WADI" join narrow -o narrow-joined
expect_error 2 'a margin of 4' "$WADI" join narrow -o none --feather 5
expect_error 2 'holds no run folders' "$WADI" join narrow/2 -o none
mv narrow/2 .
expect_error 2 'tile 2 of 2 is missing' "$WADI" join narrow -o none
cp -r part narrow/2
expect_error 2 'is a tile of another run' "$WADI" join narrow -o none
cp -r 2 drops/7
expect_error 2 'is a tile of another run' "$WADI" join drops -o none
# Damaged tiles.
sed '/^  "recipe": {/,/^  },/d' png/2/run.json >json
cp -r png broken
rm -r broken/joined
cp json broken/2/run.json
expect_error 2 'no recipe or no outputs' "$WADI" join broken -o none
[ ! -e none ] || fail "a refused command left a folder"
echo ok
