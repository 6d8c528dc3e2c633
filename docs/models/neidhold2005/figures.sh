#!/usr/bin/env bash
# figures.sh: the paper's Figs 3, 5 and 6 again: docs/models/neidhold2005/figures.sh [WADI [FOLDER]]
# WADI is build/release/wadi and FOLDER build/figures/neidhold2005 where they are not given. A few minutes.
# shellcheck source=../figures.bash
. "$(dirname "${BASH_SOURCE[0]}")/../figures.bash"

# before NAME KIND OPTION...: the terrain as given
before() {
    local name=$1
    shift
    "$wadi" generate "$@" -o "$folder/$name-before.tif" --force >/dev/null
    "$wadi" render "$folder/$name-before.tif" -o "$folder/$name-before.png" --force --title "$name, before" --exaggeration 1 \
        >/dev/null
}

# picture NAME SUFFIX OPTION...: of NAME's run
picture() {
    local name=$1 suffix=$2
    shift 2
    "$wadi" render "$folder/$name" -o "$folder/$name$suffix.png" --force --title "$name" --exaggeration 1 "$@" >/dev/null
}

# scene NAME: its run, the picture of what was dropped (NAME.png), as the paper's, and that of the water (NAME-water.png)
scene() {
    echo "$1"
    "$wadi" run --recipe "$scenes/$1.yaml" -o "$folder/$1" --force 2>/dev/null | grep -E '^(score|solid|water|rate)' |
        sed 's/^/  /'
    most "$1" water velocity erosion deposition
    picture "$1" "" --map deposition --no-water
    picture "$1" -water
}

# idle NAME: the rate of a scene, and that with rain too thin to matter, which keeps every cell busy
idle() {
    echo "$1, idle cells left out and not"
    for rain in 0 1e-12; do
        sed "s|rain_peak: 0|rain_peak: 0, rain: $rain|" "$scenes/$1.yaml" >"$folder/$1.yaml"
        "$wadi" run --recipe "$folder/$1.yaml" -o "$folder/$1" --force 2>/dev/null | grep -E '^(rate|idle)' |
            sed 's/^/  /'
    done
}

before fig3 noise --size 256x256 --seed 4 --relief 40
scene fig3
picture fig3 -velocity --map velocity --no-water
before fig5-sources mountains --size 256x256 --seed 1 --relief 40
scene fig5-sources
before fig6-artificial diamond-square --size 256x256 --seed 1 --relief 50
scene fig6-artificial
before fig6-chain mountains --size 256x256 --seed 1 --relief 40
scene fig6-chain
before fig6-plane ramp --size 192x192 --relief 50
scene fig6-plane
idle fig5-sources
idle idle
