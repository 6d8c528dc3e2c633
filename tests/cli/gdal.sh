# labels: once
# Rasters that GDAL reads: inside archives and containers, and with georeferences that GDAL's tools write.
. "$(dirname "$0")/lib.bash"

{ printf 'ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 25\n' && seq -s ' ' 101 148; } >hills.asc
said=$("$WADI" info hills.asc 2>&1) || case $said in *'not built'*) exit 77 ;; *) fail "$said" ;; esac
heights='heights  101 to 148 m'
expect 0 "$heights" "$WADI" info hills.asc

# Inside a compressed file or an archive
cp hills.asc plain.asc
gzip plain.asc
expect 0 "$heights" "$WADI" info plain.asc.gz
expect 0 "$heights" "$WADI" info /vsigzip/plain.asc.gz
[ ! -e plain.asc.gz.properties ] || fail "GDAL left a file beside the input"
tar cf hills.tar hills.asc
expect 0 "$heights" "$WADI" info /vsitar/hills.tar/hills.asc
expect 0 "$heights" "$WADI" info "/vsitar/$PWD/hills.tar/hills.asc"
expect_error 2 '/vsitar/hills.tar/other.asc' "$WADI" info /vsitar/hills.tar/other.asc
expect_error 2 '/vsitar/missing.tar/hills.asc' "$WADI" info /vsitar/missing.tar/hills.asc
if command -v python3 >/dev/null; then
    python3 -c 'import zipfile; z = zipfile.ZipFile("two.zip", "w"); z.write("hills.asc"); z.writestr("a/list", "eggs")'
    expect 0 "$heights" "$WADI" info /vsizip/two.zip/hills.asc
    python3 -c 'import zipfile; zipfile.ZipFile("one.zip", "w").write("hills.asc")'
    expect 0 "$heights" "$WADI" info one.zip
    expect_error 2 'name a raster in it, such as /vsizip/two.zip/' "$WADI" info two.zip
fi

# The rest needs GDAL's tools.
command -v gdal_translate >/dev/null || { echo "skipped: no gdal_translate (gdal-bin)" && exit 77; }
translate() { gdal_translate -q "$@"; }
translate -a_srs EPSG:32617 hills.asc hills.tif

if gdalinfo --formats | grep 'netCDF -raster' >/dev/null; then # grep -q would end gdalinfo by a closed pipe
    translate -of netCDF hills.tif hills.nc
    expect 0 "$heights" "$WADI" info 'NETCDF:"hills.nc":Band1'
    expect 0 'EPSG:32617' "$WADI" info NETCDF:hills.nc:Band1
fi

# Of a file made by GDAL's tools, wadi info says the same as GDAL.
tells() { # TEXT FILE [OPTIONS]
    local text=$1
    shift
    expect 0 "$text" "$WADI" info "$@"
}
translate -a_srs EPSG:32617+8052 hills.tif feet.tif
tells 'heights  30.7849 to 45.1105 m' feet.tif
translate -ot Int16 -a_scale 0.1 -a_offset 100 -mo "LINEAGE=$(head -c 8200 /dev/zero | tr '\0' x)" hills.tif long.tif
tells 'heights  110.1 to 114.8 m' long.tif
translate -a_srs EPSG:3857 -a_ullr 1000000 8399838 1000200 8399638 hills.tif mercator.tif
tells 'warning: mercator.tif: its CRS stretches the ground 2 times here' mercator.tif
translate -co PROFILE=BASELINE -co TFW=YES hills.tif placed.tif
tells 'EPSG:32617' placed.tif
rm placed.tif.aux.xml
tells 'cells of 25 x 25 m' placed.tif
mv placed.tfw placed.wld
tells 'cells of 25 x 25 m' placed.tif
sed -e 's/^xllcorner.*/xllcorner 20/; s/^yllcorner.*/yllcorner 50/; s/^cellsize.*/cellsize 0.001/' hills.asc >degrees.asc
translate degrees.asc degrees.tif
for file in degrees.asc degrees.tif; do
    expect_error 2 "$file: has no CRS" "$WADI" run --no-preview $file -o no --steps 1
    [ ! -e no ] || fail "a refused run left its folder"
    tells 'cells of 70 x 110 m' $file --cell-size 70,110
