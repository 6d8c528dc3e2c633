# labels: once
# A sea outside an open border, and basins opened to it: by option, recipe and event; refused where there can be none.
. "$(dirname "$0")/lib.bash"

"$WADI" generate cone --size 40x30 --relief 20 --base -6 -o cone.npy >/dev/null
sea() { "$WADI" run --no-preview cone.npy --preset rivers --steps 20 --quiet --force "$@"; }
balance() { sed -n "/\"water\": {/,/}/s/.*\"$2\": \([^,]*\),*/\1/p" "$1/run.json" | head -1; }

sea -o dry
sea -o wet --sea-level 0.5
[ "$(balance dry before)" = 0 ] || fail "water without a sea: $(balance dry before)"
awk "BEGIN { exit !($(balance wet before) > 1000) }" || fail "no sea: $(balance wet before)"
grep -q '"sea_level": 0.5' wet/run.json || fail "run.json does not name the level"
# The measures of realism leave it out: the cone stands in 40 x 30 cells of 1 m.
grep -q '"sea_m": 0.5' wet/run.json && grep -q '"sea_m": null' dry/run.json || fail "realism has not the sea's level"
expect 0 'drain 0.0012 km2;' "$WADI" info dry
expect 0 'km drain 0.000276 km2; a channel' "$WADI" info wet
expect 0 'drain 0.0012 km2;' "$WADI" info wet --sea-level -100
"$WADI" run --no-preview --recipe wet/run.json -o again --quiet
"$WADI" compare wet again >/dev/null || fail "run.json gives another sea"

cat >recipe.yaml <<'YAML'
input: cone.npy
sea-level: 0.5
boundary: open
stages:
  - {model: olsen2004, steps: 3, sea-level: off}
  - {model: jako2011, preset: rivers, steps: 10}
YAML
"$WADI" run --no-preview --recipe recipe.yaml -o stages --quiet
grep -q '"sea": "on"' stages/run.json || fail "no stage has the recipe's sea"
"$WADI" run --no-preview --recipe recipe.yaml -o half --quiet --sea-level 0.25
! "$WADI" compare stages half >/dev/null || fail "the command's level does not count"

# A run goes on to the same bits.
sea -o longer --sea-level 0.5 --checkpoint-every 5
"$WADI" run --no-preview --resume longer --steps 10 --quiet
"$WADI" run --no-preview cone.npy --preset rivers --steps 30 --quiet --sea-level 0.5 -o whole
"$WADI" compare longer whole >/dev/null || fail "resumed with another sea"

# refused MESSAGE ARGS: with one line that holds the message
refused() {
    local message=$1
    shift
    ! sea "$@" -o none 2>message || fail "not refused: $*"
    grep -q -- "$message" message || fail "$*: $(cat message)"
    [ ! -e none ] || fail "$*: a folder was made"
}
refused '--boundary open' --boundary closed --sea-level 0
refused '--boundary open' --boundary wrap --set sea=on
refused 'models that do: jako2011, mei2007' --preset brooks --sea-level 0
refused "metres or 'off'" --sea-level high
refused 'outside' --sea-level 1e9

# Closed basins are opened before the run, and the run.json does it again.
"$WADI" generate noise --size 60x50 --seed 3 -o hills.npy >/dev/null
"$WADI" run --no-preview hills.npy --preset valleys --steps 3 --breach 50 -o opened --quiet 2>note
grep -q '"breach": \[50, 0\]' opened/run.json || fail "run.json does not name the breach"
"$WADI" run --no-preview hills.npy --preset valleys --steps 3 -o closed --quiet
! "$WADI" compare opened closed >/dev/null || fail "nothing was opened"
"$WADI" run --no-preview --recipe opened/run.json --strict-inputs -o opened-again --quiet
"$WADI" compare opened opened-again >/dev/null || fail "run.json opens other basins"
"$WADI" run --no-preview --resume opened --steps 2 --quiet
grep -q '"breach": \[50, 0\]' opened/run.json || fail "the resumed run forgot the breach"
