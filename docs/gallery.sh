#!/usr/bin/env bash
# gallery.sh: makes a picture of every preset again: docs/gallery.sh [WADI [FOLDER]]
# WADI is build/release/wadi and FOLDER build/gallery where they are not given. One map after the other; a few minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
wadi=${1:-build/release/wadi}
folder=${2:-build/gallery}
mkdir -p "$folder"

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
