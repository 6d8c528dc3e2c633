#!/usr/bin/env bash
# hardening.sh READELF: what is installed has the hardening that cmake/flags.cmake asks for.
set -euo pipefail
readelf=$1
command -v "$readelf" >/dev/null || { echo "skipped: no $readelf"; exit 77; }
getconf GNU_LIBC_VERSION >/dev/null 2>&1 || { echo "skipped: other C libraries have another FORTIFY, or none"; exit 77; }
failed=0

# has FILE WHAT PATTERN: whether readelf says PATTERN of it
has() {
    if grep -qE -- "$3" <<<"$told"; then return; fi
    echo "$1: no $2"
    failed=1
}

looked_at=0
for file in "$WADI_BUILD"/wadi "$WADI_BUILD"/wadi-view "$WADI_BUILD"/src/libwadi*.so; do
    [[ -f $file ]] || continue
    told=$("$readelf" -W --file-header --program-headers --dynamic --dyn-syms "$file")
    has "$file" "position-independent code" '^ *Type: +DYN '
    has "$file" RELRO '^ *GNU_RELRO '
    has "$file" BIND_NOW 'FLAGS(_1)?\).*NOW'
    has "$file" "stack protector" 'UND +__stack_chk_fail'
    # libwadi_mpi calls no function that has a fortified version.
    [[ $file == *libwadi_mpi* ]] || has "$file" FORTIFY 'UND +__[a-z]+_chk(@|$)'
    case $(basename "$file") in
    *.so) ;;
    *) has "$file" PIE 'FLAGS_1\).*PIE' ;;
    esac
    if grep -qE '^ *GNU_STACK .*RWE' <<<"$told"; then echo "$file: an executable stack" && failed=1; fi
    looked_at=$((looked_at + 1))
done
echo "$looked_at files"
((failed == 0 && looked_at >= 4))
