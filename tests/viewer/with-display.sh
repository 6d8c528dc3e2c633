#!/usr/bin/env bash
# with-display.sh COMMAND...: runs a test of the window on a display of its own, with nothing that depends on the machine.
set -u
if ! command -v xvfb-run >/dev/null; then
    echo "skipped: no xvfb-run (install xvfb and xauth)"
    exit 77
fi
export GDK_BACKEND=x11 GSK_RENDERER=cairo GTK_A11Y=test LIBGL_ALWAYS_SOFTWARE=1 GTK_THEME=Adwaita
export GSETTINGS_BACKEND=memory GIO_USE_VFS=local LC_ALL=C.UTF-8
unset WAYLAND_DISPLAY
exec xvfb-run -a -s "-screen 0 1280x1024x24" "$@"
