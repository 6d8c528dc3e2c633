# labels: once
# Without --force no command replaces a file. It is refused before the work. A file that appears during the work stays.
. "$(dirname "$0")/lib.bash"

"$WADI" generate noise --size 800x800 --seed 3 -o hills.npy >/dev/null
"$WADI" generate cone --size 12x8 -o cone.npy >/dev/null

# refused OPTION FILE COMMAND...: the command refuses to replace the file that OPTION names
refused() {
    local option=$1 file=$2
    shift 2
    echo old >"$file"
    expect_error 2 "$option$file: exists; --force replaces it" "$@"
    [ "$(cat "$file")" = old ] || fail "'$*' was refused and has changed $file"
}

# replaced FILE COMMAND...: with --force the command replaces it
replaced() {
    local file=$1
    shift
    expect 0 '' "$@" --force
    [ "$(head -c 4 "$file")" != old ] || fail "'$* --force' leaves $file"
}

refused '-o ' a.npy "$WADI" generate cone --size 12x8 -o a.npy
replaced a.npy "$WADI" generate cone --size 12x8 -o a.npy
for end in obj ply gltf glb; do
    refused '-o ' a.$end "$WADI" export cone.npy -o a.$end
    replaced a.$end "$WADI" export cone.npy -o a.$end
done
refused '--csv ' a.csv "$WADI" bench --model mei2007 --csv a.csv
expect_error 2 'device' "$WADI" export cone.npy -o /dev/null --force
if has_format png; then
    refused '-o ' a.png "$WADI" render cone.npy -o a.png
    refused '-o ' a.png "$WADI" render cone.npy --3d -o a.png
    replaced a.png "$WADI" render cone.npy -o a.png
    refused '--plot ' p.png "$WADI" info cone.npy --plot p.png
    replaced p.png "$WADI" info cone.npy --plot p.png
fi

# The input is not read before the refusal: a missing input gives the same message.
refused '-o ' a.obj "$WADI" export nothing.npy -o a.obj

# A file that appears while the command works
for ((t = 0; t < tries; t++)); do
    rm -f late.obj
    "$WADI" export hills.npy -o late.obj >said 2>&1 &
    pid=$!
    until_it '.wadi-*-1.tmp' $pid
    (set -C && echo mine >late.obj) 2>/dev/null || true
    code=0
    wait $pid || code=$?
    [ $code = 0 ] || break
done
[ $code = 1 ] || fail "late.obj: ended with $code: $(cat said)"
[ "$(cat late.obj)" = mine ] || fail "late.obj was replaced"
grep -qx 'wadi: late.obj: another program has made it meanwhile; name another file' said || fail "$(cat said)"
[ -z "$(find . -name '.wadi*')" ] || fail "left: $(find . -name '.wadi*')"
