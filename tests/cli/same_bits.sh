# labels: physics
# A run gives the same bits on any engine, with any number of threads, from and to any format.
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 65x47 --seed 9 -o hills.npy >/dev/null
for model in $(models); do
    run() { "$WADI" run hills.npy --model $model --steps 60 --maps all --quiet --rain drops:count=20,radius=3,rate=0.05 "$@"; }
    run -o $model --backend cpu --threads 1
    run -o $model-2 --backend cpu --threads 2
    run -o $model-3 --backend cpu --threads 3
    run -o $model-reference --backend reference
    for file in $model/*.npy $model/*.png; do
        for other in 2 3; do
            cmp "$file" "$model-$other/$(basename "$file")" || fail "$file: other bytes with $other threads"
        done
    done
    for other in 2 3 reference; do
        same_hashes $model $model-$other
        expect 0 'the same' "$WADI" compare $model $model-$other
    done
    grep -q '"backend": "reference"' $model-reference/run.json || fail "the reference engine was not used"
done
expect 1 'cells differ' "$WADI" compare jako2011 mei2007

# Formats of input and output
for format in tif exr r32; do
    has_format $format || continue
    "$WADI" generate diamond-square --size 65x47 --seed 9 -o hills.$format >/dev/null
    "$WADI" run hills.$format --size 65x47 --steps 60 --quiet --maps all --rain drops:count=20,radius=3,rate=0.05 -o from-$format
    same_hashes jako2011 from-$format
    [ -s from-$format/height.$format ] || fail "$format in, but not out"
    expect 0 'the same' "$WADI" compare jako2011 from-$format
done
for format in tif exr r16 r32 png; do
    has_format $format || continue
    "$WADI" run hills.npy --steps 60 --quiet --maps all --rain drops:count=20,radius=3,rate=0.05 --format $format -o to-$format
    same_hashes jako2011 to-$format # the hash is taken before rounding to the file's type
    case $format in
    r16 | png) expect 0 'within the tolerance' "$WADI" compare jako2011 to-$format --tolerance 0.01 ;;
    *) expect 0 'the same' "$WADI" compare jako2011 to-$format ;;
    esac
done
# The output has the scale of an integer input.
if has_format png; then
    "$WADI" generate diamond-square --size 65x47 --seed 9 --base 100 -o in.png >/dev/null
    "$WADI" run in.png --height-range 100,200 --steps 5 -o png --quiet
    expect 0 'PNG, uint16' "$WADI" info png/height.png
    sed -n '/^    "height": {$/,/}/p' png/run.json | grep -q '"offset": 100' || fail "the offset of the input is lost"
fi
"$WADI" generate diamond-square --size 48x48 --seed 9 -o in.r16 >/dev/null
expect 0 'note: in.r16: says no heights in metres' "$WADI" run in.r16 --dry-run
