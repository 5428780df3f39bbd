#pragma once
// The fields of a memory descriptor that version 2 (a struct) and version 3 (queries) of oneDNN share, converted to and
// from descriptors of plait. Includes nothing of oneDNN, and works in constant expressions.

#include <plait/algebra/format_name.hpp>
#include <plait/descriptor/descriptor.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The format kinds of both versions. Version 3 has `opaque` for wino and rnn_packed of version 2.
enum class onednn_kind { undef, any, blocked, wino, rnn_packed, opaque, sparse, unknown };

/// The fields of a memory descriptor, with oneDNN's names. Strides are between outermost blocks; inner blocks are
/// ordered from outer to inner, and are dense.
///
/// Source:  oneDNN, dnnl_memory_desc_t of 2.x; spec onednn-behaviour 1.0
struct onednn_fields {
    int ndims = 0;
    dim_t dims[max_ndims]{};
    dim_t padded_dims[max_ndims]{};
    dim_t padded_offsets[max_ndims]{};
    dim_t offset0 = 0;
    int data_type = 0;  ///< oneDNN's number of the type, the same in all versions
    onednn_kind format_kind = onednn_kind::undef;
    dim_t strides[max_ndims]{};
    int inner_nblks = 0;
    dim_t inner_blks[max_inner_blocks]{};
    dim_t inner_idxs[max_inner_blocks]{};
    std::uint64_t flags = 0;  ///< the flags of extra
    int compensation_mask = 0;
    int asymm_compensation_mask = 0;
    float scale_adjust = 0;
    constexpr bool operator==(const onednn_fields&) const = default;
};

/// The bits of `flags` that plait's extra supports; others belong to RNN weights and to GPUs.
inline constexpr std::uint64_t onednn_s8s8 = 1, onednn_scale_adjust = 2, onednn_asymmetric_source = 8;
/// All supported bits.
inline constexpr std::uint64_t onednn_known_flags = onednn_s8s8 | onednn_scale_adjust | onednn_asymmetric_source;

/// Returns the extra that the fields describe. A scale_adjust of 1 changes nothing, and sets no flag.
///
/// Refused: extra_flag_is_unknown
constexpr expected<extra> extra_of_fields(const onednn_fields& from) {
    if ((from.flags & ~onednn_known_flags) != 0)
        return verdict{reason::extra_flag_is_unknown, -1, static_cast<dim_t>(from.flags),
                       static_cast<dim_t>(onednn_known_flags)};
    extra out;
    out.s8s8_compensation = (from.flags & onednn_s8s8) != 0;
    out.asymmetric_source_compensation = (from.flags & onednn_asymmetric_source) != 0;
    // Masks without their flag are ignored, whatever they are.
    if (out.s8s8_compensation) out.s8s8_mask = from.compensation_mask;
    if (out.asymmetric_source_compensation) out.asymmetric_source_mask = from.asymm_compensation_mask;
    if ((from.flags & onednn_scale_adjust) != 0) out.scale_adjust = from.scale_adjust;
    return {out, {}};
}

/// Checks that a format kind is a layout, and returns the reason if it is not.
constexpr verdict check_onednn_kind(onednn_kind kind) {
    switch (kind) {
        case onednn_kind::undef:
        case onednn_kind::any:
        case onednn_kind::blocked: return {};
        case onednn_kind::wino: return {reason::format_is_winograd};
        case onednn_kind::rnn_packed: return {reason::format_is_packed_for_rnn};
        case onednn_kind::opaque: return {reason::layout_is_opaque};
        case onednn_kind::sparse: return {reason::format_is_sparse};
        case onednn_kind::unknown: break;
    }
    return {reason::format_kind_is_unknown};
}

