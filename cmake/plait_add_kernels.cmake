# plait_add_kernels(<target> [REORDERS <reorder>...] [SOURCES <file>...])
#
# Compiles kernels once, as an object library of that name. Link it, and include <target>.hpp to call them. That header
# instantiates no kernel, and costs as much as plait/core/layout.hpp. For each reorder, e.g.
#
#     plait_add_kernels(image_kernels REORDERS "pack = nchw 1x64x56x56 f32 -> nChw16c" "nhwc 1x3x224x224 u8 -> nchw f32")
#
# it declares, in the namespace of the target's name,
#
#     inline constexpr plait::layout pack_src, pack_dst;     // allocate their element_span()
#     void pack(const float* in, float* out);                // plait::reorder<pack_src, pack_dst>, with the same checks
#
# A reorder is [NAME =] TAG DIMS TYPE -> TAG [TYPE]. Without a type the destination has the source's. Without a name it
# is named after the reorder, here nhwc_1x3x224x224_u8_to_nchw_f32. Each reorder is a separate unit: units are compiled
# in parallel, and only if they change. SOURCES are additional units, for kernels with attributes or strides:
# examples/10_embedding has one.
#
# Rejected when CMake runs: text that is not a reorder, unknown types, duplicate names.
# Rejected by the compiler: reorders that plait rejects.
function(plait_add_kernels target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "REORDERS;SOURCES")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "plait_add_kernels(${target}): '${arg_UNPARSED_ARGUMENTS}' belongs neither to REORDERS nor to SOURCES")
    elseif(NOT arg_REORDERS AND NOT arg_SOURCES)
        message(FATAL_ERROR "plait_add_kernels(${target}): no REORDERS and no SOURCES")
    elseif(NOT target MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "plait_add_kernels(${target}): the target's name is a namespace too, and has letters, digits and _ only")
    endif()

    set(folder ${CMAKE_CURRENT_BINARY_DIR}/plait_kernels/${target})
    set(declarations)
    set(units)
    set(names)
    foreach(text IN LISTS arg_REORDERS)
        plait_read_reorder("${target}" "${text}")
        if(name IN_LIST names)
            message(FATAL_ERROR "plait_add_kernels(${target}): two reorders are called ${name}")
        endif()
        list(APPEND names ${name})
        string(APPEND declarations "
/// ${text}
inline constexpr plait::layout ${name}_src({${extents}}, \"${src_tag}\"), ${name}_dst({${extents}}, \"${dst_tag}\");
void ${name}(const plait::detail::memory_of<${src_type}>* in, plait::detail::memory_of<${dst_type}>* out);
")
        file(CONFIGURE OUTPUT ${folder}/${name}.cpp @ONLY CONTENT "// Made by plait_add_kernels.
#include \"@target@.hpp\"

#include <plait/reorder/converted_rows.hpp>
#include <plait/reorder/packed_reorder.hpp>

void @target@::@name@(const plait::detail::memory_of<@src_type@>* in, plait::detail::memory_of<@dst_type@>* out) {
    plait::reorder<@name@_src, @name@_dst, @src_type@, @dst_type@>(in, out);
}
")
        list(APPEND units ${folder}/${name}.cpp)
    endforeach()
    file(CONFIGURE OUTPUT ${folder}/${target}.hpp @ONLY CONTENT "#pragma once
// Made by plait_add_kernels: the kernels of the library @target@.

#include <plait/core/data_type.hpp>
#include <plait/core/layout.hpp>

#include <cstdint>

namespace @target@ {
@declarations@
}  // namespace @target@
")
    add_library(${target} OBJECT ${units} ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC plait::headers)
    target_include_directories(${target} PUBLIC ${folder})
    # Position-independent, so that shared libraries can link it.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# plait_element_types(<result>): the names of plait's element types, from the header beside this file or installed with it.
function(plait_element_types result)
    set(names)
    foreach(up .. ../../.. ../../../..)
        set(header ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${up}/include/plait/core/element_types.hpp)
        if(EXISTS ${header})
            file(READ ${header} text)
            string(REGEX MATCH "enum class data_type {[^}]*}" enumerators "${text}")
            string(REGEX MATCHALL "[a-z0-9_]+" names "${enumerators}")
            list(REMOVE_ITEM names enum class data_type undef)
            break()
        endif()
    endforeach()
    set(${result} ${names} PARENT_SCOPE)
endfunction()

# plait_read_reorder(<target> <text>): sets name, extents, src_tag, src_type, dst_tag and dst_type in C++ notation.
function(plait_read_reorder target text)
    set(word "[A-Za-z_][A-Za-z0-9_]*")
    if(NOT text MATCHES "^((${word}) *= *)?(${word}) +([0-9]+(x[0-9]+)*) +([a-z0-9_]+) *-> *(${word})( +([a-z0-9_]+))?$")
        message(FATAL_ERROR "plait_add_kernels(${target}): '${text}' is no reorder. One is 'nchw 1x64x56x56 f32 -> nChw16c'; with a name "
                            "and another type, 'pack = nchw 1x64x56x56 f32 -> nhwc s8'")
    endif()
    set(name ${CMAKE_MATCH_2})
    set(src_tag ${CMAKE_MATCH_3})
    set(dims ${CMAKE_MATCH_4})
    set(src_type ${CMAKE_MATCH_6})
    set(dst_tag ${CMAKE_MATCH_7})
    set(dst_type ${CMAKE_MATCH_9})
    if(NOT dst_type)
        set(dst_type ${src_type})
    endif()
    if(NOT name)
        set(name ${src_tag}_${dims}_${src_type}_to_${dst_tag}_${dst_type})
    endif()

    plait_element_types(known)
    foreach(side src dst)
        if(known AND NOT ${side}_type IN_LIST known)  # otherwise the compiler refuses it
            list(JOIN known ", " all)
            message(FATAL_ERROR "plait_add_kernels(${target}): '${text}': ${${side}_type} is no element type; there are ${all}")
        endif()
        set(${side}_type "plait::element_type_of<plait::data_type::${${side}_type}>")
    endforeach()
    string(REPLACE "x" ", " extents ${dims})
    foreach(result name extents src_tag src_type dst_tag dst_type)
        set(${result} "${${result}}" PARENT_SCOPE)
    endforeach()
endfunction()
