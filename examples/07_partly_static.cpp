// Partly static layouts: blocks and known extents are part of the type, and operations keep them there.

#include <plait/plait.hpp>

#include <iostream>
#include <type_traits>

using plait::dims_c, plait::dynamic, plait::layout, plait::layout_c;

// Batch, height and width are known only at run time.
constexpr auto activations = plait::nChw16c<dynamic, 64, dynamic, dynamic>{};

template <int N>
inline constexpr std::integral_constant<int, N> axis{};

int main(int argc, char**) {
    const auto bound = plait::bind(activations, argc + 1, 7, 9);

    // An operation that is valid for all extents gives a partly static layout: here, joining height and width.
    const auto joined = plait::join_axes(bound, axis<2>, axis<3>);
    static_assert(decltype(joined)::partly_static == layout({dynamic, 64, dynamic}, "nCw16c"));
    static_assert(sizeof(joined) == 2 * sizeof(plait::dim_t));
    std::cout << "in the type  " << to_string(decltype(joined)::partly_static.dims) << ", blocks of "
              << decltype(joined)::partly_static.block_size(1) << '\n';
    std::cout << "at run time  " << static_cast<layout>(joined) << ", in " << sizeof(joined) << " bytes\n";
    if (static_cast<layout>(joined) != layout({argc + 1, 64, 63}, "nCw16c")) return 1;

    // The dynamic entries of the new dims are filled, in order, with the bound extents.
    const auto plain = plait::bind(plait::nchw<dynamic, 64, dynamic, 4>{}, argc + 1, 7);
    const auto split = plait::reshape(plain, dims_c<dynamic, 2, 32, dynamic, 4>);
    static_assert(
        std::is_same_v<decltype(split), const plait::bound_layout<layout({dynamic, 2, 32, dynamic, 4}, "abcde")>>);
    if (split.offset(1, 1, 31, 6, 3) != plain.offset(1, 63, 6, 3)) return 2;

    // An operation that is valid only for some extents is checked at run time: 9 columns can be split into 3 by 3.
    const layout columns = plait::split_axis(bound, axis<3>, dims_c<3, 3>);
    std::cout << "9 columns    " << columns << '\n';
    if (columns.dims != plait::dims{argc + 1, 64, 7, 3, 3}) return 3;
    try {
        static_cast<void>(plait::split_axis(bound, axis<3>, dims_c<2, 4>));
        return 4;
    } catch (const plait::rejection& refused) {
        std::cout << "as 2 times 4 " << refused.what() << '\n';
    }

    // An operation that fails for every value does not compile: reshape cannot split channels in blocks of 16.
    // plait::reshape(bound, dims_c<dynamic, 2, 32, dynamic, dynamic>);   error: ... rejected::axis_is_blocked

    // A kernel's constraint checks the type.
    static_assert(plait::matches<decltype(activations), "nChw16c">);
    return 0;
}
