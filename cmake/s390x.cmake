# Cross-compiles for IBM Z, which is big-endian, under Linux; tests are run by qemu.
set(triple s390x-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x -L /usr/${triple})
