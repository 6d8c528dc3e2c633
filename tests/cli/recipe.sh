# Recipes: equal to options, models in turns, errors with places, stopping and resuming, run.json as a recipe.
. "$(dirname "$0")/lib.bash"

# A wide grid has a small preview: previews of all grids are equally wide.
"$WADI" generate diamond-square --size 160x20 --seed 5 -o hills.npy >/dev/null
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in
*'not built'*)
    expect_error 2 'install libfyaml-dev' "$WADI" run --no-preview hills.npy --recipe none.yaml
    exit 77
    ;;
esac
"$WADI" generate noise --size 160x20 --relief 0.01 -o rain.npy >/dev/null
"$WADI" generate noise --size 160x20 --relief 1 -o mask.npy >/dev/null
"$WADI" generate noise --size 160x20 --seed 2 --relief 0.2 -o hard.npy >/dev/null
printf '40.5,10,3,2\n130,15,0,1,0.5,3\n' >springs.csv

expect_error 2 'wadi run --recipe one.yaml' "$WADI" run --no-preview one.yaml

# --- a recipe gives the same run as its options ---
"$WADI" run --no-preview hills.npy -o plain --quiet --model jako2011 --preset alpine --steps 60 --set Kc=0.3 --set Kh=@hard.npy --rain @rain.npy \
    --sources springs.csv --pixel --mask mask.npy --hardness height --seed 9 --boundary open --maps all --format r32
mkdir -p sub/deeper
cat >sub/one.yaml <<'YAML'
input: ../hills.npy
model: jako2011
preset: alpine
steps: 60
set: {Kc: 0.3, Kh: "@../hard.npy"}
rain: "@../rain.npy"
sources:
  - {x: 40.5, y: 10, radius_m: 3, rate_m3s: 2}
  - {x: 130, y: 15, radius_m: 0, rate_m3s: 1, start_s: 0.5, end_s: 3}
pixel: true
mask: ../mask.npy
hardness: height
seed: 9
boundary: open
maps: all
format: r32
YAML
"$WADI" run --no-preview --recipe sub/one.yaml -o one --quiet
same_hashes plain one
[ "$(value plain parameters)$(value plain model)" = "$(value one parameters)$(value one model)" ] || fail "run.json"
sed -e 's/^sources:/sources: ..\/springs.csv/' -e '/^  - /d' sub/one.yaml >sub/two.yaml
"$WADI" run --no-preview --recipe sub/two.yaml -o two --quiet
same_hashes plain two
(cd sub/deeper && "$WADI" run --no-preview --recipe ../one.yaml -o ../../three --quiet --threads 2 --backend reference)
same_hashes plain three
# INPUT and options of the command line override the recipe.
printf '%s\n' 'backend: reference' 'device: 0' 'arithmetic: strict' 'tune: false' | cat sub/one.yaml - >sub/where.yaml
"$WADI" run --no-preview --recipe sub/where.yaml -o where --quiet
same_hashes plain where
[ "$(value where backend)$(value where arithmetic)" = '"reference""strict"' ] || fail "backend and arithmetic of a recipe"
sed -e 's/hills/nothing/' -e 's/^seed: 9/seed: 1/' sub/one.yaml >sub/other.yaml
"$WADI" run --no-preview --recipe sub/other.yaml hills.npy --seed 9 -o four --quiet
same_hashes plain four
"$WADI" run --no-preview hills.npy -o timed --time 2.05 --quiet
printf '{"input": "hills.npy", "time": 2.05}' >timed.json # JSON is YAML
"$WADI" run --no-preview --recipe timed.json -o timed2 --quiet
same_hashes timed timed2

# --- generated terrain equals the file of wadi generate ---
"$WADI" generate cone --size 60x12 --cell-size 2 --relief 9 -o cone.tif >/dev/null 2>&1 && {
    "$WADI" run --no-preview cone.tif -o cone --model swenson2018 --steps 20 --quiet
    printf 'generate: {kind: cone, size: [60, 12], cell-size: 2, relief: 9}\nmodel: swenson2018\nsteps: 20\n' >cone.yaml
    expect 0 'swenson2018' "$WADI" run --no-preview --recipe cone.yaml -o cone2
    same_hashes cone cone2
    "$WADI" run --no-preview --recipe cone2/run.json -o cone3 --quiet
    same_hashes cone cone3
    sed 's/60, 12/600, 120/' cone.yaml >large.yaml # --size takes the place of a recipe's
    "$WADI" run --no-preview --recipe large.yaml --size 60x12 -o cone4 --quiet
    same_hashes cone cone4
    "$WADI" run --no-preview --recipe cone4/run.json -o cone5 --quiet
    same_hashes cone cone5
    sed 's/60, 12/900000, 900000/' cone.yaml >huge.yaml # the size that counts is checked
    "$WADI" run --no-preview --recipe huge.yaml --size 60x12 -o cone6 --quiet
    same_hashes cone cone6
    expect_error 3 'cone.yaml:1:18: 900000x900000 needs' "$WADI" run --no-preview --recipe cone.yaml --size 900000x900000 -o cone7
}

