# wadi demo: landscapes from nothing, at any size, the same again from their run.json.
. "$(dirname "$0")/lib.bash"
case $("$WADI" run --recipe none.yaml 2>&1 || true) in *'not built'*) exit 77 ;; esac

mapfile -t looks < <("$WADI" demo --list | sed 's/ .*//')
[ "${#looks[@]}" -ge 8 ] || fail "looks: ${looks[*]}"
! "$WADI" demo --list | sed '/^$/,$d' | grep -v '\.$' || fail "a look's summary is no whole sentence"
if sanitized; then looks=(alpine coast); fi # the others are recipes of the same
for look in "${looks[@]}"; do
    "$WADI" demo "$look" --size 48x40 --seed 3 -o "$look" --format npy --quiet 2>said || fail "$look: $(cat said)"
    [ ! -s said ] || fail "$look says: $(cat said)"
    [ "$(value "$look" size)" = '[48, 40]' ] || fail "$look: size $(value "$look" size)"
done
"$WADI" run --recipe alpine/run.json -o again --quiet
cmp -s alpine/height.npy again/height.npy || fail "the run.json of a look gives another height"
"$WADI" demo alpine --size 48x40 --seed 4 -o other --format npy --quiet
! cmp -s alpine/height.npy other/height.npy || fail "another seed gives the same height"

# What rivers made drains: most of the ground, where the noise that it began with does not.
draining() { "$WADI" info "$1" | sed -n 's/.*draining out  *\([0-9.]*\) %.*/\1/p'; }
"$WADI" demo alpine --size 128x128 -o drained --format npy --quiet
awk "BEGIN { exit !($(draining drained) > 85) }" || fail "alpine drains by $(draining drained) %"

# A line of ice above the terrain as given is warned of, but not where a stage lifts the terrain before.
after_uplift() { # after_uplift RATE MODEL SETTINGS: what is said of a stage after uplift at this rate
    printf '%s\n' "generate: {kind: noise, size: 32x32, world-size: 20000, relief: 500}" "stages:" \
        "  - {model: schott2023, steps: 3, set: {U: $1}}" "  - {model: $2, steps: 3, set: {$3}}" >lifted.yaml
    "$WADI" run --recipe lifted.yaml -o lifted --force --quiet 2>&1
}
ice() { after_uplift "$1" braun1999 'line: height, ela: 3000'; }
[[ $(ice 0) == *'equilibrium line is above the terrain'* ]] || fail "no warning: $(ice 0)"
for rate in 1 '{kind: noise, relief: 1}'; do [ -z "$(ice "$rate")" ] || fail "U: $rate: $(ice "$rate")"; done
[[ $(after_uplift 1 jako2011 'Ks: 0.3, Kc: 2') == *warning* ]] || fail "no warning of the parameters, which no lift changes"

expect_error 2 "did you mean alpine" "$WADI" demo alpin -o no
expect_error 2 'NAME is missing' "$WADI" demo -o no
expect_error 2 'resume' "$WADI" demo alpine --resume drained
