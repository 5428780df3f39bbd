// README's program with the module: everything that it names comes from `import plait;`.
#include <cstdio>
#include <span>
#include <vector>

import plait;

template <plait::layout_type L>
void relu(plait::tensor_view<float, L> v) requires plait::matches<L, "nChw16c"> {
    plait::for_each_block(v, [](const plait::position&, std::span<float, 16> c, const plait::dims&) {
        for (float& x : c) x = x < 0 ? 0 : x;
    });
}

static_assert(plait::layout({2, 17, 5, 4}, "nChw16c").offset(0, 16, 2, 3) == 496);
static_assert(plait::check_reshape(plait::layout({2, 3}, "ba"), {6}).reason == plait::reason::joined_axes_do_not_chain);

int main() {
    using plain = plait::nchw<1, 17, 56, 56>;
    using blocked = plait::nChw16c<1, 17, 56, 56>;
    std::vector<float> in(plain::value.element_span(), -1.0f), out(blocked::value.element_span());
    const plait::tensor_view image(in.data(), plain());
    const plait::tensor_view v(out.data(), blocked());
    image(0, 16, 2, 3) = 5;
    plait::reorder(image, v);
    relu(v);
    if (v(0, 16, 2, 3) != 5 || v(0, 0, 0, 0) != 0) return 1;

    // At run time, from the library, whose units include the headers.
    const plait::descriptor from(plait::data_type::f32, plait::layout({2, 3}, "ab")),
        to(plait::data_type::f32, plait::layout({2, 3}, "ba"));
    const plait::planned_reorder turn = plait::make_reorder(from, to).value();
    const float rows[] = {1, 2, 3, 4, 5, 6};
    float columns[6] = {};
    turn(std::as_bytes(std::span(rows)), std::as_writable_bytes(std::span(columns)));
    if (columns[1] != 4) return 2;
    const plait::record packed("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {64, 256});
    std::printf("%zu bytes\n", packed.size_in_bytes());
    return 0;
}
