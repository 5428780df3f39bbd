// The law of fuse for attributes that change little: scales of 1 by a mask over axes of one element, and zero points
// near 2^24. They are computed in f32, which rounds an s32 and a zero point. Two passes may therefore round values that
// one pass does not round.

#include <plait/reorder/fusion.hpp>

#include "reorder/fusion_cases.hpp"

#include <array>

namespace test_reorder_fusion_near_nothing { namespace {

using namespace plait_test;

constexpr data_type near_types[] = {data_type::s8,  data_type::u8,   data_type::s32,
                                    data_type::f32, data_type::bf16, data_type::f16};

/// Attributes that change little, and the arrays that they point to.
struct near_nothing {
    std::array<float, 2> scales{1, 1};
    std::array<std::int32_t, 2> points{};
    reorder_attributes attributes;

    /// Pre:     ones has the bits of axes of one element
    near_nothing(random_source& random, int ones) {
        constexpr std::int32_t near[] = {0,        0,         1,        -1,       127,       128,
                                         -128,     255,       16776960, 16777215, 16777216,  16777217,
                                         16777218, -16777217, 33554433, 1 << 30,  INT32_MAX, INT32_MIN};
        const auto point = [&] { return std::int64_t{near[random.between(0, 17)]} + random.once_in(4); };
        const auto wrapped = [](std::int64_t x) { return static_cast<std::int32_t>(x > INT32_MAX ? INT32_MAX : x); };
        const auto mask = [&] { return random.once_in(2) ? ones : ones & -ones; };
        reorder_attributes& a = attributes;
        const bool only_points = random.once_in(2);
        if (!only_points && random.once_in(3)) a.src_scale = {std::span(scales).first(1), mask()};
        else if (random.once_in(4)) a.src_scale = a.dst_scale = random.once_in(2) ? 2.0f : 0.5f;
        if (!only_points && random.once_in(4)) a.dst_scale = {std::span(scales).last(1), mask()};
        if (only_points || random.once_in(2)) a.src_zero_point = points[0] = wrapped(point());
        if (only_points || random.once_in(2)) a.dst_zero_point = points[1] = wrapped(point());
        // Equal zero points cancel, except for their rounding.
        if (random.once_in(6)) a.dst_zero_point = points[1] = points[0];
        if (only_points) return;
        if (random.once_in(4)) a.src_zero_point = {std::span(points).first(1), mask()};
        if (random.once_in(4)) a.dst_zero_point = {std::span(points).last(1), mask()};
    }
    near_nothing(const near_nothing&) = delete;
};

/// Returns the mask of all axes of one element.
int axes_of_one(const dims& extents) {
    int out = 0;
    for (int a = 0; a < extents.size(); ++a)
        if (extents[a] == 1) out |= 1 << a;
    return out;
}

/// Returns dims of `count` elements along one axis, with up to two axes of one element on each side.
dims dims_around(dim_t count, random_source& random) {
    dims out;
    const dim_t before = random.between(0, 2), after = random.between(0, 2);
    for (dim_t i = 0; i < before; ++i) out.push_back(1);
    out.push_back(count);
    for (dim_t i = 0; i < after; ++i) out.push_back(1);
    return out;
}

TEST_CASE("fuse: attributes that change little give the bits of two passes, or are refused") {
    random_source random(fresh_seed());
    int fused = 0, by_index = 0, with_points = 0, reshaped = 0;
    for (int round = 0; round < 12000; ++round) {
        const auto type = [&] { return near_types[random.between(0, 5)]; };
        const data_type from = random.once_in(3) ? small_types[random.between(2, 3)] : type(),
                        middle = random.once_in(3) ? from : type(), to = random.once_in(2) ? middle : type();
        const std::vector<std::byte> in = numbers_of(from, 40, static_cast<std::uint64_t>(round));
        const auto count = static_cast<dim_t>(in.size()) / size_in_bytes(from);
        const dims first = dims_around(count, random), second = random.once_in(3) ? first : dims_around(count, random);
        const auto line = [](const dims& extents) {
            return layout(extents, std::string_view("abcde").substr(0, static_cast<std::size_t>(extents.size())));
        };
        const near_nothing of_first(random, axes_of_one(first)), of_second(random, axes_of_one(second));
        reorder_step a{line(first), line(first), from, middle}, b{line(second), line(second), middle, to};
        if (!random.once_in(4)) a.attributes = of_first.attributes;
        if (!random.once_in(2)) b.attributes = of_second.attributes;
        if (random.once_in(4)) b.attributes.beta = random.once_in(2) ? 1.0f : 0.75f;
        const expected<reorder_step> one = try_fuse(a, b);
        if (!one) continue;
        ++fused;
        const auto is_by_index = [](const reorder_attributes& x) {
            return (x.src_scale.mask | x.dst_scale.mask | x.src_zero_point.mask | x.dst_zero_point.mask) != 0;
        };
        by_index += is_by_index(one->attributes);
        reshaped += first != second;
        with_points += a.attributes.src_zero_point.value != 0 && b.attributes.src_zero_point.value != 0;
        const auto move = [](const reorder_step& step, const std::vector<std::byte>& bytes,
                             const std::vector<std::byte>* old = nullptr) {
            return run(descriptor_step{descriptor(step.src_type, step.src), descriptor(step.dst_type, step.dst),
                                       step.attributes},
                       bytes, old);
        };
        const std::vector<std::byte> old = numbers_of(to, 40, 7), start = [&] {
            std::vector<std::byte> bytes(b.dst.element_span() * static_cast<std::size_t>(size_in_bytes(to)));
            for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = old[i % old.size()];
            return bytes;
        }();
        CAPTURE(round);
        CAPTURE(to_string(from));
        CAPTURE(to_string(middle));
        CAPTURE(to_string(to));
        CAPTURE(a.attributes.src_zero_point.value);
        CAPTURE(a.attributes.dst_zero_point.value);
        CAPTURE(b.attributes.src_zero_point.value);
        CAPTURE(b.attributes.dst_zero_point.value);
        CAPTURE(is_by_index(a.attributes));
        CAPTURE(is_by_index(b.attributes));
        const bool computed = !plait::detail::is_trivial(a.attributes) || !plait::detail::is_trivial(b.attributes);
        CHECK_FALSE(elements_differ(to, move(b, move(a, in), &start), move(*one, in, &start), computed));
    }
    MESSAGE(fused, " fused, ", by_index, " by index, ", with_points, " with zero points of both, ", reshaped,
            " with other axes");
    CHECK(fused > 1500);
    CHECK(by_index > 200);
    CHECK(with_points > 20);
    CHECK(reshaped > 500);
}

TEST_CASE("fuse: values by index stay by index, also along axes of one element") {
    const std::vector<float> one{1.0f};
    const layout with({2, 1}, "ab"), without({2}, "a");
    const reorder_step scaled{with, with, data_type::s32, data_type::s32, {.src_scale = {one, 1 << 1}}};
    const reorder_step fused = fuse(scaled, reorder_step{without, without, data_type::s32, data_type::s32});
    // The result has the axes of the first step, because the second step has no axis for the value.
    CHECK(fused.dst.dims == dims{2, 1});
    CHECK(fused.attributes == scaled.attributes);
    CHECK(!plait::detail::is_trivial(fused.attributes));
    // The mask moves to the other layout's axis of one element.
    const layout other({1, 2}, "ab");
    const reorder_step moved = fuse(scaled, reorder_step{other, other, data_type::s32, data_type::s32});
    CHECK(moved.dst == other);
    CHECK(moved.attributes.src_scale.mask == 1 << 0);
}

TEST_CASE("fuse: a zero point that f32 does not hold is not joined with another") {
    const layout l({2}, "a");
    const reorder_step a{l, l, data_type::s8, data_type::s32, {.src_zero_point = 128, .dst_zero_point = 16777217}};
    const reorder_step b{l, l, data_type::s32, data_type::s32, {.src_zero_point = 16776960}};
    CHECK(check_fuse(a, b).reason == reason::attributes_round_between);
    reorder_step even = a;
    even.attributes.dst_zero_point = 16777216;
    CHECK(check_fuse(even, b).ok());
}

}}  // namespace test_reorder_fusion_near_nothing
