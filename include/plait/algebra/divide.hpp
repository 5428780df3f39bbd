#pragma once

#include <plait/algebra/complement.hpp>
#include <plait/algebra/compose.hpp>
#include <plait/algebra/concatenate.hpp>

namespace plait {

/// a divided by the tile b, or why not.
constexpr expected<layout> make_quotient(const layout& a, const layout& b) {
    const digits_taken numbers = linear_digits(a);
    if (!numbers.why.ok()) return {{}, numbers.why};
    if (const verdict why = check_static_layout(b); !why.ok()) return {{}, why};
    const expected<layout> rest = complement_of(b, a.volume());
    if (!rest.why.ok()) return rest;
    const expected<layout> both = concatenation_of(rest.made, b);
    if (!both.why.ok()) return both;
    expected<layout> out = composition_of(a, numbers.digits, both.made);
    // The axes of b come after the one that counts tiles.
    if (!out.why.ok() && out.why.axis >= 0) --out.why.axis;
    return out;
}

/// Whether the elements of a are whole tiles b.
///
/// Refused: as check_complement(b, volume(a)), check_concatenate, check_compose; extents_do_not_divide says which two
/// numbers do not divide, and the nearest that would. The axis is that of b; -1 for the one that counts tiles
constexpr verdict check_divide(const layout& a, const layout& b) { return make_quotient(a, b).why; }

/// The tiles b within a: first an axis that counts tiles, then the axes of b within a tile.
///
/// Pre:     check_divide(a, b).ok(); the offsets of b are row-major numbers of a
/// Post:    result == compose(a, concatenate(complement(b, volume(a)), b)): with index 0 of the first axis the offsets
///          of compose(a, b), and each element of a exactly once
/// Cost:    O(digits squared) steps
/// Source:  the logical divide of CuTe, proved or refused; there the tile comes first, as the fastest mode
/// Example: examples/08_layouts_as_functions.cpp
[[nodiscard]] constexpr layout divide(const layout& a, const layout& b) {
    const expected<layout> attempt = make_quotient(a, b);
    require(attempt.why);
    return attempt.made;
}

/// divide(a, b), or what check_divide says against it.
[[nodiscard]] constexpr expected<layout> try_divide(const layout& a, const layout& b) { return make_quotient(a, b); }

}  // namespace plait
