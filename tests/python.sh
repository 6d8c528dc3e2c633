#!/usr/bin/env bash
# The Python package, from the build folder: its tests, and the examples that use it.
set -euo pipefail
repo=$(cd "$WADI_DATA/.." && pwd)
python=python3
[[ ! -x /usr/bin/python3 ]] || python=/usr/bin/python3 # for which Debian's packages are
if [[ ! -e $(echo "$WADI_BUILD"/python/wadi/_wadi*.so) ]]; then
    echo "SKIPPED: the Python package is not built: python3-dev, python3-cffi or python3-numpy is missing"
    exit 77
fi
if ! "$python" -c 'import pytest' 2>/dev/null; then
    echo "SKIPPED: python3-pytest is not installed"
    exit 77
fi
export PYTHONPATH=$WADI_BUILD/python PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
"$python" -m pytest -q -p no:cacheprovider --durations=5 "$repo/python/tests"

echo "== examples"
if "$python" -c 'import matplotlib' 2>/dev/null; then
    "$python" "$repo/examples/python/erode.py" "$WADI_DATA/jacksboro.tif"
    [[ -s eroded.png ]]
else
    if "$python" "$repo/examples/python/erode.py" "$WADI_DATA/jacksboro.tif" 2>said.txt; then exit 1; fi
    [[ $(<said.txt) == 'python3-matplotlib draws the picture: it is not installed' ]] || { cat said.txt >&2; exit 1; }
fi
"$WADI" run "$WADI_DATA/jacksboro.tif" -o run --steps 200 --quiet
"$WADI" compare eroded.tif run/height.tif
"$python" "$repo/examples/python/simulation.py" | tee out.txt
grep 'step 300: [1-9]' out.txt
"$python" "$repo/examples/python/sweep.py"

echo "== notebooks"
for notebook in "$repo"/examples/python/*.ipynb; do
    "$python" "$repo/tests/notebook.py" "$notebook" | tee "$(basename "$notebook").txt" || ((PIPESTATUS[0] == 77))
done
hash=$("$python" -c 'import json; print(json.load(open("run/run.json"))["outputs"]["height"]["sha256"])')
grep -E "^($hash$|SKIPPED)" first.ipynb.txt

echo "== the programs of docs/python.md"
"$WADI" generate noise --size 64x48 -o hills.tif --quiet 2>/dev/null || "$WADI" generate noise --size 64x48 -o hills.tif
"$python" - "$repo/docs/python.md" <<'PYTHON'
import re, sys
import numpy as np
text = open(sys.argv[1], encoding="utf-8").read()
names = {}
for program in re.findall(r"```python\n(.*?)```", text, re.S):
    names["rain_map"] = np.full((48, 64), 1e-5)
    exec(program, names)
assert names["height"].shape == (48, 64) and names["mass"].moved > 0
PYTHON
