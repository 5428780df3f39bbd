// The laws of mdspan's mappings: they are compared with all offsets of static and of partly static layouts.

#include <plait/view/mdspan_layout.hpp>

#include "laws/many_layouts.hpp"
#include "view/stand_in_extents.hpp"
#include "view/view_cases.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace test_view_mdspan_layout_laws { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

template <class L, class Extents>
using mapping_of = typename mdspan_layout<L>::template mapping<Extents>;

/// The axes of a static layout whose extents are static in the type of the extents.
enum class says { all, none, every_second };
template <layout L, class Index, says What, int... Axis>
auto extents_type_of(std::integer_sequence<int, Axis...>) {
    constexpr auto in_type = [](int a) { return What == says::all || (What == says::every_second && a % 2 == 0); };
    return extents<Index, (in_type(Axis) ? static_cast<std::size_t>(layout_constant<L>::value.dims.values[Axis])
                                         : dynamic_extent)...>();
}
template <layout L, class Index, says What>
using extents_for = decltype(extents_type_of<L, Index, What>(std::make_integer_sequence<int, L.ndims()>()));

template <class Mapping, int... Axis>
auto call(const Mapping& m, const position& at, std::integer_sequence<int, Axis...>) {
    return m(static_cast<typename Mapping::index_type>(at.values[Axis])...);
}
template <class Mapping>
dim_t offset_by(const Mapping& m, const position& at) {
    constexpr int rank = static_cast<int>(Mapping::extents_type::rank());
    return static_cast<dim_t>(call(m, at, std::make_integer_sequence<int, rank>()));
}

/// Checks the requirements of the standard by visiting all elements. `l` is the layout as a value.
template <class Mapping>
bool is_mapping_of(const Mapping& m, const layout& l) {
    std::vector<dim_t> offsets;
    position at = origin(l.ndims());
    if (l.volume() > 0) do {
            if (offset_by(m, at) != l.offset(at)) return false;
            offsets.push_back(l.offset(at));
        } while (advance(at, l.dims));
    const std::vector<dim_t> in_order = offsets;
    std::sort(offsets.begin(), offsets.end());
    const dim_t span = offsets.empty() ? 0 : offsets.back() + 1;
    const auto places = std::unique(offsets.begin(), offsets.end()) - offsets.begin();
    const bool unique = static_cast<dim_t>(places) == l.volume(), full = static_cast<dim_t>(places) == span;
    bool strided = l.volume() == 0 || in_order.front() == 0;
    for (int a = 0; a < l.ndims(); ++a) {
        std::optional<dim_t> step;
        at = origin(l.ndims());
        for (at[a] = 1; l.volume() > 0 && at[a] < l.dims[a]; ++at[a]) {
            position before = at;
            --before[a];
            const dim_t here = l.offset(at) - l.offset(before);
            strided = strided && (!step.has_value() || *step == here);
            step = here;
        }
        if constexpr (requires { m.stride(0); })
            if (m.is_strided() && static_cast<dim_t>(m.stride(static_cast<std::size_t>(a))) != step.value_or(1) &&
                l.volume() > 0)
                return false;
    }
    // The mapping may return false for a property that holds if the layout has padding in front, or an offset0 and no
    // elements.
    bool begins_where_it_says = l.volume() > 0 || l.offset0 == 0;
    for (const dim_t begin : l.padded_offsets) begins_where_it_says = begins_where_it_says && begin == 0;
    const auto agree = [&](bool said, bool is) { return said == is || (!said && !begins_where_it_says); };
    const auto always = [](bool of_all, bool of_this) { return !of_all || of_this; };
    return static_cast<dim_t>(m.required_span_size()) == span && agree(m.is_unique(), unique) &&
           agree(m.is_exhaustive(), full) && agree(m.is_strided(), strided) &&
           always(Mapping::is_always_unique(), m.is_unique()) &&
           always(Mapping::is_always_exhaustive(), m.is_exhaustive()) &&
           always(Mapping::is_always_strided(), m.is_strided());
}

