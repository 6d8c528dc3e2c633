#!/usr/bin/env bash
# labels: install
# Installs the build and uses it from outside: find_package and pkg-config, shared and static, C and C++.
set -euo pipefail
prefix=$PWD/prefix
repo=$(cd "$WADI_DATA/.." && pwd)
example=$repo/examples/erode.c
game=$repo/examples/game_loop.c
recipe=$repo/examples/recipe.c
cc=${CC:-cc} cxx=${CXX:-c++}

cmake --install "$WADI_BUILD" --prefix "$prefix" >/dev/null
libdir=$(dirname "$(find "$prefix" -name 'libwadi.so')")
export PKG_CONFIG_PATH=$libdir/pkgconfig

echo "== every exported name is Wadi's"
for library in "$libdir"/libwadi*.so; do
    # The linker itself exports the last three where another library asks for them.
    if nm -D --defined-only "$library" | grep -vE ' (wadi_[a-z0-9_]+|__bss_start|_edata|_end)$'; then exit 1; fi
done

echo "== names inside static libraries are Wadi's, or begin with their folder's name"
for library in "$libdir"/libwadi*.a; do
    names=$(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }')
    [[ -n $names ]]
    if grep -vE '^(wadi|platform|io|render|landscape|run)_' <<<"$names"; then exit 1; fi
done

echo "== libwadi needs libc, libm and OpenMP alone"
if readelf -d "$libdir/libwadi.so" | grep NEEDED | grep -vE '\[(libc|libm|libgomp|libomp|libpthread|ld-linux-x86-64|libgcc_s)\.so'; then
    exit 1
fi

echo "== pkg-config, shared"
read -ra flags < <(pkg-config --cflags --libs wadi)
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$example" "${flags[@]}" "-Wl,-rpath,$libdir" -o shared
./shared
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$game" "${flags[@]}" "-Wl,-rpath,$libdir" -o game
./game | tee game.txt
grep -E '^30 frames, [1-9][0-9]* steps, height -?[0-9.]+ m at the camera, water up to [0-9]+\.[0-9]+ m deep$' game.txt

echo "== pkg-config, static"
read -ra flags < <(pkg-config --static --cflags --libs wadi)
"$cc" -std=c11 "$example" "${flags[@]/#-lwadi/-l:libwadi.a}" -o static
./static

runs() { # PROGRAM: makes a whole run, which the command makes again to the same bits
    rm -rf made again
    "$1" made
    [[ -s made/height.tif && -s made/flow.tif ]]
    "$WADI" run --recipe made/run.json -o again --quiet
    "$WADI" compare made again
}
if "$WADI" run --recipe nothing 2>&1 | grep 'not built'; then
    echo "SKIPPED: programs that run recipes"
