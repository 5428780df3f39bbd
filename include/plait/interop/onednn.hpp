#pragma once
// Descriptors to and from dnnl_memory_desc_t of oneDNN, version 2 or 3. Not part of plait.hpp: link dnnl, and include
// it yourself.

#if !__has_include(<dnnl.h>)
static_assert(false, "plait/interop/onednn.hpp needs oneDNN: <dnnl.h> is not there");
#else
#include <dnnl.h>

#if DNNL_VERSION_MAJOR == 2
#include <plait/interop/onednn_struct.hpp>
#elif DNNL_VERSION_MAJOR == 3
#include <plait/interop/onednn_handle.hpp>
#else
static_assert(false, "plait/interop/onednn.hpp knows version 2 and 3 of oneDNN");
#endif

#if DNNL_VERSION_MAJOR == 2 || DNNL_VERSION_MAJOR == 3
namespace plait {

/// The descriptor that a memory descriptor of oneDNN says; its `layout` says where elements lie.
///
/// `md` is what the C interface has: of version 2 the struct, of version 3 the handle. Of C++'s dnnl::memory::desc it
/// is `.data` there, and `.get()` here. The scale_adjust flag with the factor 1, which oneDNN sets for int8 weights on
/// CPUs with VNNI, changes nothing, and is left out.
///
/// Refused: what has no layout, by name: format_is_winograd, format_is_packed_for_rnn (of version 3 both are
/// layout_is_opaque), format_is_sparse; data_type_is_unknown, extra_flag_is_unknown; of version 3, which does not tell
/// them, any extra at all: descriptor_has_extra, and with dynamic extents also library_has_no_tag; as check_descriptor
/// Post:    the offset of each element is oneDNN's; try_to_onednn(*result) is equal to md, by dnnl_memory_desc_equal
/// Cost:    O(ndims + blocks); of version 3 some ten queries
/// Source:  spec onednn-behaviour, 1.0
/// Example: test/interop/onednn.cpp
[[nodiscard]] inline expected<descriptor> try_from_onednn(detail::onednn_source md) {
    const expected<detail::onednn_fields> fields = detail::read_onednn(md);
    return fields ? detail::descriptor_of_fields(*fields) : expected<descriptor>{{}, fields.error()};
}

/// The descriptor that a memory descriptor of oneDNN says, as try_from_onednn(md); its refusal is thrown.
///
/// Pre:     try_from_onednn(md).has_value(); md is a memory descriptor that oneDNN made
/// Post:    to_onednn(from_onednn(md)) is equal to md, by dnnl_memory_desc_equal
/// Cost:    O(ndims + blocks); of version 3 some ten queries
/// Source:  spec onednn-behaviour, 1.0
/// Example: of dnnl_nChw16c with f32: descriptor(data_type::f32, layout({2, 17, 5, 4}, "nChw16c")), of these dims
[[nodiscard]] inline descriptor from_onednn(detail::onednn_source md) { return try_from_onednn(md).value(); }

/// The memory descriptor of oneDNN for a descriptor: of version 2 the struct, of version 3 an owned handle, whose
/// .get() is for the C interface.
///
/// A stride that follows from axes with dynamic extents is DNNL_RUNTIME_DIM_VAL there, and from there `dynamic`.
///
/// Refused: as check_descriptor; inner_block_does_not_fit, library_has_no_type; of version 3, which makes inner blocks
/// from its tags alone and cannot make extra: library_has_no_tag, descriptor_has_extra, library_refuses
/// Post:    *try_from_onednn(*result) == d, but for those strides
/// Cost:    version 2: O(ndims + blocks); version 3 may try all tags
/// Example: examples/integrations/onednn/main.cpp
[[nodiscard]] inline expected<onednn_descriptor> try_to_onednn(const descriptor& d) {
    const expected<detail::onednn_fields> fields = detail::fields_of(d, detail::onednn_last_type);
    if (!fields) return fields.error();
    return detail::make_onednn(*fields);
}

/// The memory descriptor of oneDNN for a descriptor, as try_to_onednn(d); its refusal is thrown.
///
/// Pre:     try_to_onednn(d).has_value()
/// Post:    from_onednn(to_onednn(d)) == d, but for strides that follow from dynamic extents
/// Cost:    version 2: O(ndims + blocks); version 3 may try all tags
/// Source:  spec onednn-behaviour, 1.0 to 1.3
/// Example: examples/integrations/onednn/main.cpp
[[nodiscard]] inline onednn_descriptor to_onednn(const descriptor& d) { return try_to_onednn(d).value(); }

}  // namespace plait
#endif
#endif
