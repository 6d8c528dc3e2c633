# The window under Xvfb, driven by keys and the mouse. It loads a terrain, paints water that flows, moves a slider during
# a run, undoes, saves and records. `wadi run` then gives the same bits. Unsaved work survives a kill.
. "$(dirname "$0")/../cli/lib.bash"

for need in Xvfb xdotool "$WADI-view"; do
    command -v "$need" >/dev/null || { echo "no $need" >&2; exit 77; }
done
here=$PWD
export GDK_BACKEND=x11 GSK_RENDERER=cairo LIBGL_ALWAYS_SOFTWARE=1 GTK_A11Y=none NO_AT_BRIDGE=1 LC_ALL=C.UTF-8
export HOME=$here XDG_STATE_HOME=$here/state XDG_CONFIG_HOME=$here/config XDG_CACHE_HOME=$here/cache
export XDG_DATA_HOME=$here/data GSETTINGS_BACKEND=memory DBUS_SESSION_BUS_ADDRESS=disabled:
unset WAYLAND_DISPLAY

# --- a screen and a window on it; without -noreset the screen is gone for a moment when its last window closes ---
mkfifo display
Xvfb -displayfd 3 -noreset -screen 0 1280x800x24 3>display >xvfb.log 2>&1 &
xvfb=$!
trap 'kill -9 $view 2>/dev/null || true; kill $xvfb 2>/dev/null || true' EXIT
read -r number <display
export DISPLAY=:$number
view=

say() { echo "-- $*"; }
window=
titled() { xdotool search --onlyvisible --name "$1" 2>/dev/null | tail -1; }
# comes COMMAND...: whether it is true after at most `patience` tries.
comes() {
    local tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt "$patience" ] || return 1
        kill -0 $view 2>/dev/null || fail "the window ended: $(cat view.log)"
        sleep 0.2
    done
}
patience=150 # of 0.2 s
wait_for() { # wait_for WHAT COMMAND...
    local what=$1
    shift
    comes "$@" || fail "waited in vain: $what; $(cat view.log)"
}
is_titled() { [ -n "$(titled "$1")" ]; }
open_view() { # open_view TITLE [FILE]
    local title=$1
    shift
    "$WADI" view "$@" >view.log 2>&1 &
    view=$!
    wait_for "a window of the name $title" is_titled "$title"
    window=$(titled "$title")
    xdotool windowsize --sync "$window" 1280 800 windowmove "$window" 0 0 2>/dev/null || true
    xdotool mousemove 560 400 windowfocus "$window" 2>/dev/null || true
    sleep 2
}
key() { xdotool key --clearmodifiers "$@"; }
# Two strings of 31 bytes were once left at the end, perhaps by GTK. gcc 12 reads no stack beyond g_malloc, so
# tests/leaks.supp cannot name who left them. Up to a hundred such bytes pass.
is_small_glib_leak() {
    local bytes
    bytes=$(sed -n 's/^SUMMARY: AddressSanitizer: \([0-9]*\) byte(s) leaked .*/\1/p' view.log)
    [ -n "$bytes" ] && [ "$bytes" -le 100 ] && ! grep -q ' #2 ' view.log && ! grep ' #1 ' view.log | grep -vq 'in g_malloc '
}
is_not_titled() { ! is_titled "$1"; }
focus() { xdotool windowfocus "$1" 2>/dev/null || true; }
# Opens a dialog by COMMAND, types the path into it, and waits until TEST is true. On a slow machine a dialog may lose
# what is typed as it opens: then it is closed and opened anew, three times at most.
type_path() { # type_path COMMAND TITLE FILE TEST...
    local open=$1 title=$2 file=$3
    shift 3
    rm -f answer
    for _ in 1 2 3 4; do
        focus "$window"
        # shellcheck disable=SC2086
        $open
        wait_for "the dialog '$title'" is_titled "$title"
        focus "$(titled "$title")"
        sleep 1
        key ctrl+a
        xdotool type --delay 8 "$file"
        sleep 0.3
        key Delete shift+End Delete # what GTK has guessed of the rest
        key Return
        if patience=100 comes "$@"; then return; fi
        for _ in 1 2 3; do
            is_titled "$title" || break
            key Escape
            sleep 1
        done
    done
    fail "the dialog '$title' was not answered by $file; $(cat view.log)"
}
ended() { ! kill -0 $view 2>/dev/null; }
has() { [ -s "$1" ]; }
changed() { [ "$(xdotool getwindowname "$window")" != "$1" ]; } # a dot comes after it
unchanged() { ! changed "$1"; }
stepped() {
    focus "$window" # a dialog may have closed late
    key period
    sleep 1
    changed kept.wadi
}
# Answers what KEY asks for without a dialog (viewer/files/dialog.c); the tests below also type into each kind of dialog.
export WADI_VIEW_ANSWER=$here/answer
ask_for() { # ask_for KEY FILE
    printf %s "$here/$2" >answer.new
    mv answer.new answer
    focus "$window"
    key "$1"
}
export_to() { # export_to KEY FILE
    rm -f "$2"
    for _ in 1 2 3; do
        ask_for "$1" "$2"
        if comes has "$2"; then
            sleep 0.3
            return
        fi
    done
    fail "no $2 was written; $(cat view.log)"
}
record() { export_to ctrl+e "$1"; }
# The middle of the terrain's picture.
middle() { xdotool mousemove 560 400; }

