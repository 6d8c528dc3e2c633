#!/usr/bin/env bash
# windows.sh WADI.EXE WADI: the Windows command by wine gives the bits, the refusals and the exit codes of this system's.
# wine takes a third of a second for each call, so each call shows several things. Then scripts of tests/cli are run by it:
# those that need no recipe, no PNG and no signal.
set -euo pipefail
export exe native
exe=$(realpath "$1") native=$(realpath "$2") tests=$(realpath "$(dirname "$0")")
folder=$(mktemp -d)
export WINEPREFIX="${exe%/*}/wine" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe='
export LC_ALL=C.UTF-8 # wine takes arguments by it
unset DISPLAY WAYLAND_DISPLAY
trap 'wineserver -k 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
wineserver -p 2>/dev/null || true # not a new one for each call
wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

export WADI_EXE=$exe WADI_WINE=$wine WADI=$tests/wine.sh

# expect CODE TEXT ARGUMENT...
expect() {
    local code=$1 text=$2 got=0
    shift 2
    "$WADI" "$@" >said 2>&1 </dev/null || got=$?
    [[ $got == "$code" ]] || fail "'$*' ended with $got, not $code: $(cat said)"
    [[ -z $text ]] || grep -qF -- "$text" said || fail "'$*' did not say '$text' but: $(cat said)"
}

expect 0 'wadi 0.' --version
expect 2 'did you mean --steps?' run x.npy --stesp 3
expect 2 'missing.npy' run missing.npy
# files and folders
expect 0 'diamond-square' generate diamond-square --size 65x47 --seed 9 -o hills.npy
"$native" generate diamond-square --size 65x47 --seed 9 -o native.npy >/dev/null
cmp hills.npy native.npy || fail "a generated terrain differs"
expect 2 'exists; --force' generate cone --size 4x4 -o hills.npy
expect 0 '' generate cone --size 4x4 -o 'höhe 山.npy'
[[ -s 'höhe 山.npy' ]] || fail "a file name that is not ASCII: $(ls)"

for model in $("$native" models --json | sed -n 's/^ *{"id": "\([a-z0-9_]*\)".*/\1/p'); do
    expect 0 "$model" run hills.npy --model "$model" --steps 40 --maps all -o "$model" --threads 2 \
        --rain drops:count=20,radius=3,rate=0.05
    "$native" run native.npy --model "$model" --steps 40 --maps all -o "$model-native" --quiet \
        --rain drops:count=20,radius=3,rate=0.05
    for map in "$model-native"/*.npy; do
        cmp "$map" "$model/$(basename "$map")" || fail "$model: $(basename "$map") differs"
    done
    [[ -s $model/run.json ]] || fail "$model: no run.json"
    [[ -z $(find "$model" -name '*.new' -o -name '*.tmp' -o -name '.wadi-*') ]] || fail "left: $(ls -A "$model")"
done
expect 2 'the folder exists' run hills.npy --steps 1 -o jako2011
expect 0 '' run hills.npy --steps 1 -o jako2011 --force --maps none --format r32 --quiet
[[ -s jako2011/height.r32 && ! -e jako2011/water.npy ]] || fail "--force left: $(ls -A jako2011)"
head -c 300 native.npy >cut.npy
expect 2 'cut.npy' run cut.npy -o cut
[[ ! -e cut ]] || fail "a refused run left its folder"
echo "the Windows command gives the same bits"

for script in help export generate tables; do
    "$tests/in-temp.sh" bash "$tests/cli/$script.sh" >said 2>&1 || fail "tests/cli/$script.sh by wine: $(cat said)"
done
echo "the Windows command passes the tests of this system's"
