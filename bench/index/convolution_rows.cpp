// A 3x3 convolution of 64 channels, element by element and block by block, and one of each of 40 channels by itself.

#include "hand.hpp"

namespace bench {
namespace {

using image = nChw16c<1, 64, 16, 16>;
using filter = OIhw16i16o<64, 64, 3, 3>;
using result = nChw16c<1, 64, 14, 14>;

struct image_by_hand {
    static dim_t offset(dim_t, dim_t c, dim_t h, dim_t w) { return ((c / 16 * 16 + h) * 16 + w) * 16 + c % 16; }
    static dim_t block(dim_t, dim_t cb, dim_t h, dim_t w) { return ((cb * 16 + h) * 16 + w) * 16; }
};
struct filter_by_hand {
    static dim_t offset(dim_t o, dim_t i, dim_t h, dim_t w) {
        return (((o / 16 * 4 + i / 16) * 3 + h) * 3 + w) * 256 + i % 16 * 16 + o % 16;
    }
    static dim_t block(dim_t ob, dim_t ib, dim_t h, dim_t w) { return (((ob * 4 + ib) * 3 + h) * 3 + w) * 256; }
};
struct result_by_hand {
    static dim_t offset(dim_t, dim_t c, dim_t h, dim_t w) { return ((c / 16 * 14 + h) * 14 + w) * 16 + c % 16; }
    static dim_t block(dim_t, dim_t cb, dim_t h, dim_t w) { return ((cb * 14 + h) * 14 + w) * 16; }
};
template <class T, class Layout>
struct by_hand {
    T* data;
    template <class... Index>
    [[gnu::always_inline]] T& operator()(Index... at) const {
        return data[Layout::offset(at...)];
    }
    template <class... Index>
    [[gnu::always_inline]] T* block(Index... at) const {
        return data + Layout::block(at...);
    }
};

using depthwise_image = nChw16c<1, 40, 58, 58>;
using depthwise_filter = format<"Abcde16a", 40, 1, 1, 3, 3>;
using depthwise_result = nChw16c<1, 40, 56, 56>;

struct depthwise_image_by_hand {
    static dim_t block(dim_t, dim_t cb, dim_t h, dim_t w) { return ((cb * 58 + h) * 58 + w) * 16; }
};
struct depthwise_filter_by_hand {
    static dim_t block(dim_t gb, dim_t, dim_t, dim_t h, dim_t w) { return ((gb * 3 + h) * 3 + w) * 16; }
};
struct depthwise_result_by_hand {
    static dim_t block(dim_t, dim_t cb, dim_t h, dim_t w) { return ((cb * 56 + h) * 56 + w) * 16; }
};

template <class X, class W, class Y>
[[gnu::noinline]] float by_elements(X x, W w, Y y) {
    for (dim_t o = 0; o < 16; ++o)  // a quarter of the channels
        for (dim_t h = 0; h < 14; ++h)
            for (dim_t v = 0; v < 14; ++v) {
                float sum = 0;
                for (dim_t i = 0; i < 64; ++i)
                    for (dim_t r = 0; r < 3; ++r)
                        for (dim_t s = 0; s < 3; ++s) sum += x(0, i, h + r, v + s) * w(o, i, r, s);
                y(0, o, h, v) = sum;
            }
    return y(0, 3, 2, 1);
}

template <class X, class W, class Y>
[[gnu::noinline]] float by_blocks(X x, W w, Y y) {
    for (dim_t ob = 0; ob < 4; ++ob)
        for (dim_t h = 0; h < 14; ++h)
            for (dim_t v = 0; v < 14; ++v) {
                float sum[16]{};
                for (dim_t ib = 0; ib < 4; ++ib)
                    for (dim_t r = 0; r < 3; ++r)
                        for (dim_t s = 0; s < 3; ++s) {
                            const auto in = x.block(0, ib, h + r, v + s);
                            const auto k = w.block(ob, ib, r, s);
                            for (std::size_t i = 0; i < 16; ++i)
                                for (std::size_t o = 0; o < 16; ++o) sum[o] += in[i] * k[i * 16 + o];
                        }
                const auto out = y.block(0, ob, h, v);
                for (std::size_t o = 0; o < 16; ++o) out[o] = sum[o];
            }
    return y(0, 3, 2, 1);
}

template <class X, class W, class Y>
[[gnu::noinline]] float by_channels(X x, W w, Y y) {
    for (dim_t cb = 0; cb < 3; ++cb)
        for (dim_t h = 0; h < 56; ++h)
            for (dim_t v = 0; v < 56; ++v) {
                float sum[16]{};
                for (dim_t r = 0; r < 3; ++r)
                    for (dim_t s = 0; s < 3; ++s) {
                        const auto in = x.block(0, cb, h + r, v + s);
                        const auto k = w.block(cb, 0, 0, r, s);
                        for (std::size_t c = 0; c < 16; ++c) sum[c] += in[c] * k[c];
                    }
                const auto out = y.block(0, cb, h, v);
                for (std::size_t c = 0; c < 16; ++c) out[c] = sum[c];
            }
    return y.block(0, 1, 2, 1)[3];
}

}  // namespace

std::vector<row> convolution_rows() {
    const float *const x = memory_of<float>(image::value), *const w = memory_of<float>(filter::value);
    float* const y = memory_of<float>(result::value);
    const tensor_view in(x, image());
    const tensor_view weights(w, filter());
    const tensor_view out(y, result());
    const by_hand<const float, image_by_hand> hand_in{x};
    const by_hand<const float, filter_by_hand> hand_weights{w};
    const by_hand<float, result_by_hand> hand_out{y};
    const double products = 64 * 14 * 14 * 64 * 9;
    const float *const depthwise_x = memory_of<float>(depthwise_image::value), *const depthwise_w = memory_of<float>(
                                                                                   depthwise_filter::value);
    float* const depthwise_y = memory_of<float>(depthwise_result::value);
    const tensor_view depthwise_in(depthwise_x, depthwise_image());
    const tensor_view depthwise_weights(depthwise_w, depthwise_filter());
    const tensor_view depthwise_out(depthwise_y, depthwise_result());
    const by_hand<const float, depthwise_image_by_hand> hand_depthwise_in{depthwise_x};
    const by_hand<const float, depthwise_filter_by_hand> hand_depthwise_weights{depthwise_w};
    const by_hand<float, depthwise_result_by_hand> hand_depthwise_out{depthwise_y};
    return {{"convolution an element", limit_static, products / 4, [=] { return by_elements(in, weights, out); },
             [=] { return by_elements(hand_in, hand_weights, hand_out); }},
            {"convolution a block", limit_static, products, [=] { return by_blocks(in, weights, out); },
             [=] { return by_blocks(hand_in, hand_weights, hand_out); }},
            {"depthwise convolution a block", limit_static, 48 * 56 * 56 * 9,
             [=] { return by_channels(depthwise_in, depthwise_weights, depthwise_out); },
             [=] { return by_channels(hand_depthwise_in, hand_depthwise_weights, hand_depthwise_out); }}};
}

}  // namespace bench
