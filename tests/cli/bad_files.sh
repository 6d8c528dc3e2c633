# labels: once
# Bad input never crashes the command, never makes it hang or take much memory, and never replaces a good file. Places that
# cannot be written are found before the work.
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 24x16 -o good.npy >/dev/null

# npy DESCR SHAPE: prints a header, then the values from standard input
npy() {
    local header
    header=$(printf "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" "$1" "$2")
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$header"
    cat
}
floats() { # COUNT, four bytes each as printf takes them
    for ((i = 0; i < $1; i++)); do printf "$2"; done
}

refuse() { # TEXT FILE [OPTIONS]: the run is refused, names the file, and leaves nothing
    local text=$1 file=$2
    shift 2
    expect_error 2 "$text" "$WADI" run --no-preview "$file" -o out --steps 1 "$@"
    [ ! -e out ] || fail "a refused run left its folder ($file)"
    grep -qF "$file" <<<"$said" || fail "the file is not named: $said"
}

: >empty.npy
refuse 'empty.npy' empty.npy
refuse 'empty.npy' ./empty.npy
: >empty
refuse 'empty' empty
echo 'dear diary' >text.tif
refuse 'text.tif' text.tif
refuse 'missing.tif' missing.tif
mkdir folder
refuse 'folder' folder
for format in npy tif png exr r32; do
    has_format $format || continue
    "$WADI" generate cone --size 24x16 -o whole.$format --force >/dev/null
    size=$(stat -c %s whole.$format)
    for part in 1 7 40 $((size / 2)) $((size - 1)); do
        head -c $part whole.$format >cut.$format
        # Some formats can be read without their last byte. None may crash.
        code=0
        said=$("$WADI" info cut.$format 2>&1) || code=$?
        [ $code = 2 ] || { [ $code = 0 ] && [ $part = $((size - 1)) ]; } || fail "$part bytes of $format: $code $said"
        expect $code '' "$WADI" run --no-preview cut.$format -o out --steps 1 --dry-run
        [ ! -e out ] || fail "left out"
    done
done
npy '<f4' '1000000, 1000000' </dev/null >huge.npy
refuse 'huge.npy' huge.npy
npy '<f4' '4611686018427387904, 4' </dev/null >huger.npy
refuse 'huger.npy' huger.npy
npy '|S8' '4, 4' <<<"textextextextextextextextextextextex" >wrong.npy
refuse 'wrong.npy' wrong.npy
floats 16 '\x00\x00\xc0\x7f' | npy '<f4' '4, 4' >nan.npy
refuse 'no data' nan.npy
{ floats 15 '\x00\x00\x80\x3f' && printf '\x00\x00\x80\x7f'; } | npy '<f4' '4, 4' >infinite.npy
refuse 'infinite' infinite.npy
floats 1 '\x00\x00\x80\x3f' | npy '<f4' '1, 1' >tiny.npy
refuse 'tiny.npy' tiny.npy
head -c 100 /dev/zero >odd.r32
refuse 'odd.r32' odd.r32 --size 7x7
expect 2 '' "$WADI" compare good.npy missing.npy
expect 2 '' "$WADI" render missing.npy -o x.png
[ ! -e x.png ] || fail "render left x.png"

# A cell without data stays without data, and is a wall.
{ floats 5 '\x00\x00\x80\x3f' && printf '\x00\x00\xc0\x7f' && floats 10 '\x00\x00\x00\x40'; } | npy '<f4' '4, 4' >hole.npy
expect 0 '' "$WADI" run --no-preview hole.npy -o hole --steps 20 --maps all
for map in height water flow erosion; do
    expect 0 'nodata   1 cells' "$WADI" info hole/$map.npy
done

# a run folder whose files are pipes, which would never end
"$WADI" run --no-preview good.npy -o piped --steps 1 --maps none --quiet
if mkfifo fifo 2>/dev/null; then
    for file in run.json checkpoint.wadi; do
        cp -r piped copy && rm copy/$file && mkfifo copy/$file
        case $file in
        run.json)
            for command in 'info copy' 'info copy --json' 'compare copy good.npy' 'export copy -o x.obj'; do
                expect_error 2 'copy/run.json: is a folder, a device or a pipe' timeout 20 "$WADI" $command
            done
            ;;
        *) expect_error 2 'copy/checkpoint.wadi: is a folder, a device or a pipe' timeout 20 "$WADI" run --no-preview --resume copy --steps 1 ;;
        esac
        rm -r copy
    done
