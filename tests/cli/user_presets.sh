# labels: once
# Presets of the user: as files, by name from the user's folder, in recipes, in lists, and what is refused.
. "$(dirname "$0")/lib.bash"

export XDG_CONFIG_HOME=$PWD/config
mkdir -p config/wadi/presets sub
"$WADI" generate diamond-square --size 48x40 --seed 5 --relief 60 -o h.r32 >/dev/null
run() { "$WADI" run --no-preview h.r32 --size 48x40 --cell-size 4 --quiet --steps 60 "$@"; }
height() { cmp -s "$1/height.r32" "$2/height.r32"; }

printf 'model: jako2011\npreset: alpine\nboundary: wrap\nknobs: {strength: 0.9, rain: 0.3}\nset: {Kd: 1, Ka: 0.6}\n' >mine.yaml
cp mine.yaml config/wadi/presets/soft-alps.yaml
run -o options --preset alpine --boundary wrap --knob strength=0.9 --knob rain=0.3 --set Kd=1 --set Ka=0.6
run -o file --preset mine.yaml
height options file || fail "a file gives other bits than its options"
run -o named --preset soft-alps
height options named || fail "the preset of the folder gives other bits"
grep -q '"preset": "alpine"' file/run.json || fail "run.json does not name the preset"
grep -q '"strength": 0.9' file/run.json || fail "run.json does not name the knobs"

# What is given beside it comes after it. A knob takes the place of the file's.
run -o over --preset mine.yaml --boundary open --knob rain=0.8 --set Kd=2
run -o over_options --preset alpine --knob strength=0.9 --knob rain=0.8 --set Ka=0.6 --set Kd=2
height over over_options || fail "the options do not come after the preset's"

# In a recipe the path is relative to the recipe; run.json repeats the run without the file.
cp mine.yaml sub/near.yaml
printf 'input: ../h.r32\nsize: 48x40\ncell-size: 4\nstages:\n  - {preset: near.yaml, steps: 60, set: {Kd: 1}}\n' >sub/recipe.yaml
"$WADI" run --no-preview --recipe sub/recipe.yaml -o recipe --quiet
height options recipe || fail "a recipe's preset gives other bits"
rm sub/near.yaml
"$WADI" run --no-preview --recipe recipe/run.json -o again --quiet
height options again || fail "run.json does not repeat it without the file"
expect_error 2 'sub/near.yaml' "$WADI" run --no-preview --recipe sub/recipe.yaml -o no

expect 0 'jako2011       yours: alpine, strength 0.9, rain 0.3, Kd 1, Ka 0.6' "$WADI" presets
expect 0 'knob strength' "$WADI" presets soft-alps
expect 0 'Ka                   0.6' "$WADI" presets mine.yaml
expect 0 '"file": ' "$WADI" presets soft-alps --json
"$WADI" presets --model mei2007 >mei.txt
! grep -q soft-alps mei.txt || fail "it is listed for another model"

# A bad file is one line, with its place.
bad() { # bad TEXT WORDS
    printf '%b' "$1" >bad.yaml
    expect_error 2 "$2" run -o no --preset bad.yaml
    [ ! -e no ] || fail "$1 left a folder"
}
bad 'knobs: {rain: 1}\n' 'bad.yaml:1:1: preset is missing'
bad 'preset: alpin\n' "bad.yaml:1:9: unknown preset 'alpin'"
bad 'preset: alpine\nmodel: mei2007\n' 'bad.yaml:1:9:'
bad 'preset: alpine\nsteps: 3\n' 'bad.yaml:2:1: steps: a preset has no such key'
bad 'preset: alpine\nknob: {rain: 1}\n' 'did you mean knobs'
bad 'preset: alpine\nknobs: {rian: 1}\n' 'bad.yaml:2:8: unknown knob'
bad 'preset: alpine\nknobs: {rain: 2}\n' 'from 0 to 1'
bad 'preset: alpine\nset: {Kq: 2}\n' 'bad.yaml:2:6:'
bad 'preset: alpine\nset: {rain: "@x.tif"}\n' 'no maps'
bad 'preset: alpine\nset: {Kd: 1e9}\n' 'outside'
bad 'preset: mine.yaml\n' 'bad.yaml:1:9:'
bad '- 3\n' 'a map of keys'
bad '{' 'is no YAML'
expect_error 2 'is a preset of jako2011, not of mei2007' run -o no --model mei2007 --preset mine.yaml
expect_error 2 'nothing.yaml' run -o no --preset nothing.yaml
expect_error 2 "unknown preset 'nothing'" run -o no --preset nothing
# In the folder it is left out of the list, with a warning.
printf 'preset: nothing\n' >config/wadi/presets/broken.yaml
expect 0 'soft-alps' "$WADI" presets
"$WADI" presets 2>&1 >/dev/null | grep -q 'broken.yaml:1:9' || fail "no warning of a broken preset"
