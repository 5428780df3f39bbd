#pragma once
// The algebra on types: constants in, constants out. Each is the operation on the values, lifted; refusals end there.

#include <plait/algebra/matches_tag.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/typed/constants.hpp>

namespace plait {

template <layout L, permutation P>
[[nodiscard]] constexpr auto permute_axes(layout_constant<L>, permutation_constant<P>) {
    return layout_c<permute_axes(L, P)>;
}
template <layout L, permutation P>
[[nodiscard]] constexpr auto rename_axes(layout_constant<L>, permutation_constant<P>) {
    return layout_c<rename_axes(L, P)>;
}

/// A layout whose axes P can permute: asked before permute_axes becomes an error.
template <class L, permutation P>
concept permutable_by = layout_type<L> && check_permute_axes(L::value, P)
.ok();

/// A layout with the inner blocks and the strides of the tag.
template <class L, format_tag Tag>
concept matches = layout_type<L> && matches_tag(L::value, Tag);

}  // namespace plait
