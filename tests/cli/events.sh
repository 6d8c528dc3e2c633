# labels: once
# Events of a recipe are edits between steps. Their results have the same bits on any engine, from run.json, and after a stop.
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 96x24 --seed 3 --relief 30 -o h.npy >/dev/null
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in *'not built'*) exit 77 ;; esac
cat >all.yaml <<'YAML'
input: h.npy
maps: all
stages:
  - model: jako2011
    steps: 40
    events:
      - {at: 0, paint: raise, radius_m: 12, strength: 3, dabs: "30.5,12 33,13.25"}
      - {at: 10, set: {Kc: 0.3}}
      - {at: 10, set: {advection: semi-lagrangian}}
      - {at: 10, paint: rain, radius_m: 12, strength: 0.01, falloff: 1, dabs: "70,12"}
      - {at: 22, sources: [{x: 64, y: 12, radius_m: 2, rate_m3s: 5}]}
      - {at: 30, paint: protect, radius_m: 10, strength: 1, dabs: "20,12"}
      - {at: 40, paint: water, radius_m: 10, strength: 1, dabs: "20,12"}
  - model: swenson2018
    steps: 0
    rain: previous
    mask: previous
    events:
      - {at: 0, paint: flatten, radius_m: 10, strength: 0.5, level_m: 12.5, dabs: "90,12"}
  - model: jako2011
    mask: previous
    rain: previous
    steps: 30
    events:
      - {at: 4, sources: [{x: 30, y: 12, radius_m: 2, rate_m3s: 5}]}
      - {at: 5, rain: {count: 3, radius: 2, rate: 0.01}}
      - {at: 15, rain: {count: 0, radius: 2, rate: 0.01}}
      - {at: 20, sources: []}
YAML
"$WADI" run --no-preview --recipe all.yaml -o all --quiet
"$WADI" run --no-preview --recipe all.yaml -o reference --quiet --backend reference
same_hashes all reference
"$WADI" run --no-preview --recipe all/run.json -o again --quiet
same_hashes all again
"$WADI" run --no-preview --recipe all.yaml -o threads --quiet --threads 2 --checkpoint-every 7
same_hashes all threads

# Each event matters: without it the result differs.
for line in raise Kc advection "paint: rain" "22, sources" protect "paint: water" flatten "at: 4," "at: 5," "at: 20,"; do
    grep -v "$line.*}$" all.yaml >less.yaml
    "$WADI" run --no-preview --recipe less.yaml -o less --quiet --force
    [ "$(hashes less)" != "$(hashes all)" ] || fail "$line did nothing"
done
sed -e 's/mask: previous//' all.yaml >less.yaml
"$WADI" run --no-preview --recipe less.yaml -o less --quiet --force
[ "$(hashes less)" != "$(hashes all)" ] || fail "the mask was not taken over"

# Uplift and erodibility are painted on a model that has them; and the drainage area is a map.
cat >rise.yaml <<'YAML'
input: h.npy
maps: [area, flow]
model: schott2023
levels: 1
set: {U: 0.01}
steps: 40
events:
  - {at: 0, paint: uplift, radius_m: 12, strength: 0.5, dabs: "30.5,12 33,13.25"}
  - {at: 10, paint: quiet, radius_m: 9, strength: 0.2, dabs: "36,12"}
  - {at: 20, paint: erodible, radius_m: 9, strength: 5, dabs: "28,10"}
  - {at: 25, paint: resistant, radius_m: 9, strength: 3, dabs: "40,14"}
YAML
"$WADI" run --no-preview --recipe rise.yaml -o rise --quiet
"$WADI" run --no-preview --recipe rise.yaml -o reference --quiet --force --backend reference
same_hashes rise reference
"$WADI" run --no-preview --recipe rise/run.json -o again --quiet --force
same_hashes rise again
# Whether the ground rises is said, because its change is not erosion alone then.
grep -q '"rises": true' rise/run.json || fail "no uplift in run.json"
"$WADI" run --no-preview h.npy --model schott2023 --set U=0 --levels 1 --steps 4 -o still --quiet
grep -q '"rises": false' still/run.json || fail "an uplift of 0 counts"
[ -s rise/area.npy ] || fail "no map of the area"
for line in uplift quiet erodible resistant; do
    grep -v "paint: $line" rise.yaml >less.yaml
    "$WADI" run --no-preview --recipe less.yaml -o less --quiet --force
    [ "$(hashes less)" != "$(hashes rise)" ] || fail "$line did nothing"
