# GPU backends: refusals, and the CPU's bits from an OpenCL device where there is one. With WADI_NEED_OPENCL=1 a missing
# device is a failure.
. "$(dirname "$0")/lib.bash"
export WADI_CACHE=$PWD/cache # not the user's

"$WADI" generate diamond-square --size 157x19 --seed 9 -o hills.npy >/dev/null
"$WADI" devices --json >devices.json
check_json all devices.json
# device BACKEND PATTERN: the number of the first such device
device() { sed -n "/\"backend\": \"$1\", \"device\"/{/$2/s/.*\"device\": \([0-9]*\),.*/\1/p}" devices.json | head -1; }

# --- refused, with or without devices ---
refuse() { # TEXT OPTIONS...
    local text=$1
    shift
    expect_error 2 "$text" "$WADI" run --no-preview hills.npy -o out --steps 1 "$@"
    [ ! -e out ] || fail "a refused run left its folder ($*)"
}
refuse 'needs --backend opencl or cuda' --device 0
refuse 'needs --backend opencl or cuda' --backend auto --device 1
refuse 'cpu has only device 0' --backend cpu --device 1
for backend in cpu reference; do refuse 'the CPU is always strict' --backend $backend --arithmetic relaxed; done
for backend in opencl cuda; do
    if [ -z "$(device $backend '')" ]; then
        missing=$(sed -n "s/.*\"backend\": \"$backend\", \"missing\": \"\(.*\)\"}.*/\1/p" devices.json)
        [ -n "$missing" ] || fail "devices --json says neither a device of $backend nor what is missing"
        refuse "--backend $backend: $missing" --backend $backend
        expect 0 "$missing" "$WADI" devices
        expect_error 2 "--backend $backend: " "$WADI" bench --backend $backend
    else
        refuse "--device 99: $backend has " --backend $backend --device 99
        refuse "'wadi devices' lists them" --backend $backend --device 99
        expect_error 2 "--device 99: $backend has " "$WADI" bench --backend $backend --device 99
        weak=$(device $backend '"strict": false')
        [ -z "$weak" ] || refuse '--arithmetic relaxed takes that' --backend $backend --device "$weak"
    fi
done
# auto chooses among the devices that exist. A note says that the CPU has no relaxed arithmetic.
expect 0 'model' "$WADI" run --no-preview hills.npy -o auto --steps 20
case $(value auto backend) in '"cpu"' | '"opencl"' | '"cuda"') ;; *) fail "auto ran on $(value auto backend)" ;; esac
"$WADI" run --no-preview hills.npy -o cpu --steps 20 --backend cpu --quiet
same_hashes cpu auto
if [ "$(value auto backend)" = '"cpu"' ]; then
    expect 0 'always strict' "$WADI" run --no-preview hills.npy -o loose --steps 20 --arithmetic relaxed
    [ "$(value loose arithmetic)" = '"strict"' ] || fail "relaxed on the CPU"
    same_hashes cpu loose
fi

# A run that takes the CPU less time than a GPU's start looks for no GPU. The dynamic linker says which libraries are opened.
looks() {
    LD_DEBUG=files "$@" >linker.txt 2>&1 || fail "$*: $(tail -n 1 linker.txt)"
    grep -q 'file=libOpenCL' linker.txt
}
if looks "$WADI" devices; then
    looks "$WADI" run --no-preview hills.npy -o short --steps 20 && fail "a short run looks for GPUs"
    looks "$WADI" run --resume short --steps 40 && fail "a short rest of a run looks for GPUs"
    looks "$WADI" run --no-preview hills.npy -o long --steps 10000000 --dry-run || fail "a long run looks for no GPU"
fi

number=$(device opencl '"strict": true')
if [ -z "$number" ]; then
    [ "${WADI_NEED_OPENCL:-0}" != 1 ] || fail "no strict OpenCL device: $("$WADI" devices)"
    echo "no strict OpenCL device: its parts are left out"
    exit 77
fi
name=$(sed -n "s/.*\"backend\": \"opencl\", \"device\": $number, \"name\": \"\([^\"]*\)\".*/\1/p" devices.json)
gpu=(--backend opencl --device "$number" --no-tune)

# --- the CPU's bits ---
# both NAME OPTIONS...: the same run on the CPU and on the GPU, into NAME and NAME-gpu
both() {
    local name=$1
    shift
    "$WADI" run --no-preview hills.npy --steps 60 --maps all --quiet -o "$name" --backend cpu "$@"
    "$WADI" run --no-preview hills.npy --steps 60 --maps all --quiet -o "$name-gpu" "${gpu[@]}" "$@"
    same_hashes "$name" "$name-gpu"
    [ "$(value "$name-gpu" backend)" = '"opencl"' ] || fail "$name-gpu ran on $(value "$name-gpu" backend)"
}
"$WADI" generate noise --size 157x19 --relief 0.01 -o rain.npy >/dev/null
"$WADI" generate noise --size 157x19 --relief 1 -o mask.npy >/dev/null
printf '40.5,10,3,2\n20,15,0,1,0.5,3\n' >springs.csv
for model in $(models_to_run); do
    both $model --model $model --rain drops:count=20,radius=3,rate=0.05
    expect 0 'the same' "$WADI" compare $model $model-gpu
