// The laws of mdspan's mappings: they are compared with all offsets of static and of partly static layouts.

#include <plait/view/mdspan_layout.hpp>

#include "laws/many_layouts.hpp"
#include "support/small_layouts.hpp"
#include "view/stand_in_extents.hpp"
#include "view/view_cases.hpp"

#include <plait/typed/formats.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace test_view_mdspan_layout { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

template <class L, class Extents>
using mapping_of = typename mdspan_layout<L>::template mapping<Extents>;

using blocked = nChw16c<2, 17, 3, 2>;
using one_block = nChw16c<2, 16, 3, 2>;
using any4 = extents<int, dynamic_extent, dynamic_extent, dynamic_extent, dynamic_extent>;
using partly = layout_constant<layout({dynamic, dynamic, 3, 2}, "nChw16c")>;

TEST_CASE("mdspan_layout: unique for all extents only if no extent can make elements share places") {
    STATIC_CHECK(is_unique_for_all_extents(layout({dynamic, 4}, strides{4, 1})));
    STATIC_CHECK(is_unique_for_all_extents(layout({dynamic, 3, dynamic}, "cab")));
    STATIC_CHECK(is_unique_for_all_extents(layout({2, dynamic, dynamic, 5}, "aBcd8b")));
    STATIC_CHECK(is_unique_for_all_extents(layout({dynamic, 3}, strides{5, 2})));
    STATIC_CHECK(!is_unique_for_all_extents(layout({dynamic, 4}, strides{3, 1})));
    STATIC_CHECK(!is_unique_for_all_extents(layout({2, dynamic}, strides{4, 1})));
    STATIC_CHECK(!is_unique_for_all_extents(layout({dynamic, dynamic}, strides{8, 1})));
    STATIC_CHECK(!is_unique_for_all_extents(layout({dynamic, 3}, strides{dynamic, 1})));
    STATIC_CHECK(!is_unique_for_all_extents(layout({dynamic, 3}, strides{0, 1})));
}

TEST_CASE("mdspan_layout: is_always_... for a type, is_... for the extents") {
    using of_blocked = mapping_of<blocked, any4>;
    STATIC_CHECK(of_blocked::is_always_unique());
    STATIC_CHECK((!of_blocked::is_always_exhaustive() && !of_blocked::is_always_strided()));
    STATIC_CHECK(mapping_of<one_block, any4>::is_always_strided());
    STATIC_CHECK(mapping_of<one_block, any4>::is_always_exhaustive());
    using of_rows = mapping_of<layout_constant<layout({dynamic, dynamic, dynamic, dynamic}, "acdb")>, any4>;
    STATIC_CHECK((of_rows::is_always_unique() && of_rows::is_always_exhaustive() && of_rows::is_always_strided()));
    STATIC_CHECK((mapping_of<partly, any4>::is_always_unique() && !mapping_of<partly, any4>::is_always_exhaustive()));
}

TEST_CASE("mdspan_layout: stride() exists only for strided layouts") {
    constexpr auto has_strides = []<class Mapping>() {
        return requires(const Mapping& m) { m.stride(0); };
    };
    STATIC_CHECK(!has_strides.operator()<mapping_of<blocked, any4>>());
    STATIC_CHECK(has_strides.operator()<mapping_of<one_block, any4>>());
    const mapping_of<one_block, any4> m(any4(2, 16, 3, 2));
    CHECK((m.stride(0) == 96 && m.stride(1) == 1 && m.stride(2) == 32 && m.stride(3) == 16));
    const mapping_of<partly, any4> in_one(any4(2, 16, 3, 2)), in_two(any4(2, 17, 3, 2));
    CHECK((in_one.is_strided() && in_one.stride(1) == 1 && !in_two.is_strided()));
    CHECK(refusal_of([&] { (void)in_two.stride(1); }) == verdict{reason::axis_has_no_stride, 1, 1, 81});
}

TEST_CASE("mdspan_layout: a layout with an offset has it in its span, and is not strided") {
    constexpr layout moved = [] {
        layout out({2, 3}, "ab");
        out.offset0 = 5;
        return out;
    }();
    using mapping = mapping_of<layout_constant<moved>, extents<int, 2, 3>>;
    STATIC_CHECK((mapping()(0, 0) == 5 && mapping()(1, 2) == 10 && mapping().required_span_size() == 11));
    STATIC_CHECK((!mapping::is_always_strided() && !mapping::is_always_exhaustive() && mapping::is_always_unique()));
}

