#include <plait/typed/concepts.hpp>
#include <plait/view/view_slice.hpp>

#include "laws/view_laws.hpp"
#include "view/view_cases.hpp"

namespace test_view_view_slice { namespace {

using namespace plait;
using namespace plait::detail;
using plait::formats::ab;
using namespace plait_test;

using blocked = nChw16c<2, 17, 3, 4>;
constexpr auto partly_static = layout_c<layout({dynamic, 17, 3, dynamic}, "nChw16c")>;
using tensor = three_views<blocked, std::remove_const_t<decltype(partly_static)>>;

/// Checks that the slice keeps the law of views, and that its elements are those of `whole` with the index inserted.
template <class Slice, class View>
bool is_slice(const Slice& part, const View& whole, int axis, dim_t index) {
    if (!is_the_layout(part)) return false;
    const layout l = part.plain_layout();
    if (l.volume() == 0) return true;
    position at = origin(l.ndims());
    do
        if (&at_position(part, at) != &at_position(whole, inserted(at, axis, index))) return false;
    while (advance(at, l.dims));
    return true;
}

template <int Axis, class View>
bool slices_along(const View& v) {
    bool right = true;
    for (dim_t i = 0; i < v.extent(Axis); ++i)
        right = right && is_slice(slice(v, number<Axis>, i), v, Axis, i) && is_slice(slice(v, Axis, i), v, Axis, i);
    return right;
}

template <layout L>
bool slices_static_layouts() {
    constexpr layout l = L;
    if constexpr (l.ndims() < 2 || l.dims.values[0] == 0) return true;
    else {
        std::vector<char> data = numbered<char>(l);
        return [&]<int... A>(std::integer_sequence<int, A...>) {
            return ((slices_along<A>(tensor_view(data.data(), layout_constant<L>())) &&
                     slices_along<A>(tensor_view(data.data(), bind(layout_constant<L>()))) &&
                     slices_along<A>(tensor_view(data.data(), l))) &&
                    ...);
        }
        (std::make_integer_sequence<int, l.ndims()>());
    }
}

TEST_CASE("law: the elements of a slice are those of the view with the index inserted") {
    CHECK(cases_that_fail([]<layout L>() { return slices_static_layouts<L>(); }) == none_of_them);
}

TEST_CASE("slice: the layout is static for any index, and takes no memory") {
    const tensor t;
    const volatile int sixteen = 16;
    const auto channel = slice(t.known, number<1>, sixteen);
    STATIC_CHECK(sizeof(channel) == sizeof(float*));
    CHECK(&channel(1, 2, 3) == &t.known(1, 16, 2, 3));
    STATIC_CHECK(std::is_same_v<decltype(slice(t.known, number<1>, 3)), decltype(slice(t.known, number<1>, 4))>);
    STATIC_CHECK(
        std::is_same_v<decltype(slice(t.known, number<1>, number<3>)), decltype(slice(t.known, number<1>, 4))>);
    CHECK(slice(t.known, number<1>, number<3>).data() == slice(t.known, number<1>, 3).data());
}

TEST_CASE("slice: of a bound layout stays bound if the remaining strides depend on other axes") {
    const tensor t;
    CHECK(
        (slices_along<0>(t.bound) && slices_along<1>(t.bound) && slices_along<2>(t.bound) && slices_along<3>(t.bound)));
    const auto one_channel =
        slice(tensor_view(t.data.data(), bind(nhwc<dynamic, 4, dynamic, 5>(), 2, 3)), number<1>, 2);
    using kept = decltype(one_channel)::layout_in_type;
    STATIC_CHECK(layout_index<kept>::rank == 3);
    STATIC_CHECK(kept::partly_static.dims == dims{dynamic, dynamic, 5});
    CHECK(is_the_layout(one_channel));
    // The batch is dynamic, but no stride depends on it.
    const auto image = slice(t.bound, number<0>, 1);
    using without_batch = decltype(image)::layout_in_type;
    STATIC_CHECK(without_batch::partly_static.dims == dims{17, 3, dynamic});
    STATIC_CHECK(matches<without_batch, "Abc16a">);
    CHECK((is_the_layout(image) && &image(16, 2, 3) == &t.known(1, 16, 2, 3)));
    CHECK_THROWS_AS(static_cast<void>(slice(t.bound, number<0>, 2)), rejection);
    const auto no_images = slice(tensor_view(t.data.data(), bind(nhwc<dynamic, 4, dynamic, 5>(), 2, 0)), number<0>, 1);
    CHECK((no_images.extent(1) == 0 && no_images.data() == t.data.data()));
    // The stride of the images depends on the channels, so it is not known without them.
    STATIC_CHECK(std::is_same_v<decltype(slice(t.bound, number<1>, 2)), tensor_view<float, layout>>);
}

TEST_CASE("views: parts without elements begin at the beginning of the whole") {
    float* const null = nullptr;
    const tensor_view empty(null, layout_c<by_hand({0, 3}, {0, 3}, {3, 1}, {}, {}, 0)>);
    CHECK(slice(empty, number<1>, 2).data() == nullptr);
    CHECK(slice(tensor_view(null, bind(ab<dynamic, 3>(), 0)), number<1>, 2).data() == nullptr);
    CHECK(slice(tensor_view(null, bind(ab<dynamic, 3>(), 0)), number<1>, number<2>).data() == nullptr);
    CHECK(slice(tensor_view(null, layout({0, 3}, "ab")), 1, 2).data() == nullptr);
    const tensor t;
    CHECK(submemory(t.known, {0, 0, 0, 0}, {2, 17, 3, 4}).data() == t.known.data());
}

}}  // namespace test_view_view_slice
