#pragma once
// Converts descriptors to and from dnnl_memory_desc_t of oneDNN 2, which is a struct. Included by interop/onednn.hpp.

#include <plait/interop/onednn_fields.hpp>

#include <dnnl.h>

#include <algorithm>

namespace plait::inline PLAIT_UNIT_FLAGS {

static_assert(dynamic == DNNL_RUNTIME_DIM_VAL && max_ndims == DNNL_MAX_NDIMS && max_inner_blocks == DNNL_MAX_NDIMS);
static_assert(dnnl_f16 == 1 && dnnl_bf16 == 2 && dnnl_f32 == 3 && dnnl_s32 == 4 && dnnl_s8 == 5 && dnnl_u8 == 6);
static_assert(dnnl_memory_extra_flag_compensation_conv_s8s8 == detail::onednn_s8s8 &&
              dnnl_memory_extra_flag_scale_adjust == detail::onednn_scale_adjust &&
              dnnl_memory_extra_flag_compensation_conv_asymmetric_src == detail::onednn_asymmetric_source);

namespace detail {
/// The last data type that this version has.
inline constexpr int onednn_last_type = DNNL_VERSION_MINOR < 7 ? 6 : 7;
}  // namespace detail

/// A memory descriptor of oneDNN, as a value.
using onednn_descriptor = dnnl_memory_desc_t;
namespace detail {
/// The parameter type for a memory descriptor of oneDNN that is read.
using onednn_source = const dnnl_memory_desc_t&;

/// Returns the type that functions of oneDNN take.
inline const dnnl_memory_desc_t* pointer_to(const onednn_descriptor& d) { return &d; }

/// Returns the format kind for its number.
constexpr onednn_kind kind_of(dnnl_format_kind_t kind) {
    switch (kind) {
        case dnnl_format_kind_undef: return onednn_kind::undef;
        case dnnl_format_kind_any: return onednn_kind::any;
        case dnnl_blocked: return onednn_kind::blocked;
        case dnnl_format_kind_wino: return onednn_kind::wino;
        case dnnl_format_kind_rnn_packed: return onednn_kind::rnn_packed;
    }
    return onednn_kind::unknown;
}

/// Returns the fields of a struct that both versions share.
inline onednn_fields fields_of(const dnnl_memory_desc_t& from) {
    onednn_fields out;
    out.ndims = from.ndims;
    std::copy_n(from.dims, max_ndims, out.dims);
    std::copy_n(from.padded_dims, max_ndims, out.padded_dims);
    std::copy_n(from.padded_offsets, max_ndims, out.padded_offsets);
    out.offset0 = from.offset0;
    out.data_type = from.data_type;
    out.format_kind = kind_of(from.format_kind);
    out.flags = from.extra.flags;
    out.compensation_mask = from.extra.compensation_mask;
    out.asymm_compensation_mask = from.extra.asymm_compensation_mask;
    out.scale_adjust = from.extra.scale_adjust;
    if (from.format_kind != dnnl_blocked) return out;  // other members of the union have none of these fields
    const dnnl_blocking_desc_t& blocking = from.format_desc.blocking;
    std::copy_n(blocking.strides, max_ndims, out.strides);
    out.inner_nblks = blocking.inner_nblks;
    std::copy_n(blocking.inner_blks, max_inner_blocks, out.inner_blks);
    std::copy_n(blocking.inner_idxs, max_inner_blocks, out.inner_idxs);
    return out;
}

/// Returns the struct with these fields.
///
/// Pre:     from.format_kind is undef, any or blocked
inline dnnl_memory_desc_t struct_of(const onednn_fields& from) {
    dnnl_memory_desc_t out{};
    out.ndims = from.ndims;
    std::copy_n(from.dims, max_ndims, out.dims);
    std::copy_n(from.padded_dims, max_ndims, out.padded_dims);
    std::copy_n(from.padded_offsets, max_ndims, out.padded_offsets);
    out.offset0 = from.offset0;
    out.data_type = static_cast<dnnl_data_type_t>(from.data_type);
    out.format_kind = static_cast<dnnl_format_kind_t>(from.format_kind);
    std::copy_n(from.strides, max_ndims, out.format_desc.blocking.strides);
    out.format_desc.blocking.inner_nblks = from.inner_nblks;
    std::copy_n(from.inner_blks, max_inner_blocks, out.format_desc.blocking.inner_blks);
    std::copy_n(from.inner_idxs, max_inner_blocks, out.format_desc.blocking.inner_idxs);
    out.extra.flags = from.flags;
    out.extra.compensation_mask = from.compensation_mask;
    out.extra.asymm_compensation_mask = from.asymm_compensation_mask;
    out.extra.scale_adjust = from.scale_adjust;
    return out;
}
static_assert(static_cast<int>(onednn_kind::undef) == dnnl_format_kind_undef &&
              static_cast<int>(onednn_kind::any) == dnnl_format_kind_any &&
              static_cast<int>(onednn_kind::blocked) == dnnl_blocked);

/// Returns the fields. Nothing of a struct is hidden, so that this never fails.
inline expected<onednn_fields> read_onednn(onednn_source from) { return {fields_of(from), {}}; }
inline expected<onednn_descriptor> make_onednn(const onednn_fields& from) { return {struct_of(from), {}}; }
}  // namespace detail
}  // namespace plait
