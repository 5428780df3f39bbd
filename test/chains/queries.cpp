// Functions that only read a layout: its name, its canonical form, shared places, and gaps.

#include "chains/judge.hpp"

#include <plait/algebra/find_gap.hpp>
#include <plait/algebra/format_name.hpp>
#include <plait/algebra/hash.hpp>
#include <plait/algebra/is_nested.hpp>
#include <plait/algebra/matches_tag.hpp>
#include <plait/algebra/position_of.hpp>
#include <plait/algebra/v0_blocking.hpp>
#include <plait/algebra/with_strides.hpp>

#include <string>

using namespace plait;
using namespace plait::detail;

namespace chains {
namespace {

layout begun_at(layout l, dim_t offset0) {
    l.offset0 = offset0;
    for (dim_t& offset : l.padded_offsets) offset = 0;
    return l;
}

/// Checks if l has padding that `made` lacks, beyond whole blocks; a tag cannot express it.
bool has_more_padding(const layout& l, const layout& made) {
    bool more = false;
    for (int a = 0; a < l.ndims(); ++a) more = more || l.padded_dims[a] > made.padded_dims[a];
    return more;
}

/// Checks that a name that is a tag, with or without strides, parses to the same memory. If l has more padding than the
/// tag implies, only the strides must agree, except for axes with a single place.
bool is_said_by_name(const layout& l) {
    const std::string name = format_name(l).c_str();
    if (name.find('*') != name.npos) return !tag_of(l);
    const expected<format_tag> tag = parse_format_tag(name.substr(0, name.find(':')));
    if (!tag || tag != tag_of(l)) return false;
    strides steps;
    if (std::size_t at = name.find(':'); at != name.npos)
        for (; at != name.npos; at = name.find('x', at + 1)) steps.push_back(std::stoll(name.substr(at + 1)));
    const expected<layout> made = steps.empty() ? try_layout(l.dims, *tag) : try_layout(l.dims, *tag, steps);
    if (!made) return false;
    for (int a = 0; a < l.ndims(); ++a)
        if (l.volume() > 0 && l.padded_dims[a] != 1 && has_more_padding(l, *made) &&
            made->strides()[a] != l.strides()[a])
            return false;
    return map_of(*made) == map_of(begun_at(l, made->offset0)) && made->inner_blocks() == l.inner_blocks() &&
           (steps.empty() || made->strides() == l.strides());
}

bool has_canonical_form(const layout& l) {
    const auto form = try_canonical_form(l);
    return form && check_layout(*form).ok() && map_of(*form) == map_of(l) && try_canonical_form(*form) == form &&
           same_memory(l, *form) && same_memory(l, l);
}

/// Compares two layouts with the same dims: same_memory is true exactly if all elements are at the same places. It may
/// be false if a padded offset carries from one digit to the next.
bool compares_well(const layout& a, const layout& b) {
    const bool same = map_of(a) == map_of(b), said = same_memory(a, b);
    if (said != same_memory(b, a) || (a == b) != (b == a)) return false;
    if (a == b && (!said || hash_of(a) != hash_of(b))) return false;
    const layout x = canonical_form(a), y = canonical_form(b);
    bool carries = false;
    for (int k = 0; k < a.ndims(); ++k) carries = carries || x.padded_offsets[k] != 0 || y.padded_offsets[k] != 0;
    return said ? same : !same || carries;
}

/// Checks shared places, the span, density and gaps against the list of all owned places.
bool knows_its_places(const layout& l) {
    const std::vector<dim_t> places = places_of(l);
    const bool shares = std::adjacent_find(places.begin(), places.end()) != places.end();
    if (is_injective(l) == shares) return false;
    const std::optional<overlap> found = find_overlap(l);
    if (found.has_value() != shares) return false;
    if (found && (found->first == found->second || l.padded_offset(found->first) != found->offset ||
                  l.padded_offset(found->second) != found->offset))
        return false;
    if (places.empty()) return l.element_span() == 0;
    return static_cast<dim_t>(l.element_span()) == places.back() - places.front() + 1 &&
           l.span_begin() == places.front();
}

/// Checks that find_gap returns a place between the first and the last that l does not own. If there is none and no
/// place is shared, l must be dense.
bool knows_its_gaps(const layout& l) {
    std::vector<dim_t> places = places_of(l);
    if (places.empty()) return true;
    const bool shares = std::adjacent_find(places.begin(), places.end()) != places.end();
    places.erase(std::unique(places.begin(), places.end()), places.end());
    const bool gaps = static_cast<dim_t>(places.size()) != places.back() - places.front() + 1;
    if (!check_find_gap(l).ok()) return !is_nested(l) || runs_backwards(l);
    const std::optional<dim_t> gap = find_gap(l);
    if (gap.has_value() != gaps || l.is_dense() != (!gaps && !shares)) return false;
    return !gap ||
           (*gap > places.front() && *gap < places.back() && !std::binary_search(places.begin(), places.end(), *gap));
}

bool leads_back(const layout& l) {
    if (!check_position_of(l).ok()) return !is_injective(l) || !is_nested(l);
    const element_map elements = map_of(l);
    for (std::size_t i = 0; i < elements.offsets.size(); ++i)
        if (position_of(l, elements.offsets[i]) != unravel(l.dims, static_cast<dim_t>(i))) return false;
    for (const dim_t place : padding_of(l))
        if (position_of(l, place).has_value()) return false;
    return true;
}

/// Checks the functions that count through the digits themselves.
bool counts_well(const layout& l) {
    const element_map elements = map_of(l), all = map_of(l, true);
    for (std::size_t i = 0; i < elements.offsets.size(); ++i)
        if (l.linear_offset(static_cast<dim_t>(i)) != elements.offsets[i]) return false;
    for (std::size_t i = 0; i < all.offsets.size(); ++i)
        if (l.padded_linear_offset(static_cast<dim_t>(i)) != all.offsets[i]) return false;
    return true;
}

bool is_described_by_version_0(const layout& l) {
    const expected<v0_blocking> v = try_v0_blocking_of(l);
    if (!v) return !check_v0_blocking_of(l).ok();
    return map_of(l) == map_of(to_vector(l.dims), [&](const index& at) {
               dim_t offset = v->offset_padding;
               for (int a = 0; a < l.ndims(); ++a) {
                   const dim_t q = at[static_cast<std::size_t>(a)] + v->offset_padding_to_data[a];
                   offset += q / v->block_dims[a] * v->strides[0][a] + q % v->block_dims[a] * v->strides[1][a];
               }
               return offset;
           });
}

/// Checks with_strides: the layout's own strides change nothing if they are allowed, and other strides move each block.
bool takes_strides(const layout& l, random_source& random) {
    strides steps = l.strides();
    if (const auto same = try_with_strides(l, steps); same && !(*same == l)) return false;
    for (dim_t& step : steps) step *= random.between(1, 3);
    const auto made = try_with_strides(l, steps);
    return !made || (check_layout(*made).ok() && made->strides() == steps && made->dims == l.dims &&
                     made->inner_blocks() == l.inner_blocks());
}

}  // namespace

void ask_query(const layout& l, random_source& random, judge& by) {
    const auto look = [&](const char* name, bool holds) {
        by.count(name, "");
        if (!holds) by.fail("the law is broken", l);
    };
    switch (random.between(0, 7)) {
        case 0: return look("format_name", is_said_by_name(l));
        case 1: return look("canonical_form", has_canonical_form(l));
        case 2: {
            layout other = random.once_in(2) ? said_otherwise(l, random, true) : l;
            if (random.once_in(2))
                other.digits[static_cast<int>(random.between(0, other.digits.size() - 1))].stride += 1;
            if (!check_layout(other).ok()) return;
            return look("same_memory", compares_well(l, other));
        }
        case 3: return look("find_overlap", knows_its_places(l));
        case 4: return look("find_gap", knows_its_gaps(l));
        case 5: return look("position_of", leads_back(l));
        case 6: return look("offsets", counts_well(l) && is_described_by_version_0(l));
        default: return look("with_strides", takes_strides(l, random));
    }
}

}  // namespace chains
