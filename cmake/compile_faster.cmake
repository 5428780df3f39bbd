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

# precompiled(TARGET) compiles a program at -O0 and, with GCC, reads <plait/plait.hpp> from a precompiled header, which
# saves half of the time. GCC looks for one beside each header that it includes first; the program stays as it is.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(folder ${PROJECT_BINARY_DIR}/precompiled)
    set(header ${PROJECT_SOURCE_DIR}/include/plait/plait.hpp)
    file(MAKE_DIRECTORY ${folder}/plait)
    add_custom_command(OUTPUT ${folder}/plait/plait.hpp.gch DEPENDS ${header} DEPFILE ${folder}/plait/plait.hpp.d
        COMMAND ${CMAKE_CXX_COMPILER} -std=gnu++20 -O0 -w -I ${PROJECT_SOURCE_DIR}/include -x c++-header ${header}
            -MD -MF ${folder}/plait/plait.hpp.d -MT ${folder}/plait/plait.hpp.gch -o ${folder}/plait/plait.hpp.gch)
    add_custom_target(plait_precompiled DEPENDS ${folder}/plait/plait.hpp.gch)
endif()
function(precompiled target)
    target_compile_options(${target} PRIVATE -O0)
    if(TARGET plait_precompiled)
        add_dependencies(${target} plait_precompiled)
        target_include_directories(${target} BEFORE PRIVATE ${PROJECT_BINARY_DIR}/precompiled)
        # GCC's list of what a unit includes ends at the precompiled header.
        get_target_property(sources ${target} SOURCES)
        set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${PROJECT_BINARY_DIR}/precompiled/plait/plait.hpp.gch)
    endif()
endfunction()
