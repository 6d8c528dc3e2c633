#!/usr/bin/env bash
# in-temp.sh COMMAND...: runs a test in a fresh folder, which is removed afterwards.
set -u
folder=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$folder" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$@"
