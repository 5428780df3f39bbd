// Patterns of einops, which split, permute and join axes.

#include "chains/judge.hpp"
#include "support/pattern_cases.hpp"

#include <plait/algebra/rearrange.hpp>
#include <plait/descriptor/operations.hpp>

using namespace plait;
using plait_test::pattern_case;

namespace chains {
namespace {

/// Returns the elements in the order of einops. The index of each name counts; the names of a group are digits, the
/// first one the outermost.
element_map rearranged(const element_map& m, const pattern_case& pattern) {
    element_map out{to_vector(pattern.result), std::vector<dim_t>(m.offsets.size())};
    pattern.for_each_element([&](const position& left, const position& right) {
        dim_t number = 0;
        for (int a = 0; a < right.size(); ++a) number = number * pattern.result[a] + right[a];
        out.offsets[static_cast<std::size_t>(number)] = m.at(index(left.begin(), left.end()));
    });
    return out;
}

/// An axis with padding is neither split nor joined, and is not removed if it has one element. Another description of
/// the same memory may have no padding.
const char* padding_excuse(const layout& l, const verdict& why, const layout&) {
    const bool about = why.reason == reason::axis_is_padded || why.reason == reason::unit_axis_is_padded;
    const bool padded = about && (l.padded_dims[why.axis] != l.dims[why.axis] || l.padded_offsets[why.axis] != 0);
    return padded ? "semantics 5: an axis with padding is not split or joined" : nullptr;
}

}  // namespace

void ask_pattern(layout& l, random_source& random, judge& by) {
    // A pattern splits five axes into at most ten names, and adds up to two axes of one element.
    if (l.ndims() > 5) return ask_view(l, random, by);
    const pattern_case asked = plait_test::random_pattern(random, l.dims);
    const expected<axis_pattern> pattern = parse_axis_pattern(asked.text);
    if (!pattern) return by.fail("a pattern is refused: " + asked.text, l);
    std::vector<named_extent> given;
    for (const auto& [name, extent] : asked.given) given.push_back({name, extent});
    const named_extents extents(given.data(), given.size());
    const auto made = by.ask(
        "rearrange", asked.text, l,
        [&](const layout& x) {
            return answer{check_rearrange(x, *pattern, extents), try_rearrange(x, *pattern, extents)};
        },
        [&](const layout& x, const layout& y) {
            // The descriptor function takes a pattern and extents at run time, and must give the same layout.
            const auto lifted = try_rearrange(descriptor(data_type::u8, x), *pattern, extents);
            return lifted && lifted->layout == y && y.dims == asked.result &&
                   map_of(y) == rearranged(map_of(x), asked) && owns_no_more(x, y);
        },
        padding_excuse);
    if (made) l = *made;
}

}  // namespace chains
