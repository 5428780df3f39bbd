#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/reshape.hpp>

namespace plait {

/// What extended_reshape may give up.
enum class reshape_flags : unsigned {
    none = 0,                    ///< nothing: it is reshape
    allow_order_mismatch = 1,    ///< the order of the elements within a joined group: the result has memory's
    allow_padding_mismatch = 2,  ///< the padding: a group that changes counts padded extents, which become logical
};
/// Both flags.
constexpr reshape_flags operator|(reshape_flags a, reshape_flags b) {
    return static_cast<reshape_flags>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
namespace detail {
/// Whether a flag is among the flags.
constexpr bool has_flag(reshape_flags flags, reshape_flags flag) {
    return (static_cast<unsigned>(flags) & static_cast<unsigned>(flag)) != 0;
}

/// What the flags let a reshape give up.
constexpr regroup_rules rules_of(reshape_flags flags) {
    return {.any_order = has_flag(flags, reshape_flags::allow_order_mismatch),
            .match_padding = has_flag(flags, reshape_flags::allow_padding_mismatch)};
}

/// The rule of extended_reshape.
struct extended_reshape_rule {
    static constexpr expected<layout> attempt(const layout& l, const dims& to, reshape_flags flags) {
        return regroup_to(l, to, rules_of(flags));
    }
    /// Dynamic entries of `to` stand, in order, for the values of the open extents.
    static constexpr expected<layout> attempt_open(const layout& open, const layout& now, const dims& to,
                                                   reshape_flags flags) {
        return attempt_filled(open, now, to, [&](const dims& filled_in) { return attempt(now, filled_in, flags); });
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Reshapes, and gives up the order of elements or the padding where the flags say so; the data stays where it is.
///
/// Refused: as check_reshape; with allow_order_mismatch, blocked axes and axes in another order only where the group is
/// not one contiguous chunk: group_is_not_contiguous
/// Pre:     check_extended_reshape(l, to, flags).ok()
/// Post:    flags none: == reshape(l, to). Otherwise each group that changes takes the same places in memory as before,
///          as one plain chunk, split row-major; with allow_padding_mismatch its padding becomes elements
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  seeds rfc-memory-descriptor-operations, 4.3
/// Example: examples/06_reshape.cpp
inline constexpr operation<detail::extended_reshape_rule> extended_reshape;
/// Whether extended_reshape is allowed, and what it is refused for.
inline constexpr operation_check<detail::extended_reshape_rule> check_extended_reshape;
/// The result of extended_reshape, or what it is refused for.
inline constexpr operation_attempt<detail::extended_reshape_rule> try_extended_reshape;

}  // namespace plait
