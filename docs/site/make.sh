#!/usr/bin/env bash
# make.sh WADI OUT: builds the site into OUT/html. A broken link is an error.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=python3
[[ ! -x /usr/bin/python3 ]] || python=/usr/bin/python3
PYTHONDONTWRITEBYTECODE=1 "$python" "$here/assemble.py" "$1" "$2"
mkdocs build -q -f "$2/mkdocs.yml"