fi

# Output places that cannot be written
expect_error 2 'there is no folder' "$WADI" run --no-preview good.npy -o no/such/folder
expect_error 2 'is a file' "$WADI" run --no-preview good.npy -o good.npy
expect_error 2 'good.npy' "$WADI" run --no-preview good.npy -o good.npy/out
if [ -d /proc/self ]; then expect_error 2 '/proc' "$WADI" run --no-preview good.npy -o /proc/out; fi
if [ "$(id -u)" != 0 ]; then
    mkdir closed && chmod a-w closed
    expect_error 2 'cannot be written' "$WADI" run --no-preview good.npy -o closed/out
    mkdir hidden && touch hidden/file && chmod a-r hidden
    expect_error 2 'cannot be read' "$WADI" run --no-preview good.npy -o hidden # it may not be empty
    chmod a+r hidden
fi
if has_format png; then
    expect 2 '' "$WADI" render good.npy -o no/such/x.png
fi

# A grid too large for the machine is refused before anything is allocated. The message says what would fit.
if has_format r32; then
    truncate -s 40000000000 large.r32 2>/dev/null && expect 3 '' "$WADI" run --no-preview large.r32 -o out --size 100000x100000
    [ ! -e out ] || fail "left out"
    rm -f large.r32
fi

# Files beyond the size limit act like a full disk: the run ends with 1, and leaves no partial file.
"$WADI" generate diamond-square --size 200x160 -o wide.npy >/dev/null
limited() { (
    trap '' XFSZ
    ulimit -f 64
    exec "$@"
); }
expect 1 'wadi: out' limited "$WADI" run --no-preview wide.npy -o out --steps 2
[ ! -e out ] || fail "a run that could not begin left its folder"
"$WADI" run --no-preview wide.npy -o old --steps 2 --quiet
before=$(cat old/run.json)
expect 1 'wadi: old' limited "$WADI" run --no-preview wide.npy -o old --steps 3 --force
[ "$before" = "$(cat old/run.json)" ] || fail "the old run was touched"
[ "$(hashes old | sed -n 's/^height //p')" = "$("$WADI" info old/height.npy | sed -n 's/^sha256   //p')" ] || fail "the old height"
[ -z "$(find . -name '*.new' -o -name '*.tmp' -o -name '.wadi*')" ] || fail "left: $(find . -name '*.new' -o -name '*.tmp' -o -name '.wadi*')"
expect 1 'x.npy' limited "$WADI" generate cone --size 300x300 -o x.npy
[ ! -e x.npy ] || fail "half a file"

# A checkpoint on the way that cannot be written ends the run; the one before is whole.
way() { (trap '' XFSZ && ulimit -f 600 && exec "$WADI" run --no-preview wide.npy -o way --steps 60 --checkpoint-every 50); }
expect 1 'way/checkpoint.wadi: cannot be written' way
expect 0 'going on from step 0' "$WADI" run --no-preview --resume way
rm -r way

# The disk is full when the results are written. The checkpoint stays, and the run can be resumed.
mkdir disk
if mount -t tmpfs -o size=2600k tmpfs disk 2>/dev/null; then
    trap 'umount disk 2>/dev/null || true' EXIT
    dd if=/dev/zero of=disk/ballast bs=1k count=2600 2>/dev/null || true
    expect 1 'No space left' "$WADI" run --no-preview wide.npy -o disk/out --steps 3
    [ ! -e disk/out ] || fail "left disk/out"
    rm disk/ballast
    "$WADI" run --no-preview wide.npy -o here --steps 3 --maps all --quiet
    expect 1 'No space left' "$WADI" run --no-preview wide.npy -o disk/out --steps 3 --maps all
    [ ! -e disk/out/run.json ] && [ ! -e disk/out/height.npy ] || fail "half a result: $(ls disk/out)"
    mount -o remount,size=16m disk
    expect 0 'model' "$WADI" run --no-preview --resume disk/out
    same_hashes here disk/out
    umount disk
fi
