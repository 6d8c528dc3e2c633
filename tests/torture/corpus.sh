#!/usr/bin/env bash
# labels: torture
# The command reads damaged files. Each begins as a file that the command wrote, of every kind that it reads. mutate.c then
# changes it. With any of them the command
#     - ends by itself within 20 s of processor time and with less than 2 GiB of memory;
#     - ends with 0, or with 2 and one line, or with 3 where a header asks for more memory than there is. A run may end
#       with 1 where its values are no longer finite;
#     - is not stopped by a signal or a sanitizer. The build should have a sanitizer.
#
#     corpus.sh                  runs for TORTURE_SECONDS
#     corpus.sh KIND SEED        tries one file, as a WRONG line names it
#
# Checksums protect a checkpoint and a window's .wadi file. fuzz_checkpoint and fuzz_command_checkpoint correct these, and
# so reach the readers behind them.
. "$(dirname "$0")/lib.bash"
mutate=${WADI_MUTATE:-$WADI_BUILD/tests/mutate}
[ -x "$mutate" ] || { echo "no $mutate"; exit 77; }
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:hard_rss_limit_mb=2048:allocator_may_return_null=1:detect_leaks=0"
limits=(-t 20)
grep -q __asan_init "$WADI" || limits+=(-v $((4 << 20))) # in KiB, with what libraries only reserve

mkdir base kinds
make_inputs() {
    "$WADI" generate diamond-square --size 32x32 --seed 3 -o in.npy
    "$WADI" generate noise --size 32x32 --relief 0.01 -o rain.npy
    local format
    for format in png tif exr r16 r32; do
        "$WADI" run in.npy --steps 1 --maps none --backend cpu --format $format -o $format --quiet &&
            cp "$format/height.$format" ../kinds
    done
    cp in.npy ../kinds/height.npy
    cp "$WADI_DATA/jacksboro.tif" ../kinds/geo.tif
    printf 'ncols 5\nnrows 4\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -9999\n' >../kinds/height.asc
    for _ in 1 2 3 4; do echo '1 2.5 -9999 4 5e1'; done >>../kinds/height.asc
    cat >../kinds/height.vrt <<'TEXT'
<VRTDataset rasterXSize="5" rasterYSize="4"><SRS>EPSG:32617</SRS><GeoTransform>100, 10, 0, 240, 0, -10</GeoTransform>
<VRTRasterBand dataType="Float32" band="1"><NoDataValue>-9999</NoDataValue><Scale>0.5</Scale><Offset>3</Offset>
<SimpleSource><SourceFilename relativeToVRT="1">height.asc</SourceFilename><SourceBand>1</SourceBand>
<SrcRect xOff="0" yOff="0" xSize="5" ySize="4"/><DstRect xOff="0" yOff="0" xSize="5" ySize="4"/></SimpleSource>
</VRTRasterBand></VRTDataset>
TEXT
    cp ../kinds/height.asc .
    printf 'x,y,radius_m,rate_m3s,start_s,end_s\n20,2,1,2\n 10.5, 1 ,0,1e-3,0.5,3\n# nothing\n' >../kinds/springs.csv
    cat >../kinds/stages.yaml <<'TEXT'
input: in.npy
boundary: open
maps: [water, flow]
hardness: height
stages:
  - {model: jako2011, preset: alpine, steps: 2, rain: "@rain.npy", set: {Kc: 0.4, Kr: "@rain.npy"}, mask: rain.npy}
  - repeat: 2
    stages:
      - {model: mei2007, steps: 1, rain: {count: 2, radius: 3, rate: 0.02}, sources: [{x: 3, y: 4, radius_m: 2, rate_m3s: 1}], pixel: true}
      - {model: olsen2004, steps: 1, set: {T: 3}, events: [{at: 1, set: {T: 2}}]}
TEXT
    "$WADI" run in.npy --steps 2 --backend cpu -o run --quiet
    cp run/run.json ../kinds/run.json
}
(cd base && make_inputs) >base.log 2>&1
[ -s kinds/run.json ] || fail "no inputs: $(cat base.log)"

# A checkpoint of a run that was stopped. It is left out if the run ended first.
for _ in 1 2 3 4 5; do
    rm -rf base/stopped
    (cd base && exec env --default-signal=TERM "$WADI" run in.npy --steps 5000 --backend cpu --threads 1 -o stopped --json) >log 2>&1 &
    for ((i = 0; i < 600; i++)); do
        grep -q '"start"' log && break
        sleep 0.05
    done
    kill -TERM $! 2>/dev/null
    wait $! 2>/dev/null
    is_stopped base/stopped && break
done
! is_stopped base/stopped || mv base/stopped/checkpoint.wadi kinds

# `words` becomes the command that reads a file of this kind. The seed chooses one of several.
command_for() {
    local file=$1 turn=$2
    case $file in
    *.csv) words=(run in.npy --sources "$file" --pixel --steps 1 --backend cpu --quiet -o out) ;;
    *.yaml) words=(run --recipe "$file" --dry-run --quiet) ;;
    run.json)
        mv "$file" run
        case $((turn % 5)) in
        0) words=(run --recipe run/run.json --dry-run --quiet -o out) ;;
        1) words=(render run --no-decoration --scale 1 --map flow -o picture.png) ;;
        2) words=(export run -o mesh.ply) ;;
        3) words=(compare run run) ;; # with itself, since a difference ends with 1
        *) words=(info run) ;;
        esac
        ;;
    checkpoint.wadi)
        mv "$file" stopped
        words=(run --resume stopped --quiet --backend cpu)
        ;;
    *)
        case $((turn % 6)) in
        0) words=(run "$file" --steps 1 --maps none --backend cpu --quiet -o out) ;;
        1) words=(render "$file" --no-decoration --scale 1 -o picture.png) ;;
        2) words=(run in.npy --rain "@$file" --steps 1 --backend cpu --quiet --dry-run) ;;
        *) words=(info "$file") ;;
        esac
        ;;
    esac
}

# try KIND SEED: one damaged file
try() {
    local file=$1 code said
    what="corpus.sh $*"
    ((++tried))
    rm -rf case && cp -r base case
    if (($2)); then
        "$mutate" "$2" "kinds/$file" "kinds/${kinds[$2 % ${#kinds[@]}]}" "case/$file" || fail "mutate ended with $?"
    else
        cp "kinds/$file" case # as it is
    fi
    (cd case && command_for "$file" "$2" && { ulimit "${limits[@]}"; timeout -k 5 200 "$WADI" "${words[@]}" >../said 2>../errors </dev/null; }) 2>/dev/null
    code=$?
    said=$(grep -av '^wadi: \(note\|warning\): ' errors)
    (($2)) || [ "$code" = 0 ] || wrong "a good file is refused: $said" || return
    case $code in
    0) [ -z "$said" ] || wrong "ended well and said: $said" || return ;;
    1) [[ $file != *.csv && $file != stages.yaml ]] || wrong "ended with 1: $said" || return ;;
    2 | 3) ;;
    *) wrong "ended with $code: $(head -c 2000 errors)" || return ;;
    esac
    [ "$code" = 0 ] || { [ "$(wc -l <<<"$said")" = 1 ] && [[ $said == 'wadi: '* ]]; } ||
        wrong "ended with $code, and not one line: '$said'"
}

readarray -t kinds < <(cd kinds && printf '%s\n' *)
if (($#)); then
    try "$@"
    cat errors
    finish
fi
for kind in "${kinds[@]}"; do try "$kind" 0; done
SECONDS=0
while time_left; do
    random 1000000000
    try "${kinds[tried % ${#kinds[@]}]}" "$chosen"
done
finish
