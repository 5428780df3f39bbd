#pragma once
// Reorders between layouts known only at run time; the element types are known at compile time.

#include <plait/reorder/make_reorder.hpp>
#include <plait/reorder/parallel_reorder.hpp>
#include <plait/reorder/permute_with_reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

namespace detail {
struct no_attributes {};
/// The attributes that a reorder of elements of type T takes: none if they are moved.
template <class T>
using attributes_of = std::conditional_t<element<T>, reorder_attributes, no_attributes>;
}  // namespace detail

/// Plans a reorder between layouts whose element types are known at compile time.
///
/// Refused: what check_reorder(src, dst, attributes) refuses; too_many_axes, if elements of 16 bytes that are no
///          numbers of plait have 12
template <class T, class U = T>
    requires(detail::reordered<T, U>)
expected<planned_reorder> make_reorder_of(const layout& src, const layout& dst,
                                          const detail::attributes_of<T>& attributes = {}) {
    const detail::measured_reorder measured = detail::measure_reorder(src, dst);
    if (!measured.why.ok()) return measured.why;
    if constexpr (!element<T>) {
        constexpr int units = detail::units_of(sizeof(T));
        const expected<layout> from = detail::layout_of_units(src, units), to = detail::layout_of_units(dst, units);
        if (!from) return from.error();
        if (!to) return to.error();
        return make_reorder_of<detail::carrier<T>>(*from, *to);
    } else {
        expected<planned_reorder> out;
        out.error() = check_attributes(attributes, dst.dims);
        if (!out) return out;
        descriptor from, to;  // filled in member by member, because the layouts are already checked
        from.type = data_type_of<T>;
        from.layout = src;
        to.type = data_type_of<U>;
        to.layout = dst;
        engine::compiled_once::plan(*out, from, to, attributes, measured.ends);
        return out;
    }
}

/// Does what reorder(src, in, dst, out, attributes) does, but returns a rejection instead of throwing it.
template <class T, class U>
    requires(detail::reordered<T, U>)
expected<void> try_reorder(const layout& src, const T* in, const layout& dst, U* out,
                           const detail::attributes_of<T>& attributes = {}) {
    const expected<planned_reorder> planned = make_reorder_of<T, U>(src, dst, attributes);
    return planned ? planned->attempt(in, out) : expected<void>{planned.error()};
}
/// Copies a tensor between layouts known only at run time. Partly static (bound) layouts convert to `layout`. Elements
/// that are no numbers of plait, such as std::int64_t, are moved byte for byte, and take no attributes.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); also refused, as for constant layouts: buffer_is_null,
///          spans_overlap
/// Post:    as reference_reorder(src, in, dst, out, attributes)
/// Cost:    plans at each call, which takes as long as make_reorder; checks each scale once; no allocation
/// Source:  spec semantics 11, 12
/// Example: examples/05_reorder.cpp
template <class T, class U>
    requires(detail::reordered<T, U>)
void reorder(const layout& src, const T* in, const layout& dst, U* out,
             const detail::attributes_of<T>& attributes = {}) {
    require(try_reorder(src, in, dst, out, attributes).error());
}

/// Does what reorder(threads, src, in, dst, out, attributes) does, but returns a rejection instead of throwing it.
/// Throws only what the executor throws.
template <executor E, class T, class U>
    requires(detail::reordered<T, U>)
expected<void> try_reorder(E&& threads, const layout& src, const T* in, const layout& dst, U* out,
                           const detail::attributes_of<T>& attributes = {}) {
    const expected<planned_reorder> planned = make_reorder_of<T, U>(src, dst, attributes);
    return planned ? planned->attempt(threads, in, out) : expected<void>{planned.error()};
}
/// Copies a tensor between layouts known only at run time on the threads of an executor. Conversions and attributes run
/// on the threads as well.
///
/// Pre:     as without an executor
/// Post:    as reorder(src, in, dst, out, attributes)
/// Cost:    plans once, on the calling thread; otherwise as the static form
/// Example: examples/09_threads.cpp
template <executor E, class T, class U>
    requires(detail::reordered<T, U>)
void reorder(E&& threads, const layout& src, const T* in, const layout& dst, U* out,
             const detail::attributes_of<T>& attributes = {}) {
    require(try_reorder(threads, src, in, dst, out, attributes).error());
}

/// Does what permute_with_reorder(src, in, p, wanted, out) does, but returns a rejection instead of throwing it.
template <element T, element U>
expected<void> try_permute_with_reorder(const layout& src, const T* in, const permutation& p, const format_tag& wanted,
                                        U* out) {
    const expected<layout> to = detail::make_permuted(src, p, wanted);
    return to ? try_reorder(permute_axes(src, p), in, *to, out) : expected<void>{to.error()};
}
/// Copies a tensor into the wanted format and moves axis i to place p[i]. All parameters are known only at run time; a
/// bound layout converts to `layout`.
///
/// Pre:     check_permute_with_reorder(src, p, wanted).ok(); also refused: buffer_is_null, spans_overlap
/// Post:    as the static form
/// Cost:    as the run-time reorder, which plans at each call
/// Source:  seeds rfc-memory-descriptor-operations, 4.2
/// Example: for src layout({1, 5, 4, 17}, "abcd"), p {0, 2, 3, 1}, wanted "aBcd8b": out is nChw8c of {1, 17, 5, 4}
template <element T, element U>
void permute_with_reorder(const layout& src, const T* in, const permutation& p, const format_tag& wanted, U* out) {
    require(try_permute_with_reorder(src, in, p, wanted, out).error());
}

}  // namespace plait
