#pragma once
// Permuting the axes of a tensor into a format of the caller's choice: the axes are permuted, then the data is moved.

#include <plait/algebra/permute_axes.hpp>
#include <plait/reorder/reorder.hpp>

namespace plait {
namespace detail {
/// The layout of what permute_with_reorder writes, or why there is none.
constexpr expected<layout> make_permuted(const layout& src, const permutation& p, const format_tag& wanted) {
    if (const verdict why = check_permute_axes(src, p); !why.ok()) return why;
    const layout permuted = permute_axes(src, p);
    expected<layout> out = make_layout(permuted.dims, wanted);
    if (out.has_value()) out.error() = check_reorder(permuted, *out);
    return out;
}
}  // namespace detail

/// Whether a tensor can be permuted into the wanted format.
///
/// Refused: as check_permute_axes, check_layout(the permuted dims, wanted) and check_reorder
constexpr verdict check_permute_with_reorder(const layout& src, const permutation& p, const format_tag& wanted) {
    return detail::make_permuted(src, p, wanted).error();
}

/// The layout of what permute_with_reorder writes: the permuted dims in the wanted format. Its element_span() is what
/// to allocate.
///
/// Pre:     check_permute_with_reorder(src, p, wanted).ok()
/// Post:    result == layout(permute_axes(src, p).dims, wanted)
[[nodiscard]] constexpr layout permuted_layout(const layout& src, const permutation& p, const format_tag& wanted) {
    const expected<layout> attempt = detail::make_permuted(src, p, wanted);
    require(attempt.error());
    return *attempt;
}

/// Copies a tensor with its axes permuted, axis i to place P[i], into the wanted format.
///
/// Offsets count from `in` and `out`, in elements. Refused where the compiler sees it: check_permute_with_reorder; at
/// run time: buffer_is_null, spans_overlap, as in reorder.
///
/// Pre:     check_permute_with_reorder(Src, P, Wanted).ok()
/// Post:    out[to.offset(permute_axes(p, P))] == convert<U>(in[Src.offset(p)]) for every position p, where to is
///          permuted_layout(Src, P, Wanted); padding of it is 0
/// Cost:    as reorder<permute_axes(Src, P), to>, which it is
/// Source:  seeds rfc-memory-descriptor-operations, 4.2
/// Example: permute_with_reorder<layout({3, 2}, "ab"), permutation{1, 0}, "ab">(in, out), which transposes
template <layout Src, permutation P, format_tag Wanted, element T, element U>
void permute_with_reorder(const T* in, U* out) {
    if constexpr (!allowed<check_permute_with_reorder(Src, P, Wanted)>) {
        return;  // behind one error, which says why
    } else {
        reorder<permute_axes(Src, P), permuted_layout(Src, P, Wanted)>(in, out);
    }
}
/// permute_with_reorder<Src, P, Wanted>(in, out), or what is refused at run time; throws nothing.
template <layout Src, permutation P, format_tag Wanted, element T, element U>
expected<void> try_permute_with_reorder(const T* in, U* out) noexcept {
    if constexpr (!allowed<check_permute_with_reorder(Src, P, Wanted)>) {
        return {};  // behind one error, which says why
    } else {
        return try_reorder<permute_axes(Src, P), permuted_layout(Src, P, Wanted)>(in, out);
    }
}

}  // namespace plait