done
# Samples far from all others that nothing calls nodata
sed '6s/^101/-32768/' hills.asc >holes.asc
translate -a_srs EPSG:32617 holes.asc holes.tif
for file in holes.asc holes.tif; do
    expect_error 2 'does not say whether its cells of -32768 are heights' "$WADI" run --no-preview $file -o no --steps 1
    [ ! -e no ] || fail "a refused run left its folder"
    tells 'nodata   1 cells' $file --nodata -32768
done
# Heights in a rare unit
translate -of VRT hills.tif fathoms.vrt
sed -i 's#<VRTRasterBand[^>]*>#&<UnitType>fathom</UnitType>#' fathoms.vrt
translate fathoms.vrt fathoms.tif
for file in fathoms.vrt fathoms.tif; do tells 'unit     fathom, 1.8288 m (from the file)' $file; done
# A mask of all but the first row, in each place where a mask can be
{ head -n 5 hills.asc && printf '0 0 0 0 0 0 0 0 ' && seq -s ' ' 101 140; } >mask.asc
translate -a_srs EPSG:32617 -ot Byte mask.asc mask.tif
gdalbuildvrt -q -separate both.vrt hills.tif mask.tif
GDAL_TIFF_INTERNAL_MASK=YES translate -b 1 -mask 2 both.vrt inside.tif
GDAL_TIFF_INTERNAL_MASK=NO translate -b 1 -mask 2 both.vrt beside.tif
translate -of VRT inside.tif masked.vrt
translate -ot UInt16 -b 1 -b 2 -co ALPHA=YES both.vrt alpha.tif
for file in inside.tif beside.tif masked.vrt alpha.tif; do tells 'nodata   8 cells' $file; done
[ -e beside.tif.msk ] || fail "gdal_translate made no mask beside the file"

# What wadi info understood, and from where
says() { # FILE OPTIONS..., then the lines of the answer, on stdin
    local line
    said=$("$WADI" info "$@" 2>&1)
    while read -r line; do grep -qF -- "$line" <<<"$said" || fail "info $* does not say '$line' but: $said"; done
}
translate -a_srs EPSG:32617+6360 -a_scale 0.5 -a_offset 10 -a_nodata 101 hills.tif told.tif
says told.tif <<'TEXT'
size     8 x 6 cells of 25 x 25 m (from the file)
vertical NAVD88 height (ftUS) (EPSG:6360)
unit     US survey foot, 0.30480061 m (from its CRS)
scale    0.5 a sample, from 10 (from the file)
no data  samples of 101 (from the file)
TEXT
says told.tif --json <<'TEXT'
"cell_size_from": "file",
"vertical_crs": "NAVD88 height (ftUS) (EPSG:6360)",
"unit_m": 0.3048006096012192,
"unit_from": "crs",
"offset": 10,
"scale_from": "file",
"nodata": 101,
TEXT
says told.tif --z-unit m --cell-size 5 --nodata 120 <<'TEXT'
size     8 x 6 cells of 5 x 5 m (from the options)
unit     metre (from the options)
TEXT
says beside.tif <<<'no data  by a mask (from a file beside it)'
says placed.tif <<<'size     8 x 6 cells of 25 x 25 m (from a file beside it)'
says hills.asc <<<'format   AAIGrid, int32, read by GDAL'
says degrees.tif --cell-size 70,110 <<<'size     8 x 6 cells of 70 x 110 m (from the options)'
says alpha.tif <<<'no data  by a mask (from the file)'

