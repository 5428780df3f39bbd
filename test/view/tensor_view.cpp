#include <plait/view/tensor_view.hpp>

#include "view/view_cases.hpp"

#include <array>

namespace test_view_tensor_view { namespace {

using namespace plait;
using namespace plait_test;

using blocked = nChw16c<2, 17, 3, 2>;
constexpr auto partly_static = layout_c<layout({dynamic, 17, dynamic, 2}, "nChw16c")>;

template <layout L>
bool views_are_the_layout() {
    constexpr layout l = L;
    std::vector<int> data = numbered<int>(l);
    data.push_back(0);  // so that data() is not null if the layout has no elements
    return is_the_layout(tensor_view(data.data(), layout_constant<L>())) &&
           is_the_layout(tensor_view(data.data(), bind(layout_constant<L>()))) &&
           is_the_layout(tensor_view(data.data(), l));
}

template <class View, class... Index>
concept has_block = requires(View v, Index... index) {
    v.block(index...);
};
template <class View, class... Index>
concept indexable = requires(View v, Index... index) {
    v(index...);
};

TEST_CASE("law: v(p) is data[offset(p)], for static, bound and run-time layouts") {
    CHECK(cases_that_fail([]<layout L>() { return views_are_the_layout<L>(); }) == none_of_them);
}

TEST_CASE("tensor_view: its type is deduced, and a static layout takes no memory") {
    std::vector<float> data(blocked::value.element_span());
    const std::vector<float>& same = data;
    STATIC_CHECK(std::is_same_v<decltype(tensor_view(data.data(), blocked())), tensor_view<float, blocked>>);
    STATIC_CHECK(std::is_same_v<decltype(tensor_view(same.data(), blocked())), tensor_view<const float, blocked>>);
    STATIC_CHECK(std::is_same_v<decltype(tensor_view(data.data(), blocked::value)), tensor_view<float, layout>>);
    STATIC_CHECK(std::is_same_v<decltype(tensor_view(data.data(), bind(partly_static, 2, 3))),
                                tensor_view<float, bound_layout<partly_static.value>>>);
    STATIC_CHECK(sizeof(tensor_view<float, blocked>) == sizeof(float*));
    STATIC_CHECK(std::is_trivially_copyable_v<tensor_view<float, blocked>>);
    STATIC_CHECK(std::is_trivially_copyable_v<tensor_view<float, layout>>);
}

TEST_CASE("unchecked: the constructor does not check the pointer, and a static layout need not be passed") {
    std::vector<float> data(blocked::value.element_span());
    const tensor_view<float, blocked> v(plait::unchecked, data.data());
    CHECK(&v(1, 16, 2, 1) == data.data() + blocked::value.offset(1, 16, 2, 1));
    CHECK(tensor_view<float, blocked>(plait::unchecked, nullptr).data() == nullptr);
    CHECK(tensor_view(plait::unchecked, data.data(), blocked::value).data() == data.data());
    STATIC_CHECK(!std::is_constructible_v<tensor_view<float, layout>, unchecked_t, float*>);
    STATIC_CHECK(!std::is_convertible_v<float*, tensor_view<float, blocked>>);
}

TEST_CASE("tensor_view: its members") {
    std::vector<float> data(blocked::value.element_span());
    const tensor_view v(data.data(), blocked());
    CHECK(v.data() == data.data());
    CHECK(v.ndims() == 4);
    CHECK((v.extent(1) == 17 && v.blocks(1) == 2 && v.blocks(2) == 3));
    CHECK(v.plain_layout() == blocked::value);
    STATIC_CHECK(std::is_same_v<decltype(v.layout()), blocked>);
    const tensor_view late(data.data(), blocked::value);
    CHECK((late.ndims() == 4 && late.extent(1) == 17 && late.blocks(1) == 2 && late.layout() == blocked::value));
    const tensor_view bound(data.data(), bind(partly_static, 2, 3));
    CHECK((bound.ndims() == 4 && bound.extent(2) == 3 && bound.blocks(1) == 2));
    CHECK(static_cast<layout>(bound.layout()) == blocked::value);
    v(1, 16, 2, 1) = 3;
    CHECK((late(1, 16, 2, 1) == 3 && bound.at(1, 16, 2, 1) == 3 && v.at(position{1, 16, 2, 1}) == 3));
}

TEST_CASE("tensor_view: converts implicitly to const elements and to an unnamed layout, but not back") {
    std::vector<float> data(blocked::value.element_span());
    const tensor_view v(data.data(), blocked());
    const tensor_view<const float, blocked> read = v;
    const tensor_view<const float, layout_constant<blocked::value>> renamed = v;
    const tensor_view<const float, blocked> named(renamed);
    STATIC_CHECK(!std::is_convertible_v<decltype(renamed), tensor_view<const float, blocked>>);
    CHECK((&read(1, 16, 2, 1) == &v(1, 16, 2, 1) && &renamed(1, 16, 2, 1) == &named(1, 16, 2, 1)));
    STATIC_CHECK(std::is_same_v<decltype(v.as_const()), tensor_view<const float, blocked>>);
    CHECK(&v.as_const()(1, 16, 2, 1) == &v(1, 16, 2, 1));
    CHECK([]<class X>(tensor_view<const float, X> x) { return x.data(); }(v.as_const()) == v.data());
    STATIC_CHECK(!std::is_convertible_v<tensor_view<const float, blocked>, tensor_view<float, blocked>>);
    STATIC_CHECK(!std::is_convertible_v<tensor_view<float, blocked>, tensor_view<float, nchw<2, 17, 3, 2>>>);
    STATIC_CHECK(!std::is_convertible_v<tensor_view<float, blocked>, tensor_view<double, blocked>>);
    const tensor_view<const float, layout> late = tensor_view(data.data(), blocked::value);
    const tensor_view<const float, bound_layout<partly_static.value>> bound =
        tensor_view(data.data(), bind(partly_static, 2, 3));
    CHECK((&late(1, 16, 2, 1) == &v(1, 16, 2, 1) && &bound(1, 16, 2, 1) == &v(1, 16, 2, 1)));
}

TEST_CASE("tensor_view: block() returns a contiguous span whose length is in its type") {
    std::vector<float> data = numbered<float>(blocked::value);
    const tensor_view v(data.data(), blocked());
    STATIC_CHECK(std::is_same_v<decltype(v.block(0, 0, 0, 0)), std::span<float, 16>>);
    CHECK((v.block(1, 1, 2, 1).data() == &v(1, 16, 2, 1) && v.block(1, 0, 2, 1).data() == &v(1, 0, 2, 1)));
    CHECK(v.block_at(1, 1, 2, 1).data() == &v(1, 16, 2, 1));
    const tensor_view bound(data.data(), bind(partly_static, 2, 3));
    STATIC_CHECK(std::is_same_v<decltype(bound.block(0, 0, 0, 0)), std::span<float, 16>>);
    CHECK(bound.block(1, 1, 2, 1).data() == &v(1, 16, 2, 1));
    STATIC_CHECK(decltype(tensor_view(data.data(), nchw<2, 17, 3, 2>()).block(0, 0, 0, 0))::extent == 1);
}

TEST_CASE("tensor_view: block() exists only if the type has the length of blocks that are runs") {
    STATIC_CHECK(has_block<tensor_view<float, blocked>, int, int, int, int>);
    STATIC_CHECK(!has_block<tensor_view<float, blocked>, int, int, int>);
    STATIC_CHECK(!has_block<tensor_view<float, layout>, int, int, int, int>);
    using part_of_a_block = layout_constant<by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}})>;
    STATIC_CHECK(!has_block<tensor_view<float, part_of_a_block>, int, int>);
    STATIC_CHECK(indexable<tensor_view<float, blocked>, int, int, int, int>);
    STATIC_CHECK(!indexable<tensor_view<float, blocked>, int, int, int>);
    STATIC_CHECK(!indexable<tensor_view<float, blocked>, int, int, int, double>);
}