/// Checks [mdspan.layout.reqmts], paragraph 2: the concepts and the member types of every mapping.
template <class Mapping, class Extents>
constexpr bool is_mapping_type() {
    using policy = typename Mapping::layout_type;
    return std::copyable<Mapping> && std::equality_comparable<Mapping> &&
           std::is_nothrow_move_constructible_v<Mapping> && std::is_nothrow_move_assignable_v<Mapping> &&
           std::is_nothrow_swappable_v<Mapping> && std::is_same_v<typename Mapping::extents_type, Extents> &&
           std::is_same_v<typename Mapping::index_type, typename Extents::index_type> &&
           std::is_same_v<typename Mapping::size_type, typename Extents::size_type> &&
           std::is_same_v<typename Mapping::rank_type, typename Extents::rank_type> &&
           std::is_same_v<typename policy::template mapping<Extents>, Mapping> &&
           std::is_same_v<decltype(std::declval<const Mapping&>().extents()), const Extents&> &&
           std::is_same_v<decltype(std::declval<const Mapping&>().required_span_size()), typename Mapping::index_type>;
}

template <layout L, class Index, says What>
bool maps() {
    using extents_type = extents_for<L, Index, What>;
    using mapping = mapping_of<layout_constant<L>, extents_type>;
    STATIC_CHECK(is_mapping_type<mapping, extents_type>());
    constexpr layout l = L;
    const auto given = [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
        return extents_type(l.dims.values[Axis]...);
    }
    (std::make_integer_sequence<int, L.ndims()>());
    const mapping m(given);
    return is_mapping_of(m, l) && m == mapping(m);
}

template <layout L>
bool maps_with_all_extents() {
    return maps<L, short, says::all>() && maps<L, int, says::none>() && maps<L, std::uint64_t, says::every_second>();
}

/// Partly static layouts: permuted, in blocks, with gaps, and with rows that share their places.
inline constexpr layout partly_static_cases[] = {
    layout({dynamic, dynamic, dynamic}, "abc"),
    layout({dynamic, 6, dynamic}, "cab"),
    layout({dynamic, 17, dynamic}, "aBc16b"),
    layout({2, dynamic, 3}, "aBc4b"),
    layout({dynamic, 16, dynamic}, "aBc4b"),
    layout({dynamic, dynamic, 5}, "ABc2b3a"),
    layout({3, dynamic, 2}, "aBc4b", {999, 8, 4}),
    layout({dynamic, 4, 3}, strides{0, 3, 1}),
    layout({dynamic, dynamic, 8}, "abC8c"),
    layout({dynamic, 1, dynamic}, "acb"),
    layout({dynamic, dynamic, 4}, strides{400, 8, 2}),
    [] {
        layout behind({dynamic, 6, 4}, "abc");
        behind.offset0 = 7;
        return behind;
    }(),
    [] {
        layout padded_in_front({dynamic, 17, 3}, "aBc16b");
        padded_in_front.dims[1] = 14;
        padded_in_front.padded_offsets[1] = 2;
        return padded_in_front;
    }(),
};

template <layout L>
bool maps_when_bound() {
    random_source random(12);
    using all = extents<int, dynamic_extent, dynamic_extent, dynamic_extent>;
    using mapping = mapping_of<layout_constant<L>, all>;
    STATIC_CHECK(is_mapping_type<mapping, all>());
    for (int i = 0; i < 60; ++i) {
        dims values, bound;
        for (int a = 0; a < 3; ++a) {
            const dim_t known = layout_constant<L>::value.dims[a];
            values.push_back(known != dynamic ? known : random.once_in(12) ? 0 : random.between(1, 9));
            if (known == dynamic) bound.push_back(values[a]);
        }
        if (!is_mapping_of(mapping(all(values[0], values[1], values[2])), bind(L, bound))) return false;
    }
    return true;
}

TEST_CASE("law: mapping(i...) is offset(i...), and is_unique, is_exhaustive and is_strided agree with all offsets") {
    CHECK(cases_that_fail([]<layout L>() { return maps_with_all_extents<L>(); }) == none_of_them);
}

TEST_CASE("law: mappings of partly static layouts take the dynamic extents from their constructor, and keep the law") {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const bool holds[] = {maps_when_bound<partly_static_cases[I]>()...};
        for (const bool each : holds) CHECK(each);
    }
    (std::make_index_sequence<std::size(partly_static_cases)>());
}

}}  // namespace test_view_mdspan_layout_laws
