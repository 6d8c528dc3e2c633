# Cross-compiles for Linux on another machine, as the preset names it (WADI_MACHINE: aarch64, s390x). qemu runs the tests.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WADI_MACHINE)
set(triple ${WADI_MACHINE}-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${WADI_MACHINE})
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${WADI_MACHINE} -L /usr/${triple})
