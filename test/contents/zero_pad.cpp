#include <plait/contents/zero_pad.hpp>

#include "laws/padding_places.hpp"
#include "view/view_cases.hpp"

namespace test_contents_zero_pad { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

constexpr unsigned char untouched = 0xa5;

/// Returns, for each place, if it is padding.
std::vector<bool> padding_places(const layout& l) {
    std::vector<bool> out(static_cast<std::size_t>(l.offset0) + l.element_span());
    for_each_padding_place(l, [&](dim_t offset) { out[static_cast<std::size_t>(offset)] = true; });
    return out;
}

/// True if zero_pad of a view writes zeros exactly to its padding, between guard bytes, and is_padding_zero sees it.
template <class T, class L>
bool zeroes_exactly_padding(const L& l) {
    const layout plain = l;
    const std::vector<bool> model = padding_places(plain);
    constexpr std::size_t guard = 64;
    const std::size_t bytes = model.size() * sizeof(T);
    std::vector<std::max_align_t> room((bytes + 2 * guard) / sizeof(std::max_align_t) + 2);
    auto* const buffer = reinterpret_cast<unsigned char*>(room.data());
    const std::size_t size = room.size() * sizeof(std::max_align_t);
    std::fill_n(buffer, size, untouched);
    const tensor_view v(reinterpret_cast<T*>(buffer + guard), l);
    bool has_padding = false;
    for (const bool place : model) has_padding = has_padding || place;
    if (is_padding_zero(v) == has_padding) return false;
    const auto held = zero_pad(v);
    static_assert(zero_padded<decltype(held)>);
    if (held.stored().data() != v.data() || !is_padding_zero(v) || !is_padding_zero(held)) return false;
    for (std::size_t i = 0; i < size; ++i) {
        const bool zero = i >= guard && (i - guard) / sizeof(T) < model.size() && model[(i - guard) / sizeof(T)];
        if (buffer[i] != (zero ? 0 : untouched)) return false;
    }
    return true;
}

/// False if padding shares places with elements.
template <layout L>
constexpr bool has_padding_of_its_own = check_zero_pad(L).ok();

TEST_CASE("zero_pad of a view: writes zeros exactly to the padding of static, bound and run-time layouts") {
    CHECK(cases_that_fail([]<layout L>() {
              if constexpr (!has_padding_of_its_own<L>) return true;
              else
                  return zeroes_exactly_padding<char>(layout_c<L>) && zeroes_exactly_padding<float>(layout_c<L>) &&
                         zeroes_exactly_padding<double>(bind(layout_c<L>)) && zeroes_exactly_padding<std::int16_t>(L);
          }) == none_of_them);
    constexpr layout open({dynamic, 17, dynamic, 2}, "nChw16c");
    CHECK(zeroes_exactly_padding<float>(bind(layout_c<open>, 2, 3)));
    CHECK(zeroes_exactly_padding<float>(bind(layout_c<layout({2, dynamic, 3, 2}, "nChw16c")>, 18)));
    CHECK(zeroes_exactly_padding<float>(bind(layout_c<layout({2, dynamic, 3, 2}, "nChw16c")>, 32)));
}

TEST_CASE("zero_pad of a view: zeroes the padding in a constant expression, and keeps the elements") {
    STATIC_CHECK([] {
        int data[32];
        for (int& x : data) x = 7;
        const auto v = zero_pad(tensor_view(&data[0], format<"AB4b2a", 3, 5>()));
        int zeros = 0, wrong = 0;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 5; ++b) wrong += v(a, b) != 7;
        for (const int x : data) zeros += x == 0;
        return wrong == 0 && zeros == 32 - 15;
    }());
}

TEST_CASE("zero_pad of a view: in a constant expression, sets all bits of padding to zero, even if T{} is not zero") {
    struct one {
        int value = 1;
    };
    STATIC_CHECK([] {
        one data[2]{};
        static_cast<void>(zero_pad(tensor_view(&data[0], format<"A2a", 1>())));
        return data[0].value == 1 && data[1].value == 0;
    }());
}

TEST_CASE("zero_pad of a view: accepts elements of trivially copyable types, and held views") {
    struct pixel {
        std::uint8_t red = 1, green = 2, blue = 3;
    };
    std::vector<pixel> data(nChw16c<1, 3, 2, 2>::value.element_span());
    const auto v = zero_pad(tensor_view(data.data(), nChw16c<1, 3, 2, 2>()));
    CHECK(v(0, 2, 1, 1).blue == 3);
    CHECK(v.block(0, 0, 1, 1)[3].green == 0);
    const auto again = zero_pad(v);
    static_assert(std::is_same_v<decltype(again), decltype(v)>);
    static_assert(!zero_padded<decltype(v.stored())>);
}

TEST_CASE("zero_pad of a view: refused if padding and elements share places, as on descriptors") {
    layout repeated({2, 3}, "aB4b");
    repeated.padded_dims[0] = 4, repeated.digits[0].extent = 4, repeated.digits[0].stride = 0;
    std::vector<float> data(64);
    CHECK(check_zero_pad(repeated).reason == reason::destination_is_not_injective);
    CHECK_THROWS_AS(static_cast<void>(zero_pad(tensor_view(data.data(), repeated))), rejection);
    CHECK_THROWS_AS(static_cast<void>(is_padding_zero(tensor_view(data.data(), repeated))), rejection);
}

}}  // namespace test_contents_zero_pad
