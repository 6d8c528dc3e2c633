#!/usr/bin/env bash
# labels: torture
# System calls fail in small runs of every command. fault.c makes the n-th call of open, read, write, fsync, rename, close,
# mkdir, malloc, mmap or a similar function fail. With any such fault the command
#     - ends by itself, with 0, 1, 2 or 3. Where memory failed it ends with 3 or 0;
#     - with 0 has written and printed what the undisturbed command writes and prints, with the same bytes and fields;
#     - otherwise prints one line, leaves no temporary or partial file, and keeps the files that existed. (Complete outputs
#       may stay in .wadi-ready for the next command.)
#     - can be resumed or repeated, and then gives the undisturbed result.
# Every call is tried once where time allows. The seed chooses the order. The kinds of failure take turns.
#
#     faults.sh                                      tries as many calls as TORTURE_SECONDS allow
#     faults.sh CASE CALL                            tries only these, in the same time
#     faults.sh CASE CALL N HOW STAYS                tries one call, as a WRONG line names it
#
# Left out are `bench`, which measures the memory for a quarter of a minute, and `view`. Calls that other libraries make
# for themselves succeed (fault.c), since this project cannot mend libgomp or PoCL. So everything runs with
# --backend cpu and one thread.
. "$(dirname "$0")/lib.bash"
[ -e "$library" ] || { echo "no $library: built on 64-bit Linux alone"; exit 77; }

make_base 64x4
in_base() { (cd base && "$@"); }
in_base with_fault rename 2 TERM 0 "$WADI" run in.npy --steps 9 --backend cpu --checkpoint-every 1 -o stopped --quiet 2>base.log
is_stopped base/stopped || fail "no run was stopped: $(cat base.log)"

few="--maps all --backend cpu --threads 1 --quiet"
add_case run run in.npy -o out --steps 3 $few
add_case run-force run in.npy -o old --steps 3 $few --force
add_case run-sources run in.npy -o out --steps 3 $few --model olsen2004 --rain @rain.npy --sources springs.csv --pixel
add_case run-checkpoints run in.npy -o out --steps 3 $few --checkpoint-every 1 --format r32
add_case run-resume run --resume stopped --threads 1 --backend cpu --quiet
add_case run-recipe run --recipe stages.yaml -o out --threads 1 --backend cpu --quiet
add_case run-refused run in.npy -o old --steps 3 $few
add_case generate-refused generate noise --size 24x8 -o in.npy
add_case compare compare old in.npy
add_case info info old
add_case info-json info in.npy --json
add_case info-plot info old --plot plot.png
add_case models models
add_case presets presets jako2011
for format in npy tif exr png r16; do
    in_base "$WADI" generate noise --size 24x8 -o "kind.$format" >/dev/null 2>&1 || continue # not built
    add_case "generate-$format" generate noise --size 24x8 -o "made.$format"
    [ "$format" = r16 ] || add_case "read-$format" info "kind.$format"
done
for format in obj ply gltf glb; do add_case "export-$format" export old -o "mesh.$format" --every 4; done
if [ -e base/kind.png ]; then add_case render render old -o picture.png --map flow --no-decoration --scale 1; fi
if command -v ffmpeg >/dev/null; then add_case run-video run in.npy -o out --video film.mp4 --every 2 --steps 3 $few; fi
if command -v gdal_translate >/dev/null && [ -e base/kind.tif ]; then
    in_base gdal_translate -q -of AAIGrid kind.tif kind.asc 2>/dev/null && add_case read-asc info kind.asc
fi

# Also writes how many calls of each kind the case makes, to count-NAME.
measure_calls() {
    measure "$1" with_fault none 0 EIO 0
    mv count "count-$1"
}

# How calls of a kind fail; these take turns.
hows_of() {
    case $1 in
    open) echo EMFILE ENOSPC EACCES EINTR ;;
    read) echo EIO short EINTR ;;
    write) echo ENOSPC short EIO EINTR ;;
    sync) echo EIO ENOSPC ;;
    rename) echo ENOSPC EIO EACCES ;;
    close) echo EIO ENOSPC ;;
    folder) echo ENOSPC EACCES ;;
    memory | map) echo ENOMEM ;;
    esac
}

check_done() {
    is_whole || wrong "ended well with another result: $(differences)" || return
    [[ ${cases[$name]} == run* ]] || cmp -s said "said-$name" ||
        wrong "ended well but said something else: $(diff "said-$name" said | head -n 3)"
}

# try CASE CALL N HOW STAYS: one fault
try() {
    name=$1 what="faults.sh $*"
    local call=$2 how=$4 code said
    fresh
    in_case with_fault "${@:2}" "$WADI" ${cases[$name]}
    code=$?
    said=$(grep -v '^wadi: \(note\|warning\): ' errors)
    [ -e mark ] || return # not as many calls this time
    ((++tried))
    case $code in
    0 | 1 | 2 | 3) ;;
    124 | 137) wrong "hangs: $said" || return ;;
    *) wrong "ended with $code: $said" || return ;;
    esac
    if [ "$code" = "${wants[$name]}" ] && [ -z "$said" ]; then
        check_done
        return
    fi
    [ "$code" != 0 ] || wrong "ended with 0, not ${wants[$name]}: $said" || return
    if [ "$call" = memory ] || [ "$call" = map ]; then [ "$code" = 3 ] || wrong "ended with $code: $said" || return; fi
    [ "$code" != 3 ] || [ "$how" = ENOMEM ] || wrong "ended with $code: $said" || return
    [ "$(wc -l <<<"$said")" = 1 ] && [[ $said == 'wadi: '* ]] || wrong "$code, and not one line: '$said'" || return
    check_folder && check_again
}

# All faults that can be tried, "CASE CALL N HOW STAYS" per line.
everything() {
    local name kind n hows turn
    for name in "${names[@]}"; do
        while read -r kind count; do
            [[ -z $1 || $kind == "$1" ]] || continue
            read -ra hows <<<"$(hows_of "$kind")"
            for ((n = 1; n <= count; n++)); do
                turn=$((n + seed))
                echo "$name $kind $n ${hows[turn % ${#hows[@]}]} $((turn / ${#hows[@]} % 2))"
            done
        done <"count-$name"
    done
}

# In an order that the seed chooses. All kinds of calls of all cases take turns, because most calls are writes.
in_turns() {
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' | sort | cut -d' ' -f2- |
        awk '{ print ++seen[$1 $2], $0 }' | sort -sn | cut -d' ' -f2-
}

before=$(state base)
if (($# > 2)); then
    measure_calls "$1"
    try "$@"
    cat errors
    finish
fi
names=("${!cases[@]}")
(($# == 0)) || names=("$1")
for name in "${names[@]}"; do measure_calls "$name"; done
SECONDS=0
everything "${2:-}" >all
while read -r -u 3 line && time_left; do try $line; done 3< <(in_turns <all)
echo "of $(wc -l <all) that there are"
finish
