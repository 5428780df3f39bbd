#pragma once
// Permutes the axes of a tensor and writes it in a format of the caller's choice.

#include <plait/algebra/permute_axes.hpp>
#include <plait/reorder/reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the layout that permute_with_reorder writes, or the reason why there is none.
constexpr expected<layout> make_permuted(const layout& src, const permutation& p, const format_tag& wanted) {
    if (const verdict why = check_permute_axes(src, p); !why.ok()) return why;
    const layout permuted = permute_axes(src, p);
    expected<layout> out = make_layout(permuted.dims, wanted);
    if (out.has_value()) out.error() = check_reorder(permuted, *out);
    return out;
}
}  // namespace detail

/// Checks that a tensor can be permuted into the wanted format.
///
/// Refused: what check_permute_axes, check_layout(the permuted dims, wanted) and check_reorder refuse
constexpr verdict check_permute_with_reorder(const layout& src, const permutation& p, const format_tag& wanted) {
    return detail::make_permuted(src, p, wanted).error();
}

/// Returns the layout that permute_with_reorder writes: the permuted dims in the wanted format. Allocate its
/// element_span().
///
/// Pre:     check_permute_with_reorder(src, p, wanted).ok()
/// Post:    result == layout(permute_axes(src, p).dims, wanted)
[[nodiscard]] constexpr layout permuted_layout(const layout& src, const permutation& p, const format_tag& wanted) {
    return detail::make_permuted(src, p, wanted).value();
}

/// Copies a tensor into the wanted format and moves axis i to place P[i].
///
/// Offsets are in elements and count from `in` and `out`. Refused at compile time: what check_permute_with_reorder
/// refuses. Refused at run time, as in reorder: buffer_is_null, spans_overlap.
///
/// Pre:     check_permute_with_reorder(Src, P, Wanted).ok()
/// Post:    out[to.offset(permute_axes(p, P))] == convert<U>(in[Src.offset(p)]) for every position p, where to is
///          permuted_layout(Src, P, Wanted); padding of it is 0
/// Cost:    as reorder<permute_axes(Src, P), to>, which it calls
/// Source:  seeds rfc-memory-descriptor-operations, 4.2
/// Example: permute_with_reorder<layout({3, 2}, "ab"), permutation{1, 0}, "ab">(in, out), which transposes
template <layout Src, permutation P, format_tag Wanted, element T, element U>
void permute_with_reorder(const T* in, U* out) {
    if constexpr (!allowed<check_permute_with_reorder(Src, P, Wanted)>) {
        return;  // after the one error of allowed: no further errors
    } else {
        reorder<permute_axes(Src, P), permuted_layout(Src, P, Wanted)>(in, out);
    }
}
/// Does what permute_with_reorder<Src, P, Wanted>(in, out) does, but returns a rejection at run time instead of
/// throwing it.
template <layout Src, permutation P, format_tag Wanted, element T, element U>
expected<void> try_permute_with_reorder(const T* in, U* out) noexcept {
    if constexpr (!allowed<check_permute_with_reorder(Src, P, Wanted)>) {
        return {};  // after the one error of allowed: no further errors
    } else {
        return try_reorder<permute_axes(Src, P), permuted_layout(Src, P, Wanted)>(in, out);
    }
}
// Text that is no tag: the compiler prints the reason.
template <layout Src, permutation P, detail::refused_tag Wanted, class In, class Out>
    requires(!Wanted.why.ok())
void permute_with_reorder(const In&, const Out&) { static_cast<void>(allowed<Wanted.why>); }
template <layout Src, permutation P, detail::refused_tag Wanted, class In, class Out>
    requires(!Wanted.why.ok())
expected<void> try_permute_with_reorder(const In&, const Out&) {
    static_cast<void>(allowed<Wanted.why>);
    return {};
}

}  // namespace plait