# --- a slope, water on it ---
"$WADI" generate ramp --size 96x96 --relief 30 -o slope.npy >/dev/null
open_view slope.npy "$here/slope.npy" --boundary closed --set rain=0 --set Ke=0 --threads 2
key m # from above, so that places are known
sleep 1
key 9
pour() {
    middle
    sleep 0.5
    xdotool mousedown 1
    sleep 1.5
    xdotool mousemove_relative 6 0
    sleep 0.6
    xdotool mouseup 1
    sleep 1
    changed slope.npy
}
wait_for "what is not saved shows in the title" pour
# Rows' mean, weighed by depth: the slope goes down to one side.
centre() { od -An -v -f -w4 "$1" | awk -v across="$2" '{ i = NR - 1; p = across ? i % 96 : int(i / 96); if ($1 == $1 + 0) { w += $1; m += $1 * p } } END { if (w > 0) printf "%.3f %.3f\n", w, m / w; else print "0 none" }'; }
# Of the last stroke: held for 2.1 s it has 30 dabs a second, on a slow display too.
dabs() { sed -n 's/.*"paint": "water".*"dabs": "\([^"]*\)".*/\1/p' "$1" | tail -1 | wc -w; }
poured_enough() {
    record poured.yaml
    export_to ctrl+shift+w poured.r32
    read -r volume place <<<"$(centre poured.r32 1)"
    read -r _ place_y <<<"$(centre poured.r32 0)"
    [ "$(dabs poured.yaml)" -ge 55 ] && awk "BEGIN { exit !($volume > 1) }" && return
    pour
    return 1
}
wait_for "water is poured" poured_enough

say "running, and a slider meanwhile"
# Goes on by KEY, moves whatever slider it meets, stops the run and records it.
move_sliders() {
    for _ in 1 2 3 4; do
        key "$1"
        sleep 0.4
        key Right Right Right
        sleep 0.4
    done
    sleep 1.5
    middle
    xdotool click 2
    key space
    sleep 1
    record all.yaml
}
slid() {
    key space
    sleep 2
    key ctrl+f
    sleep 0.5
    key ctrl+a
    xdotool type --delay 30 'sediment-capacity'
    sleep 1.5
    # The slider is the third or so from there; what lies between does not mind.
    move_sliders Tab
    grep -q '"set": *{ *"Kc"' all.yaml
}
wait_for "the slider is recorded" slid

say "a knob, while it runs"
knob_moved() {
    key space
    sleep 1
    key ctrl+f
    sleep 0.5
    # Back from the search: the expander, and the parts of the last knob.
    move_sliders shift+Tab
    grep -q '"knobs"' all.yaml
}
wait_for "the knob is recorded" knob_moved

