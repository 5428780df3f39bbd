#include <plait/view/mdspan_layout.hpp>

#include "support/small_layouts.hpp"
#include "view/stand_in_extents.hpp"

#include <plait/typed/formats.hpp>

#include <type_traits>

namespace test_view_mdspan_layout {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

namespace {

template <class L, class Extents>
using mapping_of = typename mdspan_layout<L>::template mapping<Extents>;

using blocked = nChw16c<2, 17, 3, 2>;
using one_block = nChw16c<2, 16, 3, 2>;
using any4 = extents<int, dynamic_extent, dynamic_extent, dynamic_extent, dynamic_extent>;
using partly = layout_constant<layout({dynamic, dynamic, 3, 2}, "nChw16c")>;

}  // namespace

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
    CHECK(refusal_of([] { (void)mapping_of<partly, one_byte>(one_byte(2, 16, 3, 2)); }) ==
          verdict{reason::index_type_is_too_small, -1, 191, 127});
    CHECK((mapping_of<partly, one_byte>(one_byte(1, 16, 3, 2)).required_span_size() == 96));
}

}  // namespace test_view_mdspan_layout
