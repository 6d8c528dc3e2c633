#!/usr/bin/env bash
# with-display.sh COMMAND...: runs a test of the window on a display of its own, with nothing that depends on the machine.
set -u
if ! command -v Xvfb >/dev/null; then
    echo "skipped: no Xvfb (install xvfb)"
    exit 77
fi
number=$(mktemp) || exit 1
# It takes a free number itself: xvfb-run looks for one first, and loses it to another test now and then.
Xvfb -displayfd 3 -noreset -screen 0 1280x1024x24 -nolisten tcp 3>"$number" 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null; rm -f "$number"' EXIT
for ((try = 0; try < 300; try++)); do
    [[ -s $number ]] && break
    sleep 0.1
done
[[ -s $number ]] || { echo "Xvfb does not start"; exit 1; }
DISPLAY=":$(<"$number")"
export DISPLAY
# GTK itself draws without OpenGL: later GTKs know GDK_DISABLE, and complain of what GTK before 4.16 wants.
export GDK_DISABLE=gl
if pkg-config --exists 'gtk4 < 4.16'; then export GDK_DEBUG=gl-disable; fi
export GDK_BACKEND=x11 GSK_RENDERER=cairo GTK_A11Y=test LIBGL_ALWAYS_SOFTWARE=1 GTK_THEME=Adwaita
export GSETTINGS_BACKEND=memory GIO_USE_VFS=local LC_ALL=C.UTF-8
unset WAYLAND_DISPLAY
"$@"