else
    echo "== a run, pkg-config, shared"
    read -ra flags < <(pkg-config --cflags --libs wadi_run)
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$recipe" "${flags[@]}" "-Wl,-rpath,$libdir" -o recipe
    runs ./recipe

    echo "== a run, pkg-config, static"
    read -ra flags < <(pkg-config --static --cflags --libs wadi_run)
    # GDAL's own list names dozens of libraries that nobody has installed as static ones.
    if [[ ${flags[*]} == *poppler* || ${flags[*]} == *mysqlclient* ]]; then exit 1; fi
    for i in "${!flags[@]}"; do [[ ${flags[i]} != -lwadi* ]] || flags[i]=-l:lib${flags[i]#-l}.a; done
    "$cc" -std=c11 "$recipe" "${flags[@]}" -o recipe_static
    runs ./recipe_static
fi

if [[ -e $libdir/libwadi_mpi.so ]] && command -v mpirun mpicc >/dev/null; then
    echo "== processes by MPI, pkg-config, shared; the command finds the library beside it"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    launch=(mpirun -n 2)
    [[ $(mpirun --version) != *'Open MPI'* && $(mpirun --version) != *OpenRTE* ]] || launch+=(--map-by :OVERSUBSCRIBE)
    read -ra flags < <(pkg-config --cflags --libs wadi_mpi wadi)
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$repo/examples/team.c" "${flags[@]}" "-Wl,-rpath,$libdir" -o team
    "${launch[@]}" ./team | grep '2 parts of 2 processes'
    [[ $("${launch[@]}" "$prefix/bin/wadi" version | grep -c '^wadi ') == 1 ]]
    components="run;mpi"
fi

echo "== headers in C++"
cat >header.cpp <<'CPP'
#include <wadi/io.h>
#include <wadi/mpi.h>
#include <wadi/render.h>
#include <wadi/run.h>
#include <wadi/wadi.h>
int main() {
    const wadi_def def = wadi_default_def(wadi_model_find("mei2007"), 64, 64, 1.0, 1.0);
    wadi_run *run;
    if (wadi_run_start(nullptr, &run) != WADI_ERROR_ARGUMENT) return 1;
    return def.width == 64 && wadi_version()[0] != '\0' && wadi_format_of_name("a.png") == WADI_FORMAT_PNG ? 0 : 1;
}
CPP
read -ra flags < <(pkg-config --cflags --libs wadi_run wadi_io wadi_render wadi)
"$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror header.cpp "${flags[@]}" "-Wl,-rpath,$libdir" -o header
./header
"$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror "$repo/examples/raii.cpp" "${flags[@]}" "-Wl,-rpath,$libdir" -o raii
./raii | tee raii.txt
grep -E '^water, m: up to [0-9.e-]*[1-9]' raii.txt
grep -E '^[1-9][0-9]* steps moved [1-9][0-9.e+]* m3$' raii.txt
grep '^refused: Kc = -1 is outside' raii.txt

echo "== the SONAME has the ABI's number"
readelf -d "$libdir/libwadi.so" | grep 'SONAME.*\[libwadi\.so\.0\]'

echo "== the Debian packages' lists of symbols: what a release had is still there, or the ABI's number rises"
for symbols in "$repo"/debian/*.symbols; do
    for library in $(sed -n 's/^\(lib[a-z_]*\)\.so\.0 .*/\1/p' "$symbols"); do
        [[ -e $libdir/$library.so ]] || continue # not built
        sed -n "/^$library\.so/,/^lib/s/^ \(.*\)@Base .*/\1/p" "$symbols" | sort >had
        nm -D --defined-only "$libdir/$library.so" | awk '{ print $3 }' | sort >has
        [[ -s had ]]
        gone=$(comm -23 had has)
        [[ -z $gone ]] || { echo "$library lacks ${gone//$'\n'/ }: docs/embedding.md says what a changed ABI needs" >&2 && exit 1; }
    done
done

echo "== find_package, in the version that README.md names"
version=$(sed -nE 's/^find_package\(wadi ([0-9.]+) .*/\1/p' "$repo/README.md")
[[ $("$WADI" version) == "wadi $version."* ]]
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
find_package(wadi ${VERSION} REQUIRED COMPONENTS ${COMPONENTS})
add_executable(user_shared ${EXAMPLE})
target_link_libraries(user_shared wadi::wadi)
add_executable(user_static ${EXAMPLE})
target_link_libraries(user_static wadi::wadi_static)
add_executable(user_all header.cpp)
target_link_libraries(user_all wadi::run)
add_executable(user_all_static header.cpp)
target_link_libraries(user_all_static wadi::run_static)
if(TARGET wadi::mpi)
    add_executable(user_team ${TEAM})
    target_link_libraries(user_team wadi::wadi wadi::mpi)
    add_executable(user_team_static ${TEAM})
    target_link_libraries(user_team_static wadi::wadi_static wadi::mpi_static)
endif()
CMAKE
cmake -G Ninja -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLE="$example" -DTEAM="$repo/examples/team.c" \
    -DCOMPONENTS="${components:-run}" -DVERSION="$version" >/dev/null
cmake --build build
for program in user_shared user_static user_all user_all_static; do "build/$program"; done
for program in build/user_team build/user_team_static; do [[ ! -e $program ]] || "${launch[@]}" "$program"; done