# The picture of letters is found in the recipe's folder. run.json names it so that any folder finds it.
"$WADI" generate disc --size 20x16 -o sub/disc.npy >/dev/null
"$WADI" generate letters --from sub/disc.npy --size 60x12 -o letters.npy >/dev/null
"$WADI" run --no-preview letters.npy -o letters --model swenson2018 --steps 20 --quiet
printf 'generate: {kind: letters, size: 60x12, from: disc.npy}\nmodel: swenson2018\nsteps: 20\n' >sub/letters.yaml
"$WADI" run --no-preview --recipe sub/letters.yaml -o letters2 --quiet --format npy
same_hashes letters letters2
"$WADI" run --no-preview --recipe letters2/run.json -o letters3 --quiet
same_hashes letters letters3

# --- every run.json is a recipe ---
for run in plain one timed; do
    "$WADI" run --no-preview --recipe $run/run.json -o again --quiet --force
    same_hashes $run again
    [ "$(value $run parameters)$(value $run preset)$(value $run boundary)" = "$(value again parameters)$(value again preset)$(value again boundary)" ] ||
        fail "$run given back has other parameters"
done
"$WADI" run --no-preview hills.npy -o drops --steps 30 --model mei2007 --rain drops:count=2.5,radius=3,rate=0.02 --seed 18446744073709551615 \
    --cell-size 3,4 --set Kc=1.75 --allow-out-of-range --maps none --quiet
"$WADI" run --no-preview --recipe drops/run.json -o drops2 --quiet
same_hashes drops drops2
if has_format png; then
    "$WADI" generate noise --size 60x12 -o small.png >/dev/null
    "$WADI" run --no-preview small.png --height-range 3,77.7 --steps 20 -o png --quiet
    "$WADI" run --no-preview --recipe png/run.json -o png2 --quiet
    same_hashes png png2
fi

# --- a run.json of an earlier version: what it lacks is as it was then, whatever its preset says today ---
older() { # older RUN PARAMETER...: its run.json without the parameters
    local run=$1 expression
    shift
    expression=$(printf '/"%s":/d;' "$@")
    sed "$expression" "$run/run.json" >"$run-older.json"
    ! grep -q "\"$1\"" "$run-older.json" || fail "$1 is still there"
}
"$WADI" run --no-preview hills.npy --model neidhold2005 --steps 30 -o today --quiet
"$WADI" run --no-preview hills.npy --model neidhold2005 --steps 30 -o earlier --set rain_landing=moving --quiet
[ "$(hashes today)" != "$(hashes earlier)" ] || fail "the preset does not set rain_landing"
older earlier rain_landing rain_times split
"$WADI" run --no-preview --recipe earlier-older.json -o earlier2 --quiet
same_hashes earlier earlier2
"$WADI" run --no-preview hills.npy --preset valleys --steps 30 -o valleys --set pipes=4 --quiet
older valleys r pipes Fr
"$WADI" run --no-preview --recipe valleys-older.json -o valleys2 --quiet
same_hashes valleys valleys2

# --- several models ---
cat >turns.yaml <<'YAML'
input: hills.npy
maps: all
stages:
  - {model: jako2011, preset: alpine, steps: 40}
  - repeat: 8
    stages:
      - {model: mei2007, rain: {count: 3, radius: 3, rate: 0.05}, steps: 7}
      - {model: olsen2004, preset: talus, set: {T: 3}, steps: 1}
  - {model: jako2011, preset: rivers, rain: "@rain.npy", steps: 30}
YAML
expect 0 'stage 2  mei2007' "$WADI" run --no-preview --recipe turns.yaml -o turns --threads 1
for line in 'model    recipe' 'stage 4  jako2011, preset rivers, 30 steps' 'steps    134' 'residual'; do
    grep -q "$line" <<<"$said" || fail "the summary has no '$line': $said"
