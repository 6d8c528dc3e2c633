# labels: once
# Heightmaps from other programs. Files keep encodings, byte orders, ranges, cell sizes, units and bit depths.
. "$(dirname "$0")/lib.bash"

generate() { "$WADI" generate diamond-square --size 48x40 --seed 5 "$@" >/dev/null; }
silent() { case $said in *"$1"*) fail "'$1' was said: $said" ;; esac }

# The output has the input's cell size.
for format in npy exr png tif; do
    has_format $format || continue
    generate --relief 80 --cell-size 8,4 -o cell.$format
    expect 0 'cells of 8 x 4 m' "$WADI" info cell.$format
    silent 'no cell size'
    "$WADI" run --no-preview cell.$format --steps 3 --quiet --maps flow -o out-$format
    for map in height flow; do
        expect 0 'cells of 8 x 4 m' "$WADI" info out-$format/$map.$format
        silent 'no cell size'
    done
done
# One terrain has one preset, whatever its file.
preset() { "$WADI" run --no-preview "cell.$1" --cell-size 8 --dry-run 2>/dev/null | sed -n 's/.* preset \([a-z]*\).*/\1/p'; }
[ -n "$(preset npy)" ] || fail "no preset is named"
for format in exr tif; do
    ! has_format $format || [ "$(preset $format)" = "$(preset npy)" ] || fail "$format: preset $(preset $format), not $(preset npy)"
done
if has_format tif; then
    "$WADI" run --no-preview cell.npy --steps 3 --quiet --maps none --format tif -o to-tif
    expect 0 'cells of 8 x 4 m' "$WADI" info to-tif/height.tif
fi
generate --relief 8 --cell-size 8 -o cell.r32
expect 0 'note: cell.r32: says no cell size; cells of 1 m' "$WADI" run --no-preview cell.r32 --size 48x40 --dry-run
expect 0 'cells of 8 x 8 m' "$WADI" info cell.r32 --size 48x40 --cell-size 8
silent 'no cell size'
generate --relief 8 -o one.npy
expect 0 'says no cell size' "$WADI" info one.npy
if command -v python3 >/dev/null && python3 -c 'import numpy' 2>/dev/null; then
    python3 - <<'PYTHON' || fail "numpy reads it otherwise"
import numpy
with open("cell.npy", "rb") as file:
    heights, cell = numpy.load(file), numpy.load(file)
assert heights.shape == (40, 48) and heights.dtype == "<f4" and list(cell) == [8, 4]
assert (numpy.load("cell.npy") == heights).all() and (numpy.load("cell.npy", mmap_mode="r") == heights).all()
with open("own.npy", "wb") as file:
    numpy.save(file, heights)
    numpy.save(file, numpy.array([5.0, 6.0]))
PYTHON
    expect 0 'cells of 5 x 6 m' "$WADI" info own.npy
fi

# Floats from 0 to 1, and very flat land
generate --relief 1 -o unit.npy
expect 0 '--height-range LO,HI says what 0 and 1' "$WADI" info unit.npy --cell-size 20
expect 0 'heights  0 to 2600 m' "$WADI" info unit.npy --cell-size 20 --height-range 0,2600
silent 'very flat'
generate --relief 5 -o low.npy
for format in exr tif; do
    has_format $format || continue
    generate --relief 1 -o unit.$format
    expect 0 'heights  0 to 2600 m' "$WADI" info unit.$format --cell-size 20 --height-range 0,2600
done
expect_error 2 'low.npy: its values reach from 0 to 5' "$WADI" run --no-preview low.npy --height-range 0,2600 -o refused
expect 0 '5 m over 48000 m of land, which is very flat' "$WADI" info low.npy --cell-size 1000
expect 0 'heights' "$WADI" info low.npy
silent 'very flat'

