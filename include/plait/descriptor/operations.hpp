#pragma once
// The algebra on descriptors: applies any operation to the layout of a descriptor. Each operation has four forms:
// - NAME(d, ...) throws if it fails
// - try_NAME(d, ...) returns an expected
// - check_NAME(d, ...) returns the verdict
// - NAME(out, in, ...) returns the verdict and never throws; if it fails, `out` is unchanged; `out` may be `in`

#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/descriptor/lift.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
template <>
inline constexpr bool is_stored_in_place<descriptor> = true;
}  // namespace detail

/// Applies an operation to a descriptor; the type is kept, and the rule decides about compensation.
///
/// Refused: as check_descriptor; as on layouts; descriptor_has_extra; size_overflows (in bytes)
/// Post:    result->layout == NAME(d.layout, arguments...), result->type == d.type
/// Cost:    the operation on layouts, and check_descriptor
template <class Rule, class... Arguments>
    requires(detail::makes_layout_with<Rule, Arguments...>)
constexpr expected<descriptor> attempt_on(const descriptor& d, operation<Rule>, const Arguments&... arguments) {
    if (const verdict why = check_descriptor(d); !why.ok()) return why;
    expected<descriptor> out =
        detail::with_made_layout(d, d.type, detail::sums_of<Rule>, Rule::attempt(d.layout, arguments...));
    if (!out || detail::sums_of<Rule> != sums_rule::keep) return out;
    const permutation to = detail::order_after(detail::axes_after<Rule>(d.ndims(), arguments...), d.ndims());
    out.error() = detail::check_permuted_sums(d.layout, d.extra, to);
    out->extra = detail::permuted_extra(d.extra, to);
    return out;
}

/// Applies an operation to two descriptors of one type, neither of which has compensation.
///
/// Refused: also data_types_differ, and the failures of either descriptor
template <class Rule, class... Arguments>
    requires(detail::takes_two_operands<Rule>)
constexpr expected<descriptor> attempt_on(const descriptor& d, operation<Rule> operation, const descriptor& other,
                                          const Arguments&... arguments) {
    if (const verdict why = check_descriptor(other); !why.ok()) return why;
    if (!other.extra.empty()) return verdict{reason::descriptor_has_extra};
    if (d.type != other.type)
        return verdict{reason::data_types_differ, -1, static_cast<dim_t>(d.type), static_cast<dim_t>(other.type)};
    return attempt_on(d, operation, other.layout, arguments...);
}

}  // namespace plait
