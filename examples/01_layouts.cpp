// A layout maps the position of each element of a tensor to its place in memory. It is a value: build it, query it,
// compare it.

#include <plait/plait.hpp>

#include <iostream>

using plait::dims, plait::layout, plait::position, plait::strides;

// Layouts from a format tag. The lower-case letters are the axes in the order of memory, outermost first.
constexpr layout nchw({2, 17, 5, 4}, "nchw");
constexpr layout nhwc({2, 17, 5, 4}, "nhwc");
static_assert(nchw.strides() == strides{340, 20, 4, 1});
static_assert(nhwc.offset(1, 16, 2, 3) == 1 * 340 + 2 * 68 + 3 * 17 + 16);

// An upper-case letter is an axis that is split into blocks: 17 channels in blocks of 8, padded to 24.
constexpr layout blocked({2, 17, 5, 4}, "nChw8c");
static_assert(blocked.padded_dims == dims{2, 24, 5, 4});
static_assert(blocked.element_span() == 2 * 24 * 5 * 4);

// Layouts from strides, and from a tag with the strides between its outermost blocks.
constexpr layout matrix({3, 4}, strides{6, 1});
static_assert(!matrix.is_dense() && matrix.element_span() == 2 * 6 + 3 + 1);
constexpr layout apart({2, 17, 5, 4}, "nChw8c", strides{1000, 160, 32, 8});
static_assert(plait::matches_tag(apart, "nChw8c", {-1, 160, 32, 8}));

// position_of returns the element at an offset, or nothing if there is padding or a gap.
static_assert(plait::position_of(blocked, blocked.offset(1, 16, 2, 3)) == position{1, 16, 2, 3});
static_assert(!plait::position_of(blocked, blocked.padded_offset(1, 17, 2, 3)));

// Axis names of your own.
using attention = plait::axis_names<"bhsd">;
constexpr layout heads({2, 8, 128, 64}, attention::tag("bshd"));
static_assert(heads == layout({2, 8, 128, 64}, "acbd"));

int main() { std::cout << plait::explain(blocked) << '\n' << apart << '\n' << heads << '\n'; }