# The other byte order
swapped() { # BYTES FILE: its samples turned, onto standard output
    od -An -v -tx1 -w"$1" "$2" | while read -r -a bytes; do
        for ((i = $1 - 1; i >= 0; i--)); do printf "\\x${bytes[i]}"; done
    done
}
for bits in 16 32; do
    generate --relief 300 -o land.r$bits
    swapped $((bits / 8)) land.r$bits >big.r$bits
    how=(--size 48x40 --cell-size 30)
    [ $bits = 32 ] || how+=(--height-range "0,300")
    expect 0 'size' "$WADI" info land.r$bits "${how[@]}"
    silent 'byte-order'
    code=0
    said=$("$WADI" info big.r$bits "${how[@]}" 2>&1) || code=$?
    [[ $said == *'--byte-order big'* ]] || fail "nothing is said of the bytes' order: $said"
    expect 0 'heights  0 to 300 m' "$WADI" info big.r$bits "${how[@]}" --byte-order big
    silent 'byte-order'
    "$WADI" run --no-preview big.r$bits "${how[@]}" --byte-order big --steps 3 --quiet -o order-$bits
    "$WADI" run --no-preview land.r$bits "${how[@]}" --steps 3 --quiet -o other-$bits
    same_hashes order-$bits other-$bits
    grep -q '"byte-order": "big"' order-$bits/run.json || fail "the recipe does not keep the byte order"
    "$WADI" run --no-preview --recipe order-$bits/run.json --quiet -o again-$bits
    same_hashes order-$bits again-$bits
done

if has_format png; then
    # A colour picture from wadi render is refused, unless an option says how colours encode the height.
    generate --relief 30 -o hills.npy
    "$WADI" render hills.npy -o picture.png --scale 1 --no-decoration >/dev/null
    expect_error 2 'in colours; say how they hold the height: --encoding luminance' "$WADI" run --no-preview picture.png -o refused
    [ ! -e refused ] || fail "a refused run left its folder"
    expect 0 'heights' "$WADI" info picture.png --encoding luminance
    "$WADI" run --no-preview picture.png --encoding terrarium --cell-size 1000 --steps 3 --quiet -o tile
    expect 0 'PNG, uint16' "$WADI" info tile/height.png
    grep -q '"encoding": "terrarium"' tile/run.json || fail "the recipe does not keep the encoding"
    "$WADI" run --no-preview --recipe tile/run.json --quiet -o tile2
    same_hashes tile tile2
    expect_error 2 'did you mean terrarium' "$WADI" run --no-preview picture.png --encoding terarium -o refused
    "$WADI" run --no-preview hills.npy --mask picture.png --steps 3 --quiet -o coloured # of a mask the luminance counts
    expect_error 2 "is in colours; save the map in grey" "$WADI" run --no-preview hills.npy --hardness picture.png -o refused
fi

# A run's map is recognised by its unit.
if has_format tif; then
    "$WADI" run --no-preview cell.tif --steps 30 --quiet --maps flow,velocity,hardness -o maps
    for map in flow velocity hardness; do
        for command in info compare render; do
            case $command in
            info) expect 0 'and no heights' "$WADI" info maps/$map.tif ;;
            compare) expect 0 'the same' "$WADI" compare maps/$map.tif maps/$map.tif ;;
            render) has_format png && expect 0 '' "$WADI" render maps/$map.tif -o maps-$map.png ;;
            esac
            silent 'warning'
            silent 'not known here'
        done
    done
    expect 0 'warning: maps/flow.tif: is a map in m3/s, no height' "$WADI" run --no-preview maps/flow.tif --dry-run
fi

# 8 bits in, 16 out: 8 bits would not show most of the erosion.
bytes_tiff() { # a TIFF of 16 x 16 bytes, without a place
    printf 'II*\x00\x08\x00\x00\x00\x09\x00'
    printf '\x00\x01\x03\x00\x01\x00\x00\x00\x10\x00\x00\x00\x01\x01\x03\x00\x01\x00\x00\x00\x10\x00\x00\x00'
    printf '\x02\x01\x03\x00\x01\x00\x00\x00\x08\x00\x00\x00\x03\x01\x03\x00\x01\x00\x00\x00\x01\x00\x00\x00'
    printf '\x06\x01\x03\x00\x01\x00\x00\x00\x01\x00\x00\x00\x11\x01\x04\x00\x01\x00\x00\x00\x7a\x00\x00\x00'
    printf '\x15\x01\x03\x00\x01\x00\x00\x00\x01\x00\x00\x00\x16\x01\x03\x00\x01\x00\x00\x00\x10\x00\x00\x00'
    printf '\x17\x01\x04\x00\x01\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00'
    for ((i = 0; i < 256; i++)); do printf "\\x$(printf %02x $((i * 7 % 200 + 20)))"; done
}
if has_format tif; then
    bytes_tiff >bytes.tif
    expect 0 'TIFF, uint8' "$WADI" info bytes.tif --height-range 0,100
    "$WADI" run --no-preview bytes.tif --height-range 0,100 --steps 30 --quiet -o bytes
    expect 0 'uint16' "$WADI" info bytes/height.tif
    "$WADI" run --no-preview bytes.tif --height-range 0,100 --steps 30 --quiet -o floats --format npy
    expect 0 'within the tolerance' "$WADI" compare bytes floats --tolerance 0.001