done

# A run is stopped and resumed, with events before and after the stop.
sed -e 's/steps: 30/steps: 6000/' -e 's/at: 20,/at: 5990,/' all.yaml >long.yaml
"$WADI" run --no-preview --recipe long.yaml -o whole --quiet
for _ in 1 2 3 4 5 6; do
    rm -rf stopped
    begin --recipe long.yaml -o stopped --threads 1
    stop INT
    [ $code != 130 ] || break
done
[ $code = 130 ] || fail "Ctrl-C: ended with $code: $(cat err)"
expect 0 'going on from step' "$WADI" run --no-preview --resume stopped
same_hashes whole stopped
"$WADI" run --no-preview --recipe stopped/run.json -o whole2 --quiet
same_hashes whole whole2

# --- a preset and knobs ---
same_height() { "$WADI" compare "$1/height.npy" "$2/height.npy" >/dev/null; }
"$WADI" run --no-preview h.npy --preset alpine --steps 60 --knob strength=0.9 --knob rain=0.3 -o knobs --quiet
event() { # event NAME PRESET SET EVENT
    printf 'input: h.npy\npreset: %s\nset: %s\nsteps: 60\nevents:\n  - %s\n' "$2" "$3" "$4" >"$1.yaml"
    "$WADI" run --no-preview --recipe "$1.yaml" -o "$1" --quiet
}
event moved alpine '{Kd: 1}' '{at: 0, knobs: {strength: 0.9, rain: 0.3}}'
"$WADI" run --no-preview h.npy --preset alpine --set Kd=1 --steps 60 --knob strength=0.9 --knob rain=0.3 -o options --quiet
same_height moved options || fail "knobs of an event differ from those of options"
! same_height moved knobs || fail "--set Kd changes nothing"
event by_hand alpine '{rain: 0.004}' '{at: 0, knobs: {rain: 0.1}, set: {Ka: 0.6, Kd: 1}}'
"$WADI" run --no-preview h.npy --preset alpine --set rain=0.004 --set Ka=0.6 --set Kd=1 --steps 60 -o by_options --quiet
same_height by_hand by_options || fail "a knob moves what was set by hand"
event chosen canyon '{Kd: 1}' '{at: 30, preset: alpine, knobs: {rain: 0.9}}'
"$WADI" run --no-preview --recipe chosen/run.json -o chosen_again --quiet
same_height chosen chosen_again || fail "run.json with a preset among the events gives other bits"
grep -q '"preset": "alpine"' chosen/run.json || fail "run.json does not name the preset of an event"

