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

# picture PRESET TERRAIN STEPS [OPTION...]: the run folder and PRESET.png, PRESET-deposition.png
picture() {
    local preset=$1 input=$2 steps=$3
    shift 3
    echo "$preset: $steps steps on $input"
    "$wadi" run "$input" -o "$folder/$preset" --preset "$preset" --steps "$steps" --quiet --force "$@"
    "$wadi" render "$folder/$preset" -o "$folder/$preset.png" --force --title "$preset" --exaggeration 1
    "$wadi" render "$folder/$preset" -o "$folder/$preset-deposition.png" --force --map deposition --title "$preset" --exaggeration 1
}

terrain low 15 1
terrain hills 50 1
terrain mountains 80 1
terrain lidar 90 3
terrain massif 500 10
"$wadi" render "$folder/hills.tif" -o "$folder/hills.png" --force --title "before" --exaggeration 1
"$wadi" render data/jacksboro.tif -o "$folder/jacksboro.png" --force --title "before"

for preset in valleys rivers soft badlands; do picture $preset "$folder/hills.tif" 1000; done
picture canyon "$folder/hills.tif" 1500
picture desert "$folder/hills.tif" 1500
picture paper "$folder/hills.tif" 1200
picture alpine "$folder/mountains.tif" 1000
picture coastal "$folder/low.tif" 1000
picture dem1 "$folder/lidar.tif" 1000
picture dem10 "$folder/massif.tif" 1000
picture dem90 data/jacksboro.tif 1000
dem30=${WADI_DEM30:-} # a terrain with cells of 30 m; none is bundled
if [[ -n $dem30 ]]; then picture dem30 "$dem30" 1000; fi

picture gullies "$folder/hills.tif" 1000
picture dem data/jacksboro.tif 1000
printf '120,118,5,2\n' >"$folder/source.csv"
picture stream "$folder/hills.tif" 1500 --sources "$folder/source.csv" --pixel

for preset in brooks lakes; do picture $preset "$folder/hills.tif" 1000; done
picture report "$folder/hills.tif" 2000
picture report-fast "$folder/hills.tif" 500
for preset in seep wash musgrave seep-fast talus talus-fast; do picture $preset "$folder/hills.tif" 500; done
picture terraces "$folder/hills.tif" 100
picture terraces-paper "$folder/hills.tif" 50