fi
if command -v gdal_translate >/dev/null && has_format tif && has_format png; then
    gdal_translate -q -of PNG bytes.tif bytes.png
    expect 0 'PNG, uint8' "$WADI" info bytes.png --height-range 0,100
    "$WADI" run --no-preview bytes.png --height-range 0,100 --steps 30 --quiet -o png
    expect 0 'PNG, uint16' "$WADI" info png/height.png
    expect 0 'within the tolerance' "$WADI" compare png floats --tolerance 0.001
fi

# Maps have their own units, and no vertical CRS.
if command -v gdal_translate >/dev/null && has_format tif; then
    "$WADI" generate noise --size 24x20 --relief 40 -o base.npy >/dev/null
    "$WADI" run --no-preview base.npy --steps 1 --quiet --format tif --maps none --cell-size 10 -o base
    gdal_translate -q -a_srs EPSG:32617+5773 -a_ullr 400000 4000200 400240 4000000 base/height.tif v.tif
    "$WADI" run --no-preview v.tif --steps 3 --quiet --maps all -o units
    unit() { gdalinfo "units/$1.tif" | sed -n 's/^ *Unit Type: //p'; }
    for that in height=metre water=metre sediment=metre erosion=metre deposition=metre flow=m3/s velocity=m/s hardness=1; do
        map=${that%=*}
        [ "$(unit $map)" = "${that#*=}" ] || fail "the unit of $map is '$(unit $map)'"
        vertical=$(gdalinfo units/$map.tif | grep -c 'VERTCRS\|VERT_CS') || true
        if [ $map = height ]; then
            [ "$vertical" = 1 ] || fail "the height lost its vertical CRS"
        else
            [ "$vertical" = 0 ] || fail "$map has a vertical CRS"
        fi
        gdalinfo units/$map.tif | grep -q 'ID\["EPSG",32617\]' || fail "$map lost its CRS"
        expect 0 'EPSG:32617' "$WADI" info units/$map.tif
    done

    # An .aux.xml that says nothing is the origin of nothing. Of a damaged one GDAL prints nothing. One that would fill the
    # memory is refused.
    printf '<PAMDataset/>' >cell.tif.aux.xml
    expect 0 'cells of 8 x 4 m (from the file)' "$WADI" info cell.tif
    printf '<PAMDataset><SRS>' >cell.tif.aux.xml
    expect 0 'cells of 8 x 4 m (from the file)' "$WADI" info cell.tif
    silent ERROR
    truncate -s 70M cell.tif.aux.xml
    echo 'ncols 8' >probe.asc
    case $("$WADI" info probe.asc 2>&1 || true) in
    *'not built'*) ;;
    *) expect_error 2 'cell.tif.aux.xml beside it has more than 64 MiB' "$WADI" info cell.tif ;;
    esac
else
    echo "SKIPPED in part: gdal_translate is not there (gdal-bin)" >&2
fi

# NPY of integers: the height comes out in float32, and run.json says so.
{
    header=$(printf "{'descr': '<u2', 'fortran_order': False, 'shape': (3, 4), }")
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$header"
    for ((i = 0; i < 12; i++)); do printf "\\x00\\x$(printf %02x $((i * 20)))"; done
} >whole.npy
"$WADI" run --no-preview whole.npy --steps 2 --quiet -o whole
expect 0 'NPY, float32' "$WADI" info whole
grep -q '"sample": "float32"' whole/run.json || fail "run.json says another type than the file's"
expect 0 '--format input: NPY files of uint16 samples are not written; the height is float32' \
    "$WADI" run --no-preview whole.npy --steps 2 -o whole --force --format input