done
check_json all turns/run.json
[ "$(value turns model)" = '"recipe"' ] && [ "$(value turns steps)" = 134 ] || fail "run.json of several models"
for map in water sediment flow velocity erosion deposition hardness; do [ -s turns/$map.npy ] || fail "no $map"; done
"$WADI" run --no-preview --recipe turns.yaml -o turns2 --threads 2 --quiet
same_hashes turns turns2
"$WADI" run --no-preview --recipe turns.yaml -o turns3 --backend reference --quiet
same_hashes turns turns3
"$WADI" run --no-preview --recipe turns/run.json -o turns4 --quiet
same_hashes turns turns4
expect 0 'recipe' "$WADI" info turns
if command -v python3 >/dev/null; then
    python3 - turns/run.json <<'EOF' || fail "the balance of turns"
import json, sys
run = json.load(open(sys.argv[1]))
def close(mass):
    assert abs(mass["solid"]["residual"]) <= 1e-6 * mass["solid"]["moved"], mass
    for of in mass.values():
        gap = of["after"] - of["before"] - of["in"] + of["out"] - of.get("handed", 0) - of["residual"]
        assert abs(gap) <= 1e-9 * (abs(of["before"]) + abs(of["after"]) + 1), (gap, of)
close(run["mass"])
for stage in run["stages"]: close(stage["mass"])
total = sum(stage["mass"]["solid"]["residual"] for stage in run["stages"])
assert abs(total - run["mass"]["solid"]["residual"]) < 1e-12
assert [s["steps"] for s in run["stages"]] == [40, 56, 8, 30]
EOF
fi
# Turns with a model that does nothing change nothing. Stages of no steps are skipped.
cat >idle.yaml <<'YAML'
input: hills.npy
stages:
  - {model: olsen2004, steps: 0}
  - repeat: 1000000000
    stages: [{steps: 0}, {model: mei2007, steps: 0}]
  - repeat: 12
    stages: [{model: mei2007, steps: 5}, {model: olsen2004, preset: talus, set: {c: 0}, steps: 2}]
YAML
"$WADI" run --no-preview --recipe idle.yaml -o idle --quiet
"$WADI" run --no-preview hills.npy --model mei2007 --steps 60 -o mei --quiet
same_hashes mei idle
# The last one gives the result, also without a step.
printf 'input: hills.npy\nmaps: all\nstages:\n  - {model: mei2007, steps: 5}\n  - {model: schott2023, steps: 0}\n' >ended.yaml
"$WADI" run --no-preview --recipe ended.yaml -o ended --quiet
[ -s ended/area.npy ] || fail "the last model has not taken over: $(ls ended)"
# Models without speed or hardness write the other maps.
"$WADI" run --no-preview hills.npy --model olsen2004 --steps 3 --maps all -o olsen --quiet
[ -s olsen/flow.npy ] && [ ! -e olsen/velocity.npy ] || fail "--maps all of olsen2004: $(ls olsen)"

# --- repeated with other inputs: a note, or a refusal ---
"$WADI" generate noise --size 160x20 --seed 1 -o replay-hills.npy >/dev/null
"$WADI" generate noise --size 160x20 --seed 2 --relief 0.01 -o replay-rain.npy >/dev/null
"$WADI" generate noise --size 160x20 --seed 3 --relief 1 -o replay-mask.npy >/dev/null
printf 'input: replay-hills.npy\nwater: replay-rain.npy\nstages:\n  - {model: jako2011, steps: 2, mask: replay-mask.npy}\n  - {model: mei2007, steps: 2, rain: "@replay-rain.npy"}\n' >replay.yaml
"$WADI" run --no-preview replay-hills.npy --steps 3 --rain @replay-rain.npy --mask replay-mask.npy --quiet -o plain-replay
"$WADI" run --no-preview --recipe replay.yaml --quiet -o stages-replay
for run in plain-replay stages-replay; do
    expect 0 '' "$WADI" run --no-preview --recipe $run/run.json --strict-inputs --quiet -o $run-again
    [ -z "$said" ] || fail "the same inputs: $said"
    same_hashes $run $run-again
done
for input in hills rain mask; do
    cp replay-$input.npy kept.npy
    "$WADI" generate noise --size 160x20 --seed 9 --relief 0.01 --force -o replay-$input.npy >/dev/null
    for run in plain-replay stages-replay; do
        expect 0 "warning: replay-$input.npy: " "$WADI" run --no-preview --recipe $run/run.json --quiet --force -o other
        grep -qE 'sha256 [0-9a-f]{8}\.\.\., then [0-9a-f]{8}' <<<"$said" || fail "no hashes: $said"
        expect_error 2 '--strict-inputs refuses' "$WADI" run --no-preview --recipe $run/run.json --strict-inputs -o refused
        [ ! -e refused ] || fail "a refused run made a folder"
    done
    mv kept.npy replay-$input.npy
