// Layouts of which the images, their height and their width are known at run time; by hand, the same with the strides
// computed beforehand.

#include "hand.hpp"

namespace bench {
namespace {

struct blocked {
    dim_t n, c, h;
    explicit blocked(dim_t height, dim_t width) : n(4 * height * width * 16), c(height * width * 16), h(width * 16) {}
    [[gnu::always_inline]] dim_t offset(dim_t in, dim_t ic, dim_t ih, dim_t iw) const {
        return in * n + ic / 16 * c + ih * h + iw * 16 + ic % 16;
    }
};
struct plain {
    dim_t n, c, h;
    explicit plain(dim_t height, dim_t width) : n(64 * height * width), c(height * width), h(width) {}
    [[gnu::always_inline]] dim_t offset(dim_t in, dim_t ic, dim_t ih, dim_t iw) const {
        return in * n + ic * c + ih * h + iw;
    }
};

using extents = std::array<dim_t, 4>;
template <class At>
[[gnu::noinline]] number sum_of(const extents& extent, At at) {
    return sum(extent, at);
}
template <class At>
[[gnu::noinline]] number transposed_of(const extents& extent, At at) {
    return transposed(extent, at);
}
template <class At>
[[gnu::noinline]] number random_of(const positions<4>& where, At at) {
    return at_random(where, at);
}
template <class View>
[[gnu::noinline]] number elements_of(View v) {
    number total = 0;
    for_each_element(v, [&](number x) { total += x; });
    return total;
}
[[gnu::noinline]] number run_of(const number* x, dim_t count) { return hand::run(x, count, 0); }

template <class Hand, layout L>
void add(std::vector<row>& rows, const std::string& name, const extents& extent) {
    const auto bound = plait::bind(layout_constant<L>(), extent[0], extent[2], extent[3]);
    const number* const data = memory_of<number>(bound);
    const tensor_view v(data, bound);
    const hand::elements<Hand> by_hand{data, Hand(extent[2], extent[3])};
    const auto volume = static_cast<layout>(bound).volume();
    const auto count = static_cast<double>(volume);
    rows.push_back({"logical order, " + name, limit_bound, count, [=] { return sum_of(extent, v); },
                    [=] { return sum_of(extent, by_hand); }});
    rows.push_back({"memory order, " + name, limit_bound, count, [=] { return elements_of(v); },
                    [=] { return run_of(data, volume); }});
    rows.push_back({"transposed, " + name, limit_bound, count, [=] { return transposed_of(extent, v); },
                    [=] { return transposed_of(extent, by_hand); }});
    const auto where = random_positions(extent);
    rows.push_back({"random, " + name, limit_bound, static_cast<double>(where.size()),
                    [=] { return random_of(where, v); }, [=] { return random_of(where, by_hand); }});
}

}  // namespace

std::vector<row> bound_rows() {
    std::vector<row> rows;
    const volatile dim_t height = 28;  // so that the compiler does not know it
    const extents extent{4, 64, height, height};
    add<blocked, nChw16c<dynamic, 64, dynamic, dynamic>::value>(rows, "bound nChw16c", extent);
    add<plain, nchw<dynamic, 64, dynamic, dynamic>::value>(rows, "bound nchw", extent);
    return rows;
}

}  // namespace bench