# Maps without a place are taken cell by cell. With --exact maps of another place or CRS are refused, with a command
# that warps them.
translate -ot Byte -scale 101 148 1 200 hills.tif hard.tif
translate -a_ullr 600000 4000150 600200 4000000 hard.tif elsewhere.tif
gdalwarp -q -t_srs EPSG:32618 -ts 8 6 hard.tif other_crs.tif
translate -co PROFILE=BASELINE hard.tif nowhere.tif && rm -f nowhere.tif.aux.xml
"$WADI" run --no-preview hills.tif -o hard --steps 2 --hardness hard.tif --quiet
"$WADI" run --no-preview hills.tif -o nowhere --steps 2 --hardness nowhere.tif --quiet
same_hashes hard nowhere
for option in --hardness --mask --water; do
    expect_error 2 "elsewhere.tif lies at (600000, 4000150) with cells of 25, the height at (500000, 4000150) of 25; wadi reproject elsewhere.tif --map --like HEIGHTMAP" \
        "$WADI" run --no-preview hills.tif -o no --exact $option elsewhere.tif
    expect_error 2 'other_crs.tif is in WGS 84 / UTM zone 18N (EPSG:32618), the height in WGS 84 / UTM zone 17N (EPSG:32617)' \
        "$WADI" run --no-preview hills.tif -o no --exact $option other_crs.tif
done
expect_error 2 'elsewhere.tif lies at' "$WADI" run --no-preview hills.tif -o no --exact --rain @elsewhere.tif
[ ! -e no ] || fail "a refused run left its folder"

# What the message says brings them there, with the values that gdalwarp gives.
"$WADI" reproject other_crs.tif --map --like hills.tif --method nearest -o there.tif >/dev/null
gdalwarp -q -et 0 -t_srs EPSG:32617 -te 500000 4000000 500200 4000150 -ts 8 6 other_crs.tif back.tif
for map in there back; do
    "$WADI" run --no-preview hills.tif -o $map --steps 2 --hardness $map.tif --maps hardness --quiet
done
same_hashes there back
expect_error 2 'no cell of the raster lies on the new grid' "$WADI" reproject elsewhere.tif --map --like hills.tif -o no.tif

# Without it a run does the same: bilinear, a mask by the nearest cell. What does not cover the height is refused.
expect 0 "other_crs.tif has another grid, in WGS 84 / UTM zone 18N (EPSG:32618): resampled to the height's (bilinear" \
    "$WADI" run --no-preview hills.tif -o brought --steps 2 --hardness other_crs.tif --maps hardness
"$WADI" reproject other_crs.tif --map --like hills.tif --force -o there.tif >/dev/null
"$WADI" run --no-preview hills.tif -o there --force --steps 2 --hardness there.tif --maps hardness --quiet
same_hashes there brought
gdal_translate -q -ot Byte -scale 0 255 0 255 -outsize 50% 50% -r nearest hard.tif coarse.tif
"$WADI" resample coarse.tif --map --like hills.tif --method nearest -o fine.tif >/dev/null
for mask in coarse fine; do "$WADI" run --no-preview hills.tif -o masked-$mask --steps 2 --mask $mask.tif --quiet; done
same_hashes masked-coarse masked-fine
for option in --hardness --mask --water; do
    expect_error 2 "$option: elsewhere.tif lies at (600000, 4000150)" "$WADI" run --no-preview hills.tif -o no $option elsewhere.tif
done
gdal_translate -q -srcwin 0 0 4 6 hard.tif half.tif
expect_error 2 'half.tif has no value at cell (4, 0), where the height has one' "$WADI" run --no-preview hills.tif -o no --hardness half.tif
printf 'input: hills.tif\nexact: true\nhardness: hard.tif\nsteps: 2\nformat: npy\n' >strict.yaml
printf 'input: hills.tif\nexact: true\nhardness: other_crs.tif\nsteps: 2\n' >exact.yaml
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in
*'not built'*) ;;
*)
    expect_error 2 'other_crs.tif is in' "$WADI" run --no-preview --recipe exact.yaml -o no
    "$WADI" run --no-preview --recipe strict.yaml -o strict --quiet
    "$WADI" run --no-preview --resume strict --steps 1 --quiet
    grep -q '"exact": true' strict/run.json || fail "run.json does not say that maps must be exact"
    ;;
esac
[ ! -e no ] || fail "a refused run left its folder"

