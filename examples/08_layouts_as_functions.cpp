// Layouts as functions: cut a matrix into tiles, interleave, pack panels; each proved at build time, or refused.

#include <plait/plait.hpp>

#include <iostream>

using plait::compose, plait::complement, plait::concatenate, plait::divide, plait::inverse, plait::product, plait::tile;
using plait::layout, plait::strides;

// A layout leads from the row-major number of an element (the last axis the fastest) to its offset.
constexpr layout b({64, 48}, "ab");  // K x N, row-major
static_assert(b.linear_offset(2 * 48 + 5) == b.offset(2, 5));

// Tiles for a micro-kernel: first the axes that count tiles, then those within one. The data stays where it is.
constexpr layout tiles = tile(b, {64, 16});
static_assert(tiles.dims == plait::dims{1, 3, 64, 16});
static_assert(tiles.offset(0, 2, 7, 5) == b.offset(7, 2 * 16 + 5));

// Pack B in panels of 16 columns: a panel, then panels beside each other. This is where packing writes ...
constexpr layout panel({64, 16}, "ab");
constexpr layout packed = product(panel, layout({3}, "a"));
static_assert(packed == layout({3, 64, 16}, "abc"));
// ... and `tiles` is where it reads; in the words of a tag the same panels are the blocked layout aB16b with B
// outermost.
static_assert(packed.offset(2, 7, 5) == layout({64, 48}, "Ba16b").offset(7, 2 * 16 + 5));

// Interleave: four streams of 6, one element of each in turn. A tile that leaves room is filled by its copies.
constexpr layout stream({6}, strides{4});
constexpr layout interleaved = product(stream, layout({4}, "a"));
static_assert(interleaved.offset(3, 2) == 2 * 4 + 3);

// What a tile leaves free is its complement; tile and complement together are every place once.
static_assert(complement(stream, 24) == layout({4}, "a"));
static_assert(concatenate(complement(stream, 24), stream) == interleaved);

// Divide: tiles that are layouts themselves, here every other column of two rows.
constexpr layout c({8, 6}, "ab");
constexpr layout even = layout({2, 3}, strides{6, 2});
constexpr layout quotient = divide(c, even);
static_assert(quotient.dims == plait::dims{8, 2, 3});
static_assert(quotient.offset(1, 1, 2) == c.offset(1, 5));  // tile 1: the odd columns of the first two rows

// Compose: the diagonal is each seventh element; of a blocked matrix it is a layout too.
constexpr layout blocked({6, 6}, "AB2a2b");
constexpr layout diagonal = compose(blocked, layout({6}, strides{7}));
static_assert(diagonal.offset(3) == blocked.offset(3, 3));

// The inverse leads from a place in memory to the number of the element there.
static_assert(inverse(blocked).offset(blocked.offset(4, 5)) == 4 * 6 + 5);
static_assert(compose(inverse(blocked), blocked).offset(4, 5) == 4 * 6 + 5);

// What does not divide is refused, and the verdict says what would.
constexpr plait::verdict uneven = plait::check_tile(b, {64, 20});
static_assert(uneven.reason == plait::reason::extents_do_not_divide);
static_assert(uneven.axis == 1 && uneven.first == 48 && uneven.second == 20 && uneven.third == 16);
// Ten elements are not whole fours; nothing is rounded up.
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
