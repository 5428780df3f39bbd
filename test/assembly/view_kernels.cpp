// Kernels on static layouts. check_view.py reads their object code.

#include <plait/packed/formats.hpp>
#include <plait/packed/record_view.hpp>
#include <plait/typed/formats.hpp>
#include <plait/view/for_each_element.hpp>
#include <plait/view/mdspan_layout.hpp>

#include "../view/stand_in_extents.hpp"

using namespace plait;

using image = nChw16c<1, 32, 10, 10>;
using filter = OIhw16i16o<32, 32, 3, 3>;
using result = nChw16c<1, 32, 8, 8>;
using tail = nCw16c<4, 50, 28>;
using plain = ncw<4, 50, 28>;
using any_extents = plait_test::extents<int, 4, plait_test::dynamic_extent, plait_test::dynamic_extent>;
using weights = packed_formats::q4_0_8x8<64, 256>;

extern "C" {

// Accesses single elements; both factors of the product have blocked layouts.
void kernel_convolution(tensor_view<const float, image> x, tensor_view<const float, filter> w,
                        tensor_view<float, result> y) {
    for (dim_t o = 0; o < y.extent(1); ++o)
        for (dim_t h = 0; h < y.extent(2); ++h)
            for (dim_t v = 0; v < y.extent(3); ++v) {
                float sum = 0;
                for (dim_t i = 0; i < x.extent(1); ++i)
                    for (dim_t r = 0; r < 3; ++r)
                        for (dim_t s = 0; s < 3; ++s) sum += x(0, i, h + r, v + s) * w(o, i, r, s);
                y(0, o, h, v) = sum;
            }
}

// Accesses blocks; the last one has only the elements of the tensor, without padding.
void kernel_blocks(tensor_view<const float, tail> x, tensor_view<float, tail> y) {
    for (dim_t n = 0; n < x.extent(0); ++n)
        for (dim_t b = 0; b < x.blocks(1); ++b)
            for (dim_t w = 0; w < x.extent(2); ++w) {
                const auto in = x.block(n, b, w);
                const auto out = y.block(n, b, w);
                for (std::size_t c = 0; c < in.size(); ++c) out[c] = in[c] > 0 ? in[c] : 0;
            }
}

// Copies from one layout to another at run-time positions, and visits all elements in the order of memory.
float kernel_transposed(tensor_view<const float, tail> x, tensor_view<float, plain> y, dim_t n, dim_t w) {
    for (dim_t c = 0; c < 50; ++c) y(n, c, w) = x(n, c, w);
    float sum = 0;
    for_each_element(x, [&](float value) { sum += value; });
    return sum + static_cast<float>(plain::offset(n, 0, w)) + static_cast<float>(tail::linear_offset(n));
}

// Calls the mapping as std::mdspan does.
float kernel_mapping(const float* x, mdspan_layout<tail>::mapping<any_extents> from, int n, int w) {
    float sum = 0;
    for (int c = 0; c < from.extents().extent(1); ++c) sum += x[from(n, c, w)];
    return sum + static_cast<float>(from.required_span_size());
}

// Reads and writes 4-bit values and their scales in rows of 8.
int kernel_record(record_view<std::byte, weights> w, dim_t n) {
    int sum = 0;
    for (dim_t k = 0; k < w.extent(1); ++k) {
        sum += (static_cast<int>(w.get<"q">(n, k)) - 8) * w.get<"d">(n, k).bits;
        w.set<"q">(n + 1, k, u4(k & 15));
    }
    return sum + std::to_integer<int>(w.block<"q">(n / 8, 1)[3]);
}

}  // extern "C"
