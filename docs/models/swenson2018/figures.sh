#!/usr/bin/env bash
# figures.sh: the report's pictures again: docs/models/swenson2018/figures.sh [WADI [FOLDER]]
# WADI is build/release/wadi and FOLDER build/figures/swenson2018 where they are not given. Less than a minute.
# shellcheck source=../figures.bash
. "$(dirname "${BASH_SOURCE[0]}")/../figures.bash"

# before KIND [OPTION...]: the terrain as given
before() {
    "$wadi" generate "$@" --size 256x256 --relief 50 -o "$folder/$1-before.tif" --force >/dev/null
    "$wadi" render "$folder/$1-before.tif" -o "$folder/$1-before.png" --force --title "$1" --exaggeration 1 >/dev/null
}

# scene NAME: its run, and pictures with the water (NAME.png), without it, and of what was dug
scene() {
    cp "$scenes/$1.yaml" "$folder" # maps of rain lie there
    echo "$1"
    "$wadi" run --recipe "$folder/$1.yaml" -o "$folder/$1" --threads 1 --force 2>/dev/null |
        grep -E '^(score|solid|water|rate)' | sed 's/^/  /'
    most "$1" water erosion deposition
    "$wadi" render "$folder/$1" -o "$folder/$1.png" --force --title "$1" --exaggeration 1 >/dev/null
    "$wadi" render "$folder/$1/height.tif" -o "$folder/$1-land.png" --force --title "$1, the land" --exaggeration 1 >/dev/null
    "$wadi" render "$folder/$1" -o "$folder/$1-erosion.png" --force --title "$1" --map erosion --no-water --exaggeration 1 \
        >/dev/null
}

before cone
before random --seed 1
"$wadi" generate disc --size 256x256 --relief 3e-4 -o "$folder/disc.tif" --force >/dev/null
"$wadi" generate point --size 256x256 --relief 0.5 -o "$folder/point.tif" --force >/dev/null
for name in cone-1000 cone-2000 random-100 random-1000 random-2000; do scene $name; done
for name in rain-disc-cone rain-point-cone rain-disc-random rain-point-random; do scene $name; done

echo "Milliseconds a step, one thread"
for size in 256 512 1024; do
    "$wadi" generate random --seed 1 --size ${size}x$size --relief 50 -o "$folder/large.tif" --force >/dev/null
    "$wadi" run --recipe $scenes/random-100.yaml "$folder/large.tif" -o "$folder/large" --threads 1 --maps none --quiet \
        --force
    awk -v size=$size '$1 == "\"wall_s\":" { printf "  %d x %d: %.2f\n", size, size, $2 * 10; exit }' \
        "$folder/large/run.json"
done
