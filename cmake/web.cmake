# Compiles to WebAssembly with the Emscripten that is installed: its own toolchain file, found by its own command.
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "Emscripten is missing: install emscripten")
endif()
include(${root}/cmake/Modules/Platform/Emscripten.cmake)
