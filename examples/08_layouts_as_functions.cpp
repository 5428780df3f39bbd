// Layouts as functions: split a matrix into tiles, interleave streams, pack panels. All are checked at compile time.

#include <plait/plait.hpp>

#include <iostream>

using plait::compose, plait::complement, plait::concatenate, plait::divide, plait::inverse, plait::product, plait::tile;
using plait::layout, plait::strides;

// A layout maps the row-major number of an element (the last axis varies fastest) to its offset.
constexpr layout b({64, 48}, "ab");  // K x N, row-major
static_assert(b.linear_offset(2 * 48 + 5) == b.offset(2, 5));

// Tiles for a micro-kernel: first the axes that count tiles, then the axes within a tile. No data is moved.
constexpr layout tiles = tile(b, {64, 16});
static_assert(tiles.dims == plait::dims{1, 3, 64, 16});
static_assert(tiles.offset(0, 2, 7, 5) == b.offset(7, 2 * 16 + 5));

// Pack B in panels of 16 columns, one panel after the other. `packed` is the layout that packing writes to.
constexpr layout panel({64, 16}, "ab");
constexpr layout packed = product(panel, layout({3}, "a"));
static_assert(packed == layout({3, 64, 16}, "abc"));
// It reads from `tiles`. The same panels have a tag, Ba16b: blocks of 16 columns, which are the outermost axis.
static_assert(packed.offset(2, 7, 5) == layout({64, 48}, "Ba16b").offset(7, 2 * 16 + 5));

// Interleave four streams of 6, one element of each in turn. The copies fill the places that the first stream leaves
// free.
constexpr layout stream({6}, strides{4});
constexpr layout interleaved = product(stream, layout({4}, "a"));
static_assert(interleaved.offset(3, 2) == 2 * 4 + 3);

// The complement of a tile lists the places where its copies begin. Tile and complement together cover each place once.
static_assert(complement(stream, 24) == layout({4}, "a"));
static_assert(concatenate(complement(stream, 24), stream) == interleaved);

// Divide by a tile that is a layout: here every second column of two rows.
constexpr layout c({8, 6}, "ab");
constexpr layout even = layout({2, 3}, strides{6, 2});
constexpr layout quotient = divide(c, even);
static_assert(quotient.dims == plait::dims{8, 2, 3});
static_assert(quotient.offset(1, 1, 2) == c.offset(1, 5));  // tile 1: the odd columns of the first two rows

// Compose: the diagonal is every seventh element. The diagonal of a blocked matrix is a layout too.
constexpr layout blocked({6, 6}, "AB2a2b");
constexpr layout diagonal = compose(blocked, layout({6}, strides{7}));
static_assert(diagonal.offset(3) == blocked.offset(3, 3));

// The inverse maps an offset to the row-major number of the element there.
static_assert(inverse(blocked).offset(blocked.offset(4, 5)) == 4 * 6 + 5);
static_assert(compose(inverse(blocked), blocked).offset(4, 5) == 4 * 6 + 5);

// If extents do not divide, the verdict contains the nearest extent that does.
constexpr plait::verdict uneven = plait::check_tile(b, {64, 20});
static_assert(uneven.reason == plait::reason::extents_do_not_divide);
static_assert(uneven.axis == 1 && uneven.first == 48 && uneven.second == 20 && uneven.third == 16);
// 10 elements are not a multiple of 4, and nothing is rounded up: the nearest number is 8.
static_assert(plait::check_divide(layout({10}, "a"), layout({4}, "a")).third == 8);

int main() {
    std::cout << "tiles        " << tiles << '\n';
    std::cout << "packed       " << packed << '\n';
    std::cout << "interleaved  " << interleaved << ", what one stream leaves free " << complement(stream, 24) << '\n';
    std::cout << "quotient     " << quotient << '\n';
    std::cout << "diagonal     " << diagonal << " of " << blocked << '\n';
    std::cout << "offset 33    is element " << inverse(blocked).offset(33) << " = 4 * 6 + 5\n";
    std::cout << "tiles of 20  " << uneven << '\n';
    try {
        const layout refused = compose(layout({8, 6}, strides{10, 1}), layout({4}, strides{4}));
        std::cout << refused << '\n';
        return 1;
    } catch (const plait::rejection& why) {
        std::cout << "composition  " << why.what() << '\n';
    }
}
