// Reshaping changes the axes and moves no data; if no layout can express the result, the reshape fails.

#include <plait/plait.hpp>

#include <iostream>

using plait::layout, plait::reshape, plait::view, plait::reason, plait::verdict;

// 1. Axes are split and joined. Each element keeps its row-major number.
constexpr layout image({2, 16, 28, 28}, "nchw");
constexpr layout rows = reshape(image, {2, 16, 784});
static_assert(rows == layout({2, 16, 784}, "abc"));
static_assert(rows.linear_offset(1234) == image.linear_offset(1234));

// 2. Axes of one element can be added and removed, even if other axes have blocks or padding.
constexpr layout blocked({2, 17, 28, 28}, "nChw16c");
static_assert(reshape(blocked, {2, 17, 1, 28, 28}) == layout({2, 17, 1, 28, 28}, "nCdhw16c"));
static_assert(reshape(layout({64}, "a"), {1, 64, 1, 1}) == layout({1, 64, 1, 1}, "nchw"));

// 3. reshape cannot join axes that do not follow each other in memory (channels are innermost here), nor blocked ones.
constexpr layout nhwc({2, 16, 28, 28}, "nhwc");
static_assert(plait::check_reshape(nhwc, {2, 16 * 784}) == verdict{reason::joined_axes_do_not_chain, 1, 1, 12544});
static_assert(plait::check_reshape(blocked, {34, 784}) == verdict{reason::axis_is_blocked, 1, 16, 17});

// 4. view can do every reshape that needs no copy: it also splits and joins axes with blocks, in any order of memory.
constexpr layout seen = view(nhwc, {2, 16 * 784});
static_assert(seen.linear_offset(1234) == nhwc.linear_offset(1234));
static_assert(view(layout({2, 32, 7}, "nCw16c"), {2, 2, 16, 7}) == layout({2, 2, 16, 7}, "abdc"));

// 5. If an extent does not divide a digit, the verdict contains the nearest extent that does: rows of 9 cannot be cut
//    into rows of 6, but into rows of 3.
constexpr verdict cut = plait::check_view(layout({2, 9}, "ba"), {3, 6});
static_assert(cut == verdict{reason::extents_do_not_divide, 1, 9, 6, 3});
static_assert(plait::check_view(layout({2, 9}, "ba"), {6, cut.third}).ok());

// 6. join_axes, split_axis and flatten take the numbers of the axes, so the extents of other axes may be dynamic.
constexpr layout batch({plait::dynamic, 16, 28, 28}, "nchw");
static_assert(plait::join_axes(batch, 2, 3) == layout({plait::dynamic, 16, 784}, "abc"));
static_assert(plait::split_axis(batch, 1, {4, 4}) == layout({plait::dynamic, 4, 4, 28, 28}, "abcde"));
static_assert(plait::flatten(batch, 1) == layout({plait::dynamic, 12544}, "ab"));
static_assert(plait::bind(plait::flatten(batch, 1), {2}) == plait::flatten(image, 1));

// 7. The flags of extended_reshape name what may be lost: here the order of c, h and w within each n.
using enum plait::reshape_flags;
static_assert(plait::extended_reshape(nhwc, {2, 12544}, allow_order_mismatch) == layout({2, 12544}, "ab"));
static_assert(plait::check_extended_reshape(nhwc, {2, 12544}, none).reason == reason::joined_axes_do_not_chain);
//    With the second flag, padding counts as elements too: 17 channels are 32 in memory.
static_assert(plait::extended_reshape(blocked, {2, 32 * 784}, allow_order_mismatch | allow_padding_mismatch) ==
              layout({2, 25088}, "ab"));

int main() {
    std::cout << "reshape " << image << " -> " << rows << '\n';
    std::cout << "view    " << nhwc << " -> " << seen << '\n';
    std::cout << "reshape " << nhwc << " -> " << plait::check_reshape(nhwc, {2, 12544}) << '\n';
    std::cout << "join    " << batch << " -> " << plait::join_axes(batch, 2, 3) << '\n';

    // 8. At run time, a failed reshape throws an exception with a sentence; try_reshape returns the verdict instead.
    if (plait::try_reshape(nhwc, {2, 12544})) return 1;
    try {
        static_cast<void>(view(layout({2, 9}, "ba"), {3, 6}));
    } catch (const plait::rejection& refused) {
        std::cout << "view    " << layout({2, 9}, "ba") << " -> " << refused.what() << '\n';
        return refused.verdict() == cut ? 0 : 2;
    }
    return 3;
}
