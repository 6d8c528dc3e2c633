#!/usr/bin/env bash
# realism.sh [-s SIZES] [-o FOLDER] [-t TERRAIN] [-w METRES] [NAME...] [-- OPTION...]: measures of realism beside their
# targets, as a table.
# NAME: a look of `wadi demo`, a preset, or a path of a heightmap or run. Looks and presets run at each size of SIZES
# (512,1024,2048), into FOLDER (build/realism). What is there already is only measured. A preset erodes TERRAIN: a kind
# (warped) that is METRES wide (512), or a recipe of layers. Its run gets the OPTIONs. Without names: all looks. The
# heights of each size are correlated with those of the largest. WADI: the command. Measures beyond their target are bold, and the script ends with 1.
set -euo pipefail
build=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build
wadi=${WADI:-$build/release/wadi}
sizes=512,1024,2048 folder=$build/realism terrain=warped metres=512
while getopts s:o:t:w: option; do
    case $option in
    s) sizes=$OPTARG ;;
    o) folder=$OPTARG ;;
    t) terrain=$OPTARG ;;
    w) metres=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
IFS=, read -r -a sizes <<<"$sizes"
words=("$@") options=()
for ((i = 0; i < $#; i++)); do
    [[ ${words[i]} == -- ]] || continue
    options=("${words[@]:i+1}")
    set -- "${words[@]:0:i}"
    break
done
missed=0

# name, title, lowest and highest of the target
targets='concavity concavity 0.35 0.6
hack Hack 0.5 0.65
draining draining,% 95 100
deep_pits pits>1m 0 1
axis_power axis 0.9 1.1
grid_power grid 0.9 1.1'

names() { "$wadi" "$1" "${@:2}" 2>/dev/null | sed -nE 's/^([a-z0-9-]+)  .*/\1/p'; }

# show VALUE LOWEST HIGHEST: as a column, bold beyond the target
show() {
    awk -v value="$1" -v low="$2" -v high="$3" 'BEGIN {
        if (value == "null" || value == "") { printf " none |"; exit 0 }
        text = sprintf("%.3g", value)
        miss = value + 0 < low || value + 0 > high
        printf miss ? " **%s** |" : " %s |", text
        exit miss
    }' || missed=1
}

# row NAME PATH LARGEST
row() {
    local json name low high value
    json=$("$wadi" info "$2" --json 2>/dev/null || true)
    [[ -d $2 ]] && json=$(cat "$2/run.json")
    printf '| %s |' "$1"
    while read -r name _ low high; do
        value=$(awk -v key="\"$name\":" '$1 == key { found = 1 } found && $1 == "\"value\":" { sub(",", "", $2); print $2; exit }' <<<"$json")
        show "$value" "$low" "$high"
    done <<<"$targets"
    value=null
    [[ $2 == "$3" ]] || value=$("$wadi" compare "$2" "$3" 2>/dev/null | sed -nE 's/^height .*correlation ([-0-9.]+).*/\1/p' || true)
    show "$value" 0.9 1
    echo
}

# make_terrain SIZE PATH
make_terrain() {
    local made=("$terrain" --world-size "$metres")
    [[ -e $terrain ]] && made=(--recipe "$terrain")
    "$wadi" generate "${made[@]}" --size "$1x$1" -o "$2" >/dev/null
}

# make_run NAME SIZE PATH
make_run() {
    if names demo --list | grep -qxF -- "$1"; then
        "$wadi" demo "$1" --size "$2x$2" -o "$3" --quiet
        return
    fi
    local input
    input=$folder/$(basename "$terrain" .yaml)-$2.tif
    [[ -e $input ]] || make_terrain "$2" "$input"
    "$wadi" run "$input" --preset "$1" -o "$3" --no-checkpoint --quiet "${options[@]}"
}

measure() {
    local size largest=$folder/$1-${sizes[-1]}
    if [[ -e $1 ]]; then
        row "$1" "$1" "$1"
        return
    fi
    for size in "${sizes[@]}"; do
        [[ -e $folder/$1-$size ]] || make_run "$1" "$size" "$folder/$1-$size" || return 1
    done
    for size in "${sizes[@]}"; do row "$1, $size" "$folder/$1-$size" "$largest"; done
}

mkdir -p "$folder"
if (($# == 0)); then mapfile -t looks < <(names demo --list) && set -- "${looks[@]}"; fi
awk '{ head = head " " $2 " |"; rule = rule "---|"; goal = goal " " $3 " to " $4 " |" }
    END { print "| |" head " correlation |"; print "|---|" rule "---|"; print "| target |" goal " 0.9 to 1 |" }' <<<"$targets"
for name; do measure "$name" || { echo "realism.sh: $name: failed" >&2 && missed=1; }; done
exit "$missed"
