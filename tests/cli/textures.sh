# labels: once
# wadi derive for texturing: ranges, bits, pictures of several channels, the ground's layers.
. "$(dirname "$0")/lib.bash"
has_format png || { echo "skipped: no PNG" && exit 77; }

"$WADI" generate ridged --size 48x40 --relief 300 --seed 4 --cell-size 10 -o hills.npy >/dev/null
"$WADI" run --no-preview hills.npy -o run --steps 20 --quiet
derive() { "$WADI" derive "$@" >said; }
# The samples of a PNG as text, one line a row, by python's own zlib: rows of "x y z ..." with all channels.
samples() {
    python3 - "$1" <<'END'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
at, body = 8, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR": width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
    if kind == b"IDAT": body += data[at + 8:at + 8 + size]
    at += size + 12
channels = {0: 1, 4: 2, 2: 3, 6: 4}[colour]
step = channels * depth // 8
raw, last, out = zlib.decompress(body), bytearray(width * step), []
for y in range(height):
    line = raw[y * (width * step + 1):(y + 1) * (width * step + 1)]
    row = bytearray(line[1:])
    for i in range(len(row)):
        left, up, corner = (row[i - step] if i >= step else 0), last[i], (last[i - step] if i >= step else 0)
        p = left + up - corner
        paeth = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
        row[i] = (row[i] + [0, left, up, (left + up) // 2, paeth][line[0]]) & 255
    last = row
    values = row if depth == 8 else [row[2 * i] << 8 | row[2 * i + 1] for i in range(width * channels)]
    print(width, height, channels, depth, *values) if y == 0 else print(*values)
END
}
can_look() { command -v python3 >/dev/null; }

# A fixed range gives the same value to the same slope, in two terrains; a percentile its own.
derive run -o one --maps slope,erosion --bits 8 --format png --range slope=0..85 --range erosion=0..4
grep -qx 'slope=0..85' one/ranges.txt || fail "$(cat one/ranges.txt)"
grep -q '^one/slope.png: .*; 0 is 0, full scale 85$' said || fail "$(cat said)"
derive hills.npy -o two --maps slope --bits 8 --format png --range @one/ranges.txt
grep -qx 'slope=0..85' two/ranges.txt || fail "a file of ranges: $(cat two/ranges.txt)"
derive run -o three --maps slope --bits 16 --format png --range 5%..95%
! grep -q '=0\.\.85' three/ranges.txt || fail "$(cat three/ranges.txt)"
# read back, the slope is that of floats, but for rounding and what lies outside
derive run -o floats.npy --maps slope
"$WADI" compare one/slope.png floats.npy --tolerance 0.17 >/dev/null || fail "8 bits of the slope: $("$WADI" compare one/slope.png floats.npy)"
derive run -o share.tif --maps slope --bits 32 --range 0..85 2>/dev/null && {
    said=$("$WADI" info share.tif)
    case $said in *' 0.'*) ;; *) fail "$said" ;; esac
}
derive run -o logs --maps flow --bits 16 --format png --range log:0.001..10
grep -qx 'flow=log:0.001..10' logs/ranges.txt || fail "$(cat logs/ranges.txt)"

