# Builds for Windows on Linux, with GCC of MinGW-w64, and runs programs with Wine.
# Debian: g++-mingw-w64-x86-64-posix, libz-mingw-w64-dev, wine64.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)  # programs start without the libraries of the compiler

# Header-only libraries are in /usr/include, beside headers of Linux. The folder `host` has links to them alone, and
# packages that find them there.
set(host ${CMAKE_BINARY_DIR}/host)
foreach(header boost CLI doctest nlohmann)
    if(EXISTS /usr/include/${header} AND NOT EXISTS ${host}/include/${header})
        file(MAKE_DIRECTORY ${host}/include)
        file(CREATE_LINK /usr/include/${header} ${host}/include/${header} SYMBOLIC)
    endif()
endforeach()
foreach(package doctest CLI11 nlohmann_json)
    file(CONFIGURE OUTPUT ${host}/lib/cmake/${package}/${package}Config.cmake @ONLY CONTENT [[
if(NOT TARGET @package@::@package@)
    add_library(@package@::@package@ INTERFACE IMPORTED)
    set_target_properties(@package@::@package@ PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "@host@/include")
endif()
]])
endforeach()
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${host})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind INCLUDE LIBRARY PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(BOOST_ROOT ${host})
set(ZLIB_USE_STATIC_LIBS ON)

find_program(PLAIT_WINE NAMES wine64 wine64-stable wine PATHS /usr/lib/wine REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_COMMAND} -E env WINEDEBUG=-all WINEPREFIX=${CMAKE_BINARY_DIR}/wine ${PLAIT_WINE})
