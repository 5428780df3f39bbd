#pragma once
// Concepts that kernels use to constrain their layouts. If the operation would fail, the concept is false.

#include <plait/algebra/is_injective.hpp>
#include <plait/algebra/matches_tag.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/same_memory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/typed/named_layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A layout with the inner blocks and the strides of the tag. A bound layout must have them for all values of its
/// dynamic extents. The names of the axes do not matter: see with_axes.
template <class L, detail::tag_argument Tag>
concept matches = detail::known_layout_type<L> && matches_tag(detail::known_layout<L>, detail::tag_said(Tag));

/// A layout whose axes P can permute: if false, permute_axes by P does not compile.
template <class L, permutation P>
concept permutable_by = layout_type<L> && check_permute_axes(L::value, P)
.ok();

/// A layout that reshape can give the dims To.
template <class L, dims To>
concept reshapable_to = layout_type<L> && check_reshape(L::value, To)
.ok();

/// A layout that view can give the dims To: axes may have blocks, and may be in any order in memory.
template <class L, dims To>
concept viewable_as = layout_type<L> && check_view(L::value, To)
.ok();

/// A layout without gaps in which each padded element has its own place.
template <class L>
concept dense = layout_type<L> && check_layout(L::value)
.ok() && L::value.is_dense();

/// A layout in which no two padded elements share a place, so that it may be written to.
template <class L>
concept injective = layout_type<L> && check_layout(L::value)
.ok() && is_injective(L::value);

/// A layout with the same dims and offsets as another, even if the digits differ.
template <class A, class B>
concept same_memory_as = layout_type<A> && layout_type<B> && same_memory(A::value, B::value);

}  // namespace plait
