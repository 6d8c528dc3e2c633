# The bundled terrain: its georeference, the preset for its cell size, nodata, and outputs at the same place.
. "$(dirname "$0")/lib.bash"

dem=$WADI_DATA/jacksboro.tif
has_format tif || exit 77
[ -e "$dem" ] || exit 77
expect 0 'crs      ' "$WADI" info "$dem"
case $said in *'crs      none'*) has_georef= ;; *) has_georef=1 ;; esac
[ $has_georef ] || exit 77 # a build without GeoTIFF
place=$(grep -e '^size' -e '^crs' <<<"$said" | sed 's/ (from .*//')
expect 0 'note: preset ' "$WADI" run --no-preview "$dem" --steps 20 -o run
grep -q 'Kc=' <<<"$said" || fail "does not say what the preset set: $said"
preset=$(value run preset)
expect 0 'GeoTIFF, float32' "$WADI" info run
[ "$(sed -n '/^format/,$p' <<<"$said" | grep -e '^size' -e '^crs' | sed 's/ (from .*//')" = "$place" ] || fail "the georeference changed: $said"
expect 0 'GeoTIFF' "$WADI" info run/water.tif
# With the preset named the run is the same, without the note.
expect 0 'model' "$WADI" run --no-preview "$dem" --steps 20 -o named --preset "${preset//\"/}"
case $said in *'note: preset'*) fail "a named preset is not news" ;; esac
same_hashes run named
# Sources in the file's CRS, and the same ones in cells
corner=$(sed -n 's/.*top left corner //p' <<<"$place")
read -r x y <<<"${corner/,/}"
awk "BEGIN { printf \"%.9f,%.9f,100,50\\n\", $x + 0.0004, $y - 0.0004 }" >corner.csv # about half a cell, in degrees
echo '0.48,0.48,100,50' >pixel.csv
"$WADI" run --no-preview "$dem" --steps 3 -o crs --sources corner.csv --quiet || fail "the corner lies outside"
"$WADI" run --no-preview "$dem" --steps 3 -o pixel --sources pixel.csv --pixel --quiet
same_hashes crs pixel
echo '-5000000,90000000,1,1' >out.csv
expect_error 2 'out.csv:1: ' "$WADI" run --no-preview "$dem" --sources out.csv -o x
expect 0 'pixels' "$WADI" render "$dem" -o before.png
expect 0 'pixels' "$WADI" render run -o after.png
maps="water flow erosion deposition"
if sanitized; then maps=flow; fi # each draws the same picture
for map in $maps; do
    expect 0 'pixels' "$WADI" render run --map $map -o $map.png
done

! sanitized || exit 0
# --format input keeps the integers of the input, here of whole metres, if they can hold what has changed.
"$WADI" run --no-preview "$dem" --steps 400 --maps none --quiet --format input -o whole
"$WADI" run --no-preview "$dem" --steps 400 --maps none --quiet -o floats
expect 0 'GeoTIFF, int16' "$WADI" info whole/height.tif
expect 0 'GeoTIFF, float32' "$WADI" info floats/height.tif
expect 0 'height' "$WADI" compare whole/height.tif floats/height.tif --tolerance 0.5 # rounded, and no more
same_hashes whole floats
grep -q '"format": "input"' whole/run.json || fail "the recipe does not say to keep the type"
"$WADI" run --no-preview --recipe whole/run.json -o whole2 --quiet
cmp whole/height.tif whole2/height.tif || fail "not the same again"
expect 0 'int16 in steps of 1 m would lose 98 % of what was eroded and deposited; the height is float32' \
    "$WADI" run --no-preview "$dem" --steps 40 --maps none --format input -o small
expect 0 'GeoTIFF, float32' "$WADI" info small/height.tif
"$WADI" run --no-preview --resume small --steps 360 --quiet # remembers it
cmp whole/height.tif small/height.tif || fail "a longer run forgot --format input"
