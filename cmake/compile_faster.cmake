# How plait's own tests and examples compile in less time.
#
# together(TARGET N) compiles N files of a program as one unit. -DCMAKE_UNITY_BUILD=OFF compiles each file alone.
set(together ON)
if(DEFINED CMAKE_UNITY_BUILD)
    set(together ${CMAKE_UNITY_BUILD})
endif()
function(together target files)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${together} UNITY_BUILD_BATCH_SIZE ${files})
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
add_custom_command(OUTPUT ${PLAIT_PRECOMPILED} DEPENDS ${header} DEPFILE ${folder}/plait/plait.hpp.d
    COMMAND ${CMAKE_CXX_COMPILER} -std=gnu++20 -O0 -w -I ${PROJECT_SOURCE_DIR}/include -x c++-header ${header}
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
    get_target_property(is_unity ${target} UNITY_BUILD)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_include_directories(${target} BEFORE PRIVATE ${PROJECT_BINARY_DIR}/precompiled)
    else()
        foreach(source ${sources})
            file(STRINGS ${source} first REGEX "^#include" LIMIT_COUNT 1)
            if(first MATCHES "<plait/plait.hpp>" AND NOT is_unity)
                set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -include-pch ${PLAIT_PRECOMPILED})
            endif()
        endforeach()
    endif()
    # A compiler's list of what a unit includes may end at the precompiled header.
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${PLAIT_PRECOMPILED})
endfunction()
