#pragma once
// Converts descriptors to and from dnnl_memory_desc_t of oneDNN, version 2 or 3. Not part of plait.hpp: link dnnl and
// include this header.

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
namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns the descriptor of a memory descriptor of oneDNN, or the reason why there is none.
///
/// `md` is the type of the C interface: in version 2 the struct, in version 3 the handle. From C++'s dnnl::memory::desc
/// get it by `.data` (2) or `.get()` (3). A scale_adjust flag with the factor 1, which oneDNN sets for int8 weights on
/// CPUs with VNNI, changes nothing, and is dropped.
///
/// Refused: formats without a layout, by name: format_is_winograd, format_is_packed_for_rnn (both are layout_is_opaque
/// in version 3), format_is_sparse; data_type_is_unknown, extra_flag_is_unknown; in version 3, which does not tell
/// extras apart, any extra: descriptor_has_extra, and with dynamic extents also library_has_no_tag. Also refused: what
/// check_descriptor refuses
/// Post:    the offset of each element is oneDNN's; try_to_onednn(*result) is equal to md, by dnnl_memory_desc_equal
/// Cost:    O(ndims + blocks); in version 3 about ten queries
/// Source:  spec onednn-behaviour, 1.0
/// Example: test/interop/onednn.cpp
[[nodiscard]] inline expected<descriptor> try_from_onednn(detail::onednn_source md) {
    const expected<detail::onednn_fields> fields = detail::read_onednn(md);
    return fields ? detail::descriptor_of_fields(*fields) : expected<descriptor>(fields.error());
}

/// Returns the descriptor of a memory descriptor of oneDNN, as try_from_onednn(md). A rejection is thrown.
///
/// Pre:     try_from_onednn(md).has_value(); md is a memory descriptor that oneDNN made
/// Post:    to_onednn(from_onednn(md)) is equal to md, by dnnl_memory_desc_equal
/// Cost:    O(ndims + blocks); in version 3 about ten queries
/// Source:  spec onednn-behaviour, 1.0
/// Example: f32 in dnnl_nChw16c, 2x17x5x4: descriptor(data_type::f32, layout({2, 17, 5, 4}, "nChw16c"))
[[nodiscard]] inline descriptor from_onednn(detail::onednn_source md) { return try_from_onednn(md).value(); }

/// Returns the memory descriptor of oneDNN for a descriptor: in version 2 the struct, in version 3 an owned handle.
/// Pass its .get() to the C interface.
///
/// A stride that follows from axes with dynamic extents becomes DNNL_RUNTIME_DIM_VAL, and is `dynamic` when read back.
///
/// Refused: what check_descriptor refuses; inner_block_does_not_fit, library_has_no_type; in version 3, which makes
/// inner blocks only from its tags and cannot make extra: library_has_no_tag, descriptor_has_extra, library_refuses
/// Post:    *try_from_onednn(*result) == d, except for those strides
/// Cost:    version 2: O(ndims + blocks); version 3 may try all tags
/// Example: examples/integrations/onednn/main.cpp
[[nodiscard]] inline expected<onednn_descriptor> try_to_onednn(const descriptor& d) {
    const expected<detail::onednn_fields> fields = detail::fields_of(d, detail::onednn_last_type);
    if (!fields) return fields.error();
    return detail::make_onednn(*fields);
}

/// Returns the memory descriptor of oneDNN for a descriptor, as try_to_onednn(d). A rejection is thrown.
///
/// Pre:     try_to_onednn(d).has_value()
/// Post:    from_onednn(to_onednn(d)) == d, except for strides that follow from dynamic extents
/// Cost:    version 2: O(ndims + blocks); version 3 may try all tags
/// Source:  spec onednn-behaviour, 1.0 to 1.3
/// Example: examples/integrations/onednn/main.cpp
[[nodiscard]] inline onednn_descriptor to_onednn(const descriptor& d) { return try_to_onednn(d).value(); }

}  // namespace plait
#endif
#endif
