#!/usr/bin/env bash
# bare.sh [WHEEL]: installs the Python package into a bare Debian 12, from this folder or from a wheel. There it erodes and draws the
# bundled terrain by examples/python/first.ipynb, and the hash must be the command's (build/release/wadi). Needs root and
# debootstrap. Packages come from Debian alone, so no other network is needed. The figure: build/bare/first-1-1.png.
set -euo pipefail
wheel=${1:+$(realpath "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
wadi=build/release/wadi
bare=$PWD/build/bare/root
. tests/bare_debian.sh
[[ -x $wadi ]] || { echo "bare.sh: no $wadi: build first" >&2; exit 1; }
if [[ -n $wheel && ! -f $wheel ]]; then
    echo "bare.sh: $wheel: no such file" >&2
    exit 1
fi

make_bare bookworm
install_inside python3-venv python3-pip python3-numpy python3-cffi python3-matplotlib
if [[ -n $wheel ]]; then
    cp "$wheel" "$bare/root/"
    mkdir "$bare/root/wadi"
    git ls-files -z data examples tests/notebook.py | tar --null -T - -c | tar -x -C "$bare/root/wadi"
    install=(--no-index "/root/$(basename "$wheel")")
else
    install_inside gcc cmake ninja-build pkg-config python3-dev python3-setuptools python3-wheel \
        libpng-dev libtiff-dev libgeotiff-dev libproj-dev libopenexr-dev libjansson-dev libfyaml-dev
    mkdir "$bare/root/wadi"
    git ls-files -z | tar --null -T - -c | tar -x -C "$bare/root/wadi"
    install=(--no-index --no-build-isolation ./wadi)
fi
inside bash -euc "cd /root; python3 -m venv --system-site-packages env; env/bin/pip install ${install[*]}"
inside env MPLBACKEND=Agg bash -euc "cd /root; env/bin/python wadi/tests/notebook.py wadi/examples/python/first.ipynb /root" | tee build/bare/said.txt
cp "$bare"/root/*.png build/bare/

"$wadi" run data/jacksboro.tif -o build/bare/run --steps 200 --quiet --force
hash=$("$wadi" info build/bare/run/height.tif | grep -oE '[0-9a-f]{64}')
grep "^$hash$" build/bare/said.txt || { echo "bare.sh: the command has $hash" >&2; exit 1; }
