# figures.bash: what the models' figures.sh share. Each begins by sourcing it, with its own arguments: [WADI [FOLDER]],
# build/release/wadi and build/figures/<id> where they are not given.
set -euo pipefail
id=$(basename "$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
wadi=${1:-build/release/wadi}
folder=${2:-build/figures/$id}
scenes=docs/models/$id
mkdir -p "$folder"

# run FIGURE [STEPS]: the scene, or an earlier moment of it, in the folder FIGURE or FIGURE-STEPS. A scene's last line is
# its number of steps.
run() {
    local name=$1${2:+-$2} recipe=$scenes/$1.yaml
    if [[ -n ${2:-} ]]; then
        recipe=$folder/$name.yaml
        sed "\$s/^\( *steps:\).*/\1 $2/" "$scenes/$1.yaml" >"$recipe"
    fi
    "$wadi" run --recipe "$recipe" -o "$folder/$name" --quiet --force
}

# fields RUN WIDTH MAP...: a line a row; the values of its cells, map after map
fields() {
    local run=$folder/$1 width=$2 map files=()
    shift 2
    for map; do
        od -An -v -tf4 -w$((4 * width)) "$run/$map.r32" >"$run/$map.txt"
        files+=("$run/$map.txt")
    done
    paste -d ' ' "${files[@]}"
    rm "${files[@]}"
}

# most RUN MAP...: the largest value of each, in m or m/s
most() {
    local run=$folder/$1 map
    shift
    for map; do
        "$wadi" info "$run/$map.tif" | awk -v map="$map" '
            $1 == "heights" { print "  most " map, $4, map == "velocity" ? "m/s" : "m" }'
    done
}
