# wadi export --for: the files of each program, tiles that share their edges, sizes, ranges; opened by Blender where it is installed.
. "$(dirname "$0")/lib.bash"
has_format png || { echo "skipped: no PNG" && exit 77; }

"$WADI" generate island --size 70x60 --relief 300 --seed 4 --cell-size 20 -o island.npy >/dev/null
"$WADI" run island.npy -o run --steps 40 --quiet
export_for() { "$WADI" export run --no-colours "$@" >said 2>err || fail "export run $*: $(cat err)"; }

# Each program of the help: the files that its text names are there, and no @value@ is left in a text.
programs="unreal unity godot godot3 blender houdini web"
help=$("$WADI" export --help | tr -s ' \n' ' ')
for program in $programs; do
    case $program in godot* | blender | houdini) has_format exr || continue ;; esac
    case $help in *" $program ("*) ;; *) fail "--help does not name $program" ;; esac
    export_for --for "$program" -o "$program"
    [ -s "$program/READ_ME.txt" ] || fail "$program: no text"
    for text in "$program"/*.{txt,py,tscn,godot,html}; do
        [ ! -f "$text" ] || ! grep -qE '@[a-z_]+@' "$text" || fail "$text: $(grep -E '@[a-z_]+@' "$text")"
    done
    sed -nE 's/^  ((mask_|weight_|splat)[0-9a-z_]+) .*/\1/p' "$program/READ_ME.txt" | while read -r name; do
        [ -s "$program/$name.png" ] || fail "$program: $name.png is named, and is not there"
    done
    [ "$(find "$program" -type f | wc -l)" = "$(sed -n 's/^[^:]*: \([0-9]*\) files for .*/\1/p' said)" ] || fail "$program: $(cat said) $(ls "$program")"
    for mesh in "$program"/*.glb; do
        [ ! -f "$mesh" ] || [ "$(head -c 4 "$mesh")" = glTF ] || fail "$mesh is no glTF"
    done
done
[ -s blender/scene.py ] && [ -s godot/terrain.tscn ] && [ -s web/terrain_lod2.glb ] || ! has_format exr || fail "scenes are missing"

# Sizes: a size that the program takes; the text says what was done; the numbers to type fit the heights.
grep -q 'It has 127 x 127 now (resampled' unreal/READ_ME.txt || fail "$(head -n 4 unreal/READ_ME.txt)"
info() { "$WADI" info "$1" 2>/dev/null | sed -n "s/^$2 *//p"; }
[ "$(info unreal/height.png size | cut -d' ' -f1-3)" = "127 x 127" ] || fail "$(info unreal/height.png size)"
spacing=$(info unreal/height.png size | sed 's/.*of \([0-9.]*\) x.*/\1/')
awk -v s="$spacing" 'BEGIN { exit !(s > 10.95 && s < 10.953) }' || fail "69 x 20 m in 126 steps are not $spacing m" # 1380 / 126
z=$(sed -n 's/.*Scale .*Z \([0-9.]*\)$/\1/p' unreal/READ_ME.txt)
low=$(sed -n 's/.*heights go from \([-0-9.]*\) m to .*/\1/p' unreal/READ_ME.txt) high=$(sed -n 's/.* m to \([-0-9.]*\) m, and.*/\1/p' unreal/READ_ME.txt)
awk -v z="$z" -v l="$low" -v h="$high" 'BEGIN { d = z / 100 * 512 * 65535 / 65536 - (h - l); exit !(d * d < 1e-6) }' || fail "Z $z for $low to $high"
[ "$(wc -c <unity/height.raw)" = $((2 * 65 * 65)) ] || fail "unity/height.raw has $(wc -c <unity/height.raw) bytes"

# Tiles share their edges, and are the whole. Unity's rows and tiles begin in the south.
samples() { od -An -v -tu2 -w$((2 * $2)) --endian=little "$1"; } # FILE WIDTH: a line for each row
export_for --for unity -o whole --tile-size 65
export_for --for unity -o tiles --tiles 2x2 --tile-size 33
for y in 0 1; do paste -d' ' <(samples tiles/height_x0_y$y.raw 33) <(samples tiles/height_x1_y$y.raw 33) >rows$y; done
awk '{ if ($33 != $34) exit 1 }' rows0 rows1 || fail "tiles beside each other do not share their edge"
[ "$(tail -n 1 rows0)" = "$(head -n 1 rows1)" ] || fail "tiles above each other do not share their edge"
cat rows0 <(tail -n +2 rows1) | awk '{ $33 = ""; $1 = $1; print }' | tr -s ' ' >joined
samples whole/height.raw 65 | awk '{ $1 = $1; print }' >all
cmp -s joined all || fail "tiles are not the whole"
expect_error 2 'takes 127, 253' "$WADI" export run --for unreal -o no --tile-size 128
expect_error 2 'do not fit' "$WADI" export run --for unity -o no --fit crop --tile-size 129
export_for --for unity -o cropped --fit crop
[ "$(wc -c <cropped/height.raw)" = $((2 * 33 * 33)) ] || fail "cropped: $(wc -c <cropped/height.raw) bytes"
grep -q 'cropped' cropped/READ_ME.txt || fail "$(head -n 4 cropped/READ_ME.txt)"

