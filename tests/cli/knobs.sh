# labels: once
# Knobs: options, recipes, run.json, and what is refused.
. "$(dirname "$0")/lib.bash"

"$WADI" generate ridged --size 48x40 --cell-size 4 --seed 3 -o hills.r32 >/dev/null
run() { "$WADI" run --no-preview hills.r32 --size 48x40 --cell-size 4 --quiet "$@"; }
height() { cmp -s "$1/height.r32" "$2/height.r32"; }

# In the middle is the preset, bit for bit; elsewhere it is another terrain.
run -o plain --preset alpine --steps 60
run -o middle --preset alpine --steps 60 --knob strength=0.5 --knob rock=0.5
height plain middle || fail "0.5 is not the preset"
run -o strong --preset alpine --steps 60 --knob strength=0.9 --knob rain=0.3
! height plain strong || fail "a knob changes nothing"
! grep -q '"knobs"' plain/run.json middle/run.json || fail "knobs that were not moved are named"
grep -q '"strength": 0.9' strong/run.json || fail "run.json does not name the knob"

# --set comes after the knobs, in whatever order they are given.
run -o set --preset alpine --steps 60 --set rain=0.004 --knob strength=0.9 --knob rain=0.3
grep -q '"Kr": 0.004' set/run.json || fail "--set does not come last"

# Age is the length of a run that has no other.
run -o old --model olsen2004 --preset terraces --knob age=1
run -o now --model olsen2004 --preset terraces
(($(value old steps) > 2 * $(value now steps))) || fail "age: $(value old steps) and $(value now steps) steps"

# A run that goes on keeps its knobs for run.json.
run -o more --preset alpine --steps 30 --knob strength=0.9 --knob rain=0.3
"$WADI" run --no-preview --resume more --steps 30 --quiet
grep -q '"strength": 0.9' more/run.json || fail "a resumed run forgets its knobs"
height strong more || fail "a resumed run with knobs has other bits"

expect_error 2 'did you mean' run -o no --knob strenght=0.7
expect_error 2 'from 0 to 1' run -o no --knob strength=1.5
expect_error 2 'NAME=X' run -o no --knob strength
expect_error 2 'already' run -o no --knob strength=0.7 --knob strength=0.2
expect 0 'strength' "$WADI" presets alpine
expect 0 'knobs' "$WADI" models mei2007

case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in *'not built'*) exit 0 ;; esac
"$WADI" run --no-preview --recipe strong/run.json -o again --quiet
height strong again || fail "run.json with knobs gives other bits"
grep -q '"strength": 0.9' again/run.json || fail "a repeated run forgets its knobs"
recipe() {
    printf 'input: hills.r32\nsize: 48x40\ncell-size: 4\npreset: alpine\nsteps: 60\nknobs: %s\n' "$1" >one.yaml
}
recipe '{strength: 0.9, rain: 0.3}'
"$WADI" run --no-preview --recipe one.yaml -o recipe --quiet
height strong recipe || fail "knobs of a recipe differ from those of options"
recipe '{strenght: 0.9}'
expect_error 2 'one.yaml:6' "$WADI" run --no-preview --recipe one.yaml -o no
recipe '0.9'
expect_error 2 'knobs: {strength: 0.7}' "$WADI" run --no-preview --recipe one.yaml -o no
recipe '{rain: [1, 2]}'
expect_error 2 'a number from 0 to 1' "$WADI" run --no-preview --recipe one.yaml -o no
expect_error 2 'write it in the recipe' "$WADI" run --no-preview --recipe one.yaml -o no --knob rain=0.7
