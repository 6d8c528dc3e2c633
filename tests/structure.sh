#!/usr/bin/env bash
# structure.sh: the structure of the product's files. A module is a header and the .c of the same name.
# - No circle: no module includes itself by way of others.
# - Each header has a .c of its name beside it.
# - In src/engine a function that a header declares is in the .c of that name.
# - No two headers have one name.
# - No file has more than 500 lines.
# - The core includes nothing of the engines: it knows them by core/engine.h.
# - core/inside.h, the members of a simulation, is included by the core's own .c files alone. Engines see core/engine.h.
# - No cast drops a const by way of uintptr_t in the core and the engines. (Plain casts: -Wcast-qual.)
# The lists below are today's exceptions. An exception that is no longer needed fails too, so the lists shrink.
set -euo pipefail
export LC_ALL=C
folders=(viewer cli src platform)

# Folders whose files are not checked: none.
unfinished='^$'

# Headers without a .c: one interface with an implementation for each system, tables, and inline code that is compiled
# into each of its users. The physics (*_cell.h, *_stages.h) is for every engine to compile, and has none either.
lone_headers='
cli/cli.h
platform/openmp.h
platform/platform.h
src/core/arithmetic.h
src/core/byte_order.h
src/core/discs.h
src/core/engine.h
src/core/inside.h
src/core/least_depth.h
src/core/model_tables.h
src/core/need.h
src/core/random.h
src/core/series.h
src/core/strict.h
src/core/total.h
src/engine/cell.h
src/engine/gpu/driver/opencl_api.h
src/engine/gpu/engine_state.h
src/io/formats.h
src/models/face.h
src/models/infiltration.h
src/models/pipes.h
src/render/landscape/landscape.h
src/render/landscape/tell.h
src/terrain/kinds.h
'
shared_names='
'
# Includes that close a circle, as "module module".
circles='
'
long_files='
'

failed=0
complain() {
    echo "structure: $*" >&2
    failed=1
}

# The text of kernels is compiled on a device, not here.
product_files() {
    find "${folders[@]}" -name '*.[ch]' -not -path 'src/engine/gpu/kernels/*' | grep -vE "$unfinished" | sort
}