done
for boundary in closed open wrap; do both $boundary --boundary $boundary --sources springs.csv --pixel; done
both maps --rain @rain.npy --mask mask.npy --hardness height
both substeps --set dt=0.3 --allow-out-of-range
"$WADI" run --no-preview hills.npy -o tuned --steps 60 --maps all --rain @rain.npy --mask mask.npy --hardness height --quiet \
    --backend opencl --device "$number"
same_hashes maps tuned

# --- reports that name the device ---
[ "$(value jako2011-gpu arithmetic)" = '"strict"' ] || fail "arithmetic: $(value jako2011-gpu arithmetic)"
case $(value jako2011-gpu device) in *"$name"*) ;; *) fail "device: $(value jako2011-gpu device), not $name" ;; esac
expect 0 'backend  opencl, strict arithmetic' "$WADI" info jako2011-gpu
expect 0 'of its memory' "$WADI" run --no-preview hills.npy --dry-run "${gpu[@]}"
expect 0 '"device_memory_bytes": ' "$WADI" run --no-preview hills.npy --dry-run --json "${gpu[@]}"
"$WADI" run --no-preview hills.npy -o loose2 --steps 20 "${gpu[@]}" --arithmetic relaxed --quiet
[ "$(value loose2 arithmetic)" = '"relaxed"' ] || fail "arithmetic: $(value loose2 arithmetic)"

# --- recipes: models in turns ---
cat >turns.yaml <<YAML
input: hills.npy
maps: all
backend: opencl
device: $number
arithmetic: strict
tune: false
stages:
  - repeat: 4
    stages:
      - {model: jako2011, rain: {count: 3, radius: 3, rate: 0.05}, steps: 7}
      - {model: olsen2004, preset: talus, set: {T: 3}, steps: 2}
  - {model: mei2007, steps: 20}
YAML
if ! "$WADI" run --no-preview --recipe none.yaml 2>&1 | grep -q 'not built'; then
    "$WADI" run --no-preview --recipe turns.yaml -o turns-gpu --quiet
    sed -e '/^backend/d' -e '/^device/d' turns.yaml >turns-cpu.yaml
    "$WADI" run --no-preview --recipe turns-cpu.yaml --backend cpu -o turns --quiet
    same_hashes turns turns-gpu
    [ "$(value turns-gpu backend)" = '"opencl"' ] || fail "the recipe ran on $(value turns-gpu backend)"
fi

# --- stopped on one engine, resumed on the other ---
inputs=(hills.npy --steps 4000 --rain 'drops:count=5,radius=3,rate=0.02')
"$WADI" run --no-preview "${inputs[@]}" -o whole --quiet --backend cpu
stop_on() { # OPTIONS...
    for _ in 1 2 3 4 5 6; do
        rm -rf stopped
        begin "${inputs[@]}" -o stopped "$@"
        stop INT
        [ $code != 130 ] || return 0
    done
    fail "Ctrl-C: ended with $code: $(cat err)"
}
go_on() { # BACKEND OPTIONS...
    expect 0 'going on from step' "$WADI" run --no-preview --resume stopped --backend "$@"
    same_hashes whole stopped
    [ "$(value stopped backend)" = "\"$1\"" ] || fail "went on with $(value stopped backend), not $1"
}
stop_on "${gpu[@]}"
go_on cpu
stop_on --backend cpu --threads 1
go_on opencl --device "$number" --no-tune
expect_error 2 'is complete' "$WADI" run --no-preview --resume stopped "${gpu[@]}"
rm -rf stopped

# --- benchmarks ---
"$WADI" bench "${gpu[@]}" --model swenson2018 --size 64x48 --repeats 1 --substeps-per-pass 1,2 --json --csv table.csv >bench.json
check_json all bench.json
[ "$(grep -c '"backend": "opencl"' bench.json)" = 2 ] || fail "results: $(cat bench.json)"
for key in cell_steps_per_s bytes_per_cell_step bandwidth_fraction; do
    grep -q "\"$key\": [0-9.e-]*[1-9]" bench.json || fail "no $key: $(cat bench.json)"
done
grep -q "^\"$name\",opencl,swenson2018,,64,48," table.csv || fail "the table: $(cat table.csv)"
expect 0 'M cell-steps/s' "$WADI" bench "${gpu[@]}" --model swenson2018 --size 64x48 --repeats 1 --arithmetic relaxed
