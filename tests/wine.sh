#!/usr/bin/env bash
# wine.sh ARGUMENT...: the Windows command WADI_EXE by WADI_WINE, as a command of this system: its lines end as here, and
# what wine says of itself is left out. What the command says comes at its end.
# wine itself fails once in some hundred or thousand calls: its server dies, or the system has given away an address that it
# needs. Then nothing comes from the command, which never fails without a line. It is called again.
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
for _ in 1 2 3; do
    code=0
    "$WADI_WINE" "$WADI_EXE" "$@" >"$files/out" 2>"$files/all" || code=$?
    grep -avE '^wine( client error)?:' "$files/all" >"$files/said"
    [[ $code == 0 || -s $files/out || -s $files/said ]] && break
done
tr -d '\r' <"$files/out"
tr -d '\r' <"$files/said" >&2
exit "$code"
