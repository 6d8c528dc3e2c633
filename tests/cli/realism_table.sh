# labels: once
# bench/realism.sh: measures of files and presets beside their targets.
. "$(dirname "$0")/lib.bash"
script=$(cd "$(dirname "$0")/../../bench" && pwd)/realism.sh

# All of a ramp drains, and it has no pits.
"$WADI" generate ramp --size 64x64 --relief 20 -o ramp.npy >/dev/null
expect 1 ' | 100 | 0 | ' "$script" "$PWD/ramp.npy"
"$WADI" generate random --size 64x64 --relief 60 -o random.npy >/dev/null
"$script" "$PWD/random.npy" >said && fail "noise is on target: $(<said)"
grep -q '| [*][*][0-9.e+]*[*][*] | [0-9.*]* | none |$' said || fail "the pits of noise are on target: $(<said)"

# A preset runs once at each size. The second call only measures.
"$script" -s 32,64 -o "$PWD/runs" -w 64 valleys >first || true
grep -q '^| valleys, 32 |.* 0\.[0-9]* |$' first || fail "no correlation: $(<first)"
grep -q '^| valleys, 64 |.* none |$' first || fail "no row of the largest size: $(<first)"
rm "$PWD/runs"/*.tif
"$script" -s 32,64 -o "$PWD/runs" valleys >second || true
cmp first second
expect 1 'nonsense: failed' "$script" -s 32 -o "$PWD/runs" nonsense