# Lines "module module": the first includes the second. A name is looked up as the compiler does: beside the file, then
# from the roots.
edges() {
    local file name line root target
    find "${folders[@]}" -name '*.[ch]' -exec grep -HE '^ *#include "' {} + | while IFS=: read -r file line; do
        name=${line#*\"}
        name=${name%\"*}
        for root in "${file%/*}/" '' src/ include/; do
            target=$root$name
            [[ -f $target ]] || continue
            [[ ${target%.*} == "${file%.*}" ]] || echo "${file%.*} ${target%.*}"
            break
        done
    done | grep -vE "$unfinished.* ${unfinished#^}" | sort -u
}

# Compares what is found with a list of exceptions, a line each: check_list WHAT FOUND EXCEPTIONS
check_list() {
    local line
    while read -r line; do [[ -z $line ]] || complain "$1: $line"; done < <(comm -23 <(sort <<<"$2") <(sort <<<"$3"))
    while read -r line; do [[ -z $line ]] || complain "no longer an exception, remove it: $line"; done < <(comm -13 <(sort <<<"$2") <(sort <<<"$3"))
}

lone_headers() {
    local file
    product_files | grep '\.h$' | grep -vE '_(cell|stages)\.h$' | while read -r file; do
        [[ -f ${file%.h}.c ]] || echo "$file"
    done
}

# The functions that a file declares or defines in its first column.
function_names() {
    sed 's|/[*].*[*]/||' "$1" | grep -E '^[a-z][A-Za-z0-9_ *]*\(' | grep -vE '^(typedef|static|extern) ' |
        sed -E 's/^[^(]*[ *]([A-Za-z0-9_]+)\(.*/\1/' | sort -u
}

# Functions of the engines that a header declares and another .c defines.
misplaced_functions() {
    local file
    product_files | grep '^src/engine/.*\.h$' | while read -r file; do
        [[ -f ${file%.h}.c ]] || continue
        comm -23 <(function_names "$file") <(function_names "${file%.h}.c") | sed "s|^|$file |"
    done
}

shared_names() { product_files | grep '\.h$' | sed 's|.*/||' | sort | uniq -d; }

long_files() {
    local file
    product_files | while read -r file; do
        (($(wc -l <"$file") <= 500)) || echo "$file"
    done
}

engines_in_core() { find src -path 'src/core/*.[ch]' -exec grep -lE '^ *#include "engine/' {} + || true; }

insiders() {
    local found
    found=$(find "${folders[@]}" -name '*.[ch]' -exec grep -lE '^ *#include "core/inside.h"' {} +) || true
    grep -vE '^src/core/[a-z_]+\.c$' <<<"$found" || true
}

dropped_consts() {
    find src \( -path 'src/core/*.[ch]' -o -path 'src/engine/*.[ch]' \) -exec grep -lE '\*\)\(uintptr_t\)' {} + || true
}

check_circles() {
    local all rest edge loop
    all=$(edges)
    rest=$(comm -23 <(echo "$all") <(sort <<<"$circles"))
    loop=$(tsort <<<"$rest" 2>&1 >/dev/null) || complain "modules include each other in a circle:"$'\n'"$loop"
    while read -r edge; do
        [[ -n $edge ]] || continue
        if ! grep -qxF "$edge" <<<"$all" || tsort <<<"$rest"$'\n'"$edge" >/dev/null 2>&1; then
            complain "no longer closes a circle, remove the exception: $edge"
        fi
    done <<<"$circles"
}

check_all() {
    failed=0
    check_list "header without a .c" "$(lone_headers)" "$lone_headers"
    check_list "a function is not in the .c of its header" "$(misplaced_functions)" ''
    check_list "headers of one name" "$(shared_names)" "$shared_names"
    check_list "more than 500 lines" "$(long_files)" "$long_files"
    check_circles
    check_list "the core includes the engines" "$(engines_in_core)" ''
    check_list "core/inside.h is for the core's own .c files" "$(insiders)" ''
    check_list "a cast drops const" "$(dropped_consts)" ''
    return "$failed"
}

# A small tree with each fault must fail, and the same tree without it must pass.
check_the_check() {
    local tree kept=("$unfinished" "$lone_headers" "$circles" "$long_files" "$shared_names")
    tree=$(mktemp -d)
    unfinished='^$' lone_headers='' circles='' long_files='' shared_names=''
    pushd "$tree" >/dev/null
    mkdir -p viewer cli src/part platform
    touch cli/low.{c,h} cli/high.{c,h}
    echo '#include "low.h"' >cli/high.c
    check_all 2>/dev/null || { echo "structure: a tree without a fault fails" >&2; exit 1; }
    must_fail() { ! check_all 2>/dev/null || { echo "structure: not found: $1" >&2; exit 1; }; }
    echo '#include "cli/high.h"' >cli/low.c
    must_fail "a circle of two modules"
    circles='cli/high cli/low'
    check_all || exit 1
    : >cli/low.c
    must_fail "an exception that closes no circle"
    circles=''
    touch src/part/alone.h
    must_fail "a header without a .c"
    rm src/part/alone.h
    touch src/part/low.{c,h}
    must_fail "two headers of one name"
    rm src/part/low.{c,h}
    seq 501 >platform/long.c
    must_fail "a long file"
    rm platform/long.c
    mkdir -p src/core
    touch src/core/part.h
    echo '#include "engine/cpu.h"' >src/core/part.c
    must_fail "a core that includes the engines"
    mkdir -p src/engine
    touch src/core/inside.{c,h} src/engine/fast.{c,h}
    echo '#include "core/inside.h"' >src/core/part.c
    check_all || exit 1
    echo '#include "core/inside.h"' >src/engine/fast.c
    must_fail "an engine that sees the inside of a simulation"
    : >src/engine/fast.c
    echo '#include "core/inside.h"' >src/core/part.h
    must_fail "a header that passes on the inside of a simulation"
    : >src/core/part.h
    echo 'int fast(int a);' >src/engine/fast.h
    echo 'int fast(int a) { return a; }' >src/engine/fast.c
    check_all || exit 1
    echo 'static int fast(int a) { return a; }' >src/engine/fast.c
    must_fail "a function that is not in the .c of its header"
    : >src/engine/fast.h
    echo 'int *f(const int *a) { return (int *)(uintptr_t)a; }' >src/engine/fast.c
    must_fail "a cast that drops const"
    popd >/dev/null
    rm -r "$tree"
    unfinished=${kept[0]} lone_headers=${kept[1]} circles=${kept[2]} long_files=${kept[3]} shared_names=${kept[4]}
}

check_the_check
cd "$(dirname "$0")/.."
check_all || exit 1