# --- refused events ---
refuse() { # the event, the words
    printf 'input: h.npy\nsteps: 9\nevents:\n  - %s\n' "$1" >bad.yaml
    expect_error 2 "$2" "$WADI" run --no-preview --recipe bad.yaml -o bad
    [ ! -e bad ] || fail "$1 left a folder"
}
refuse '{at: 10, set: {Kc: 0.3}}' 'bad.yaml:4:5: at: the stage ends'
refuse '{at: -1, set: {Kc: 0.3}}' 'whole number'
refuse '{at: 1.5, set: {Kc: 0.3}}' 'whole number'
refuse '{set: {Kc: 0.3}}' 'at is missing'
refuse '{at: 1, set: {Kq: 0.3}}' 'bad.yaml:4:5:'
refuse '{at: 1, set: {Kc: 1e9}}' 'outside'
refuse '{at: 1, set: {}}' 'bad.yaml:4:18: set: parameters are wanted'
refuse '{at: 1, knobs: {strenght: 0.7}}' 'did you mean'
refuse '{at: 1, knobs: {strength: 1.7}}' 'from 0 to 1'
refuse '{at: 1, knobs: 0.7}' 'a map of knobs'
refuse '{at: 1, preset: alpin}' 'did you mean'
refuse '{at: 1, preset: seep}' 'seep'
refuse '{at: 1, knobs: {rain: 0.7}, sources: []}' 'one of set, paint'
refuse '{at: 1, set: {Kc: 0.3}, sources: []}' 'one of set, paint'
refuse '{at: 1}' 'one of set, paint'
refuse '{at: 1, paint: rase, radius_m: 1, strength: 1, dabs: "1,1"}' "did you mean"
refuse '{at: 1, paint: raise, radius_m: 1, strength: 1, dabs: "1 1"}' 'places in cells'
refuse '{at: 1, paint: raise, radius_m: 1, strength: 1, dabs: ""}' 'places in cells'
refuse '{at: 1, paint: raise, strength: 1, dabs: "1,1"}' 'radius_m is missing'
refuse '{at: 1, paint: raise, radius_m: 1, strong: 1, dabs: "1,1"}' 'strong: an event has no such key'
refuse '{at: 1, sources: [{x: 1, y: 1, radius_m: 1}]}' 'rate_m3s is missing'
refuse '{at: 1, rain: {count: 1, radius: 1}}' 'rate is missing'
printf 'input: h.npy\nsteps: 9\nevents:\n  - {at: 2, set: {Kc: 0.3}}\n  - {at: 1, set: {Kc: 0.2}}\n' >bad.yaml
expect_error 2 'bad.yaml:5:5: at: lies before' "$WADI" run --no-preview --recipe bad.yaml -o bad
printf 'input: h.npy\nsteps: 9\nmask: previous\n' >bad.yaml
expect_error 2 'previous: there is no stage before' "$WADI" run --no-preview --recipe bad.yaml -o bad
printf 'input: h.npy\nevents: []\nstages:\n  - {steps: 9}\n' >bad.yaml
expect_error 2 'events: belongs in a stage' "$WADI" run --no-preview --recipe bad.yaml -o bad
# Faults that depend on the grid or the model are reported before the first step, and by a dry run too.
refuse '{at: 8, paint: raise, radius_m: 0, strength: 1, dabs: "1,1"}' 'bad.yaml:4:5: dab 1'
refuse '{at: 8, paint: raise, radius_m: 1, strength: 1, dabs: "nan,1"}' 'bad.yaml:4:5:'
refuse '{at: 8, sources: [{x: 1e4, y: 1, radius_m: 1, rate_m3s: 1}]}' 'bad.yaml:4:5: source 1'
printf 'input: h.npy\nmodel: mei2007\nsteps: 9\nevents:\n  - {at: 8, paint: harden, radius_m: 1, strength: 1, dabs: "1,1"}\n' >bad.yaml
expect_error 2 'bad.yaml:5:5: dab 1' "$WADI" run --no-preview --recipe bad.yaml -o bad --dry-run
printf 'input: h.npy\nstages:\n  - repeat: 2\n    stages:\n      - {steps: 3, events: [{at: 4, paint: raise, radius_m: 1, strength: 1, dabs: "1,1"}]}\n      - {model: olsen2004, steps: 1}\n' >bad.yaml
expect_error 2 'bad.yaml:5:29: paint: the ground of stages' "$WADI" run --no-preview --recipe bad.yaml -o bad

# --- the run's balance includes what the first events of a later stage add ---
printf 'input: h.npy\nstages:\n  - {model: jako2011, steps: 3}\n  - {model: mei2007, steps: 3, events: [{at: 0, paint: water, radius_m: 3, strength: 1, dabs: "9,9"}, {at: 0, paint: lower, radius_m: 3, strength: 1, dabs: "9,9"}]}\n' >later.yaml
expect 0 '' "$WADI" run --no-preview --recipe later.yaml -o later --quiet
for what in solid water; do
    tr -d '\n' <later/run.json | grep -o "\"$what\": *{[^}]*}" | head -1 | tr -d '"{},' |
        awk -v what=$what '{ for (i = 1; i < NF; i++) v[$i] = $(i + 1)
            off = v["after:"] - v["before:"] - v["in:"] + v["out:"]
            if (off < 0) off = -off
            exit !("after:" in v && off < 1e-3) }' || fail "the $what does not add up: $(grep -A9 "\"$what\"" later/run.json)"
done