TEST_CASE("tensor_view: valid() returns the number of elements of a block along one axis") {
    std::vector<float> data(1000);
    const tensor_view tail(data.data(), nChw16c<1, 17, 2, 2>());
    CHECK((tail.valid(1, 0) == 16 && tail.valid(1, 1) == 1 && tail.valid(0, 0) == 1 && tail.valid(2, 1) == 1));
    const tensor_view levels(data.data(), layout_c<layout({21, 20}, "AB4b8a2b")>);
    CHECK((levels.valid(1, 0) == 8 && levels.valid(1, 2) == 4 && levels.valid(0, 2) == 5));
    const tensor_view moved(data.data(), layout_c<by_hand({2, 5}, {4, 16}, {16, 8}, {{1, 8}}, {1, 6}, 5)>);
    CHECK((moved.valid(1, 0) == 2 && moved.valid(1, 1) == 3 && moved.valid(0, 0) == 0 && moved.valid(0, 2) == 1));
    const tensor_view bound(data.data(), bind(layout_c<layout({dynamic, 3}, "Ab8a")>, 11));
    CHECK((bound.valid(0, 0) == 8 && bound.valid(0, 1) == 3));
}

TEST_CASE("tensor_view: at() refuses with the layout's verdict") {
    std::vector<float> data(blocked::value.element_span());
    const auto check = [&](const auto& v) {
        CHECK((refusal_of([&] { return v.at(0, 17, 0, 0); }) == verdict{reason::position_is_out_of_range, 1, 17, 17}));
        CHECK((refusal_of([&] { return v.at(0, 0, -1, 0); }) == verdict{reason::position_is_out_of_range, 2, -1, 3}));
        CHECK((refusal_of([&] { return v.at(position{0, 0, 0}); }) == verdict{reason::rank_differs, -1, 3, 4}));
        CHECK((refusal_of([&] { return v.extent(4); }) == verdict{reason::axis_is_out_of_range, -1, 4, 4}));
        CHECK((refusal_of([&] { return v.blocks(-1); }) == verdict{reason::axis_is_out_of_range, -1, -1, 4}));
        CHECK((refusal_of([&] { return v.valid(1, 2); }) == verdict{reason::position_is_out_of_range, 1, 2, 2}));
        CHECK((refusal_of([&] { return v.valid(1, -1); }) == verdict{reason::position_is_out_of_range, 1, -1, 2}));
        CHECK((refusal_of([&] { return v.valid(9, 0); }) == verdict{reason::axis_is_out_of_range, -1, 9, 4}));
    };
    check(tensor_view(data.data(), blocked()));
    check(tensor_view(data.data(), bind(partly_static, 2, 3)));
    check(tensor_view(data.data(), blocked::value));
    const tensor_view late(data.data(), blocked::value);
    CHECK((refusal_of([&] { return late.at(0, 0, 0); }) == verdict{reason::rank_differs, -1, 3, 4}));
    const tensor_view v(data.data(), blocked());
    CHECK((refusal_of([&] { return v.block_at(0, 2, 0, 0).data(); }) ==
           verdict{reason::position_is_out_of_range, 1, 2, 2}));
}

