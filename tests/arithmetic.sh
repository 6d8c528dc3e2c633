#!/usr/bin/env bash
# arithmetic.sh COMPILER: compiler settings that change the results are refused, each with a message that says why.
set -euo pipefail
source=$WADI_DATA/../src/core/arithmetic.h
read -ra compiler <<<"$1"
said=

# takes FLAG...: whether the header compiles with them
takes() { said=$("${compiler[@]}" -std=c11 -fsyntax-only -x c "$@" "$source" 2>&1); }

# refuses WORDS FLAG...
refuses() {
    local words=$1
    shift
    if takes "$@"; then echo "taken: $*" && exit 1; fi
    grep -qF -- "$words" <<<"$said" || { echo "$*: '$words' is not in: $said" && exit 1; }
    echo "refused: $*"
}

# Without these a header compiled alone would be warned of, or s390x's float be a double.
plain=()
case $("${compiler[@]}" -dumpmachine) in
s390*) plain=(-fexcess-precision=fast) ;;
esac
for flags in "-O0" "-O3 -ffp-contract=off -fno-math-errno -fno-trapping-math"; do
    read -ra words <<<"$flags"
    takes "${plain[@]}" "${words[@]}" || { echo "refused: $flags: $said" && exit 1; }
done
for flags in -ffast-math -Ofast -ffinite-math-only; do refuses "change the results" "${plain[@]}" "$flags"; done
if "${compiler[@]}" --version | grep -q "Free Software Foundation"; then
    for flags in -funsafe-math-optimizations -freciprocal-math -fno-signed-zeros; do
        refuses "change the results" "${plain[@]}" "$flags"
    done
    case $("${compiler[@]}" -dumpmachine) in
    x86_64-*linux*)
        refuses FLT_EVAL_METHOD -mfpmath=387
        refuses FLT_EVAL_METHOD -m32 -mno-sse
        ;;
    s390*) # gcc 14 may be built with a float that is no double
        method=$("${compiler[@]}" -std=c11 -fexcess-precision=standard -dM -E -x c /dev/null | grep '__FLT_EVAL_METHOD__ ')
        [[ $method == *' 0' ]] || refuses FLT_EVAL_METHOD -fexcess-precision=standard
        ;;
    esac
fi
