#pragma once
// Converts between plait::descriptor and plait_memory_desc_t; what one of them cannot express is refused.

#include "refusal.hpp"

#include <plait/descriptor/descriptor.hpp>

#include <cstddef>
#include <type_traits>

namespace plait::c {

// The struct has the same layout for every compiler: no holes, nothing that a later version would have to move.
static_assert(std::is_trivial_v<plait_memory_desc_t> && std::is_standard_layout_v<plait_memory_desc_t>);
static_assert(sizeof(plait_blocking_desc_t) == 96 + 2 * 184 + 92 + 4 && sizeof(plait_memory_extra_desc_t) == 72);
static_assert(offsetof(plait_memory_desc_t, blocking) == 16 + 3 * 96 + 8);
static_assert(sizeof(plait_memory_desc_t) == 312 + 560 + 72 + 64);
static_assert(PLAIT_MAX_NDIMS == max_ndims && PLAIT_MAX_INNER_BLOCKS == max_digits - 1);
// Enumerators have the same numbers in both, so that checks can report them; structure.element_types compares the
// types.
static_assert(PLAIT_FORMAT_KIND_UNDEF == static_cast<int>(format_kind::undef) &&
              PLAIT_FORMAT_KIND_ANY == static_cast<int>(format_kind::any) &&
              PLAIT_FORMAT_KIND_BLOCKED == static_cast<int>(format_kind::blocked) &&
              PLAIT_FORMAT_KIND_OPAQUE == static_cast<int>(format_kind::opaque));

constexpr std::uint64_t known_flags =
    PLAIT_EXTRA_COMPENSATION_S8S8 | PLAIT_EXTRA_SCALE_ADJUST | PLAIT_EXTRA_COMPENSATION_ASYMMETRIC_SOURCE;

template <class Number, std::size_t Size>
bool all_zero(const Number (&numbers)[Size]) {
    for (const Number number : numbers)
        if (number != 0) return false;
    return true;
}

/// Reads the digits of a blocked C descriptor. The number of outer blocks of an axis follows from its padded extent.
///
/// Pre:     l has the dims and padded_dims of `from`, whose counts are in range
inline void read_digits(layout& l, const plait_memory_desc_t& from) {
    const plait_blocking_desc_t& blocking = from.blocking;
    for (int a = 0; a < from.ndims; ++a) {
        dim_t block = 1;
        for (int k = 0; k < blocking.inner_nblks; ++k)
            // If a block is not positive or their product overflows, any value will do: check_layout refuses it.
            if (blocking.inner_idxs[k] == a && blocking.inner_blks[k] > 0)
                if (__builtin_mul_overflow(block, blocking.inner_blks[k], &block)) block = INT64_MAX;
        const dim_t padded = l.padded_dims[a];
        const dim_t outer = padded < 0 ? padded : padded / block + (padded % block != 0 ? 1 : 0);
        l.digits.push_back({a, outer, blocking.strides[a]});
    }
    for (int k = 0; k < blocking.inner_nblks; ++k)
        l.digits.push_back({blocking.inner_idxs[k], blocking.inner_blks[k], blocking.inner_strides[k]});
}

inline outcome read_extra(extra& out, const plait_memory_extra_desc_t& from, const char* name) {
    if ((from.flags & ~known_flags) != 0)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "extra_flag_is_unknown: %s has the extra flags %#llx, of which %#llx are known", name,
                      static_cast<unsigned long long>(from.flags), static_cast<unsigned long long>(known_flags));
    if (!all_zero(from.reserved))
        return refuse(PLAIT_INVALID_ARGUMENTS, "reserved_is_not_zero: %s has numbers in extra.reserved", name);
    out.s8s8_compensation = (from.flags & PLAIT_EXTRA_COMPENSATION_S8S8) != 0;
    out.asymmetric_source_compensation = (from.flags & PLAIT_EXTRA_COMPENSATION_ASYMMETRIC_SOURCE) != 0;
    out.s8s8_mask = from.compensation_mask;
    out.asymmetric_source_mask = from.asymmetric_source_mask;
    if ((from.flags & PLAIT_EXTRA_SCALE_ADJUST) != 0) out.scale_adjust = from.scale_adjust;
    else if (!(from.scale_adjust == 0 || from.scale_adjust == 1))
        return refuse(PLAIT_INVALID_ARGUMENTS, "scale_adjust_has_no_flag: %s has scale_adjust %g, but not its flag",
                      name, static_cast<double>(from.scale_adjust));
    return {};
}

