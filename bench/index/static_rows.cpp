// Layouts that are types, of two to five axes: plain, in blocks, in blocks of blocks, with tails.

#include "hand.hpp"

namespace bench {
namespace {

template <class Format>
using view_of = tensor_view<const number, Format>;

// Each loop is a function of its own, so that the compiler sees as much of one as of the other.
template <class Hand, class At>
[[gnu::noinline]] number sum_of(At at) {
    return sum(Hand::extent, at);
}
template <class Hand, class At>
[[gnu::noinline]] number transposed_of(At at) {
    return transposed(Hand::extent, at);
}
template <class Hand, class At>
[[gnu::noinline]] number random_of(const positions<Hand::extent.size()>& where, At at) {
    return at_random(where, at);
}
template <class Format>
[[gnu::noinline]] number elements_of(view_of<Format> v) {
    number total = 0;
    for_each_element(v, [&](number x) { total += x; });
    return total;
}
template <class Hand>
[[gnu::noinline]] number memory_of_hand(const number* x) {
    return Hand::in_memory_order(x);
}

template <class Hand>
void add(std::vector<row>& rows, const std::string& name) {
    using format = typename Hand::format;
    const number* const data = memory_of<number>(format::value);
    const view_of<format> v(data, format());
    const hand::elements<Hand> by_hand{data};
    const auto count = static_cast<double>(format::value.volume());
    rows.push_back({"logical order, " + name, limit_static, count, [=] { return sum_of<Hand>(v); },
                    [=] { return sum_of<Hand>(by_hand); }});
    rows.push_back({"memory order, " + name, limit_static, count, [=] { return elements_of<format>(v); },
                    [=] { return memory_of_hand<Hand>(data); }});
    rows.push_back({"transposed, " + name, limit_static, count, [=] { return transposed_of<Hand>(v); },
                    [=] { return transposed_of<Hand>(by_hand); }});
    const auto where = random_positions(Hand::extent);
    rows.push_back({"random, " + name, limit_static, static_cast<double>(where.size()),
                    [=] { return random_of<Hand>(where, v); }, [=] { return random_of<Hand>(where, by_hand); }});
}

}  // namespace

std::vector<row> static_rows() {
    std::vector<row> rows;
    add<hand::ab>(rows, "static ab");
    add<hand::Ab16a>(rows, "static Ab16a, tail");
    add<hand::nCw16c>(rows, "static nCw16c");
    add<hand::nchw>(rows, "static nchw");
    add<hand::nhwc>(rows, "static nhwc");
    add<hand::nChw16c>(rows, "static nChw16c");
    add<hand::nChw16c_tail>(rows, "static nChw16c, tail");
    add<hand::OIhw4i16o4i>(rows, "static OIhw4i16o4i");
    add<hand::gOIhw8i8o>(rows, "static gOIhw8i8o");
    add<hand::ncdhw>(rows, "static ncdhw");
    return rows;
}

}  // namespace bench
