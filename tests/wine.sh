#!/usr/bin/env bash
# wine.sh ARGUMENT...: the Windows command WADI_EXE by wine, as a command of this system: its lines end as here, and
# what wine says of itself is left out. A run's errors come at its end.
said=$(mktemp)
"$WADI_WINE" "$WADI_EXE" "$@" 2>"$said" | tr -d '\r'
code=${PIPESTATUS[0]}
grep -av '^wine: ' "$said" | tr -d '\r' >&2
rm -f "$said"
exit "$code"
