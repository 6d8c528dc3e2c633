#!/usr/bin/env bash
# window.sh: drives the window from an empty start to an island for Godot, and takes its picture on the way:
# docs/window.sh [WxH [THEME [FOLDER [CELLS]]]]. It says how many seconds that took.
# docs/window.sh readme: the window's pictures of README.md and docs/window.md.
# Needs Xvfb, xdotool and ImageMagick. WADI is build/release/wadi if it is not set.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
wadi=${WADI:-$root/build/release/wadi}
what=${1:-1280x800}
theme=${2:-Adwaita}
folder=$(mkdir -p "${3:-$root/build/gallery}" && cd "${3:-$root/build/gallery}" && pwd)
cells=${4:-256}
size=$what
[[ $what != readme ]] || size=1400x900
width=${size%x*} height=${size#*x}

home=$(mktemp -d)
cd "$home"
export GDK_BACKEND=x11 GSK_RENDERER=cairo LIBGL_ALWAYS_SOFTWARE=1 GTK_A11Y=none NO_AT_BRIDGE=1 LC_ALL=C.UTF-8
export GTK_THEME=$theme GSETTINGS_BACKEND=memory DBUS_SESSION_BUS_ADDRESS=disabled:
export HOME=$home XDG_STATE_HOME=$home XDG_CONFIG_HOME=$home XDG_CACHE_HOME=$home XDG_DATA_HOME=$home
mkfifo display
Xvfb -displayfd 3 -noreset -screen 0 "${size}x24" 3>display >xvfb.log 2>&1 &
xvfb=$!
view=
trap 'kill -9 $view 2>/dev/null || true; kill $xvfb; rm -rf "$home"' EXIT
read -r number <display
export DISPLAY=:$number

# wait_for COMMAND...: until it is true, for three minutes
wait_for() {
    local try
    for ((try = 0; try < 900; try++)); do
        ! "$@" || return 0
        kill -0 $view || { cat view.log; exit 1; }
        sleep 0.2
    done
    echo "waited in vain: $*" >&2
    exit 1
}
titled() { xdotool search --onlyvisible --name "$1" 2>/dev/null | tail -1 || true; }
is_titled() { [[ -n $(titled "$1") ]]; }
open_view() { # open_view TITLE ARGUMENTS...
    local title=$1
    shift
    "$wadi" view "$@" >view.log 2>&1 &
    view=$!
    wait_for is_titled "$title"
    window=$(titled "$title")
    xdotool windowsize --sync "$window" "$width" "$height" windowmove "$window" 0 0 windowfocus "$window"
    sleep 2
}
close_view() {
    kill -9 $view
    wait $view 2>/dev/null || true
    [[ ! -s view.log ]] || { echo "the window complained:"; cat view.log; exit 1; }
}
key() { xdotool key --clearmodifiers "$@"; }
shot() { import -window root -quality 85 "$folder/$1"; }
shown() { import -window root rgb:- | sha256sum; }
is_not_shown() { [[ $(shown) != "$1" ]]; }
# at_rest [SECONDS]: no frame came for so long, and the picture is the sharp one of rest
at_rest() {
    local before
    before=$(shown)
    sleep "${1:-1}"
    ! is_not_shown "$before"
}

# and_then COMMAND...: what it does is seen, on a busy machine after a while, and then the picture is at rest
and_then() {
    local before
    before=$(shown)
    "$@"
    wait_for is_not_shown "$before"
    wait_for at_rest
}
press() {
    xdotool mousemove "$1" "$2"
    sleep 0.5
    and_then xdotool click 1
}

if [[ $what == readme ]]; then
    open_view Wadi
    shot window-start.jpg
    close_view
    "$wadi" demo coast --size 512x512 -o coast --quiet
    open_view coast "$home/coast" --preset coastal --threads 1
    wait_for at_rest 8 # on a busy machine a frame takes seconds
    shot window-coast.jpg
    close_view
    open_view jacksboro "$root/data/jacksboro.tif" --preset dem --threads 1
    key space
    sleep 25
    key space m m o o o o o 3 # the discharge, and the tool for a section
    sleep 3
    xdotool mousemove 350 420 mousedown 1 mousemove 500 440 mousemove 760 470
    sleep 2
    xdotool mouseup 1
    press $((width - 98)) 78 # "Figures"
    xdotool mousemove 10 10
    wait_for at_rest 8
    shot window-jacksboro.jpg
    close_view
    exit
fi

name=island-$size-${theme//:/-}
open_view Wadi --size "${cells}x$cells" --threads 1
shot "$name-1.jpg"
SECONDS=0
xdotool mousemove $((200 + (width - 200) / 8)) $((height * 7 / 10)) click 1
wait_for is_titled island
shot "$name-2.jpg"
and_then key ctrl+End # as grown as it gets: what follows waits for it
wait_for at_rest 3
press $((width - 155)) 27
shot "$name-3.jpg"
press $((width - 150)) 270 # "Export for"
press $((width - 150)) 168 # "Godot 4"
wait_for is_titled 'Export into a new folder'
sleep 0.5
shot "$name-4.jpg"
key ctrl+a
xdotool type --delay 8 "$home/game"
key Delete Return
wait_for test -s game/terrain.tscn
echo "$name: from an empty start to $(du -sh game | cut -f 1) for Godot 4 in $SECONDS s"
sleep 1
shot "$name-5.jpg"
close_view
