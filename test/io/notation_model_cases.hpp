#pragma once
// What models of notations share: offsets by index, blocks as letters, and the comparison of a model with a layout.

#include "laws/random_layouts.hpp"

#include <plait/algebra/format_name.hpp>
#include <plait/core/layout.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace plait_test::notation_models {

using plait::dim_t, plait::dims, plait::expected, plait::layout, plait::layout_name, plait::position, plait::reason;

using numbers = std::vector<dim_t>;

/// A text, the extents, the offset of each index by the specification, and the number of elements in memory, or -1.
struct model {
    std::string text;
    dims extents;
    std::function<dim_t(const numbers&)> offset;
    dim_t size = -1;
};

template <class List>
numbers numbers_of(const List& of) {
    return numbers(of.begin(), of.end());
}
inline dim_t up(dim_t a, dim_t b) { return (a + b - 1) / b; }
inline dim_t product(const numbers& of) {
    dim_t all = 1;
    for (const dim_t n : of) all *= n;
    return all;
}
/// Returns the row-major number of an index.
inline dim_t linear(const numbers& index, const numbers& extents) {
    dim_t at = 0;
    for (std::size_t k = 0; k < index.size(); ++k) at = at * extents[k] + index[k];
    return at;
}
inline std::string joined(const numbers& of, const char* between) {
    std::string out;
    for (std::size_t k = 0; k < of.size(); ++k) out += (k == 0 ? "" : between) + std::to_string(of[k]);
    return out;
}
inline dims random_extents(plait_test::random_source& random, int axes, dim_t most) {
    dims out;
    for (int a = 0; a < axes; ++a) out.push_back(random.between(1, most));
    return out;
}

/// Calls look(index) with each index of a tensor that has elements.
template <class Look>
void for_each_index(const dims& extents, const Look& look) {
    position at;
    for (int a = 0; a < extents.size(); ++a) at.push_back(0);
    for (int a = 0; a >= 0;) {
        look(at);
        for (a = extents.size() - 1; a >= 0 && ++at[a] == extents[a]; --a) at[a] = 0;
    }
}

/// Counts the texts that were read, and those that were refused for the only allowed reason. Fails at the first index
/// with another offset than in the model. Each layout is written as text and read again.
struct comparison {
    reason allowed = reason::none;
    int read = 0, refused = 0;

    template <class Parse, class Format>
    void look_at(const model& m, const Parse& parse, const Format& format) {
        INFO(m.text, " of ", joined(numbers_of(m.extents), "x"));
        const expected<layout> l = parse(m.text, m.extents);
        if (!l) {
            REQUIRE(l.error().reason == allowed);
            ++refused;
            return;
        }
        ++read;
        compare(*l, m);
        const expected<layout_name> again = format(*l);
        REQUIRE(again.has_value());
        INFO(std::string(again->c_str()));
        const expected<layout> back = parse(std::string(again->c_str()), m.extents);
        REQUIRE(back.has_value());
        compare(*back, m);
    }

private:
    static void compare(const layout& l, const model& m) {
        REQUIRE(l.dims == m.extents);
        if (m.size >= 0) REQUIRE(l.padded_volume() == m.size);
        if (m.size >= 0) REQUIRE(static_cast<dim_t>(l.element_span()) == m.size);
        for_each_index(m.extents, [&](const position& at) {
            const dim_t want = m.offset(numbers_of(at));
            if (l.offset(at) != want) FAIL(joined(numbers_of(at), ","), " is at ", want, ", plait says ", l.offset(at));
        });
    }
};

/// One letter of a text: an axis, or a block of an axis.
struct letter {
    std::size_t axis;
    dim_t block;  // 0 for the axis itself
};
/// Returns the offset of an index if axes and blocks are stored in the order of the letters, or the size of memory. Of
/// several blocks of an axis, the first is the outermost; the axis itself is outside all of them.
inline dim_t place_by_letters(const std::vector<letter>& letters, const numbers& extents, const numbers& index,
                              bool size) {
    numbers e, d;
    for (std::size_t k = 0; k < letters.size(); ++k) {
        dim_t all = 1, inside = 1;
        for (std::size_t other = 0; other < letters.size(); ++other) {
            if (letters[other].axis != letters[k].axis || letters[other].block == 0) continue;
            all *= letters[other].block;
            if (other > k) inside *= letters[other].block;
        }
        const std::size_t a = letters[k].axis;
        e.push_back(letters[k].block == 0 ? index[a] / all : index[a] / inside % letters[k].block);
        d.push_back(letters[k].block == 0 ? up(extents[a], all) : letters[k].block);
    }
    return size ? product(d) : linear(e, d);
}
inline void place_by_letters(model& m, const std::vector<letter>& letters) {
    const numbers extents = numbers_of(m.extents);
    m.offset = [=](const numbers& index) { return place_by_letters(letters, extents, index, false); };
    m.size = place_by_letters(letters, extents, numbers(extents.size(), 0), true);
}

inline constexpr int rounds = 2000;

}  // namespace plait_test::notation_models