# Pictures. Of the two kinds of normals, the green parts add up to full scale.
derive run -o pictures --pictures normal_opengl,normal_directx,flow_direction,layers --pack orm=occlusion,-slope,0
[ "$(ls pictures)" = "flow_direction.png
layers0.png
layers1.png
layers2.png
normal_directx.png
normal_opengl.png
orm.png
ranges.txt" ] || fail "in the folder: $(ls pictures)"
if can_look; then
    paste -d' ' <(samples pictures/normal_opengl.png | tail -n +2 | tr ' ' '\n') <(samples pictures/normal_directx.png | tail -n +2 | tr ' ' '\n') |
        awk 'NR % 3 == 2 && ($1 + $2 < 254 || $1 + $2 > 256) { bad++ } NR % 3 != 2 && $1 != $2 { bad++ } NR % 3 == 0 && $1 < 128 { bad++ }
            END { exit bad > 0 || NR != 3 * 48 * 39 }' || fail "the two kinds of normals"
    # the weights of the nine layers add up to 255 in each cell
    paste -d' ' <(samples pictures/layers0.png | tail -n 3 | tr ' ' '\n' | paste -d' ' - - - -) \
        <(samples pictures/layers1.png | tail -n 3 | tr ' ' '\n' | paste -d' ' - - - -) \
        <(samples pictures/layers2.png | tail -n 3 | tr ' ' '\n') |
        awk '{ sum = 0; for (i = 1; i <= NF; i++) sum += $i; if (NF != 9 || sum != 255) bad++ } END { exit bad > 0 || NR < 100 }' || fail "weights do not add up"
    samples pictures/orm.png | tail -n +2 | tr ' ' '\n' | awk 'NR % 3 == 0 && $1 != 0 { bad++ } END { exit bad }' || fail "a constant channel"
fi
cat >rules.yaml <<'END'
- name: sand
- name: cliff
  slope: [20, 30]
END
derive hills.npy -o splat --layers rules.yaml --bits 16
[ "$(ls splat)" = "layers0.png" ] || fail "of two layers: $(ls splat)"
! can_look || [ "$(samples splat/layers0.png | head -n 1 | cut -d' ' -f1-4)" = "48 40 3 8" ] || fail "$(samples splat/layers0.png | head -n 1 | cut -c1-40)"

# Asking for a map of what slid tracks it; 32 bits of a picture are floats.
"$WADI" run --no-preview hills.npy -o slid --steps 20 --maps talus,silt --quiet
grep -q '"track_sliding": "on"' slid/run.json || fail "--maps talus does not track it"
"$WADI" compare slid/height.npy run/height.npy >/dev/null || fail "tracking what slides changes the height"
"$WADI" run --no-preview hills.npy -o slid2 --model mei2007 --steps 2 --maps talus >/dev/null 2>err
[ ! -e slid2/talus.npy ] && grep -q 'talus.npy is not written: mei2007 has no such map' err || fail "mei2007: $(cat err)"
# Neither a preset in the midst nor a stage without sliding loses it; --save asks for it, too.
with_event() { printf 'input: hills.npy\nmaps: [talus]\nsteps: 20\nevents:\n- {at: 10, %s}\n' "$1" >events.yaml; }
with_event 'preset: canyon'
"$WADI" run --no-preview --recipe events.yaml -o event --quiet
[ -e event/talus.npy ] || fail "a preset in the midst ends the tracking: $(ls event)"
with_event 'set: {track_sliding: "off"}'
expect_error 2 'is for a whole run' "$WADI" run --no-preview --recipe events.yaml -o no
stages() { printf 'input: hills.npy\nmaps: [slid]\nsettle: off\nstages:\n- {model: jako2011, steps: 20}\n%s' "$1" >stages.yaml && "$WADI" run --no-preview --recipe stages.yaml -o "$2" --quiet; }
stages '' one_stage
stages '- {model: mei2007, steps: 3, set: {rain: 0}}
- {model: jako2011, steps: 0}
' three_stages
"$WADI" compare one_stage/slid.npy three_stages/slid.npy >compared || fail "a stage of mei2007: $(cat compared)"
"$WADI" run --no-preview hills.npy -o both --model olsen2004 --steps 2 --maps all --quiet
[ ! -e both/talus.npy ] || grep -q '"track_sliding": "on"' both/run.json || fail "the talus of olsen2004 is its parameter"
if "$WADI" run --no-preview hills.npy -o saved --steps 4 --save talus --every 2 --quiet 2>err; then
    grep -q '"track_sliding": "on"' saved/run.json || fail "--save talus does not track it"
else
    grep -q 'cannot write' err || fail "$(cat err)"
fi
if has_format exr; then
    derive slid -o packs --pack soil=talus,silt,-slope --bits 32
    [ "$(ls packs)" = "ranges.txt
soil.exr" ] || fail "a pack of floats: $(ls packs)"
    if has_format tif; then # the channel has the map's shares
        derive slid -o silt.tif --maps silt --bits 32
        "$WADI" clip packs/soil.exr --band G --cell-size 10 --map --window 0,0,48,40 -o green.tif >/dev/null 2>err || fail "$(cat err)"
        "$WADI" compare green.tif silt.tif >compared || fail "green: $(cat compared)"
    fi
fi

# The colours of the three-dimensional picture, where there is OpenGL
if "$WADI" derive run -o colours --pictures colour >said 2>err; then
    can_look && [ "$(samples colours/colour.png | head -n 1 | cut -d' ' -f1-4)" = "48 40 3 8" ] || fail "the size of the colours"
    ! can_look || samples colours/colour.png | tail -n +2 | tr ' ' '\n' | awk '{ n[int($1 / 8)]++ } END { for (i in n) kinds++; exit kinds < 6 }' || fail "the colours are one"
else
    grep -qi 'opengl\|EGL\|epoxy' err || fail "no colours: $(cat err)"
fi

# A range is of its map alone; a single file has no ranges.txt beside it.
derive run -o part --maps filled,slope --format npy --range slope=0..10
derive run -o filled.npy --maps filled
cmp part/filled.npy filled.npy || fail "--range slope=... changes another map"
grep -qx 'slope=0..10' part/ranges.txt && [ "$(wc -l <part/ranges.txt)" = 1 ] || fail "$(cat part/ranges.txt)"
derive hills.npy -o single.png --maps slope --bits 16 || fail "a map with bits in a file of its own"
# No file takes another's name; layers are for a picture.
expect_error 2 'two files would be' "$WADI" derive run -o no --maps slope --format png --pack slope=aspect
expect_error 2 'two files would be layers0.png' "$WADI" derive run -o no --pictures layers --pack layers0=slope
expect_error 2 'two files would be colour.png' "$WADI" derive run -o no --pictures colour,colour
expect_error 2 'needs layers among' "$WADI" derive run -o no --pictures normal_opengl --layers rules.yaml
expect_error 2 'nothing.yaml' "$WADI" derive run -o no2 --layers nothing.yaml
[ ! -e no ] || fail "a wrong command leaves a folder: $(ls no)"

expect_error 2 'is no range' "$WADI" derive run -o no --range slope=5
expect_error 2 'there is no map slop' "$WADI" derive run -o no --range slop=0..5
expect_error 2 'did you mean normal_opengl?' "$WADI" derive run -o no --pictures normal_open
expect_error 2 'there is no map nothing' "$WADI" derive run -o no --pack a=nothing
expect_error 2 'NAME=MAP' "$WADI" derive run -o no --pack ../a=slope
expect_error 2 'has 1 to 4 channels' "$WADI" derive run -o no --pack a=slope,slope,slope,slope,slope
expect_error 2 'files do not hold them' "$WADI" derive run -o no --maps slope --bits 8 --format npy
expect_error 2 'wadi derive RUN --maps slope makes it' "$WADI" run --no-preview hills.npy --maps slope -o no
expect_error 2 'is a file; this map is a run' "$WADI" derive hills.npy -o no --maps erosion
expect_error 2 'no map erosion' "$WADI" derive hills.npy -o no --layers <(printf -- '- name: a\n- name: b\n  erosion: [1, 2]\n')
expect_error 2 'exists; --force' "$WADI" derive run -o one --maps flow --bits 8 --format png
expect_error 2 'exists; --force' "$WADI" derive run -o pictures --pictures normal_opengl
expect_error 2 'or for pictures; name a folder' "$WADI" derive run -o no.png --pictures colour

# Masks of four tiles with one range are that of the whole, and share their edges; those of another seed have the same scale.
if can_look; then
    export_masks() { "$WADI" export run --for unity --no-colours --masks erosion --range erosion=0..4 "$@" >/dev/null; }
    rows() { samples "$1" | sed '1s/^[0-9]* [0-9]* [0-9]* [0-9]* //'; }
    export_masks -o whole --tile-size 65
    export_masks -o tiled --tile-size 33 --tiles 2x2
    for y in 0 1; do # an edge is in both tiles, so it is left out once
        paste -d' ' <(rows tiled/mask_erosion_x0_y$y.png) <(rows tiled/mask_erosion_x1_y$y.png | cut -d' ' -f2-) >rows$y
    done
    cmp -s <(head -n 32 rows1; cat rows0) <(rows whole/mask_erosion.png) || fail "the masks of tiles have a seam"
    [ "$(tail -n 1 rows1)" = "$(head -n 1 rows0)" ] || fail "masks above each other do not share their edge"
    [ "$(tr ' ' '\n' <rows0 | sort -u | wc -l)" -gt 20 ] || fail "the mask has hardly any values"
    "$WADI" generate ridged --size 48x40 --relief 300 --seed 5 --cell-size 10 -o others.npy >/dev/null
    "$WADI" run --no-preview others.npy -o others --steps 20 --quiet
    for seed in run others; do
        derive $seed -o $seed.png --maps erosion --bits 8 --range 0..4
        "$WADI" compare $seed.png $seed/erosion.npy --tolerance 0.008 >compared 2>&1 || # half a step
            fail "the mask of $seed has another scale: $(cat compared)"
    done
fi

# Without its water a run's picture is that of its height alone: nothing red of what was suspended in the water.
"$WADI" run --no-preview hills.npy -o muddy --steps 20 --maps all --quiet
"$WADI" render muddy --no-water --no-decoration -o dry.png >/dev/null
"$WADI" render muddy/height.npy --no-decoration -o height.png >/dev/null
cmp -s dry.png height.png || fail '--no-water leaves something of the water'