TEST_CASE("tensor_view: refuses a null pointer, unless the layout has no elements") {
    float* const null = nullptr;
    const auto refused = [](dim_t elements) { return verdict{reason::data_is_null, -1, elements}; };
    CHECK(refusal_of([&] { return tensor_view(null, blocked()).data(); }) == refused(384));
    CHECK(refusal_of([&] { return tensor_view(null, bind(partly_static, 2, 3)).data(); }) == refused(384));
    CHECK(refusal_of([&] { return tensor_view(null, layout({2, 3}, "ab")).data(); }) == refused(6));
    CHECK(tensor_view(null, nchw<2, 0, 3, 3>()).data() == nullptr);
    CHECK(tensor_view(null, bind(partly_static, 0, 3)).data() == nullptr);
}

TEST_CASE("tensor_view: works in constant expressions") {
    constexpr int sum = [] {
        std::array<int, 32> data{};
        const tensor_view v(data.data(), nCw16c<1, 16, 2>());
        for (int c = 0; c < 16; ++c)
            for (int w = 0; w < 2; ++w) v(0, c, w) = c;
        int total = v.at(0, 15, 1);
        for (int x : v.block(0, 0, 1)) total += x;
        return total;
    }();
    STATIC_CHECK(sum == 135);
}

}}  // namespace test_view_tensor_view