done
# No note about an input that an option replaces
expect 0 '' "$WADI" run --no-preview replay-mask.npy --recipe plain-replay/run.json --strict-inputs --quiet -o asked
expect_error 2 'goes with --recipe of a run.json' "$WADI" run --no-preview --recipe replay.yaml --strict-inputs -o asked-too

# --- stopped and resumed in any stage, without the inputs ---
sed -e 's/repeat: 8/repeat: 200/' -e 's/steps: 30/steps: 400/' turns.yaml >long.yaml
"$WADI" run --no-preview --recipe long.yaml -o whole --quiet
for every in 50 1001; do
    for _ in 1 2 3 4 5 6; do
        rm -rf stopped
        begin --recipe long.yaml -o stopped --checkpoint-every $every
        [ $every != 50 ] || sleep 0.05
        stop INT
        [ $code != 130 ] || break
    done
    [ $code = 130 ] || fail "Ctrl-C: ended with $code: $(cat err)"
    mkdir away && mv hills.npy rain.npy long.yaml away
    expect 0 'going on from step' "$WADI" run --no-preview --resume stopped --threads 2
    mv away/* . && rmdir away
    same_hashes whole stopped
    [ "$(sed -n '/^  "mass"/,/^  }/p' whole/run.json)" = "$(sed -n '/^  "mass"/,/^  }/p' stopped/run.json)" ] || fail "mass"
    "$WADI" run --no-preview --recipe stopped/run.json -o again --quiet --force
    same_hashes whole again
done

# --- errors name line and column ---
# wrong PLACE TEXT RECIPE-LINES...: the recipe is refused with TEXT at line and column PLACE
wrong() {
    local place=$1 text=$2
    shift 2
    printf '%s\n' "$@" >wrong.yaml
    expect_error 2 "wrong.yaml:$place: $text" "$WADI" run --no-preview --recipe wrong.yaml -o never
    [ ! -e never ] || fail "a refused recipe left a folder"
}
in='input: hills.npy'
wrong 2:1 'modle: no such key; did you mean model?' "$in" 'modle: mei2007'
wrong 2:8 "model mei207: unknown model 'mei207': did you mean 'mei2007'?" "$in" 'model: mei207'
wrong 4:5 "set Kcc=1: unknown parameter 'Kcc': did you mean 'Kc'?" "$in" set: '    # here' '    Kcc: 1'
wrong 2:7 'set Kc=99: Kc = 99 is outside' "$in" 'set: {Kc: 99}'
wrong 2:7 'set dt=@hard.npy: this parameter is one number' "$in" 'set: {dt: "@hard.npy"}'
wrong 2:7 'missing.npy: cannot be opened' "$in" 'set: {Kr: "@missing.npy"}'
wrong 2:7 'missing.npy: cannot be opened' "$in" 'mask: missing.npy'
wrong 2:8 'steps many: a whole number is wanted' "$in" 'steps: many'
wrong 3:7 'time 3 with --steps 5: dt = 0.6 is outside' "$in" 'steps: 5' 'time: 3'
wrong 2:11 'boundary opne: closed, open or wrap is wanted; did you mean open?' "$in" 'boundary: opne'
wrong 4:5 'maps: belongs at the top' "$in" stages: '  - model: mei2007' '    maps: all'
wrong 2:1 "model: belongs in a stage" "$in" 'model: mei2007' 'stages: [{steps: 1}]'
wrong 2:1 'output: belongs on the command line' "$in" 'output: x'
wrong 2:10 'backend gpu: auto, cpu' "$in" 'backend: gpu'
wrong 2:9 'device 0: needs' "$in" 'device: 0'
wrong 3:13 'arithmetic relaxed: the CPU is always strict' "$in" 'backend: cpu' 'arithmetic: relaxed'
wrong 2:7 'tune: true or false is wanted' "$in" 'tune: yes'
wrong 2:1 'no-tune: no such key; did you mean tune?' "$in" 'no-tune: true'
wrong 4:5 'backend: belongs at the top' "$in" stages: '  - model: mei2007' '    backend: cpu'
wrong 2:9 'stages: the list is empty' "$in" 'stages: []'
wrong 2:10 'a stage, a map' "$in" 'stages: [5]'
wrong 2:19 'repeat 0: a value from 1' "$in" 'stages: [{repeat: 0, stages: [{}]}]'
wrong 2:32 'repeat: stages are repeated one deep' "$in" 'stages: [{repeat: 2, stages: [{repeat: 3, stages: [{}]}]}]'
wrong 2:22 "steps: beside 'repeat'" "$in" 'stages: [{repeat: 2, steps: 4}]'
wrong 2:7 'maps flowe: no such map; did you mean flow?' "$in" 'maps: [water, flowe]'
wrong 2:7 "rain drops: 'radus=3' is none" "$in" 'rain: {count: 5, radus: 3}'
wrong 4:5 'rate_m3s is negative' "$in" 'pixel: true' sources: '  - {x: 1, y: 2, radius_m: 3, rate_m3s: -1}'
wrong 2:17 'yy: a source has no such key; did you mean y?' "$in" 'sources: [{x: 1,yy: 2}]'
wrong 2:11 'hardness: mei2007 has no hardness' "$in" 'hardness: height' 'model: mei2007'
wrong 2:29 'set R=0.5: the hardness is taken over' "$in" 'stages: [{steps: 1}, {set: {R: 0.5}}]'
wrong 1:18 'nose: no such kind of terrain; did you mean noise?' 'generate: {kind: nose}'
wrong 1:25 'seeed: a generator has no such key; did you mean seed?' 'generate: {kind: noise, seeed: 4}'
wrong 2:1 'input stands twice' "$in" "$in"
wrong 1:8 '*x: nothing above it has the anchor &x' 'input: *x'
wrong 2:73 "set m=0.45: unknown parameter 'm'" "$in" 'stages: [{model: schott2023, set: &a {m: 0.45}}, {model: jako2011, set: *a}]'
wrong 2:44 'time with --steps sets dt' "$in" 'stages: [{model: jako2011, steps: 3, time: 1, set: {dt: 0.1}}]'
wrong 2:1 'a second document' "$in" ---
wrong 2:1 'directives are not taken' "$in" '%YAML 1.2'
wrong 2:4 'is no text in UTF-8' "$in" "$(printf '# a\377')"
wrong 1:1 'holds nothing' '# nothing'
wrong 3:1 'is no YAML' 'a: [b' 'c: d'
wrong 1:1 'this run.json holds no recipe' 'wadi: 0.1.0'
echo 'steps: 3' >nowhere.yaml
expect_error 2 "'input' or 'generate' is missing" "$WADI" run --no-preview --recipe nowhere.yaml
expect_error 2 '--steps does not go with --recipe' "$WADI" run --no-preview --recipe turns.yaml --steps 4
expect_error 2 'is a folder' "$WADI" run --no-preview --recipe .
expect_error 2 'at most 64 MiB' "$WADI" run --no-preview --recipe /dev/zero
# Hostile recipes are refused at once.
printf '[%.0s' {1..20000} >deep.yaml
expect_error 2 'deep.yaml:1:17: too deep' timeout 20 "$WADI" run --no-preview --recipe deep.yaml
{ echo 'a0: &a0 [1]' && seq -f '%.0f' 1 40 | awk '{ print "a" $1 ": &a" $1 " [*a" $1 - 1 ", *a" $1 - 1 "]" }'; } >bomb.yaml
expect_error 2 'too deep' timeout 20 "$WADI" run --no-preview --recipe bomb.yaml
{ echo 'a: &a {'; seq -f ' k%.0f: 1,' 1000; echo ' }'; echo 'b:'; seq -f '- {<<: *a} # %.0f' 4000; } >merges.yaml
expect_error 2 'too much: copies' timeout 20 "$WADI" run --no-preview --recipe merges.yaml
seq -f 'k%.0f: 1' 200000 >keys.yaml
expect_error 2 'too many keys' timeout 20 "$WADI" run --no-preview --recipe keys.yaml

# --- the examples run ---
for example in "$WADI_DATA"/../examples/*.yaml; do
    name=$(basename "$example" .yaml)
    case $name in jacksboro) if sanitized || ! has_format tif; then continue; fi ;; esac # cli_real_terrain runs it too
    recipe=$example
    if sanitized; then # the same stages with fewer steps
        recipe=short.yaml
        sed -e 's/steps: [0-9]*/steps: 2/' -e 's/preset: alpine/&\n    steps: 2/' -e 's/repeat: 30/repeat: 2/' "$example" >$recipe
    fi
    expect 0 'files    ' "$WADI" run --no-preview --recipe "$recipe" -o "example-$name" --format npy
done
