# Compiles to WebAssembly with the Emscripten that is installed: its own toolchain file, found by its own command.
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "Emscripten is missing: install emscripten")
endif()
include(${root}/cmake/Modules/Platform/Emscripten.cmake)

# emcc is a script around clang, and takes longer to start than clang for most files. So clang compiles, with emcc's flags.
execute_process(COMMAND em-config LLVM_ROOT OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND emcc --cflags OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
string(REGEX MATCH "^[0-9]+" version "${CMAKE_C_COMPILER_VERSION}")
find_program(WADI_CLANG NAMES clang-${version} clang PATHS ${folder} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
if(WADI_CLANG AND NOT failed)
    set(CMAKE_C_COMPILE_OBJECT "${WADI_CLANG} ${flags} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
endif()