# A chosen range is that of both; masks of a chosen list
export_for --for unity -o ranged --range height=-100..500 --masks slope --range slope=0..45 --bits 16
grep -q 'Y 600 ' ranged/READ_ME.txt && grep -q 'mask_slope *0..45, degrees' ranged/READ_ME.txt || fail "$(cat ranged/READ_ME.txt)"
[ "$(find ranged -name 'mask_*' | wc -l)" = 1 ] || fail "$(ls ranged)"
# A range of all maps is that of the masks: the terrain keeps its heights. One that is too narrow says so.
export_for --for unity -o masks --range 0..1
cmp masks/height.raw whole/height.raw || fail "--range 0..1 cuts the terrain off"
grep -q 'mask_slope *0..1, degrees' masks/READ_ME.txt || fail "$(cat masks/READ_ME.txt)"
! grep -q 'lie outside' said || fail "$(cat said)"
export_for --for unity -o narrow --range height=10..20
grep -q '^[1-9][0-9]* samples lie outside --range height' said || fail "$(cat said)"
expect_error 2 'not written as logarithms' "$WADI" export run --for unity -o no --range height=log:1..9
# What is wrong is found before anything is written.
expect_error 2 'there is no such map' "$WADI" export run --for unity --masks slope,nothing -o no
expect_error 2 'has no such map' "$WADI" export island.npy --for unity --masks erosion -o no
expect_error 2 'twice' "$WADI" export run --for unity --masks slope,flow,slope -o no
expect_error 2 'nothing.yaml' "$WADI" export run --for unity --layers nothing.yaml -o no
expect_error 2 'samples are too many' "$WADI" export run --for unity --tiles 1x65536 --tile-size 8193 -o no
expect_error 2 'at most' "$WADI" export run --for unity --tiles 16777216x16777216 -o no
expect_error 2 '1x1 or more' "$WADI" export run --for unity --tiles 0x1 -o no
[ ! -e no ] || fail "a wrong command leaves a folder: $(ls no)"
for tiles in 1x1 2x1 1x4; do
    export_for --for unity -o "t$tiles" --tile-size 33 --tiles $tiles
    [ "$(find "t$tiles" -name 'height*.raw' | wc -l)" = $((${tiles%x*} * ${tiles#*x})) ] || fail "--tiles $tiles: $(ls "t$tiles")"
done
grep -q 'colours of the ground: none, as --no-colours' t1x1/READ_ME.txt || fail "$(grep colours t1x1/READ_ME.txt)"
# A heightmap alone, and cells without data
"$WADI" export island.npy --for unity --no-colours -o file --cell-size 20 >/dev/null 2>&1 || fail "a heightmap"
[ ! -e file/mask_erosion.png ] && [ -s file/splat0.png ] || fail "$(ls file)"

expect_error 2 'did you mean' "$WADI" export run --for unrael -o no
expect_error 2 'does not go with --for' "$WADI" export run --for unity --every 2 -o no
expect_error 2 'does not go without --for' "$WADI" export run --tiles 2x2 -o no.glb
expect_error 2 'is the input' "$WADI" export run --for unity -o run
expect_error 2 'holds a run' "$WADI" export island.npy --for unity -o run
expect_error 2 '--force' "$WADI" export run --for unity -o whole
expect_error 2 'there is no such map' "$WADI" export run --for unity --masks nothing -o no --no-colours
export_for --for unity -o whole --force

# Blender builds its scene. CI has no Blender.
command -v blender >/dev/null && [ -d blender ] && ! sanitized || { echo "skipped: Blender" && exit 0; }
cat >look.py <<'END'
import bpy
kinds = sorted(thing.type for thing in bpy.context.scene.objects)
names = sorted(thing.name for thing in bpy.context.scene.objects if thing.type == "MESH")
ground = bpy.data.objects["ground"]
print("SCENE", kinds.count("CAMERA"), kinds.count("LIGHT"), names[0], len(ground.data.vertices), round(ground.dimensions.x))
END
(cd blender && timeout 120 blender -b --python scene.py --python ../look.py) >said 2>&1 || fail "Blender: $(tail -n 5 said)"
grep -q '^SCENE 1 1 ground 4200 1380$' said || fail "Blender's scene: $(grep SCENE said || tail -n 5 said)"
