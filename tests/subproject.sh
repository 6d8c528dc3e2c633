#!/usr/bin/env bash
# Wadi as a part of another project (add_subdirectory, FetchContent): libwadi alone is built, and nothing of it is
# installed with the project, unless it asks.
set -euo pipefail
repo=$(cd "$WADI_DATA/.." && pwd)
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(game LANGUAGES C)
include(FetchContent)
FetchContent_Declare(wadi SOURCE_DIR ${WADI_SOURCE})
FetchContent_MakeAvailable(wadi)
add_executable(game ${WADI_SOURCE}/examples/game_loop.c)
target_link_libraries(game PRIVATE wadi::wadi_static)
install(TARGETS game)
foreach(name IN ITEMS wadi::io wadi::render wadi::run wadi_command)
    if(TARGET ${name})
        message(FATAL_ERROR "${name} was not asked for")
    endif()
endforeach()
CMAKE

configure() { cmake -G Ninja -S . -DWADI_SOURCE="$repo" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DWADI_BASELINE=ON "$@"; }

echo "== libwadi alone, in a game"
configure -B build >/dev/null
cmake --build build --target game | tail -n 1
build/game | grep '^30 frames, [1-9][0-9]* steps'

echo "== the game's installation is the game's"
cmake --install build --prefix "$PWD/prefix" >/dev/null
[[ $(cd prefix && find . -type f) == ./bin/game ]]

echo "== components are checked, with what the compiler was asked before"
if configure -B build '-DWADI_COMPONENTS=run' >refused.txt 2>&1; then exit 1; fi
grep 'WADI_COMPONENTS: run needs io' refused.txt
if configure -B build '-DWADI_COMPONENTS=ion' >refused.txt 2>&1; then exit 1; fi
grep 'ion is none of io, render, run and mpi' refused.txt
if configure -B build -DWADI_COMPONENTS= -DWADI_COMMAND=ON >refused.txt 2>&1; then exit 1; fi
grep 'WADI_COMMAND needs all of Wadi' refused.txt
