# labels: once
# wadi render --map draws every map that `wadi derive` and `wadi run --maps` know, and each looks different.
. "$(dirname "$0")/lib.bash"

has_format png || { echo "skipped: no PNG"; exit 77; }
"$WADI" generate diamond-square --size 64x48 --seed 3 --relief 20 --cell-size 2 -o hills.npy >/dev/null
"$WADI" run hills.npy -o run --steps 60 --maps all --quiet
"$WADI" render run --scale 1 --threads 1 --no-water -o dry.png >/dev/null
"$WADI" render hills.npy --scale 1 --threads 1 -o bare.png >/dev/null

# names COMMAND...: the maps that its refusal of a wrong name lists
names() { { "$WADI" "$@" --maps nonsense -o no 2>&1 || true; } | sed -n 's/.*(there are \([^;]*\);.*/\1/p' | tr -d ' ' | tr , '\n'; }
mapfile -t derived < <(names derive hills.npy | grep -v streams)
mapfile -t written < <(names run hills.npy)
((${#derived[@]} > 15 && ${#written[@]} > 5)) || fail "the helps name too few maps: ${derived[*]} / ${written[*]}"

picture() { # picture INPUT NAME WITHOUT: the input's map, which differs from its picture without one
    "$WADI" render "$1" --scale 1 --threads 1 --map "$2" -o "$1-$2.png" >/dev/null || fail "$1 --map $2"
    ! cmp -s "$3" "$1-$2.png" || fail "--map $2 of $1 changes nothing"
}
for name in "${derived[@]}"; do picture hills.npy "$name" bare.png; done
for name in height "${written[@]}"; do
    if [ -e "run/$name.npy" ]; then
        picture run "$name" dry.png
    elif [[ ! " ${derived[*]} " == *" $name "* ]]; then
        expect_error 2 "holds no $name" "$WADI" render run --map "$name" -o no.png
        expect_error 2 "this map is a run folder" "$WADI" render hills.npy --map "$name" -o no.png
    fi
done
[ "$(sha256sum ./*.png | cut -d ' ' -f 1 | sort -u | wc -l)" = "$(ls ./*.png | wc -l)" ] ||
    fail "two maps have one picture: $(sha256sum ./*.png | sort)"

expect_error 2 'did you mean slope?' "$WADI" render run --map slop -o no.png
expect_error 2 'these are lines' "$WADI" render run --map streams -o no.png
expect_error 2 'does not go with --no-water' "$WADI" render run --map water --no-water -o no.png
[ ! -e no.png ] || fail "a refused picture was begun"
