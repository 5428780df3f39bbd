#pragma once
// All operations of the algebra, each with its name: for tests, language bindings, and tools. rearrange also takes a
// pattern as a template argument, so it is a function: algebra/rearrange.hpp.

#include <plait/algebra/axis_map.hpp>
#include <plait/algebra/bind.hpp>
#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/canonical_form.hpp>
#include <plait/algebra/complement.hpp>
#include <plait/algebra/compose.hpp>
#include <plait/algebra/concatenate.hpp>
#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/divide.hpp>
#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/forget_padding.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/algebra/join_axes.hpp>
#include <plait/algebra/left_inverse.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/repeat.hpp>
#include <plait/algebra/reshape.hpp>
#include <plait/algebra/right_inverse.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/split_axis.hpp>
#include <plait/algebra/strided_slice.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/algebra/view.hpp>
#include <plait/algebra/with_strides.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Calls `action` with the name and the object of each operation of the algebra, in alphabetical order.
///
/// Pre:     none
/// Post:    action has been called once for each `inline constexpr operation<...>` of algebra/
/// Cost:    that of the action
/// Source:  plait's own
/// Example: for_each_operation([](const char* name, auto operation) { ... });
template <class Action>
constexpr void for_each_operation(Action&& action) {
    action("adapt", adapt);
    action("bind", bind);
    action("broadcast_axis", broadcast_axis);
    action("canonical_form", canonical_form);
    action("complement", complement);
    action("compose", compose);
    action("concatenate", concatenate);
    action("concatenate_along", concatenate_along);
    action("divide", divide);
    action("extended_reshape", extended_reshape);
    action("flatten", flatten);
    action("forget_padding", forget_padding);
    action("inverse", inverse);
    action("join_axes", join_axes);
    action("left_inverse", left_inverse);
    action("permute_axes", permute_axes);
    action("product", product);
    action("rename_axes", rename_axes);
    action("repeat", repeat);
    action("reshape", reshape);
    action("right_inverse", right_inverse);
    action("slice", slice);
    action("split_axis", split_axis);
    action("strided_slice", strided_slice);
    action("submemory", submemory);
    action("tile", tile);
    action("view", view);
    action("with_strides", with_strides);
}

}  // namespace plait
