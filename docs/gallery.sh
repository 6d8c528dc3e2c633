#!/usr/bin/env bash
# gallery.sh: makes the pictures again: docs/gallery.sh [looks|choices|presets] [WADI [FOLDER]]
# `looks`, of docs/gallery.md: every look of `wadi demo` at 1024 x 1024 cells, from afar and from near; looks.jpg and
# looks-near.jpg of all if ImageMagick is there.
# `choices`: presets.jpg, which the window cuts into the small pictures of its lists. Two minutes.
# `presets`: every preset on a generated or real map. Some minutes each. WADI is build/release/wadi and FOLDER
# build/gallery where they are not given.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
what=${1:-looks}
wadi=${2:-build/release/wadi}
folder=${3:-build/gallery}
mkdir -p "$folder"

# The near views: the cell looked at, the distance in m, elevation and azimuth.
declare -A near=([alpine]="530,640 10000 20 350" [badlands]="560,470 800 25 320" [canyon]="600,470 3600 24 350" [coast]="540,740 9000 24 350"
    [desert]="640,620 22000 20 300" [fjords]="440,640 21000 28 340" [glaciers]="520,560 16000 26 330" [hills]="600,640 8000 20 330" [island]="480,470 9500 24 150"
    [plain]="520,640 12000 20 10" [ridges]="520,520 14000 24 25"
    [volcano]="540,480 15500 18 345")

# look NAME: the run folder, NAME.png and NAME-near.png
look() {
    local at distance elevation azimuth
    echo "$1"
    "$wadi" demo "$1" -o "$folder/$1" --quiet --force
    "$wadi" render "$folder/$1" -o "$folder/$1.png" --force --3d --picture 1200x700 --no-decoration
    read -r at distance elevation azimuth <<<"${near[$1]}"
    "$wadi" render "$folder/$1" -o "$folder/$1-near.png" --force --3d --picture 1200x700 --no-decoration --no-sides \
        --at "$at" --distance "$distance" --elevation "$elevation" --azimuth "$azimuth"
}

if [[ $what == looks ]]; then
    # in this order: the window cuts looks.jpg into the pictures of its first page
    mapfile -t names < <("$wadi" demo --list | cut -d ' ' -f 1)
    for name in "${names[@]}"; do look "$name"; done
    command -v montage >/dev/null || { echo "no looks.jpg: no ImageMagick"; exit 0; }
    for view in "" -near; do
        (cd "$folder" && montage "${names[@]/%/$view.png}" -tile 2x -geometry 700x408+2+2 -quality 84 "looks$view.jpg")
    done
    exit 0
fi
if [[ $what == choices ]]; then
    empty=$(mktemp -d) # no presets of the user's
    export XDG_CONFIG_HOME=$empty
    for relief in 24 48; do
        "$wadi" generate diamond-square --size 128x96 --seed 3 --relief $relief --cell-size 1 -o "$folder/choice-$relief.tif" --force
    done
    printf '64,20,3,2\n' >"$folder/choice.csv"
    mapfile -t names < <("$wadi" presets | sed '/^$/,$d; s/ .*//') # in this order
    for name in "${names[@]}"; do
        relief=24 more=()
        case $name in
        alpine | talus* | terraces*) relief=48 ;;
        stream) more=(--sources "$folder/choice.csv" --pixel) ;;
        esac
        "$wadi" run "$folder/choice-$relief.tif" -o "$folder/choice-$name" --preset "$name" --quiet --force "${more[@]}" \
            --maps water,deposition,sediment,ice
        "$wadi" render "$folder/choice-$name" -o "$folder/choice-$name.png" --force --no-decoration --scale 2 --exaggeration 2
    done
    rm -r "$empty"
    pictures=("${names[@]/#/$folder/choice-}")
    montage "${pictures[@]/%/.png}" -gravity center -crop 144x96+0+0 +repage -tile 8x -geometry 144x96+0+0 -quality 82 \
        "$folder/presets.jpg"
    exit 0
fi
[[ $what == presets ]] || { sed -n 2,7p "$0"; exit 2; }

# terrain NAME RELIEF CELL: artificial mountains of 256 x 256 cells
terrain() {
    "$wadi" generate diamond-square --size 256x256 --seed 1 --relief "$2" --cell-size "$3" -o "$folder/$1.tif" --force
}

# picture PRESET TERRAIN [OPTION...]: the run folder and PRESET.png, PRESET-deposition.png
picture() {
    local preset=$1 input=$2
    shift 2
    echo "$preset on $input"
    "$wadi" run "$input" -o "$folder/$preset" --preset "$preset" --quiet --force "$@"
    "$wadi" render "$folder/$preset" -o "$folder/$preset.png" --force --title "$preset" --exaggeration 1
    "$wadi" render "$folder/$preset" -o "$folder/$preset-deposition.png" --force --map deposition --title "$preset" --exaggeration 1
}

terrain low 15 1
terrain hills 50 1
terrain mountains 80 1
"$wadi" render "$folder/hills.tif" -o "$folder/hills.png" --force --title "before" --exaggeration 1
"$wadi" render data/jacksboro.tif -o "$folder/jacksboro.png" --force --title "before"

for preset in valleys rivers soft badlands canyon desert paper; do picture $preset "$folder/hills.tif"; done
picture alpine "$folder/mountains.tif"
picture coastal "$folder/low.tif"
picture dem data/jacksboro.tif

picture gullies "$folder/hills.tif"
picture channels data/jacksboro.tif
printf '120,118,5,2\n' >"$folder/source.csv"
picture stream "$folder/hills.tif" --sources "$folder/source.csv" --pixel

for preset in brooks lakes report report-fast; do picture $preset "$folder/hills.tif"; done
for preset in seep wash musgrave seep-fast talus talus-fast terraces terraces-paper; do picture $preset "$folder/hills.tif"; done
