#!/usr/bin/env bash
# packages.sh FOLDER: installs the Debian packages in FOLDER into a bare system, uses them, and takes them away again, as root and with
# a network. It says how long a newcomer needs from nothing to an eroded picture. `./dev deb --test` runs it, CI does not.
set -euo pipefail
folder=$(cd "$1" && pwd)
bare=$folder/bare
. "$(dirname "${BASH_SOURCE[0]}")/bare_debian.sh"

echo "== what the desktop reads"
desktop=$(dirname "${BASH_SOURCE[0]}")/../viewer/desktop
desktop-file-validate "$desktop"/*.desktop
appstreamcli validate --no-net "$desktop"/*.metainfo.xml

echo "== a bare Debian"
make_bare
mkdir "$bare/debs"
cp "$folder"/*.deb "$bare/debs"
files() { inside find / -xdev \( -path /proc -o -path /var -o -path /tmp -o -path /debs -o -path /root -o -name __pycache__ \) -prune -o -print | sort; }
files >"$folder/before.txt"

echo "== a newcomer: the command alone, a landscape and its picture"
SECONDS=0
install_inside --install-recommends './debs/wadi_*.deb'
installed=$SECONDS
inside bash -c 'cd && wadi demo canyon --size 256x256 -o canyon && wadi render canyon --3d -o canyon.png' >"$folder/first.log" 2>&1 ||
    { tail "$folder/first.log" >&2 && exit 1; }
[[ $(head -c 4 "$bare/root/canyon.png") == $'\x89PNG' && -s $bare/root/canyon/preview.png ]]
echo "$installed s to install, $((SECONDS - installed)) s to erode and draw"

echo "== all packages"
install_inside './debs/*.deb' man-db gcc libc6-dev pkgconf
inside wadi --version
inside wadi-view --help >"$folder/view.txt"
inside bash -c 'man wadi-run >/root/run.txt && grep -q checkpoint-every /root/run.txt'
inside python3 - <<'PYTHON'
import numpy, wadi
eroded = wadi.erode(numpy.random.default_rng(1).random((64, 64)), model="jako2011", steps=10, cell_size=1)
assert eroded.shape == (64, 64)
print("python3", wadi.__version__)
PYTHON
printf '#include <wadi/wadi.h>\n#include <stdio.h>\nint main(void) { return puts(wadi_version()) < 0; }\n' >"$bare/root/one.c"
inside bash -c 'cc /root/one.c -o /root/one $(pkg-config --cflags --libs wadi) && /root/one'
inside bash -c 'pkg-config --libs wadi_mpi && test -e /usr/share/bash-completion/completions/wadi'
inside bash -c 'OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 wadi run /root/canyon/height.tif -o /root/two --steps 5 --quiet'
[[ -s $bare/root/two/height.tif ]]

echo "== taken away"
inside bash -c "apt-get -q -y purge 'libwadi*' wadi wadi-view python3-wadi && apt-get -q -y --purge autoremove" >"$folder/apt.log" 2>&1
files >"$folder/after.txt"
left=$(comm -13 "$folder/before.txt" "$folder/after.txt" | grep -i wadi || true)
[[ -z $left ]] || { printf 'left behind:\n%s\n' "$left" >&2 && exit 1; }
inside find /var -path /var/cache/man -prune -o -iname '*wadi*' -print | { ! grep .; } # man keeps pages that were read
