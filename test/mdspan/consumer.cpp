// Generic code for std::mdspan that does not use plait, called with tensors in layouts of plait.

#include <plait/interop/mdspan.hpp>
#include <plait/plait.hpp>

#include <cassert>
#include <cstdio>
#include <numeric>
#include <vector>

namespace somebody_elses {

/// Returns the sum of all elements, added in logical order.
template <class T, class Extents, class Layout, class Accessor>
    requires(Extents::rank() == 4)
std::remove_cv_t<T> sum(const std::mdspan<T, Extents, Layout, Accessor>& x) {
    std::remove_cv_t<T> out{};
    using index = typename Extents::index_type;
    for (index n = 0; n < x.extent(0); ++n)
        for (index c = 0; c < x.extent(1); ++c)
            for (index h = 0; h < x.extent(2); ++h)
                for (index w = 0; w < x.extent(3); ++w) out += x[n, c, h, w];
    return out;
}

/// Transposes a matrix: out[j, i] = in[i, j].
void transpose(const auto& in, const auto& out) {
    static_assert(std::remove_cvref_t<decltype(in)>::rank() == 2);
    assert(in.extent(0) == out.extent(1) && in.extent(1) == out.extent(0));
    for (int i = 0; i < static_cast<int>(in.extent(0)); ++i)
        for (int j = 0; j < static_cast<int>(in.extent(1)); ++j) out[j, i] = in[i, j];
}

/// Returns the sum of all elements, from a pointer and strides as a BLAS takes them.
template <class Matrix>
auto sum_by_strides(const Matrix& x) requires(Matrix::is_always_strided()) {
    auto out = typename Matrix::value_type{};
    for (int i = 0; i < static_cast<int>(x.extent(0)); ++i)
        for (int j = 0; j < static_cast<int>(x.extent(1)); ++j)
            out += x.data_handle()[i * static_cast<int>(x.stride(0)) + j * static_cast<int>(x.stride(1))];
    return out;
}

}  // namespace somebody_elses

