# wadi_flags: how everything here is compiled. Used by object libraries and programs only, so it is never exported.
find_package(OpenMP REQUIRED COMPONENTS C)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")

add_library(wadi_flags INTERFACE)
target_link_libraries(wadi_flags INTERFACE OpenMP::OpenMP_C)
target_include_directories(wadi_flags INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_compile_options(wadi_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion
    # The same bits from every compiler, at every -O and vector width: a fused multiply-add rounds once where the
    # source rounds twice. Never fast-math.
    -ffp-contract=off
    # These change no result, only what errno and the exception flags say, which nothing here reads; without them
    # sqrtf and selections are not vectorised.
    -fno-math-errno -fno-trapping-math)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^i.86$")
    # The x87 unit rounds to 80 bits.
    target_compile_options(wadi_flags INTERFACE -msse2 -mfpmath=sse)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^s390")
    # With -std=c11 its gcc computes float as double. Here `fast` means: as float, as everywhere else.
    target_compile_options(wadi_flags INTERFACE $<$<C_COMPILER_ID:GNU>:-fexcess-precision=fast>)
endif()
if(MINGW)
    # Its isfinite() converts a double to float in a branch not taken, and the printf attribute means Microsoft's formats
    # while its stdio (see mingw.cmake) knows C's. The other compilers check both.
    target_compile_options(wadi_flags INTERFACE -Wno-float-conversion -Wno-format)
endif()
if(UNIX)
    target_link_libraries(wadi_flags INTERFACE m)
endif()
