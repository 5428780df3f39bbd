#pragma once
// The rules for making layouts, of semantics 2 and 3, each stated once.

#include <plait/core/expected.hpp>
#include <plait/core/layout_value.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that the number of elements fits in 63 bits. A zero or dynamic extent counts as one.
constexpr verdict check_volume(const dims& extents) {
    dim_t product = 1;
    for (int a = 0, n = extents.size(); a < n; ++a) {
        const dim_t extent = extents.values[a], before = product;
        if (extent == 0 || extent == dynamic) continue;
        if (detail::multiply_overflows(before, extent, product)) return {reason::size_overflows, a, before, extent};
    }
    return {};
}

namespace detail {
/// The range of the digits of a layout, counted from offset0: from `begin`, negative if a stride is, to just below
/// `end`. The indices of a part of one block may cover less.
struct digits_reach {
    verdict why;
    dim_t end = 1, begin = 0;
};

/// Returns how far the digits reach, for any offset0. Fails with size_overflows.
constexpr digits_reach reach_from_offset0(const layout& l) {
    dim_t end = 1, front = 0;
    for (int k = l.digits.count - 1; k >= 0; --k) {
        const digit& d = l.digits.values[k];
        if (d.extent < 2 || d.stride == 0 || !is_known(d.stride)) continue;
        const dim_t step = d.stride < 0 ? -d.stride : d.stride;
        dim_t& reached = d.stride < 0 ? front : end;
        dim_t all = 0, both = 0;
        if (multiply_overflows(step, d.extent, all) || add_overflows(reached, all - step, reached) ||
            (front != 0 && add_overflows(end, front, both)))
            return {{reason::size_overflows, d.axis, d.stride, d.extent}};
    }
    return {{}, end, -front};
}

/// Returns the verdict for an offset0 below `least`: an axis with a negative stride would reach below offset 0.
constexpr verdict reaches_in_front(const layout& l, dim_t least) {
    const digit* d = l.digits.values;
    while (d->stride >= 0 || !is_known(d->stride) || d->extent < 2) ++d;
    return {reason::stride_is_negative, d->axis, d->stride, l.offset0, least};
}

/// Returns the verdict of check_bounds, and how far the digits reach.
constexpr digits_reach reach_of_digits(const layout& l) {
    digits_reach reach = reach_from_offset0(l);
    if (reach.begin < 0 && (l.offset0 < 0 || l.offset0 + reach.begin < 0))
        reach.why = reaches_in_front(l, -reach.begin);
    return reach;
}

/// Checks that each offset is at least 0 and fits in 63 bits. No more is required of any layout. A source may have
/// elements that share places (stride 0, overlapping windows) or interleave, and may have negative strides. Only a
/// destination needs a place for each element: check_unique_places.
///
/// Unknown strides, and those of digits with fewer than two values, do not count.
///
/// Refused: stride_is_negative (the stride, offset0, the least valid offset0), size_overflows (stride and extent)
/// Source:  seeds spec-memory-formats
constexpr verdict check_bounds(const layout& l) { return reach_of_digits(l).why; }

/// Pads each axis to whole blocks and adds its digits. The outer ones do not have a stride yet.
constexpr expected<layout> begin_layout(const dims& extents, const format_tag& tag) {
    layout l;
    for (int a = 0; a < extents.size(); ++a)
        if (extents[a] < 0 && extents[a] != dynamic) return verdict{reason::dim_is_negative, a, extents[a], 0};
    if (tag.kind == format_kind::undef) return {l, {}};
    l.kind = tag.kind;
    l.dims = extents;
    l.padded_dims = extents;
    for (int a = 0; a < extents.size(); ++a) l.padded_offsets.push_back(0);
    if (tag.kind == format_kind::any) {
        for (int a = 0; a < extents.size(); ++a)
            if (extents[a] == dynamic) return verdict{reason::layout_is_any, a, 0, 0};
        return {l, check_volume(l.dims)};
    }
    if (extents.size() != tag.ndims())
        return detail::ranks_differ(detail::counted::format_tag, tag.ndims(), detail::counted::extents, extents.size());
    for (int a = 0; a < extents.size(); ++a) {
        const dim_t block = tag.block_size(a);
        const dim_t outer = extents[a] == dynamic ? dynamic : divide_up(extents[a], block);
        if (outer != dynamic) {
            const checked_integer padded = checked_integer{outer} * block;
            if (!padded.ok()) return verdict{reason::size_overflows, a, outer, block};
            l.padded_dims[a] = padded.value;
        }
        l.digits.push_back({a, outer, dynamic});
    }
    // The inner blocks are dense: the stride of each is the product of those inside it.
    for (const inner_block& block : tag.blocks) l.digits.push_back({block.axis, block.size, 1});
    for (int k = l.digits.size() - 2; k >= l.ndims(); --k)
        l.digits[k].stride = l.digits[k + 1].stride * l.digits[k + 1].extent;
    return {l, check_volume(l.padded_dims)};
}

/// Returns the product of all inner blocks: the smallest stride of an outer digit of a dense layout, in elements.
constexpr dim_t inner_volume(const layout& l) {
    dim_t product = 1;
    for (int k = l.ndims(); k < l.digits.size(); ++k) product *= l.digits[k].extent;
    return product;
}

/// Assigns the strides of a dense layout, from the innermost axis of the order outwards. A zero extent counts as one.
constexpr verdict make_dense(layout& l, const inline_list<int, max_ndims>& order) {
    checked_integer stride{inner_volume(l)};
    dim_t unknown = 0;  // nonzero after a dynamic extent: the link for the next stride
    for (int k = order.size() - 1; k >= 0; --k) {
        digit& d = l.digits[order[k]];
        d.stride = unknown != 0 ? unknown : stride.value;
        // An axis of extent 1 adds nothing, so no digit links to it: equal layouts have equal links.
        if (d.extent == dynamic || (unknown != 0 && d.extent != 1)) unknown = outside(d.axis);
        else if (d.extent != 0) stride *= d.extent;
        if (!stride.ok()) return {reason::size_overflows, d.axis, d.stride, d.extent};
    }
    return {};
}

constexpr expected<layout> make_layout(const dims& extents, const format_tag& tag) {
    expected<layout> out = begin_layout(extents, tag);
    if (out.has_value() && out->kind == format_kind::blocked) out.error() = make_dense(*out, tag.axes);
    return out;
}

constexpr expected<layout> make_layout(const dims& extents, const format_tag& tag, const strides& steps) {
    expected<layout> out = begin_layout(extents, tag);
    if (!out) return out;
    if (extents.size() != steps.size())
        return detail::ranks_differ(detail::counted::strides, steps.size(), detail::counted::extents, extents.size());
    if (out->kind != format_kind::blocked) {
        const bool any = out->kind == format_kind::any;
        return {{}, {any ? reason::layout_is_any : reason::layout_is_undefined}};
    }
    for (int a = 0; a < steps.size(); ++a) {
        // Even where every stride is valid, the values that encode "not known" are not.
        if (is_outside(steps[a])) return verdict{reason::stride_is_negative, a, steps[a], 0};
        out->digits[a].stride = steps[a];
    }
    const digits_reach reach = reach_from_offset0(*out);
    out.error() = reach.why;
    out->offset0 = -reach.begin;
    return out;
}

/// Returns the tag of an unblocked layout. Its order does not matter if strides are given.
constexpr format_tag plain_tag(int ndims) {
    format_tag tag;
    if (ndims > 0) tag.kind = format_kind::blocked;
    for (int a = 0; a < ndims; ++a) tag.axes.push_back(a);
    return tag;
}

/// Returns the dense row-major layout, which numbers the indices of the extents, the last axis fastest.
constexpr expected<layout> identity_of(const dims& extents) { return make_layout(extents, plain_tag(extents.size())); }

constexpr expected<layout> make_layout(const dims& extents, const strides& steps) {
    if (extents.empty() && steps.empty()) return {};
    return make_layout(extents, plain_tag(extents.size()), steps);
}

/// Makes a layout from a tag that is text known only at run time.
constexpr expected<layout> read_layout(const dims& extents, std::string_view tag) {
    const expected<format_tag> read = parse_format_tag(tag);
    return read ? make_layout(extents, *read) : expected<layout>{{}, read.error()};
}
constexpr expected<layout> read_layout(const dims& extents, std::string_view tag, const strides& steps) {
    const expected<format_tag> read = parse_format_tag(tag);
    return read ? make_layout(extents, *read, steps) : expected<layout>{{}, read.error()};
}
}  // namespace detail

