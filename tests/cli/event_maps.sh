# labels: once
# Events of a recipe that paint areas, and give maps from files. Their results have the same bits on any engine, in
# parts and tiles, from run.json, and after a stop.
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 96x24 --seed 3 --relief 30 -o h.npy >/dev/null
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in *'not built'*) exit 77 ;; esac
refuse() { # the event, the words
    printf 'input: h.npy\nsteps: 9\nevents:\n  - %s\n' "$1" >bad.yaml
    expect_error 2 "$2" "$WADI" run --no-preview --recipe bad.yaml -o bad
    [ ! -e bad ] || fail "$1 left a folder"
}
"$WADI" generate noise --size 96x24 --seed 5 --relief 0.9 -o rock.npy >/dev/null
"$WADI" generate noise --size 96x24 --seed 6 --relief 0.004 -o rain.npy >/dev/null
cat >maps.yaml <<'YAML'
input: h.npy
maps: all
levels: 1
model: jako2011
set: {R: 0.5}
steps: 40
events:
  - {at: 0, paint: protect, radius_m: 200, strength: 1, falloff: 0, dabs: "48,12"}
  - {at: 0, paint: expose, radius_m: 6, strength: 1, area: "20.5,3 60,2 66.25,20 40,12 24,21"}
  - {at: 5, map: hardness, file: rock.npy}
  - {at: 9, map: rain, file: rain.npy}
  - {at: 12, paint: raise, radius_m: 6, strength: 3, area: "30,3 60,3 45,20"}
  - {at: 20, map: water, file: rock.npy}
YAML
"$WADI" run --no-preview --recipe maps.yaml -o maps --quiet
"$WADI" run --no-preview --recipe maps.yaml -o maps-reference --quiet --backend reference
same_hashes maps maps-reference
"$WADI" run --no-preview --recipe maps.yaml -o maps-parts --quiet --parts 3
same_hashes maps maps-parts
for line in expose "map: hardness" "map: rain" raise "map: water"; do
    grep -v "$line.*}$" maps.yaml >less.yaml
    "$WADI" run --no-preview --recipe less.yaml -o less --quiet --force
    [ "$(hashes less)" != "$(hashes maps)" ] || fail "$line did nothing"
done
# run.json names the files and what they held, and repeats the run from another folder. A changed file is said.
[ "$(grep -c '"file": "rock.npy", "sha256": "[0-9a-f]\{64\}"' maps/run.json)" = 2 ] || fail "$(grep file maps/run.json)"
"$WADI" run --no-preview --recipe maps/run.json -o maps-again --quiet --strict-inputs
same_hashes maps maps-again
mkdir elsewhere
cp maps.yaml h.npy rock.npy rain.npy elsewhere
"$WADI" run --no-preview --recipe elsewhere/maps.yaml -o maps-again --quiet --force
same_hashes maps maps-again
mv rock.npy kept.npy
"$WADI" generate noise --size 96x24 --seed 7 --relief 0.9 -o rock.npy >/dev/null
expect 0 'rock.npy: hardness is not what it was' "$WADI" run --no-preview --recipe maps/run.json -o maps-again --force
expect_error 2 'strict-inputs refuses' "$WADI" run --no-preview --recipe maps/run.json -o maps-again --force --strict-inputs
cp -f kept.npy rock.npy
# What is still to come is in the checkpoint: the files are not read again.
sed -e 's/steps: 40/steps: 3000/' -e 's/at: 20,/at: 2990,/' maps.yaml >long.yaml
for at in 1 2 3 4 5 6; do echo "  - {at: 299$at, map: hardness, file: rock.npy}" >>long.yaml; done
"$WADI" run --no-preview --recipe long.yaml -o maps-whole --quiet
for _ in 1 2 3 4 5 6; do
    rm -rf maps-stopped
    begin --recipe long.yaml -o maps-stopped --threads 1
    stop INT
    [ $code != 130 ] || break
