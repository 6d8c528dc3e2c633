#!/usr/bin/env bash
# Every `wadi` command of the pages runs: each block of shell code as it stands, on small terrain. Of commands in running text the options
# are looked up. Recipes and other YAML are read by the command that they are for.
set -euo pipefail
export NO_COLOR=1 OMP_WAIT_POLICY=passive ROOT WADI WADI_CACHE='' RAN=$PWD/ran.txt HELP=$PWD/help
ROOT=$(cd "$WADI_DATA/.." && pwd)
tools=$ROOT/tests/pages
. "$tools/shell.bash"
for tool in gdal_translate ogr2ogr ffmpeg; do
    command -v $tool >/dev/null || { echo "SKIPPED: no $tool" && exit 77; }
done
case $("$WADI" run --recipe none -o none 2>&1 || true)$("$WADI" clip none.tif --window 0,0,1,1 -o none 2>&1 || true) in
*'not built'* | *'without'*) echo "SKIPPED: a part of the command is not built" && exit 77 ;;
esac
: >"$RAN"
mkdir help

quietly() { "$@" >log.txt 2>&1 || { cat log.txt >&2 && return 1; }; }
feature() { printf '{"type":"Feature","properties":{%s},"geometry":{"type":"%s","coordinates":%s}}' "$@"; }
collection() { printf '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:32616"}},"features":[%s]}\n' "$1"; }