constexpr layout::layout(const plait::dims& extents, const format_tag& tag) {
    const expected<layout> attempt = detail::make_layout(extents, tag);
    require(attempt.error());
    *this = *attempt;
}
constexpr layout::layout(const plait::dims& extents, const plait::strides& steps) {
    const expected<layout> attempt = detail::make_layout(extents, steps);
    require(attempt.error());
    *this = *attempt;
}
constexpr layout::layout(const plait::dims& extents, const format_tag& tag, const plait::strides& steps) {
    const expected<layout> attempt = detail::make_layout(extents, tag, steps);
    require(attempt.error());
    *this = *attempt;
}

template <detail::tag_text Text>
constexpr layout::layout(const plait::dims& extents, const Text& tag) {
    const expected<layout> attempt = detail::read_layout(extents, detail::text_of(tag));
    require(attempt.error());
    *this = *attempt;
}
template <detail::tag_text Text>
constexpr layout::layout(const plait::dims& extents, const Text& tag, const plait::strides& steps) {
    const expected<layout> attempt = detail::read_layout(extents, detail::text_of(tag), steps);
    require(attempt.error());
    *this = *attempt;
}

/// Returns the layout that the constructor with these arguments makes, or the verdict of check_layout.
///
/// Pre:     that of check_layout(arguments...)
/// Post:    *try_layout(arguments...) == layout(arguments...) if check_layout(arguments...).ok()
/// Cost:    that of the constructor
/// Source:  spec semantics 2 and 3
/// Example: try_layout({2, 17}, "aB16b")->padded_dims == dims{2, 32}; try_layout({2, -1}, "ab") has no value
[[nodiscard]] constexpr expected<layout> try_layout(const dims& extents, const format_tag& tag) {
    return detail::make_layout(extents, tag);
}
[[nodiscard]] constexpr expected<layout> try_layout(const dims& extents, const strides& steps) {
    return detail::make_layout(extents, steps);
}
[[nodiscard]] constexpr expected<layout> try_layout(const dims& extents, const format_tag& tag, const strides& steps) {
    return detail::make_layout(extents, tag, steps);
}
template <detail::tag_text Text>
[[nodiscard]] constexpr expected<layout> try_layout(const dims& extents, const Text& tag) {
    return detail::read_layout(extents, detail::text_of(tag));
}
template <detail::tag_text Text>
[[nodiscard]] constexpr expected<layout> try_layout(const dims& extents, const Text& tag, const strides& steps) {
    return detail::read_layout(extents, detail::text_of(tag), steps);
}

/// Checks that the constructor with these arguments succeeds. Fails with rank_differs, dim_is_negative, size_overflows,
/// layout_is_any; strides also with stride_is_negative ("not known"), run-time text also as check_format_tag does.
///
/// Pre:     none: any extents and strides, in elements. A tag must be made from text, not assembled by hand
/// Post:    check_layout(arguments...).ok() == try_layout(arguments...).has_value()
/// Cost:    O(ndims + blocks) steps
/// Source:  spec semantics 2 and 3
/// Example: examples/02_refusals.cpp
constexpr verdict check_layout(const dims& extents, const format_tag& tag) { return try_layout(extents, tag).error(); }
constexpr verdict check_layout(const dims& extents, const strides& steps) { return try_layout(extents, steps).error(); }
constexpr verdict check_layout(const dims& extents, const format_tag& tag, const strides& steps) {
    return try_layout(extents, tag, steps).error();
}
template <detail::tag_text Text>
constexpr verdict check_layout(const dims& extents, const Text& tag) {
    return try_layout(extents, tag).error();
}
template <detail::tag_text Text>
constexpr verdict check_layout(const dims& extents, const Text& tag, const strides& steps) {
    return try_layout(extents, tag, steps).error();
}

}  // namespace plait