TEST_CASE("mdspan_layout: a static layout takes no memory; with static extents, mappings are default-constructible") {
    using known = extents<int, 2, 17, 3, 2>;
    STATIC_CHECK(sizeof(mapping_of<blocked, known>) == sizeof(known));
    STATIC_CHECK(sizeof(mapping_of<blocked, any4>) == sizeof(any4));
    STATIC_CHECK(mapping_of<blocked, known>()(1, 16, 2, 1) == blocked::value.offset(1, 16, 2, 1));
    STATIC_CHECK(!std::is_default_constructible_v<mapping_of<blocked, any4>>);
    STATIC_CHECK(!std::is_default_constructible_v<mapping_of<partly, any4>>);
    STATIC_CHECK(std::is_default_constructible_v<mapping_of<partly, known>>);
    STATIC_CHECK(mapping_of<partly, any4>(any4(2, 17, 3, 2))(1, 16, 2, 1) == blocked::value.offset(1, 16, 2, 1));
}

TEST_CASE("mdspan_layout: converts to extents of another type if all extents are equal") {
    using known = extents<long, 2, 17, 3, 2>;
    const mapping_of<blocked, known> all;
    const mapping_of<blocked, any4> converted = all;
    CHECK(converted == all);
    STATIC_CHECK(!std::is_convertible_v<mapping_of<blocked, any4>, mapping_of<blocked, known>>);
    CHECK(mapping_of<blocked, known>(converted) == all);
    CHECK(!(mapping_of<partly, any4>(any4(1, 17, 3, 2)) == mapping_of<partly, any4>(any4(2, 17, 3, 2))));
    using one_byte = extents<signed char, dynamic_extent, dynamic_extent>;
    using two = extents<int, dynamic_extent, dynamic_extent>;
    using rows = layout_constant<layout({dynamic, dynamic}, "ab")>;
    CHECK(refusal_of([] { (void)mapping_of<rows, one_byte>(mapping_of<rows, two>(two(257, 3))); }) ==
          verdict{reason::dims_differ, 0, 1, 257});
}

TEST_CASE("mdspan_layout: refuses extents that differ from those of the layout") {
    CHECK(refusal_of([] { (void)mapping_of<blocked, any4>(any4(2, 18, 3, 2)); }) ==
          verdict{reason::dims_differ, 1, 17, 18});
    CHECK(refusal_of([] { (void)mapping_of<partly, any4>(any4(2, 18, 3, 1)); }) ==
          verdict{reason::dims_differ, 3, 2, 1});
    constexpr layout l = blocked::value;
    STATIC_CHECK(check_extents_type<extents<int, 2, 18, dynamic_extent, 2>>(l) ==
                 verdict{reason::dims_differ, 1, 17, 18});
    STATIC_CHECK(check_extents_type<extents<int, 2, 17>>(l) == verdict{reason::rank_differs, -1, 4, 2});
    CHECK(std::string_view(describe(check_extents_type<extents<int, 2, 17>>(l)).c_str()) ==
          "rank_differs: the layout has 4 axes, but the extents have 2");
    STATIC_CHECK(check_extents_type<extents<int, 2>>(layout()) == verdict{reason::layout_is_undefined});
}

TEST_CASE("mdspan_layout: refuses an index type that cannot represent all offsets") {
    using one_byte = extents<signed char, dynamic_extent, dynamic_extent, dynamic_extent, dynamic_extent>;
    constexpr layout l = blocked::value;
    STATIC_CHECK(check_extents_type<one_byte>(l) == verdict{reason::index_type_is_too_small, -1, 368, 127});
    // The span has one place more than the last: 127 places can be counted, 128 cannot.
    STATIC_CHECK(check_extents_type<extents<signed char, dynamic_extent>>(layout({127}, "a")).ok());
    STATIC_CHECK(check_extents_type<extents<signed char, dynamic_extent>>(layout({128}, "a")) ==
                 verdict{reason::index_type_is_too_small, -1, 127, 127});
    CHECK(refusal_of([] { (void)mapping_of<partly, one_byte>(one_byte(2, 16, 3, 2)); }) ==
          verdict{reason::index_type_is_too_small, -1, 191, 127});
    CHECK((mapping_of<partly, one_byte>(one_byte(1, 16, 3, 2)).required_span_size() == 96));
}

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

}}  // namespace test_view_mdspan_layout