# The files that pages name. Terrain has 72 x 72 cells of 30 m, and so have its maps; recipes make 100 x 100 cells.
make_files() {
    local name area='[[[500500,4006500],[501500,4006500],[501500,4007500],[500500,4007500],[500500,4006500]]]'
    quietly "$WADI" generate ridged --size 72x72 --cell-size 30 --seed 4 -o ../terrain.tif
    quietly gdal_translate -a_srs EPSG:32616 -a_ullr 500000 4008000 502160 4005840 ../terrain.tif dem.tif
    for name in hills island terrain in noise lowlands; do ln dem.tif $name.tif; done
    quietly gdal_translate -scale 0 800 0 1 dem.tif mask.tif
    ln mask.tif rock.tif
    quietly "$WADI" generate disc --size 100x100 --relief 1 -o mask.png
    quietly "$WADI" generate disc --size 100x100 --relief 1e-6 -o rain.npy
    quietly gdalwarp -t_srs EPSG:4326 dem.tif degrees.tif
    quietly "$WADI" run dem.tif -o out --steps 3
    for name in seed1 seed2; do cp -r out $name; done
    collection "$(feature '"rate_m3s":2' Point '[501005,4007005]')" >springs.geojson
    collection "$(feature '"rate_m3s":2' LineString '[[501005,4007005],[501405,4007505]]')" >../line.geojson
    collection "$(feature '"rain":1e-6' Polygon "$area")" >storm.geojson
    collection "$(feature '"hardness":0.5' Polygon "$area")" >../rocks.geojson
    quietly ogr2ogr inflow.gpkg ../line.geojson
    quietly ogr2ogr -nln rocks survey.gpkg ../rocks.geojson
    quietly ogr2ogr basin.shp storm.geojson
    printf '%s\n' 'generate: {kind: ridged, size: 48x48}' 'model: jako2011' 'steps: 2' >alps.yaml
    mkdir data examples
    quietly "$WADI" clip "$WADI_DATA/jacksboro.tif" --window 100,100,96,96 -o data/jacksboro.tif
    cp "$ROOT"/examples/*.yaml examples/
    ln -s "$ROOT"/{src,include} .
}

# What a page's own files are beside those.
make_files_of() {
    case $1 in
    docs/grids.md) # large enough for the window of 512 x 512 cells
        quietly "$WADI" generate cone --size 640x576 --cell-size 30 -o cone.tif
        quietly gdal_translate -a_srs EPSG:32616 -a_ullr 500000 4017280 519200 4000000 cone.tif dem.tif
        ;;
    docs/a-day-with-a-catchment.md)
        quietly "$WADI" generate ramp --size 42x40 --cell-size 5 --relief 30 -o ramp.tif
        quietly gdal_translate -a_srs EPSG:32613 -a_ullr 500000 4000200 500210 4000000 ramp.tif feet.tif
        quietly gdal_translate -ot Float32 -scale 0 30 1 1 feet.tif rain.tif
        printf 'time_min,rain_mm_h\n0,60\n30,0\n' >storm.csv
        quietly gdalwarp -t_srs EPSG:4326 feet.tif degrees.tif
        ;;
    docs/levels.md) # large enough for five levels
        quietly gdal_translate -outsize 128 128 terrain.tif hills.tif
        cp hills.tif dem.tif
        ;;
    docs/recipes.md | docs/terrain.md) sed '1,/^```yaml/d; /^```/,$d' "$ROOT/$1" >alps.yaml ;;
    docs/textures.md) rm -r seed2 && cp -r seed1 seed2 ;;
    esac
}

# A block of YAML is a whole recipe, a terrain, a preset, or layers of the ground.
try_yaml() {
    local short
    short=$(shorten "$1")
    if grep -q '^layers:' "$1"; then
        quietly "$WADI" generate --recipe "$short" --size 32x32 -o "$1.tif"
    elif grep -q '^preset:' "$1"; then
        quietly "$WADI" run dem.tif --preset "$1" --steps 2 -o "$1.out"
    elif grep -q '^- name:' "$1"; then
        quietly "$WADI" derive out --pictures layers --layers "$1" -o "$1.out"
    elif grep -q '^generate:' "$1"; then
        quietly "$WADI" run --recipe "$short" --dry-run
    elif grep -qE '^(model|stages):' "$1"; then
        quietly "$WADI" run dem.tif --recipe "$short" --dry-run
    else
        return 0
    fi || { head -n 1 "$1" >&2 && return 1; }
    head -n 1 "$1" >>"$RAN"
}

# try_page FILE NAME
try_page() {
    local folder block line words before
    folder=$PWD/pages/$2
    mkdir -p "$folder"
    cp -r files/. "$folder"
    (cd "$folder" && make_files_of "$2") || return 1
    awk -v out="$folder/block" -f "$tools/blocks.awk" "$1" || return 1
    before=$(wc -l <"$RAN")
    for block in "$folder"/block-*; do
        case $block in
        *.sh)
            sed -i -E 's#build/release/wadi#wadi#g; s#^\./dev #dev #; s#^(docs|bench)/#script &#' "$block"
            (cd "$folder" && "$BASH" -euo pipefail -c ". '$tools/shell.bash'; set -- ; . '$block'") || { head -n 1 "$block" >&2 && return 1; }
            ;;
        *.yaml) (cd "$folder" && try_yaml "$block") || return 1 ;;
        *-text)
            while IFS= read -r line; do
                read -ra words <<<"${line#*wadi }"
                known_options "${words[@]}" || { echo "${line%%: *}" >&2 && return 1; }
            done <"$block"
            ;;
        esac
    done
    echo "$2: $(($(wc -l <"$RAN") - before))"
}

mkdir files
(cd files && make_files)
cd "$ROOT" && pages=(README.md docs/site/*.md docs/*.md docs/models/*.md) && cd "$OLDPWD"
for page in "${pages[@]}"; do try_page "$ROOT/$page" "$page" || { echo "FAILED: $page" >&2 && exit 1; }; done

echo "== a command that is wrong is found"
wrong() { # TEXT...: a page of it fails
    printf '%b\n' "$@" >wrong.md
    rm -rf pages/wrong.md
    if try_page wrong.md wrong.md 2>/dev/null; then echo "FAILED: not found: $*" >&2 && exit 1; fi
}
wrong '' '    wadi run dem.tif -o new --stepz 3'
wrong '' '    wadi info nowhere.tif'
wrong '' '    mkdir new' '    wadi render out -o new'
wrong 'Take `wadi info --stepz`.'
wrong '' '    what: this' '    wadi info dem.tif'
wrong '```yaml' 'model: jako2011' 'stepz: 3' '```'
(($(wc -l <"$RAN") >= 80)) || { echo "FAILED: $(wc -l <"$RAN") commands ran" >&2 && exit 1; }
echo "$(wc -l <"$RAN") commands and recipes ran"
