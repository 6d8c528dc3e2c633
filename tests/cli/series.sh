# labels: once
# wadi run --save: maps at many times in one netCDF or Zarr file; what is in it, and that a resumed run goes on with it.
. "$(dirname "$0")/lib.bash"

"$WADI" generate ridged --size 60x44 --cell-size 10 --relief 90 --seed 4 -o hills.npy >/dev/null
run() { "$WADI" run --no-preview "$@" --preset valleys --quiet --force; }
said=$("$WADI" run --no-preview hills.npy --steps 20 --every 8 --save height,water,flow --preset valleys -o plain 2>&1) || case $said in
*'cannot write'*) echo "skipped: $said" && exit 77 ;;
*) fail "$said" ;;
esac
grep -q '^series   series.nc: 4 frames of height, water, flow, one every 8 steps$' <<<"$said" || fail "said: $said"
run hills.npy --steps 20 -o without
same_hashes without plain # saving changes no bit
[ ! -e without/series.frames ] || fail "frames that nobody asked for"
command -v gdalmdiminfo >/dev/null || { echo "skipped: no gdalmdiminfo (gdal-bin)" && exit 77; }
has_format tif || exit 77
"$WADI" clip hills.npy --window 0,0,60,44 -o bare.tif >/dev/null
gdal_translate -q -a_srs EPSG:32617 -a_ullr 500000 4000440 500600 4000000 bare.tif hills.tif

numbers() { # FILE ARRAY: of one dimension
    gdalmdiminfo -detailed -array "$2" "$1" | sed -n '/"values"/,/\]/p' | grep -oE '[0-9.-][0-9.e+-]*' | tr '\n' ' '
}
says() { # FILE TEXT...
    local file=$1 facts
    facts=$(gdalmdiminfo "$file")
    shift
    for text in "$@"; do case $facts in *"$text"*) ;; *) fail "$file: gdalmdiminfo does not say '$text': $facts" ;; esac done
}
# The last frame is what the run wrote, bit for bit. The terrain does not settle, so that the height is the same too.
last_is_result() { # FOLDER SERIES FRAMES
    local map
    for map in height water flow; do
        gdalmdimtranslate -array "name=$map,view=[$(($3 - 1)),:,:]" -of GTiff "$2" frame.tif >/dev/null
        expect 0 'the same' "$WADI" compare frame.tif "$1/$map.tif"
        rm frame.tif
    done
}

for format in nc zarr; do
    run hills.tif --steps 20 --every 8 --save height,water,flow --save-format $format --settle off -o $format
    series=$format/series.$format
    says "$series" 'CF-1.8' '"standard_name": "surface_altitude"' '"unit": "m3/s"' \
        'seconds since' '"long_name": "time-mean discharge"' 'WGS 84 / UTM zone 17N' '"nodata_value": "NaN"'
    [ "$(numbers "$series" step)" = '0 8 16 20 ' ] || fail "$format: steps $(numbers "$series" step)"
    [ "$(numbers "$series" x | cut -d' ' -f1,2,60)" = '500005 500015 500595' ] || fail "$format: x $(numbers "$series" x)"
    [ "$(numbers "$series" y | cut -d' ' -f1,44)" = '4000435 4000005' ] || fail "$format: y $(numbers "$series" y)"
    last_is_result $format "$series" 4
    gdalmdimtranslate -array "name=height,view=[0,:,:]" -of GTiff "$series" first.tif >/dev/null
    expect 0 'the same' "$WADI" compare first.tif hills.tif
    rm first.tif
    grep -A8 '"series": {' $format/run.json | tr -d ' \n' | grep -q '"path":"series.'$format'","maps":\["height","water","flow"\],"every":8,"frames":4' ||
        fail "run.json: $(grep -A8 '"series"' $format/run.json)"
    # A longer run goes on with the series, and does not repeat the frame where it was.
    "$WADI" run --no-preview --resume $format --steps 12 --quiet
    [ "$(numbers "$series" step)" = '0 8 16 20 24 32 ' ] || fail "$format, longer: steps $(numbers "$series" step)"
    last_is_result $format "$series" 6
done
says nc/series.nc '"standard_name": "projection_x_coordinate"' '"standard_name": "time"'
grep -q '"standard_name":"projection_x_coordinate"' zarr/series.zarr/x/.zattrs || fail "zarr: $(cat zarr/series.zarr/x/.zattrs)"
[ -z "$(LC_ALL=C grep -rlP '[^\x00-\x7F]' zarr/series.zarr --include=.z*)" ] || fail "zarr: not all of it is ASCII"
# The grid mapping by CF, and what GDAL makes of it
gdalinfo 'NETCDF:"nc/series.nc":flow' >facts
for text in 'Pixel Size = (10.0' 'Origin = (500000.0' 'flow#grid_mapping=transverse_mercator' 'flow#units=m3/s'; do
    grep -qF "$text" facts || fail "gdalinfo does not say '$text'"
done
gdal_translate -q -a_srs EPSG:4326 -a_ullr 5 60 5.6 59.56 bare.tif degrees.tif
run degrees.tif --steps 3 --every 3 --save water -o degrees
says degrees/series.nc '"standard_name": "longitude"' degrees_north