/// Reads a C descriptor and checks it. Whatever it contains, only its own fields are read.
inline outcome read_descriptor(descriptor& out, const plait_memory_desc_t* pointer, const char* name) {
    if (const outcome step = check_pointer(pointer, name); !step) return step;
    const plait_memory_desc_t from = *pointer;  // one copy, even if other threads write to it
    if (from.version != PLAIT_MEMORY_DESC_VERSION)
        return refuse(PLAIT_INVALID_ARGUMENTS, "version_is_unknown: %s has version %d, where this library reads %d",
                      name, from.version, PLAIT_MEMORY_DESC_VERSION);
    if (!all_zero(from.reserved))
        return refuse(PLAIT_INVALID_ARGUMENTS, "reserved_is_not_zero: %s has numbers in reserved", name);
    if (from.ndims < 0 || from.ndims > max_ndims)
        return refuse(PLAIT_INVALID_ARGUMENTS, "ndims_is_out_of_range: %s has %d axes, but a layout has at most %d",
                      name, from.ndims, max_ndims);
    if (from.format_kind < PLAIT_FORMAT_KIND_UNDEF || from.format_kind > PLAIT_FORMAT_KIND_OPAQUE)
        return refuse(PLAIT_INVALID_ARGUMENTS, "format_kind_is_unknown: %s has format kind number %d", name,
                      from.format_kind);
    if (from.data_type < PLAIT_UNDEF || from.data_type >= detail::element_type_count)
        return refuse(PLAIT_INVALID_ARGUMENTS, "data_type_is_unknown: %s has data type number %d", name,
                      from.data_type);
    descriptor made;
    made.type = static_cast<data_type>(from.data_type);
    made.layout.kind = static_cast<format_kind>(from.format_kind);
    for (int a = 0; a < from.ndims; ++a) {
        made.layout.dims.push_back(from.dims[a]);
        made.layout.padded_dims.push_back(from.padded_dims[a]);
        made.layout.padded_offsets.push_back(from.padded_offsets[a]);
    }
    made.layout.offset0 = from.offset0;
    if (from.format_kind == PLAIT_FORMAT_KIND_BLOCKED) {
        // Without axes there is no room for blocks, although a layout has more digits than the struct has inner blocks.
        const int inner = from.blocking.inner_nblks, most = from.ndims == 0 ? 0 : max_digits - from.ndims;
        if (inner < 0 || inner > most)
            return refuse(
                PLAIT_INVALID_ARGUMENTS,
                "inner_nblks_is_out_of_range: %s has %d inner blocks, but beside %d axes there are at most %d", name,
                inner, from.ndims, most);
        read_digits(made.layout, from);
    }
    if (const outcome step = read_extra(made.extra, from.extra, name); !step) return step;
    if (const outcome step = answer(check_descriptor(made), name); !step) return step;
    out = made;
    return {};
}

/// Writes a descriptor as a C descriptor; what that cannot express is refused.
inline outcome write_descriptor(plait_memory_desc_t* pointer, const descriptor& d) {
    if (const outcome step = answer(check_descriptor(d)); !step) return step;
    plait_memory_desc_t out{};
    out.version = PLAIT_MEMORY_DESC_VERSION;
    out.ndims = d.ndims();
    out.data_type = static_cast<plait_data_type_t>(d.type);
    out.format_kind = static_cast<plait_format_kind_t>(d.layout.kind);
    out.offset0 = d.layout.offset0;
    for (int a = 0; a < d.ndims(); ++a) {
        out.dims[a] = d.layout.dims[a];
        out.padded_dims[a] = d.layout.padded_dims[a];
        out.padded_offsets[a] = d.layout.padded_offsets[a];
    }
    if (d.layout.kind == format_kind::blocked) {
        // Uses the digits instead of strides(), so that a stride that follows from another axis is kept as it is.
        for (int a = 0; a < d.ndims(); ++a) out.blocking.strides[a] = d.layout.digits[a].stride;
        for (int k = d.ndims(); k < d.layout.digits.size(); ++k) {
            const int block = out.blocking.inner_nblks++;
            out.blocking.inner_idxs[block] = d.layout.digits[k].axis;
            out.blocking.inner_blks[block] = d.layout.digits[k].extent;
            out.blocking.inner_strides[block] = d.layout.digits[k].stride;
        }
        layout back = d.layout;
        back.digits = {};
        read_digits(back, out);
        // An axis without elements may have one outer block, which cannot be read back: its padded extent gives none.
        if (back.digits != d.layout.digits)
            return refuse(PLAIT_UNIMPLEMENTED, "layout_is_not_held: the outer blocks do not follow from padded_dims");
    }
    const extra& besides = d.extra;
    out.extra.compensation_mask = besides.s8s8_mask;
    out.extra.asymmetric_source_mask = besides.asymmetric_source_mask;
    out.extra.scale_adjust = besides.scale_adjust;
    if (besides.s8s8_compensation) out.extra.flags |= PLAIT_EXTRA_COMPENSATION_S8S8;
    if (besides.asymmetric_source_compensation) out.extra.flags |= PLAIT_EXTRA_COMPENSATION_ASYMMETRIC_SOURCE;
    if (besides.scale_adjust != 1) out.extra.flags |= PLAIT_EXTRA_SCALE_ADJUST;
    *pointer = out;
    return {};
}

}  // namespace plait::c
