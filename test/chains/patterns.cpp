// Axes split, permuted and joined by einops' patterns.

#include "chains/judge.hpp"
#include "support/pattern_cases.hpp"

#include <plait/algebra/rearrange.hpp>
#include <plait/descriptor/operations.hpp>

using namespace plait;
using plait_test::pattern_case;

namespace chains {
namespace {

/// The elements where einops has them: the index of each name counts, the names of a group as digits, the first the
/// outermost.
element_map rearranged(const element_map& m, const pattern_case& pattern) {
    element_map out{to_vector(pattern.result), std::vector<dim_t>(m.offsets.size())};
    pattern.for_each_element([&](const position& left, const position& right) {
        dim_t number = 0;
        for (int a = 0; a < right.size(); ++a) number = number * pattern.result[a] + right[a];
        out.offsets[static_cast<std::size_t>(number)] = m.at(index(left.begin(), left.end()));
    });
    return out;
}

/// Padding is neither split nor joined, and an axis of one element with padding does not go away: the same memory may
/// have none.
const char* padding_excuse(const layout& l, const verdict& why, const layout&) {
    const bool about = why.reason == reason::axis_is_padded || why.reason == reason::unit_axis_is_padded;
    const bool padded = about && (l.padded_dims[why.axis] != l.dims[why.axis] || l.padded_offsets[why.axis] != 0);
    return padded ? "semantics 5: an axis with padding is not split or joined" : nullptr;
}

}  // namespace

void ask_pattern(layout& l, random_source& random, judge& by) {
    // Five axes become at most ten names, and two axes of one element come to them.
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
            // Of a descriptor the same, whose pattern and extents are known only now.
            const auto lifted = try_rearrange(descriptor(data_type::u8, x), *pattern, extents);
            return lifted && lifted->layout == y && y.dims == asked.result &&
                   map_of(y) == rearranged(map_of(x), asked) && owns_no_more(x, y);
        },
        padding_excuse);
    if (made) l = *made;
}

}  // namespace chains
