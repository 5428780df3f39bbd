// Layouts known only at run time, through a reader; by hand, a class for the one layout, with its strides as members.

#include "hand.hpp"

namespace bench {
namespace {

struct two_blocks {
    dim_t o, i, h, w;
    explicit two_blocks(const layout& l)
        : o(l.digits[0].stride), i(l.digits[1].stride), h(l.digits[2].stride), w(l.digits[3].stride) {}
    [[gnu::always_inline]] dim_t offset(dim_t io, dim_t ii, dim_t ih, dim_t iw) const {
        return io / 16 * o + ii / 16 * i + ih * h + iw * w + ii % 16 * 16 + io % 16;
    }
};
struct one_block {
    dim_t n, c, h, w;
    explicit one_block(const layout& l)
        : n(l.digits[0].stride), c(l.digits[1].stride), h(l.digits[2].stride), w(l.digits[3].stride) {}
    [[gnu::always_inline]] dim_t offset(dim_t in, dim_t ic, dim_t ih, dim_t iw) const {
        return in * n + ic / 16 * c + ih * h + iw * w + ic % 16;
    }
};
struct plain {
    dim_t n, c, h, w;
    explicit plain(const layout& l)
        : n(l.digits[0].stride), c(l.digits[1].stride), h(l.digits[2].stride), w(l.digits[3].stride) {}
    [[gnu::always_inline]] dim_t offset(dim_t in, dim_t ic, dim_t ih, dim_t iw) const {
        return in * n + ic * c + ih * h + iw * w;
    }
};

template <class At>
[[gnu::noinline]] number random_of(const positions<4>& where, const At& at) {
    return at_random(where, at);
}

template <class Hand>
void add(std::vector<row>& rows, const std::string& name, const layout& l, double limit) {
    const number* const data = memory_of<number>(l);
    const tensor_view v(data, l);
    const hand::elements<Hand> by_hand{data, Hand(l)};
    const auto where = random_positions(std::array{l.dims[0], l.dims[1], l.dims[2], l.dims[3]});
    rows.push_back({"random, " + name, limit, static_cast<double>(where.size()), [=] { return random_of(where, v); },
                    [=] { return random_of(where, by_hand); }});
}

}  // namespace

std::vector<row> run_time_rows() {
    // A reader is for any layout: it asks which digits there are, which costs more of an offset that takes less.
    std::vector<row> rows;
    add<two_blocks>(rows, "run-time OIhw16i16o", layout({64, 64, 3, 3}, "OIhw16i16o"), limit_run_time);
    add<one_block>(rows, "run-time nChw16c", layout({2, 64, 14, 14}, "nChw16c"), limit_none);
    add<plain>(rows, "run-time nchw", layout({2, 64, 14, 14}, "nchw"), limit_none);
    return rows;
}

}  // namespace bench