say "a preset of the user"
preset_saved() {
    key ctrl+shift+p
    sleep 1
    xdotool type --delay 30 'mine'
    sleep 0.5
    key Return
    sleep 1
    has config/wadi/presets/mine.yaml
}
wait_for "the preset is saved" preset_saved
grep -q '^preset: valleys' config/wadi/presets/mine.yaml || fail "the preset has no base: $(cat config/wadi/presets/mine.yaml)"
grep -q '^knobs:' config/wadi/presets/mine.yaml || fail "the preset has no knobs: $(cat config/wadi/presets/mine.yaml)"
expect 0 'Kr                   0' "$WADI" presets mine
flowed() {
    export_to ctrl+shift+w flowed.r32
    read -r _ moved <<<"$(centre flowed.r32 1)"
    read -r _ moved_y <<<"$(centre flowed.r32 0)"
    awk "BEGIN { d = ($moved - $place)^2 + ($moved_y - $place_y)^2; exit !(d > 4) }" && return
    key space # it runs for longer
    sleep 2
    key space
    sleep 1
    return 1
}
wait_for "the water flows from where it was poured" flowed
record all.yaml

say "the same without a window"
export_to ctrl+h window.npy
"$WADI" run --recipe all.yaml -o again --format npy --maps water --quiet
expect 0 '' "$WADI" compare again/height.npy window.npy
type_path 'key ctrl+shift+w' 'Export a map' "$here/water.npy" has water.npy
expect 0 '' "$WADI" compare again/water.npy water.npy

say "undone and redone"
all_undone() {
    for _ in 1 2 3 4 5 6 7 8 9; do key ctrl+z; sleep 0.7; done
    record undone.yaml
    ! grep -q '"events"' undone.yaml
}
wait_for "all is undone" all_undone
export_to ctrl+h undone.npy
expect 0 '' "$WADI" compare slope.npy undone.npy
key ctrl+End
redone() {
    sleep 1
    export_to ctrl+h redone.npy
    "$WADI" compare window.npy redone.npy
}
wait_for "all is redone" redone >/dev/null

say "saved, closed, opened"
type_path 'key ctrl+e' 'Save what was done' "$here/typed.yaml" has typed.yaml
type_path 'key ctrl+s' 'Save the work' "$here/kept.wadi" has kept.wadi
sleep 1
key ctrl+q
wait_for "the window to close, for nothing is unsaved" ended
wait $view || is_small_glib_leak || fail "the window ended badly: $(cat view.log)"
[ -z "$(ls state/wadi 2>/dev/null)" ] || fail "left behind: $(ls state/wadi)"
export WADI_VIEW_BUFFERS=1 # from here on maps are drawn as they are on a GPU
open_view kept.wadi "$here/kept.wadi"
export_to ctrl+h opened.npy
expect 0 '' "$WADI" compare window.npy opened.npy

say "what cannot be opened stays what it is"
cp slope.npy broken.wadi
type_path 'key ctrl+o' 'Open' "$here/broken.wadi" is_not_titled Open
sleep 2
wait_for "a step is not saved" stepped
key ctrl+s
wait_for "it is saved" unchanged kept.wadi
cmp -s slope.npy broken.wadi || fail "what could not be opened was written over"
wait_for "a step is not saved" stepped
key ctrl+q
wait_for "a question" is_titled 'kept.wadi'
sleep 1
kill -0 $view || fail "closed without asking"
key Escape

say "killed: at most 30 s are lost"
kept() { [ -n "$(find state/wadi -name 'autosave-*.wadi' -size +0)" ]; }
wait_for "the work to be kept" kept
kill -9 $view
wait $view 2>/dev/null || true
open_view Wadi
sleep 1
key Return # Open it
wait_for "the work that was kept" is_titled 'recovered work'
sleep 1
record recovered.yaml
grep -q '"steps"' recovered.yaml || fail "nothing was recovered"
kill -9 $view
wait $view 2>/dev/null || true
rm -rf state/wadi

say "from coarse to fine"
open_view slope.npy "$here/slope.npy"
if sanitized; then sleep 5; fi # the keys come too early else, and after a step there are no levels
coarse() {
    key ctrl+l # before the first step
    sleep 1
    key ctrl+End
    sleep 3
    record levels.yaml && grep -q '"levels": 2' levels.yaml
}
wait_for "the levels are recorded" coarse
export_to ctrl+h levels.npy
"$WADI" run --recipe levels.yaml -o levels --format npy --quiet
expect 0 '' "$WADI" compare levels/height.npy levels.npy
kill -9 $view
wait $view 2>/dev/null || true
rm -rf state/wadi

