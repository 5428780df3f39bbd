# How plait's own tests and examples compile in less time.

# ccache, where it is installed, keeps what was compiled, so that a fresh clone compiles only what the working tree has not.
# For that no command and no file that it compiles names the folder of the checkout: ccache makes the paths of a command
# relative. It compares the files that a unit read, by their contents.
find_program(PLAIT_CCACHE ccache)
if(PLAIT_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${PLAIT_CCACHE})
    # Clang's precompiled headers name the headers by absolute paths, so each checkout makes its own. GCC's compare contents.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        set(precompiling_launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
    endif()
endif()

# together(TARGET N) compiles N files of a program as one unit. -DCMAKE_UNITY_BUILD=OFF compiles each file alone. A file with
# options of its own, or in another language, is compiled alone.
set(together ON)
if(DEFINED CMAKE_UNITY_BUILD)
    set(together ${CMAKE_UNITY_BUILD})
endif()
function(together target files)
    if(NOT together)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    set(units)
    set(includes)
    set(count 0)
    foreach(source ${sources} last)
        set(alone)
        if(NOT source STREQUAL last)
            get_source_file_property(alone ${source} COMPILE_OPTIONS)
            if(alone OR NOT source MATCHES "[.]cpp$")
                list(APPEND units ${source})
                continue()
            endif()
            cmake_path(ABSOLUTE_PATH source)
            cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
            string(APPEND includes "#include \"${source}\"\n")
            math(EXPR count "${count} + 1")
        endif()
        if(includes AND (source STREQUAL last OR count EQUAL files))
            list(LENGTH units number)
            set(unit ${CMAKE_CURRENT_BINARY_DIR}/together/${target}_${number}.cpp)
            file(CONFIGURE OUTPUT ${unit} CONTENT "${includes}" @ONLY)
            list(APPEND units ${unit})
            set(includes)
            set(count 0)
        endif()
    endforeach()
    set_target_properties(${target} PROPERTIES SOURCES "${units}" IS_TOGETHER ON)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()

# precompiled(TARGET) compiles a program at -O0 and reads <plait/plait.hpp> from a precompiled header, which saves half of
# the time. GCC looks for one beside each header that it includes first, so a program whose first header is another one
# is compiled as it is. Clang is told to read it for such programs alone.
#
# PLAIT_PRECOMPILED is the precompiled header, and plait_precompiled the target that makes it.
set(folder ${PROJECT_BINARY_DIR}/precompiled)
set(header ${PROJECT_SOURCE_DIR}/include/plait/plait.hpp)
file(MAKE_DIRECTORY ${folder}/plait)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(PLAIT_PRECOMPILED ${folder}/plait/plait.hpp.gch)
else()
    set(PLAIT_PRECOMPILED ${folder}/plait/plait.hpp.pch)
endif()
separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
add_custom_command(OUTPUT ${PLAIT_PRECOMPILED} DEPENDS ${header} DEPFILE ${folder}/plait/plait.hpp.d
    COMMAND ${precompiling_launcher} ${CMAKE_CXX_COMPILER} ${flags} -std=gnu++20 -O0 -w -I ${PROJECT_SOURCE_DIR}/include -x c++-header ${header}
        -MD -MF ${folder}/plait/plait.hpp.d -MT ${PLAIT_PRECOMPILED} -o ${PLAIT_PRECOMPILED})
add_custom_target(plait_precompiled DEPENDS ${PLAIT_PRECOMPILED})
function(precompiled target)
    target_compile_options(${target} PRIVATE -O0)
    # Sanitizers would need a precompiled header of their own.
    if(CMAKE_CXX_FLAGS_RELEASE MATCHES fsanitize)
        return()
    endif()
    add_dependencies(${target} plait_precompiled)
    get_target_property(sources ${target} SOURCES)
    get_target_property(is_together ${target} IS_TOGETHER)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_include_directories(${target} BEFORE PRIVATE ${PROJECT_BINARY_DIR}/precompiled)
        # GCC's list of what a unit includes names neither the precompiled header nor what is in it.
        if(precompiling_launcher)
            set(launcher ${precompiling_launcher})
            list(REMOVE_ITEM launcher ${PLAIT_CCACHE})
            set_property(TARGET ${target} PROPERTY CXX_COMPILER_LAUNCHER ${launcher} CCACHE_EXTRAFILES=${PLAIT_PRECOMPILED} ${PLAIT_CCACHE})
        endif()
    else()
        foreach(source ${sources})
            file(STRINGS ${source} first REGEX "^#include" LIMIT_COUNT 1)
            if(first MATCHES "<plait/plait.hpp>" AND NOT is_together)
                set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -include-pch ${PLAIT_PRECOMPILED})
            endif()
        endforeach()
    endif()
    # A compiler's list of what a unit includes may end at the precompiled header.
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${PLAIT_PRECOMPILED})
endfunction()
