#pragma once
// The arithmetic by hand of the layouts in the suite, as one writes it into a kernel: offset(indices...), and the sum
// in the order of memory.

#include "loops.hpp"

namespace bench::hand {

/// Elements of a pointer by the offsets of Layout.
template <class Layout>
struct elements {
    const number* data;
    [[no_unique_address]] Layout where{};
    template <class... Index>
    [[gnu::always_inline]] const number& operator()(Index... at) const {
        return data[where.offset(at...)];
    }
};

/// The sum over a run.
[[gnu::always_inline]] inline number run(const number* data, dim_t count, number total) {
    for (dim_t i = 0; i < count; ++i) total += data[i];
    return total;
}

struct ab {
    using format = plait::formats::ab<256, 300>;
    static constexpr std::array<dim_t, 2> extent{256, 300};
    static dim_t offset(dim_t a, dim_t b) { return a * 300 + b; }
    static number in_memory_order(const number* x) { return run(x, 256 * 300, 0); }
};
struct Ab16a {  // 250 rows in blocks of 16
    using format = plait::format<"Ab16a", 250, 300>;
    static constexpr std::array<dim_t, 2> extent{250, 300};
    static dim_t offset(dim_t a, dim_t b) { return a / 16 * 4800 + b * 16 + a % 16; }
    static number in_memory_order(const number* x) {
        number total = 0;
        for (dim_t a = 0; a < 250; a += 16)
            for (dim_t b = 0; b < 300; ++b) total = run(x + a / 16 * 4800 + b * 16, a + 16 < 250 ? 16 : 250 - a, total);
        return total;
    }
};
struct nCw16c {
    using format = plait::nCw16c<4, 64, 300>;
    static constexpr std::array<dim_t, 3> extent{4, 64, 300};
    static dim_t offset(dim_t n, dim_t c, dim_t w) { return n * 19200 + c / 16 * 4800 + w * 16 + c % 16; }
    static number in_memory_order(const number* x) { return run(x, 4 * 64 * 300, 0); }
};
struct nchw {
    using format = plait::nchw<2, 64, 28, 28>;
    static constexpr std::array<dim_t, 4> extent{2, 64, 28, 28};
    static dim_t offset(dim_t n, dim_t c, dim_t h, dim_t w) { return ((n * 64 + c) * 28 + h) * 28 + w; }
    static number in_memory_order(const number* x) { return run(x, 2 * 64 * 28 * 28, 0); }
};
struct nhwc {
    using format = plait::nhwc<2, 64, 28, 28>;
    static constexpr std::array<dim_t, 4> extent{2, 64, 28, 28};
    static dim_t offset(dim_t n, dim_t c, dim_t h, dim_t w) { return ((n * 28 + h) * 28 + w) * 64 + c; }
    static number in_memory_order(const number* x) { return run(x, 2 * 64 * 28 * 28, 0); }
};
struct nChw16c {
    using format = plait::nChw16c<2, 64, 28, 28>;
    static constexpr std::array<dim_t, 4> extent{2, 64, 28, 28};
    static dim_t offset(dim_t n, dim_t c, dim_t h, dim_t w) {
        return (((n * 4 + c / 16) * 28 + h) * 28 + w) * 16 + c % 16;
    }
    static number in_memory_order(const number* x) { return run(x, 2 * 64 * 28 * 28, 0); }
};
struct nChw16c_tail {  // 50 channels: 16, 16, 16 and 2
    using format = plait::nChw16c<2, 50, 28, 28>;
    static constexpr std::array<dim_t, 4> extent{2, 50, 28, 28};
    static dim_t offset(dim_t n, dim_t c, dim_t h, dim_t w) { return nChw16c::offset(n, c, h, w); }
    static number in_memory_order(const number* x) {
        number total = 0;
        for (dim_t n = 0; n < 2; ++n)
            for (dim_t c = 0; c < 50; c += 16)
                for (dim_t hw = 0; hw < 28 * 28; ++hw)
                    total = run(x + ((n * 4 + c / 16) * 784 + hw) * 16, c + 16 < 50 ? 16 : 50 - c, total);
        return total;
    }
};
struct OIhw4i16o4i {  // blocks of four in blocks of sixteen
    using format = plait::OIhw4i16o4i<64, 64, 3, 3>;
    static constexpr std::array<dim_t, 4> extent{64, 64, 3, 3};
    static dim_t offset(dim_t o, dim_t i, dim_t h, dim_t w) {
        return (((o / 16 * 4 + i / 16) * 3 + h) * 3 + w) * 256 + i % 16 / 4 * 64 + o % 16 * 4 + i % 4;
    }
    static number in_memory_order(const number* x) { return run(x, 64 * 64 * 9, 0); }
};
struct gOIhw8i8o {
    using format = plait::layout_constant<layout({2, 32, 32, 3, 3}, "gOIhw8i8o")>;
    static constexpr std::array<dim_t, 5> extent{2, 32, 32, 3, 3};
    static dim_t offset(dim_t g, dim_t o, dim_t i, dim_t h, dim_t w) {
        return ((((g * 4 + o / 8) * 4 + i / 8) * 3 + h) * 3 + w) * 64 + i % 8 * 8 + o % 8;
    }
    static number in_memory_order(const number* x) { return run(x, 2 * 32 * 32 * 9, 0); }
};
struct ncdhw {
    using format = plait::ncdhw<2, 16, 9, 14, 14>;
    static constexpr std::array<dim_t, 5> extent{2, 16, 9, 14, 14};
    static dim_t offset(dim_t n, dim_t c, dim_t d, dim_t h, dim_t w) {
        return (((n * 16 + c) * 9 + d) * 14 + h) * 14 + w;
    }
    static number in_memory_order(const number* x) { return run(x, 2 * 16 * 9 * 14 * 14, 0); }
};

}  // namespace bench::hand