say "from nothing to an island for an engine"
open_view Wadi --size 64x64
xdotool mousemove 340 580 click 1 # the first card in the third row
wait_for "the island" is_titled island
key ctrl+End # as grown as it gets
grown() { # only on the finest grid can it be recorded
    [ -e answer ] || ask_for ctrl+e grown.yaml
    sleep 1
    has grown.yaml
}
wait_for "the finest grid" grown # Escape, below, would stop it before
middle # the menu does not open beneath the pointer
export_menu() { # "Export for", then "Godot 3"
    is_titled 'Export into a new folder' && return
    key Escape F10
    sleep 0.5
    key Down Down Down Down Down Down Return
    sleep 1.5
    key Down Down Down Down Return
    sleep 1
    return 1
}
opened_menu() { wait_for "the dialog of the export" export_menu; }
type_path opened_menu 'Export into a new folder' "$here/game" has game/project.godot
for file in READ_ME.txt height.exr colour.png mask_flow.png splat0.png terrain.glb; do has game/$file || fail "no game/$file"; done
expect 0 'heights  -4' "$WADI" info game/height.exr
grep -q '"sea"' game/terrain.glb || fail "the mesh has no sea"

say "erosion in a region alone"
key m backslash
sleep 0.5
circled() {
    xdotool mousemove 560 400 mousedown 1
    sleep 0.3
    xdotool mousemove 600 400 mousemove 640 400
    sleep 0.5
    xdotool mouseup 1
    sleep 0.5
    record region.yaml
    grep -q '"paint": "protect"' region.yaml && grep -q '"paint": "expose"' region.yaml
}
wait_for "the region is recorded" circled
key r
sleep 0.5
lassoed() { # around a square
    xdotool mousemove 500 340 mousedown 1
    for corner in '620 340' '620 460' '500 460'; do
        sleep 0.3
        # shellcheck disable=SC2086
        xdotool mousemove $corner
    done
    sleep 0.5
    xdotool mouseup 1
    sleep 0.5
    record lasso.yaml
    grep -q '"paint": "expose".*"area": "[^ ]* [^ ]* [^ ]* [^ ]*"' lasso.yaml
}
wait_for "the outline is recorded" lassoed

say "a map from a file"
"$WADI" generate noise --size 64x64 --relief 1 -o rock.npy >/dev/null
"$WADI" generate noise --size 9x9 --relief 1 -o small.npy >/dev/null
import_map() { # import_map FILE
    type_path 'key ctrl+i' 'Import a map' "$here/$1" is_not_titled 'Import a map'
    sleep 1
    record imported.yaml
}
key 0 # the hardness: the map that is offered first
import_map small.npy
! grep -q '"map":' imported.yaml || fail "a map of another size was taken"
imported() {
    import_map rock.npy
    grep -q '"map": "hardness", "file": "[^"]*/rock.npy", "sha256": "[0-9a-f]*"' imported.yaml
}
wait_for "the map is recorded" imported
export_to ctrl+h imported.npy
"$WADI" run --recipe imported.yaml -o imported --format npy --quiet
expect 0 '' "$WADI" compare imported/height.npy imported.npy
kill -9 $view
wait $view 2>/dev/null || true
rm -rf state/wadi

say "a finished run goes on with its own settings"
"$WADI" run slope.npy -o own --model mei2007 --preset stream --set Kc=0.7 --steps 3 --quiet
open_view own "$here/own"
record own.yaml
grep -q '"preset": "stream"' own.yaml || fail "another preset: $(cat own.yaml)"
grep -q '"Kc": 0.7' own.yaml || fail "another Kc: $(cat own.yaml)"

say "a new terrain"
key ctrl+n
wait_for "the dialog for a new terrain" is_titled 'New terrain'
focus "$(titled 'New terrain')"
sleep 1
created() { # a key that comes while the preview is drawn may be lost
    [ "$(xdotool getwindowname "$window")" = 'new terrain' ] && return
    key alt+r
    return 1
}
wait_for "the window to show it" created
created() {
    export_to ctrl+h new.npy
    "$WADI" info new.npy | grep -q 'size  *512 x 512 cells'
}
wait_for "the new terrain" created
kill -9 $view