/// Returns the layout of blocked fields, unchecked. The number of outermost blocks follows from the padded extent.
///
/// Pre:     the counts are in range
constexpr layout blocked_layout_of(const onednn_fields& from) {
    layout out;
    out.kind = format_kind::blocked;
    out.offset0 = from.offset0;
    for (int a = 0; a < from.ndims; ++a) {
        out.dims.push_back(from.dims[a]);
        out.padded_dims.push_back(from.padded_dims[a]);
        out.padded_offsets.push_back(from.padded_offsets[a]);
        dim_t block = 1;
        for (int k = 0; k < from.inner_nblks; ++k)
            // If a block is not positive or their product overflows, any value will do: check_layout refuses it.
            if (from.inner_idxs[k] == a && from.inner_blks[k] > 0)
                if (multiply_overflows(block, from.inner_blks[k], block)) block = INT64_MAX;
        const dim_t padded = from.padded_dims[a];
        out.digits.push_back({a, padded < 0 ? padded : padded / block + (padded % block != 0), from.strides[a]});
    }
    checked_integer stride{1};
    for (int k = from.inner_nblks - 1; k >= 0; --k) stride *= from.inner_blks[k] > 0 ? from.inner_blks[k] : 1;
    for (int k = 0; k < from.inner_nblks; ++k) {
        stride.value /= from.inner_blks[k] > 0 ? from.inner_blks[k] : 1;
        const dim_t axis = from.inner_idxs[k];
        out.digits.push_back({axis < 0 || axis > max_ndims ? -1 : static_cast<int>(axis), from.inner_blks[k],
                              stride.ok() ? stride.value : INT64_MAX});
    }
    return out;
}

/// Checks that no axis has a negative stride, which the library does not support: library_has_no_stride. Strides of
/// axes with one place are ignored.
constexpr verdict check_onednn_strides(const layout& l) {
    for (const digit& d : l.digits)
        if (d.stride < 0 && is_known(d.stride) && d.extent != 1)
            return {reason::library_has_no_stride, d.axis, d.stride, 0};
    return {};
}

/// Returns the descriptor of the fields, checked: any fields yield a valid descriptor or a rejection.
///
/// Refused: format_is_winograd, format_is_packed_for_rnn, format_is_sparse, layout_is_opaque, format_kind_is_unknown;
/// too_many_axes; data_type_is_unknown (with oneDNN's number); extra_flag_is_unknown;
/// library_has_no_stride; what check_descriptor refuses: sizes that overflow, blocks of axes that do not exist, ...
/// Post:    fields_of(*result) is `from`, except for a scale_adjust of 1 and fields without a meaning
/// Cost:    O(ndims + blocks); no allocation
/// Example: test/interop/onednn_fields.cpp
[[nodiscard]] constexpr expected<descriptor> descriptor_of_fields(const onednn_fields& from) {
    if (from.ndims == 0) return {};  // the empty descriptor, whatever the other fields are
    if (from.ndims < 0 || from.ndims > max_ndims) return verdict{reason::too_many_axes, -1, from.ndims, max_ndims};
    if (const verdict why = check_onednn_kind(from.format_kind); !why.ok()) return why;
    if (from.format_kind == onednn_kind::undef) return verdict{reason::layout_is_undefined};
    descriptor out;
    for (int type = 1; type < element_type_count; ++type)
        if (from.data_type > 0 && element_types[type].onednn == from.data_type) out.type = static_cast<data_type>(type);
    if (out.type == data_type::undef) return verdict{reason::data_type_is_unknown, -1, from.data_type, 0};
    const expected<extra> besides = extra_of_fields(from);
    if (!besides) return besides.error();
    out.extra = *besides;
    if (from.format_kind == onednn_kind::any) {
        format_tag any;
        any.kind = format_kind::any;
        const expected<layout> made = make_layout(dims(from.dims, static_cast<std::size_t>(from.ndims)), any);
        if (!made) return made.error();
        out.layout = *made;
    } else {
        if (from.inner_nblks < 0 || from.inner_nblks > max_inner_blocks)
            return verdict{reason::layout_is_malformed, -1, from.inner_nblks, max_inner_blocks};
        out.layout = blocked_layout_of(from);
        if (const verdict why = check_onednn_strides(out.layout); !why.ok()) return why;
    }
    const verdict why = check_descriptor(out);
    return why.ok() ? expected<descriptor>{out, {}} : expected<descriptor>(why);
}

