# labels: once
# wadi export makes meshes of files and of runs.
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 40x30 --seed 3 -o island.npy >/dev/null
"$WADI" run island.npy --steps 400 -o run --quiet
for end in obj ply gltf glb; do
    expect 0 "run.$end" "$WADI" export run -o "run.$end"
    "$WADI" export island.npy -o "island.$end" >/dev/null
    "$WADI" export run --no-water -o "dry.$end" >/dev/null
    "$WADI" export run --every 3 -o "small.$end" >/dev/null
    "$WADI" export run --exaggeration 2 -o "high.$end" >/dev/null
    (($(wc -c <"small.$end") * 4 < $(wc -c <"run.$end"))) || fail "--every 3 leaves small.$end as large"
    ! cmp -s "high.$end" "run.$end" || fail "--exaggeration changes nothing in .$end"
done
check_json all run.gltf
grep -q '"name":"water_0"' run.gltf || fail "run.gltf has no water"
grep -q '^o water_0' run.obj || fail "run.obj has no water"
! grep -q '^o water' dry.obj || fail "--no-water leaves it in"
[[ $(grep -c '^v ' island.obj) == 1200 ]] || fail "island.obj has $(grep -c '^v ' island.obj) corners"
# Endings in capitals are the same, with their colours; sides are in .ply, too.
"$WADI" export run -o CAPITALS.GLB >/dev/null 2>&1
cmp CAPITALS.GLB run.glb || fail "CAPITALS.GLB is not run.glb"
"$WADI" export run --sides -o sides.ply >/dev/null
(($(wc -c <sides.ply) > $(wc -c <run.ply))) || fail "--sides changes nothing in .ply"

# Ice is part of the ground: its top is the surface, in its colours. --no-ice takes the bed.
"$WADI" run island.npy --cell-size 30 --model braun1999 --preset glaciers --steps 20 --set share=-0.2 -o cold --quiet
"$WADI" export cold -o cold.glb >/dev/null 2>&1
"$WADI" export cold --no-ice -o bed.glb >/dev/null 2>&1
"$WADI" export cold --no-water -o cold.obj >/dev/null
"$WADI" export cold --no-ice --no-water -o bed.obj >/dev/null
"$WADI" export cold/height.npy --cell-size 30 -o alone.obj >/dev/null
! cmp -s cold.glb bed.glb || fail "--no-ice changes nothing in cold.glb"
# thickness: more than 5 m somewhere, and less than 0 nowhere
paste <(grep '^v ' cold.obj) <(grep '^v ' bed.obj) | awk '{d = $3 - $7} d < 0 {bad = 1} d > most {most = d} END {exit bad || most <= 5}' ||
    fail "the mesh has no ice on it"
cmp -s <(grep '^v ' bed.obj) <(grep '^v ' alone.obj) || fail "--no-ice: not the bed"
if has_format png; then
    "$WADI" export cold --for unity -o iced >/dev/null
    grep -q 'top of the ice' iced/READ_ME.txt || fail "unity: no word of ice"
    grep -q 'mask_ice' iced/READ_ME.txt && grep -q 'ice snow' iced/READ_ME.txt || fail "unity: $(cat iced/READ_ME.txt)"
    "$WADI" export run --for unity -o plain >plain.txt 2>&1
    "$WADI" export cold --for unity --no-ice -o bare >bare.txt 2>&1
    ! grep -wE '(mask_)?ice' plain.txt plain/READ_ME.txt bare.txt bare/READ_ME.txt || fail "ice where there is none"
fi

# Levels of detail are files of their own, each with a quarter of the triangles; chunks are objects.
expect 0 'levels_lod2.glb' "$WADI" export run -o levels.glb --lods 3 --no-colours
"$WADI" export run -o second.glb --every 2 --no-colours >/dev/null
cmp levels_lod1.glb second.glb || fail "the second level is not --every 2"
"$WADI" export run -o chunks.obj --chunk 16 >/dev/null
[[ $(grep -c '^o ground_x' chunks.obj) == 6 ]] || fail "chunks: $(grep '^o' chunks.obj)"
expect_error 2 'levels_lod0.glb: exists' "$WADI" export run -o levels.glb --lods 2
expect_error 2 'does not go with --for' "$WADI" export run --for web -o web --lods 2

expect_error 2 '.obj, .ply, .gltf or .glb' "$WADI" export run -o run.stl
expect_error 2 '-o is missing' "$WADI" export run
expect_error 2 'is the input' "$WADI" export island.npy -o island.npy
expect_error 2 'every' "$WADI" export run -o x.obj --every 0
expect_error 2 '' "$WADI" export nothing.npy -o x.obj
[[ ! -e x.obj ]] || fail "a mesh was left"
