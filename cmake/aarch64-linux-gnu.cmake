# Builds for aarch64 on another machine, and runs the tests under QEMU.
# Debian: g++-aarch64-linux-gnu, qemu-user-static. This compiler searches its own directories first and then
# /usr/include, which has the header-only libraries.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

find_program(PLAIT_QEMU NAMES qemu-aarch64-static qemu-aarch64 REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${PLAIT_QEMU} -L /usr/aarch64-linux-gnu)
