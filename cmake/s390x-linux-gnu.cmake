# Builds for s390x, a big-endian machine, on another machine, and runs the tests under QEMU.
# Debian: g++-s390x-linux-gnu, qemu-user-static. This compiler searches its own directories first and then /usr/include,
# which has the header-only libraries.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER s390x-linux-gnu-g++)

find_program(PLAIT_QEMU NAMES qemu-s390x-static qemu-s390x REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${PLAIT_QEMU} -L /usr/s390x-linux-gnu)
