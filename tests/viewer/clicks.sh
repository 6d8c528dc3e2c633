#!/usr/bin/env bash
# clicks.sh DEMO: the widgets with a real mouse and real keys; what they call is what the demo prints.
set -u
if ! command -v xdotool >/dev/null; then
    echo "skipped: no xdotool"
    exit 77
fi
"$1" jako2011 >said 2>complaints &
demo=$!
trap 'kill $demo 2>/dev/null' EXIT

fail() {
    echo "FAILED: $*"
    cat said complaints
    exit 1
}

# heard TEXT: the last line that was printed begins with it, in time.
heard() {
    local try
    for ((try = 0; try < 200; try++)); do
        [[ $(tail -n 1 said) == "$1"* ]] && return
        sleep 0.05
    done
    fail "expected '$1', the last is '$(tail -n 1 said)'"
}

heard "go 420"
window=$(timeout 20 xdotool search --sync --onlyvisible --name "Wadi's widgets" | head -n 1)
[[ -n $window ]] || fail "no window"
xdotool windowfocus --sync "$window"
eval "$(xdotool getwindowgeometry --shell "$window")" # WIDTH, HEIGHT, X, Y
sleep 0.5

# The history: the lowest 40 pixels of the window, its bar from 12 pixels after the left end to 12 before the right.
at() { echo $((X + 12 + (WIDTH - 24) * $1 / 1000)) $((Y + HEIGHT - 26)); }
# shellcheck disable=SC2046
xdotool mousemove $(at 601) click 1
heard "go 600"
xdotool key Left
heard "go 400"
xdotool key Right Right
heard "go 660"
xdotool key Home
heard "go 0"
xdotool key End
heard "go 1000"
# shellcheck disable=SC2046
xdotool mousemove $(at 100) mousedown 1 mousemove $(at 300) mousemove $(at 199)
heard "go 1000" # not before it is let go
xdotool mouseup 1
heard "go 200"

# A wheel over the sliders moves none of them.
lines=$(wc -l <said)
for ((y = 100; y < HEIGHT - 100; y += 25)); do xdotool mousemove $((X + 60)) $((Y + y)) click 4; done
sleep 0.3
[[ $(wc -l <said) == "$lines" ]] || fail "the wheel changed something"

# By keys alone from the search to a slider and its entry.
xdotool key ctrl+f
sleep 0.3
xdotool type "sediment-cap"
sleep 1
xdotool key Tab Tab Right
heard "Kc 3"
[[ $(tail -n 1 said) != "Kc 3" ]] || fail "the slider did not move"
xdotool key Tab type "0.123456789"
xdotool key Return
heard "Kc 0.123456789"
xdotool key Tab Return # its reset button
heard "Kc 3"
# Back from the search: the expander, the entry of the last knob, and its slider.
xdotool key ctrl+f
sleep 0.3
xdotool key shift+Tab shift+Tab shift+Tab Right
heard "knob scree 0.51"
xdotool key Tab
kill -0 $demo || fail "it ended"
[[ ! -s complaints ]] || fail "it complained"
