#include <plait/reorder/zero_pad.hpp>

#include "laws/padding_places.hpp"
#include "laws/random_layouts.hpp"

#include <plait/algebra/submemory.hpp>

#include <algorithm>
#include <vector>

namespace test_reorder_zero_pad { namespace {

using namespace plait;
using namespace plait::engine;
using plait_test::by_hand;

constexpr unsigned char untouched = 0xff;  // every bit is set, so that each zero is seen

/// Returns for each place, from offset 0 on, if it belongs to the padding.
std::vector<bool> padded_places(const layout& l, std::size_t places) {
    std::vector<bool> out(places);
    plait_test::for_each_padding_place(l, [&](dim_t offset) { out[static_cast<std::size_t>(offset)] = true; });
    return out;
}

/// True if zero_pad writes zeros exactly to the bits of the padding, and nothing to compensation or beyond.
bool zeroes_exactly_padding(const descriptor& d) {
    const auto size = static_cast<std::size_t>(size_in_bits(d.type));
    const std::size_t bytes = d.buffer_size_in_bytes() + 70;
    const std::vector<bool> padded = padded_places(d.layout, bytes * 8 / size + 1);
    std::vector<unsigned char> buffer(bytes + 1, untouched);
    unsigned char* const data = buffer.data() + 1;  // misaligned
    const bool has_padding = std::find(padded.begin(), padded.end(), true) != padded.end();
    if (is_padding_zero(d, data) == has_padding) return false;
    if (zero_pad(d, data) != status::success || !is_padding_zero(d, data) || buffer[0] != untouched) return false;
    for (std::size_t i = 0; i < bytes * 8; ++i)
        if ((data[i / 8] >> i % 8 & 1) != (padded[i / size] ? 0 : 1)) return false;
    // is_padding_zero must detect one bit that is set.
    for (std::size_t i = 7; i < bytes * 8; i += 8 + bytes / 2) {
        if (!padded[i / size]) continue;
        const unsigned char before = data[i / 8];
        data[i / 8] = static_cast<unsigned char>(before | 1u << i % 8);
        if (is_padding_zero(d, data)) return false;
        data[i / 8] = before;
    }
    return true;
}

constexpr data_type some_types[] = {data_type::s8, data_type::bf16, data_type::f32,     data_type::f64,
                                    data_type::u1, data_type::s4,   data_type::f6_e2m3, data_type::boolean};

TEST_CASE("zero_pad: zeroes exactly the padding, with blocks of one axis and of several") {
    const layout layouts[] = {
        layout({2, 17, 5, 4}, "nChw8c"),
        layout({2, 31, 5, 4}, "nChw16c"),
        layout({17, 23, 3, 3}, "OIhw4i16o4i"),
        layout({17, 7, 2, 2}, "OIhw16i16o"),
        layout({17, 23, 2, 2}, "OIhw8i16o2i"),
        layout({2, 5, 17, 3, 3}, "gOIhw4i16o4i"),
        layout({33, 65}, "BA16a64b4a"),
        layout({33, 65}, "AB32a32b8a4b"),
        layout({17, 5, 3}, "Abc8a", strides{130, 26, 8}),
        layout({2, 16, 3}, "nCw8c"),
        layout({0, 17, 3}, "nCw8c"),
    };
    for (const data_type type : some_types)
        for (const layout& l : layouts) CHECK(zeroes_exactly_padding({type, l}));
}

TEST_CASE("zero_pad: zeroes runs of all lengths, next to gaps") {
    for (const data_type type : some_types)
        for (dim_t length = 1; length < 150; length += length < 70 ? 1 : 13) {
            const dim_t row = length + 5;
            CHECK(zeroes_exactly_padding({type, by_hand({3, 2, 2}, {3, 2, 2 + length}, {3 * row, row, 1})}));
            CHECK(zeroes_exactly_padding(
                {type, by_hand({2, 1}, {2, 1 + length}, {3 * length + 5, 3}, {}, {0, length}, 9)}));
        }
}

TEST_CASE("zero_pad: random layouts, with gaps, offsets, padding in front, and parts of blocks") {
    plait_test::random_source random(20240611);
    int padded = 0, shared = 0;
    for (int i = 0; i < 3000; ++i) {
        descriptor d;
        d.type = some_types[i % 4];
        d.layout = random.small_layout();
        CAPTURE(i);
        if (!check_descriptor(d).ok()) continue;
        if (check_zero_pad(d).reason == reason::destination_is_not_injective) ++shared;
        else REQUIRE(zeroes_exactly_padding(d));
        padded += d.layout.is_padded();
    }
    CHECK(padded > 500);
    CHECK(shared > 10);
}

TEST_CASE("zero_pad: a part of a tensor has padding only at the end of its parent") {
    const layout parent({2, 17, 4}, "nCw8c");
    const layout first = submemory(parent, {2, 8, 4}, {0, 0, 0}), last = submemory(parent, {1, 9, 2}, {1, 8, 1});
    std::vector<float> data(parent.element_span(), 1);
    CHECK(zero_pad({data_type::f32, first}, data.data()) == status::success);
    for (const float x : data) CHECK(x == 1);
    CHECK(zeroes_exactly_padding({data_type::f32, last}));
    CHECK(last.is_padded());
    CHECK(zeroes_exactly_padding({data_type::s8, submemory(layout({40, 5}, "AB16a4b"), {4, 5}, {36, 0})}));
}

TEST_CASE("zero_pad: leaves compensation as it was") {
    const extra both = {
        .s8s8_compensation = true, .asymmetric_source_compensation = true, .s8s8_mask = 1, .asymmetric_source_mask = 3};
    CHECK(zeroes_exactly_padding({data_type::s8, layout({17, 23, 3, 3}, "OIhw4i16o4i"), both}));
    CHECK(zeroes_exactly_padding({data_type::s8, layout({5, 5}, "aB4b"), both}));
}

TEST_CASE("zero_pad: accepts a repeated axis, but not padding that shares its places with elements") {
    CHECK(zeroes_exactly_padding({data_type::f32, layout({3, 5}, "aB4b", strides{0, 6})}));
    const descriptor shared(data_type::f32, by_hand({3, 5}, {3, 8}, {8, 0}, {{1, 4}}));
    CHECK(check_zero_pad(shared) == verdict{reason::destination_is_not_injective, 1, 2, 0});
    std::vector<float> data(40, 1);
    CHECK(try_zero_pad(shared, data.data()).error() == check_zero_pad(shared));
    CHECK(!is_padding_zero(shared, data.data()));
    for (const float x : data) CHECK(x == 1);
}

TEST_CASE("zero_pad: returns each refusal; null is refused only if there is padding") {
    const descriptor padded(data_type::f32, layout({2, 17, 5, 4}, "nChw8c"));
    CHECK(plait_test::refusal_of([&] { return zero_pad(padded, nullptr); }).reason == reason::buffer_is_null);
    CHECK(try_zero_pad(padded, nullptr).error() == verdict{reason::buffer_is_null, -1, 2 * 24 * 20 * 4, 0, 0});
    CHECK(!is_padding_zero(padded, nullptr));
    const descriptor whole(data_type::f32, layout({2, 16, 5, 4}, "nChw8c"));
    CHECK(try_zero_pad(whole, nullptr).error() == verdict{});
    CHECK(is_padding_zero(whole, nullptr));
    float x = 1;
    CHECK(try_zero_pad(descriptor(), &x).error() == verdict{reason::layout_is_undefined});
    CHECK(try_zero_pad({data_type::f32, layout({dynamic, 17}, "aB8b")}, &x).error() == status::invalid_arguments);
    descriptor broken = padded;
    broken.layout.padded_dims[1] = 1000;
    CHECK(try_zero_pad(broken, &x).error() == status::invalid_arguments);
    CHECK(!is_padding_zero(broken, &x));
    descriptor opaque = padded;
    opaque.layout = plait_test::opaque_layout({2, 3});
    CHECK(try_zero_pad(opaque, &x).error() == status::unimplemented);
    CHECK(x == 1);
}

}}  // namespace test_reorder_zero_pad