done
[ $code = 130 ] || fail "Ctrl-C: ended with $code: $(cat err)"
# What equal files hold is there once.
more=$(($(stat -c %s maps-stopped/checkpoint.wadi) - $(stat -c %s maps-whole/checkpoint.wadi)))
[ $more -lt $((3 * 96 * 24 * 4)) ] || fail "maps to come take $more bytes"
rm rock.npy rain.npy
expect 0 'going on from step' "$WADI" run --no-preview --resume maps-stopped
same_hashes maps-whole maps-stopped
cp kept.npy rock.npy
refuse '{at: 1, map: hardness, file: none.npy}' 'bad.yaml:4:5: none.npy'
refuse '{at: 1, map: hardness}' 'bad.yaml:4:5: file: the map'
refuse '{at: 1, map: [hardness], file: rock.npy}' 'name of a map'
refuse '{at: 1, map: hardnes, file: rock.npy}' "did you mean hardness"
refuse '{at: 1, map: dt, file: rock.npy}' 'takes maps of mask, water, hardness, '
refuse '{at: 1, map: height, file: h.npy}' 'takes maps of mask, water, hardness, '
refuse '{at: 1, map: hardness, file: h.npy}' 'is outside 0 to 1'
refuse '{at: 1, map: hardness, file: rock.npy, radius_m: 3}' 'no such key'
refuse '{at: 1, map: hardness, file: rock.npy, paint: raise}' 'one of set'
for event in 'set: {dt: 0.1}' 'preset: hills' 'sources: []' 'rain: {count: 0, radius: 1, rate: 0}'; do
    refuse "{at: 1, $event, file: rock.npy}" 'file: an event has no such key'
    refuse "{at: 1, $event, area: \"1,1\"}" 'area: an event has no such key'
done
for hash in '[a]' abc "$(printf '%076d' 0)" "$(printf 'g%063d' 0)"; do
    refuse "{at: 1, map: hardness, file: rock.npy, sha256: $hash}" 'bad.yaml:4:52: sha256: 64 hex'
done
refuse '{at: 1, paint: raise, radius_m: 1, strength: 1, area: "1,1 2,2"}' 'three corners'
refuse '{at: 1, paint: raise, radius_m: 1, strength: 1, area: "1,1 2,2 1,2", dabs: "1,1"}' 'leave one out'
"$WADI" generate noise --size 9x9 --seed 7 -o small.npy >/dev/null
refuse '{at: 1, map: mask, file: small.npy}' 'has 9 x 9 cells, the height 96 x 24; wadi resample small.npy'
printf 'input: h.npy\nmodel: mei2007\nsteps: 9\nevents:\n  - {at: 8, map: hardness, file: rock.npy}\n' >bad.yaml
expect_error 2 'mei2007 takes maps of mask, water, ' "$WADI" run --no-preview --recipe bad.yaml -o bad --dry-run

# --- memory: maps to come count, and equal files once ---
for seed in 1 2 3; do "$WADI" generate noise --size 500x500 --seed $seed --relief 0.9 -o wide$seed.npy >/dev/null; done
needs() { # FILE...: what a run with these masks needs
    printf 'input: wide1.npy\nmodel: mei2007\nsteps: 9\nevents:\n  - {at: 0, set: {dt: 0.01}}\n' >needs.yaml
    for file in "$@"; do echo "  - {at: 1, map: mask, file: $file}" >>needs.yaml; done
    "$WADI" run --no-preview --recipe needs.yaml --dry-run | grep '^memory'
}
none=$(needs) one=$(needs wide2.npy) same=$(needs wide2.npy wide2.npy) more=$(needs wide2.npy wide3.npy wide1.npy)
[ "$none" != "$one" ] && [ "$one" = "$same" ] && [ "$one" != "$more" ] || fail "$none, $one, $same, $more"

# --- tiles: the mask's events go with them ---
grep -v 'map: [hrw]\|raise' maps.yaml | sed 's/steps: 40/steps: 4/' >mask.yaml
echo '  - {at: 2, map: mask, file: rock.npy}' >>mask.yaml
"$WADI" run --no-preview --recipe mask.yaml -o mask --quiet
mkdir tiles
for i in 1 2; do "$WADI" run --no-preview --recipe mask.yaml --tile $i/2x1 -o tiles/$i --quiet; done
"$WADI" join tiles -o joined >log || grep -q 'build with jansson' log || fail "$(cat log)"
for map in height erosion water; do [ ! -e joined ] || cmp mask/$map.npy joined/$map.npy || fail "tiles: $map differs"; done
expect_error 2 'the rain or the mask' "$WADI" run --no-preview --recipe maps.yaml --tile 1/2x1 -o bad