/// Returns the fields of a layout without data type and extra, unchecked.
///
/// Pre:     l.kind is blocked and is_blocking(l), or l.kind is undef or any
constexpr onednn_fields fields_of(const layout& l) {
    onednn_fields out;
    if (l.kind == format_kind::undef) return out;
    out.ndims = l.ndims();
    out.offset0 = l.offset0;
    for (int a = 0; a < l.ndims(); ++a) {
        out.dims[a] = l.dims[a];
        out.padded_dims[a] = l.padded_dims[a];
        out.padded_offsets[a] = l.padded_offsets[a];
    }
    out.format_kind = l.kind == format_kind::any ? onednn_kind::any : onednn_kind::blocked;
    if (l.kind == format_kind::any) return out;
    const strides steps = l.strides();
    for (int a = 0; a < l.ndims(); ++a) out.strides[a] = steps[a];
    for (const inner_block& block : l.inner_blocks()) {
        out.inner_blks[out.inner_nblks] = block.size;
        out.inner_idxs[out.inner_nblks++] = block.axis;
    }
    return out;
}

/// Checks that the inner blocks of l are dense, and not more than a descriptor of oneDNN can hold; otherwise
/// inner_block_does_not_fit.
constexpr verdict check_onednn_blocks(const layout& l) {
    checked_integer dense{1};
    for (int k = l.digits.size() - 1; k >= l.ndims(); --k) {
        const digit& d = l.digits[k];
        if (d.stride != dense.value || k - l.ndims() >= max_inner_blocks)
            return {reason::inner_block_does_not_fit, d.axis, k - l.ndims() + 1, d.stride, dense.value};
        dense *= d.extent;
    }
    return {};
}

/// Returns the fields of a descriptor. `last_type` is the number of the version's last data type.
///
/// A stride that follows from axes with dynamic extents becomes `dynamic`, as in oneDNN's own descriptors.
///
/// Refused: what check_descriptor refuses; layout_is_opaque; inner_block_does_not_fit; library_has_no_type,
/// library_has_no_stride; digits_do_not_cover_axis (an axis without elements that has an outermost block)
/// Post:    descriptor_of_fields(*result) == d, except for those strides
/// Cost:    O(ndims + blocks); no allocation
/// Example: test/interop/onednn_fields.cpp
[[nodiscard]] constexpr expected<onednn_fields> fields_of(const descriptor& d, int last_type) {
    if (const verdict why = check_descriptor(d); !why.ok()) return why;
    if (d.layout.kind == format_kind::undef) return {};
    const int number = row_of(d.type).onednn;
    if (number < 0 || number > last_type)
        return verdict{reason::library_has_no_type, -1, static_cast<dim_t>(d.type), last_type};
    if (d.layout.kind == format_kind::blocked)
        if (const verdict why = check_onednn_strides(d.layout); !why.ok()) return why;
    if (d.layout.kind == format_kind::blocked)
        if (const verdict why = check_onednn_blocks(d.layout); !why.ok()) return why;
    onednn_fields out = fields_of(d.layout);
    out.data_type = number;
    if (d.layout.kind == format_kind::blocked) {
        const layout back = blocked_layout_of(out);
        for (int a = 0; a < d.ndims(); ++a)
            if (back.digits[a].extent != d.layout.digits[a].extent)
                return verdict{reason::digits_do_not_cover_axis, a, d.layout.digits[a].extent * d.layout.block_size(a),
                               d.layout.padded_dims[a]};
    }
    if (d.extra.s8s8_compensation) out.flags |= onednn_s8s8, out.compensation_mask = d.extra.s8s8_mask;
    if (d.extra.asymmetric_source_compensation)
        out.flags |= onednn_asymmetric_source, out.asymm_compensation_mask = d.extra.asymmetric_source_mask;
    if (d.extra.scale_adjust != 1) out.flags |= onednn_scale_adjust, out.scale_adjust = d.extra.scale_adjust;
    return {out, {}};
}

}  // namespace plait::detail
