#!/usr/bin/env bash
# in-temp.sh COMMAND...: runs a test in a fresh folder, which is removed afterwards. A program all of whose tests were
# skipped ends with 77, as scripts do: cmocka itself calls that a success.
set -u
folder=$(mktemp -d) said=$(mktemp) || exit 1
trap 'chmod -R u+w "$folder" 2>/dev/null; rm -rf "$folder" "$said"' EXIT
cd "$folder" || exit 1
export XDG_CONFIG_HOME=$folder/config # the presets of whoever tests stay out
"$@" 2>&1 | tee "$said"
code=${PIPESTATUS[0]}
if ((code == 0)) && grep -q '^\[  SKIPPED \]' "$said" && ! grep -q '^\[       OK \]' "$said"; then exit 77; fi
exit "$code"
