#pragma once
// Calls oneDNN: layouts as its memory descriptors, its results as statuses and descriptors, and the offsets that follow
// from them, computed without the library under test.

#include <plait/interop/onednn.hpp>

#include <dnnl_debug.h>

#include <string>
#include <vector>

namespace differential {

using plait::dim_t, plait::layout;

/// The status that oneDNN returned, and the descriptor that it made.
struct answer {
    dnnl_status_t status = dnnl_success;
    dnnl_memory_desc_t made{};
    bool ok() const { return status == dnnl_success; }
};

inline bool same_status(plait::status ours, dnnl_status_t theirs) {
    switch (ours) {
        case plait::status::success: return theirs == dnnl_success;
        case plait::status::out_of_memory: return theirs == dnnl_out_of_memory;
        case plait::status::invalid_arguments: return theirs == dnnl_invalid_arguments;
        case plait::status::unimplemented: return theirs == dnnl_unimplemented;
    }
    return false;
}

/// Axis numbers as the array of twelve that the C API takes.
struct array_of {
    dnnl_dims_t numbers{};
    template <class Meaning>
    explicit array_of(const plait::detail::axis_numbers<Meaning>& from) {
        std::copy(from.begin(), from.end(), numbers);
    }
};

/// Returns the descriptor of a layout with elements of f32. The layout need not have passed a check.
///
/// Pre:     l is undefined, any, or blocked with is_blocking(l)
inline dnnl_memory_desc_t descriptor_of(const layout& l) {
    plait::detail::onednn_fields fields = plait::detail::fields_of(l);
    if (l.kind != plait::format_kind::undef) fields.data_type = dnnl_f32;
    return plait::detail::struct_of(fields);
}

inline dim_t block_of(const dnnl_memory_desc_t& d, int axis) {
    dim_t product = 1;
    for (int k = 0; k < d.format_desc.blocking.inner_nblks; ++k)
        if (d.format_desc.blocking.inner_idxs[k] == axis) product *= d.format_desc.blocking.inner_blks[k];
    return product;
}

/// True if both descriptors have the same fields. The strides of axes with one place are not compared (semantics 9).
inline bool same_fields(const dnnl_memory_desc_t& a, const dnnl_memory_desc_t& b) {
    if (a.ndims != b.ndims) return false;
    if (a.ndims == 0) return true;
    if (a.format_kind != b.format_kind || a.offset0 != b.offset0) return false;
    for (int axis = 0; axis < a.ndims; ++axis)
        if (a.dims[axis] != b.dims[axis] || a.padded_dims[axis] != b.padded_dims[axis] ||
            a.padded_offsets[axis] != b.padded_offsets[axis])
            return false;
    if (a.format_kind != dnnl_blocked) return true;
    const dnnl_blocking_desc_t &x = a.format_desc.blocking, &y = b.format_desc.blocking;
    if (x.inner_nblks != y.inner_nblks) return false;
    for (int k = 0; k < x.inner_nblks; ++k)
        if (x.inner_blks[k] != y.inner_blks[k] || x.inner_idxs[k] != y.inner_idxs[k]) return false;
    for (int axis = 0; axis < a.ndims; ++axis) {
        const bool counts = a.dims[axis] != 1 || a.padded_dims[axis] != 1;
        if (counts && x.strides[axis] != y.strides[axis]) return false;
    }
    return true;
}
inline bool same_fields(const layout& ours, const dnnl_memory_desc_t& theirs) {
    return (ours.kind != plait::format_kind::blocked || is_blocking(ours)) && same_fields(descriptor_of(ours), theirs);
}

/// Returns the offset of an element by oneDNN's formula: first the inner blocks, innermost first, then the strides.
inline dim_t offset_in(const dnnl_memory_desc_t& d, const plait::position& at) {
    dnnl_dims_t index{};
    for (int a = 0; a < d.ndims; ++a) index[a] = at[a] + d.padded_offsets[a];
    const dnnl_blocking_desc_t& blocking = d.format_desc.blocking;
    dim_t offset = d.offset0, inside = 1;
    for (int k = blocking.inner_nblks - 1; k >= 0; --k) {
        dim_t& i = index[blocking.inner_idxs[k]];
        offset += i % blocking.inner_blks[k] * inside;
        i /= blocking.inner_blks[k];
        inside *= blocking.inner_blks[k];
    }
    for (int a = 0; a < d.ndims; ++a) offset += index[a] * blocking.strides[a];
    return offset;
}

/// True if the descriptor determines the places of the elements: each block belongs to one of its axes.
inline bool is_usable(const dnnl_memory_desc_t& d) {
    for (int k = 0; k < d.format_desc.blocking.inner_nblks; ++k)
        if (d.format_desc.blocking.inner_idxs[k] >= d.ndims) return false;
    return true;
}

/// A tag that the installed oneDNN names.
struct named_tag {
    dnnl_format_tag_t number;
    plait::format_tag tag;
};
inline std::vector<named_tag> all_named_tags() {
    std::vector<named_tag> out;
    for (int i = dnnl_format_tag_undef + 2; i < dnnl_format_tag_last; ++i) {
        const auto number = static_cast<dnnl_format_tag_t>(i);
        const std::string name = dnnl_fmt_tag2str(number);
        if (const auto tag = plait::parse_format_tag(name)) out.push_back({number, *tag});
    }
    return out;
}

/// Returns a descriptor as text, with all its fields.
inline std::string to_text(const dnnl_memory_desc_t& d) {
    const auto list = [](const char* name, int size, const dim_t* numbers) {
        std::string out = std::string(" ") + name + " {";
        for (int i = 0; i < size; ++i)
            out += (i == 0 ? "" : ", ") + (numbers[i] == plait::dynamic ? "dynamic" : std::to_string(numbers[i]));
        return out + "}";
    };
    if (d.ndims == 0) return " empty";
    std::string out = d.format_kind == dnnl_blocked ? "" : " any";
    out += list("dims", d.ndims, d.dims) + list("padded", d.ndims, d.padded_dims);
    out += list("padded_offsets", d.ndims, d.padded_offsets) + " offset0 " + std::to_string(d.offset0);
    if (d.format_kind != dnnl_blocked) return out;
    const dnnl_blocking_desc_t& blocking = d.format_desc.blocking;
    return out + list("strides", d.ndims, blocking.strides) +
           list("blocks", blocking.inner_nblks, blocking.inner_blks) +
           list("of axes", blocking.inner_nblks, blocking.inner_idxs);
}

}  // namespace differential
