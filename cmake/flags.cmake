# wadi_flags: how everything here is compiled. Used by object libraries and programs only, so it is never exported.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

option(WADI_OPENMP "Use more than one thread; the results are the same" ON)
if(WADI_OPENMP)
    find_package(OpenMP REQUIRED COMPONENTS C)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
if(NOT EMSCRIPTEN) # relocatable WebAssembly is slower, and nothing loads it
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")

add_library(wadi_flags INTERFACE)
if(WADI_OPENMP)
    target_link_libraries(wadi_flags INTERFACE OpenMP::OpenMP_C)
else()
    set(OpenMP_C_FLAGS) # for users of the installed libraries
    # Vectors without threads. The other pragmas, and what they alone name, are for OpenMP.
    target_compile_options(wadi_flags INTERFACE -fopenmp-simd -Wno-unknown-pragmas -Wno-unused-parameter
        -Wno-unused-variable)
endif()
target_include_directories(wadi_flags INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_compile_options(wadi_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion
    # A table's row may end early; what it leaves out is 0.
    -Wno-missing-field-initializers
    # An enumerator is the only integer constant of C11 that has a name, a type and a scope; doubles take them, too.
    $<$<C_COMPILER_ID:Clang>:-Wno-enum-float-conversion>
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
if(EMSCRIPTEN)
    # -pthread only lets the page be linked with threads, too.
    target_compile_options(wadi_flags INTERFACE -msimd128 -pthread)
endif()
if(MINGW)
    # Its isfinite() converts a double to float in a branch not taken, and the printf attribute means Microsoft's formats
    # while its stdio (see mingw.cmake) knows C's. The other compilers check both.
    target_compile_options(wadi_flags INTERFACE -Wno-float-conversion -Wno-format)
endif()
if(UNIX)
    target_link_libraries(wadi_flags INTERFACE m)
endif()

# Hardening of what is built for use: a bug must not become a way in. Sanitizers look for the same and do not go with it;
# mingw would need its libssp, which users of the static library would have to link.
if(UNIX AND NOT EMSCRIPTEN AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
    foreach(flag -fstack-protector-strong -fstack-clash-protection)
        string(MAKE_C_IDENTIFIER "WADI_HAVE${flag}" have)
        check_c_compiler_flag("-Werror ${flag}" ${have})
        if(${have})
            add_compile_options(${flag})
        endif()
    endforeach()
    # 3 where the compiler and libc have it; else they warn.
    set(CMAKE_REQUIRED_FLAGS "-Werror -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
    check_c_source_compiles("#include <stdio.h>\nint main(void) { return 0; }" WADI_HAVE_FORTIFY_3)
    unset(CMAKE_REQUIRED_FLAGS)
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$<IF:$<BOOL:${WADI_HAVE_FORTIFY_3}>,3,2>)
    # Programs that can lie anywhere, and tables of functions that nobody can write to.
    check_pie_supported(LANGUAGES C)
    check_linker_flag(C "-Wl,-z,relro,-z,now" WADI_HAVE_RELRO)
    if(WADI_HAVE_RELRO)
        add_link_options(-Wl,-z,relro,-z,now)
    endif()
endif()