# Heights keep the words of their input; maps have their own.
translate -mo 'LINEAGE=a < b & "c"' -mo "LONG=$(head -c 9000 /dev/zero | tr '\0' x)" -mo TIFFTAG_ARTIST=Ann hills.tif told.tif
translate -of VRT -stats told.tif named.vrt
sed -i 's#<VRTRasterBand[^>]*>#&<Description>bare earth \&amp; more</Description>#' named.vrt
translate named.vrt named.tif
words() { gdalinfo "$1" | grep -E '^ *(LINEAGE|LONG|TIFFTAG_|STATISTICS|Description)' | cut -c1-60; }
right=$(words named.tif | grep -v STATISTICS)
[ "$(wc -l <<<"$right")" = 4 ] || fail "the input: $right"
kept() { [ "$(words "$1")" = "$right" ] || fail "$1 does not have the words of its input: $(words "$1")"; }
for input in named.tif named.vrt; do
    "$WADI" run --no-preview $input -o words --steps 2 --quiet --force
    kept words/height.tif
    [ "$(words words/flow.tif)" = '  Description = time-mean discharge' ] || fail "flow.tif: $(words words/flow.tif)"
    "$WADI" run --no-preview --resume words --steps 2 --quiet
    kept words/height.tif
    "$WADI" clip $input --window 1,1,5,4 -o words.tif >/dev/null
    kept words.tif
    "$WADI" resample $input --cell-size 10 -o words.cog.tif >/dev/null
    kept words.cog.tif
    rm words.tif words.cog.tif
done

# wadi info lists the words that a run keeps. Long ones are cut, between two characters.
says named.tif <<'TEXT'
band     1 of 1, bare earth & more
metadata LINEAGE=a < b & "c"
metadata TIFFTAG_ARTIST=Ann
TEXT
grep -qx "metadata LONG=$(head -c 67 /dev/zero | tr '\0' x)\.\.\." <<<"$said" || fail "a long item: $said"
says named.tif --json <<'TEXT'
"name": "bare earth & more"
"LINEAGE": "a < b & \"c\"",
TEXT

# Samples that no float32 equals: said where there are any, and not elsewhere. 2^24 + 1 is the first such whole number.
declare -A driver=([tif]=GTiff [vrt]=VRT)
sample_types() { # FILE OF HEIGHTS, TEXT OR "", TYPES...
    local file=$1 text=$2 type of
    shift 2
    for type in "$@"; do
        for of in tif vrt; do # read by libtiff, and by GDAL
            translate -of "${driver[$of]}" -ot "$type" -a_scale 0.25 "$file" "typed.$of"
            says "typed.$of" <<<"${type,,}"
            case $said in
            *'rounded to float32'*) [ -n "$text" ] || fail "$type of $file: $said" ;;
            *) [ -z "$text" ] || fail "$type of $file: nothing is said of the rounding: $said" ;;
            esac
            [ -z "$text" ] || grep -qF "its ${type,,} samples are rounded to float32, by at most $text m" <<<"$said" || fail "$type: $said"
        done
    done
}
grid() { printf 'ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 4000000\ncellsize 25\nNODATA_value 16777217\n%s\n' "$1" >types.asc; }
grid '16777215 16777216 16777218 1 2 16777217' # the last is no data
translate -ot Float64 -a_srs EPSG:32617 types.asc exact.tif
grid '16777215 16777216 16777219 1 2 16777217'
translate -ot Float64 -a_srs EPSG:32617 types.asc rounded.tif
sample_types exact.tif '' Int32 Float64
sample_types rounded.tif 0.25 UInt32 Float64
expect 0 'warning: typed.vrt: its float64 samples are rounded' "$WADI" run --no-preview typed.vrt --dry-run

translate -ot UInt32 -a_nodata 4294967295 exact.tif last.tif
says last.tif <<<'no data  samples of 4294967295 (from the file)'

# What --nodata clears was not rounded.
printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 2147483647\n' >full.asc
translate -ot Int32 -a_srs EPSG:32617 full.asc full.tif
! "$WADI" info full.tif --nodata 2147483647 2>&1 | grep 'rounded to float32' || fail "a sample that --nodata clears counts as rounded"
expect 0 'rounded to float32' "$WADI" info full.tif