namespace {

int failures = 0;
void check(bool holds, int line) {
    if (holds) return;
    std::fprintf(stderr, "consumer.cpp:%d\n", line);
    ++failures;
}

using plait::dim_t, plait::layout, plait::mdspan_layout, plait::tensor_view;
using blocked = plait::nChw16c<2, 17, 5, 6>;
using partly = plait::nChw16c<plait::dynamic, 17, plait::dynamic, 6>;

template <class View>
concept has_mdspan = requires(const View& v) {
    plait::to_mdspan(v);
};

/// Returns true if each index refers to the same element in the mdspan and in the view.
bool same_elements(const auto& span, const auto& view) {
    bool same = true;
    plait::for_each_position(view, [&](const plait::position& at, auto& element) {
        same = same && &span[at[0], at[1], at[2], at[3]] == &element;
    });
    return same;
}

void views() {
    std::vector<float> data(blocked::value.element_span());
    std::iota(data.begin(), data.end(), 0.0f);
    const tensor_view v(data.data(), blocked());
    const auto span = plait::to_mdspan(v);
    using wanted = std::mdspan<float, std::extents<dim_t, 2, 17, 5, 6>, mdspan_layout<blocked>>;
    static_assert(std::is_same_v<decltype(span), const wanted>);
    static_assert(sizeof(span) == sizeof(float*) && std::is_trivially_copyable_v<wanted>);
    static_assert(wanted::is_always_unique() && !wanted::is_always_exhaustive() && !wanted::is_always_strided());
    check(same_elements(span, v), __LINE__);
    float expected = 0;
    plait::for_each_position(v, [&](const plait::position&, float x) { expected += x; });
    check(somebody_elses::sum(span) == expected, __LINE__);

    // Views of the same memory whose extents are known only at run time.
    const tensor_view bound(data.data(), plait::bind(partly(), 2, 5));
    const auto late = plait::to_mdspan(bound);
    static_assert(decltype(late)::rank_dynamic() == 2 && decltype(late)::static_extent(1) == 17);
    check(same_elements(late, bound), __LINE__);
    check(somebody_elses::sum(late) == expected, __LINE__);
    const std::mdspan<const float, std::dextents<int, 4>, mdspan_layout<partly>> made(data.data(), 2, 17, 5, 6);
    check(same_elements(made, tensor_view<const float, blocked>(v)), __LINE__);

    // The type of a view with a run-time layout contains neither the rank nor the blocks.
    static_assert(has_mdspan<decltype(bound)> && !has_mdspan<tensor_view<float, layout>>);

    // Conversions to dynamic extents and const elements are implicit; the conversion to static extents is explicit.
    const std::mdspan<const float, std::dextents<dim_t, 4>, mdspan_layout<blocked>> general = span;
    check(somebody_elses::sum(general) == expected && general.mapping() == span.mapping(), __LINE__);
    const std::mdspan<const float, std::extents<int, 2, 17, 5, 6>, mdspan_layout<blocked>> known(general);
    check(known.size() == 2 * 17 * 30 && known.mapping().required_span_size() == 1905, __LINE__);
}

void parts() {
    std::vector<float> data(blocked::value.element_span());
    const tensor_view v(data.data(), blocked());
    constexpr layout one_image = plait::submemory(blocked::value, {1, 17, 5, 6}, {1, 0, 0, 0});
    static_assert(one_image.offset0 == 960);
    const tensor_view second(data.data(), plait::layout_c<one_image>);
    const auto span = plait::to_mdspan(second);
    check(span.data_handle() == data.data() + 960 && span.mapping()(0, 0, 0, 0) == 0, __LINE__);
    check(same_elements(span, second), __LINE__);
    const auto bound = plait::bind(plait::layout_c<plait::layout({plait::dynamic, 16, 5, 6}, "nChw16c")>, 2);
    const auto rows =
        plait::to_mdspan(plait::slice(tensor_view(data.data(), bound), std::integral_constant<int, 2>(), 3));
    check(&rows[1, 15, 4] == data.data() + plait::layout({2, 16, 5, 6}, "nChw16c").offset(1, 15, 3, 4), __LINE__);
}

void matrices() {
    using matrix = plait::layout_constant<layout({20, 33}, "BA16a4b")>;
    std::vector<int> from(matrix::value.element_span()), to(20 * 33), again(from.size());
    const tensor_view v(from.data(), matrix());
    plait::for_each_position(v, [](const plait::position& at, int& x) { x = static_cast<int>(at[0] * 100 + at[1]); });
    const std::mdspan<int, std::dextents<int, 2>> plain(to.data(), 33, 20);
    somebody_elses::transpose(plait::to_mdspan(v), plain);
    check(to[32 * 20 + 19] == 1932 && to[1] == 100, __LINE__);
    somebody_elses::transpose(plain,
                              std::mdspan<int, std::extents<short, 20, 33>, mdspan_layout<matrix>>(again.data()));
    check(again == from, __LINE__);

    // If the blocks are contiguous in order, each axis has one stride, and std::layout_stride represents the layout.
    using following = plait::layout_constant<layout({4, 32}, "aB16b")>;
    std::vector<int> numbers(4 * 32);
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto span = plait::to_mdspan(tensor_view(numbers.data(), following()));
    static_assert(decltype(span)::is_always_strided() && decltype(span)::is_always_exhaustive());
    check(somebody_elses::sum_by_strides(span) == 128 * 127 / 2, __LINE__);
    const std::mdspan<int, std::dextents<dim_t, 2>, std::layout_stride> strided(span);
    check(&strided[3, 17] == &span[3, 17] && strided.mapping() == span.mapping(), __LINE__);
    static_assert(!std::is_constructible_v<std::layout_stride::mapping<std::dextents<dim_t, 4>>,
                                           mdspan_layout<blocked>::mapping<std::dextents<dim_t, 4>>>);
}

void refusals() {
    try {
        const mdspan_layout<blocked>::mapping<std::dextents<int, 4>> other(std::dextents<int, 4>(2, 18, 5, 6));
        check(false, __LINE__);
    } catch (const plait::rejection& refused) {
        check(
            std::string_view(refused.what()) == "dims_differ: axis 1 has 17 elements in one layout and 18 in the other",
            __LINE__);
    }
}

}  // namespace

/// Elements smaller than a byte are reached through an accessor with proxies.
void packed() {
    std::vector<std::byte> memory(12);
    constexpr plait::layout in_pairs({4, 6}, "aB2b");
    const plait::tensor_view v(plait::nibbles<plait::u4>(memory.data()), plait::layout_c<in_pairs>);
    const auto span = plait::to_mdspan(v);
    static_assert(
        std::is_same_v<std::remove_cvref_t<decltype(span)>::accessor_type, plait::packed_accessor<plait::u4>>);
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 6; ++b) span[a, b] = plait::u4(a + 2 * b);
    bool same = true;
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 6; ++b) same = same && static_cast<int>(v(a, b)) == a + 2 * b;
    check(same, __LINE__);
}

int main() {
    packed();
    views();
    parts();
    matrices();
    refusals();
    return failures == 0 ? 0 : 1;
}