# Killed between two checkpoints: frames after the last one come again, and none is there twice.
grow() { # FOLDER BYTES: until its frames have so many
    local i
    for ((i = 0; i < 500 && $(wc -c 2>/dev/null <"$1/series.frames" || echo 0) < $2; i++)); do sleep 0.02; done
}
begin hills.tif --steps 2000000 --every 50 --save height,water,flow --preset valleys --settle off --checkpoint-every 400 -o killed --force
grow killed 400000
stop KILL
[ -s killed/series.frames ] && [ ! -e killed/series.nc ] || fail "killed: $(ls -la killed)"
printf 'half a frame' >>killed/series.frames
"$WADI" run --no-preview --resume killed --steps 100 --quiet
steps=$(numbers killed/series.nc step)
[ "$steps" = "$(tr ' ' '\n' <<<"$steps" | sort -nu | grep . | tr '\n' ' ')" ] || fail "frames twice, or out of order: $steps"
[ "$(awk '{ print $2 - $1, (NF > 3) }' <<<"$steps")" = '50 1' ] || fail "killed: $steps"
last_is_result killed killed/series.nc "$(wc -w <<<"$steps")"

# Stopped: the frames so far are there; the rest follows.
begin hills.tif --steps 2000000 --every 50 --save height,water,flow --preset valleys --settle off -o stopped --force
grow stopped 200000
stop INT
says stopped/series.nc '"name": "time"'
"$WADI" run --no-preview --resume stopped --steps 60 --quiet
last_is_result stopped stopped/series.nc "$(numbers stopped/series.nc step | wc -w)"

# The disk is full: the run goes on without the series, and is resumed with a hole, which is said.
full() { trap '' XFSZ && ulimit -f 300 && exec "$WADI" run --no-preview hills.tif --steps 100 --every 2 --save height,water,flow --preset valleys --maps water -o full; }
expect 1 'the run goes on without the series' full
case $said in *'series   series.nc'*) fail "a series that is not there: $said" ;; esac
expect 0 'has no frames of steps 18 to 98, which could not be written' "$WADI" run --no-preview --resume full --steps 20
[ "$(numbers full/series.nc step)" = "$(seq -s ' ' 0 2 16) $(seq -s ' ' 100 2 120) " ] || fail "full: $(numbers full/series.nc step)"
expect 0 'series   series.nc: 21 frames' "$WADI" run --no-preview --resume full --steps 2
# A hole between two frames is said each time.
case $said in *'has no frames of steps 18 to 98, which'*) ;; *) fail "the hole is not said again: $said" ;; esac
case $said in *'has no frames'*'has no frames'*) fail "a hole that is not there: $said" ;; esac
grep -q '"path": "series.nc"' full/run.json || fail "run.json does not name the series"
# Where the series cannot be made, nothing says that it is there.
expect 1 'series.nc: cannot be written' env GDAL_SKIP=netCDF "$WADI" run --no-preview --resume full --steps 2
case $said in *'series   series.nc'*) fail "a series that is not there: $said" ;; esac
grep -q '"path": "series.nc"' full/run.json && fail "run.json names a series that was not made"

# A new run in the folder leaves nothing of an earlier series. Without a checkpoint no frames are kept.
run hills.tif --steps 2 -o zarr
[ ! -e zarr/series.zarr ] && [ ! -e zarr/series.frames ] || fail "left of an earlier run: $(ls zarr)"
run hills.tif --steps 4 --save water --no-checkpoint -o bare
[ ! -e bare/series.frames ] && [ "$(numbers bare/series.nc step)" = '0 1 2 3 4 ' ] || fail "without a checkpoint: $(ls bare)"

# In a recipe; stages whose models have other maps: no values where there is no such map
cat >two.yaml <<'YAML'
input: hills.tif
save: [velocity, height]
every: 2
stages:
  - {model: mei2007, steps: 3}
  - {model: schott2023, steps: 2, levels: 1}
YAML
"$WADI" run --no-preview --recipe two.yaml -o two --quiet
[ "$(numbers two/series.nc step)" = '0 2 4 5 ' ] || fail "two stages: $(numbers two/series.nc step)"
gdalmdimtranslate -array 'name=velocity,view=[3,:,:]' -of GTiff two/series.nc none.tif >/dev/null
[ "$(gdallocationinfo -valonly none.tif 20 20)" = nan ] || fail "a map that the model does not have"

refuse() { # TEXT OPTIONS...
    local text=$1
    shift
    expect_error 2 "$text" "$WADI" run --no-preview hills.tif -o refused --steps 5 "$@"
    [ ! -e refused ] || fail "a refused run left its folder: $*"
}
refuse 'did you mean water' --save watr
refuse 'no such map' --save rain
refuse 'its value is empty' --save ''
refuse 'goes with --save LIST' --save-format zarr
refuse 'goes with --video FILE or --save LIST' --every 3
refuse 'nc or zarr' --save water --save-format hdf
expect_error 2 'does not go with --resume' "$WADI" run --no-preview --resume nc --save water --steps 3
printf 'nonsense' >stopped/series.frames
expect_error 2 "is no file of this run's frames" "$WADI" run --no-preview --resume stopped --steps 5
[ -z "$(find . -name '.wadi-new*')" ] || fail "left behind: $(find . -name '.wadi-new*')"
