# Builds for riscv64 on another machine, and runs the tests under QEMU. plait has no vectors for it: the portable kernels
# run. Debian: g++-riscv64-linux-gnu, qemu-user-static. This compiler searches its own directories first and then
# /usr/include, which has the header-only libraries.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER riscv64-linux-gnu-g++)

find_program(PLAIT_QEMU NAMES qemu-riscv64-static qemu-riscv64 REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${PLAIT_QEMU} -L /usr/riscv64-linux-gnu)