# Nor what a mask hides. A scale rounds where float32 does not tell its steps apart.
translate -ot Int32 -a_srs EPSG:32617 -mask 1 full.asc hidden.tif
printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n255 255\n255 0\n' >shown.asc
translate -ot Byte shown.asc hidden.tif.msk -of GTiff -mo INTERNAL_MASK_FLAGS_1=2
! "$WADI" info hidden.tif 2>&1 | grep 'rounded to float32' || fail "a sample under a mask counts as rounded"
grid '8848104 8848124 8848125 1 2 16777217'
translate -ot Int32 -a_srs EPSG:32617 -a_scale 0.001 types.asc millimetres.tif
expect 0 'its int32 samples are rounded to float32, by at most 0.00048 m' "$WADI" info millimetres.tif
translate -ot Int32 -a_srs EPSG:32617 -a_scale 0.01 types.asc centimetres.tif
! "$WADI" info centimetres.tif 2>&1 | grep 'rounded to float32' || fail 'centimetres of 88 km are told apart'

# Text grids: GDAL reads zeros where values are missing or are no numbers.
head='ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 4000000\ncellsize 25\nNODATA_value nan\n'
text_grid() { printf "$head$1\n" >text.asc; }
for values in '1 2 3\n4 5 6' '1,5 -2e3 nan\n+.5 1.E-2\n 6' '1 2 -1.#IND\r\n4 5 6\r\n\x1a' 'PRECISION 5\n1 2 3\n4 5 6'; do
    text_grid "$values"
    "$WADI" info text.asc >said 2>&1 || fail "$values: $(cat said)"
done
text_grid '1 2 3\n4 5'
expect_error 2 'has 5 values, and 3 x 2 cells want 6' "$WADI" info text.asc
gzip -c text.asc >text.asc.gz
expect_error 2 'has 5 values, and 3 x 2 cells want 6' "$WADI" info text.asc.gz
text_grid '1 2 3 4\n5 6 7 8'
expect_error 2 'has 8 values, and 3 x 2 cells want 6' "$WADI" info text.asc
for word in x 5- 1.2.3 0x10 1e --1 1.0D+01; do
    text_grid "1 2 3\\n4 $word 6"
    expect_error 2 "'$word', after 4 values, is no number" "$WADI" info text.asc
    text_grid "$word 2 3\\n4 5 6"
    [ $word = x ] || expect_error 2 "'$word', after 0 values, is no number" "$WADI" info text.asc
done

# A name without the start of a character has no end to go back to.
translate -mo "$(head -c 80 /dev/zero | tr '\0' '\200')=v" types.asc continued.tif
timeout 20 "$WADI" info continued.tif >said 2>&1 || fail "the metadata of continued.tif: $(tail -n 1 said)"

# --format input: integers of each type that can hold the change. Others are said.
"$WADI" generate noise --size 24x20 --relief 200 --cell-size 0.1 -o noise.tif >/dev/null
translate -ot Float64 noise.tif wide.tif
erode=(--preset gullies --steps 400)
for type in Byte Int32 UInt32; do
    translate -ot $type -scale 0 1 0 1 -a_scale 0.01 wide.tif int.tif
    "$WADI" run --no-preview int.tif -o int "${erode[@]}" --format input --quiet --force 2>said
    gdalinfo int/height.tif | grep -q "Type=$type" || fail "$type did not stay: $(cat said)"
    expect 0 'the same' "$WADI" compare int int/height.tif
    "$WADI" run --no-preview int.tif -o floats "${erode[@]}" --format npy --quiet --force
    expect 0 'within the tolerance' "$WADI" compare int floats --tolerance 0.0051
    translate -ot $type -scale 0 1 0 1 wide.tif whole.tif
    expect 0 'would lose 100 % of what was eroded and deposited; the height is float32' "$WADI" run --no-preview whole.tif --cell-size 25 -o whole --steps 1 --format input --force
    gdalinfo whole/height.tif | grep -q 'Type=Float32' || fail "$type in whole metres"
done
translate -ot Int32 -a_scale -0.01 -a_offset 600 -a_srs EPSG:32617 types.asc depths.tif
expect 0 '--format input: samples that fall as the height rises are not written; the height is float32' \
    "$WADI" run --no-preview depths.tif --cell-size 25 -o depths --steps 1 --format input
expect 0 '--format input: TIFF files of float64 samples are not written; the height is float32' \
    "$WADI" run --no-preview wide.tif --cell-size 25 -o wide --steps 1 --format input
