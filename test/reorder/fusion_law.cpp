// The law of fuse: the fused reorder writes the bits that the two reorders write. The reference checks it for all
// types. Attributes that change little are scales of 1 by a mask over axes of one element, and zero points near 2^24.
// They are computed in f32, which rounds an s32 and a zero point. Two passes may therefore round values that one pass
// does not round.

#include <plait/contract/descriptor_reference.hpp>

#include "reorder/fusion_cases.hpp"
#include "support/static_check.hpp"

#include <plait/reorder/descriptor_fusion.hpp>
#include <plait/reorder/fusion.hpp>

#include <array>
#include <set>
#include <string>

namespace test_reorder_fusion_law { namespace {

using namespace plait_test;

/// True if a reason is about the values.
bool is_about_values(reason why) {
    return why == reason::middle_type_rounds || why == reason::middle_type_saturates ||
           why == reason::attributes_round_between || why == reason::one_pass_differs;
}

descriptor_step step_of(const layout& src, data_type from, const layout& dst, data_type to,
                        const reorder_attributes& attributes = {}) {
    return {descriptor(from, src), descriptor(to, dst), attributes};
}

/// Two reorders of one line of numbers: from one type to the middle type, and from there to the last type.
struct conversion {
    data_type from, middle, to;
    reorder_attributes first = {}, second = {};
    float scale_adjust = 1;

    /// True if any number has other bits after one pass with the attributes `one`. If attributes computed the numbers,
    /// all NaN of f32 and f64 are equal.
    bool differs(const std::vector<std::byte>& in, const reorder_attributes& one) const {
        const auto count = static_cast<dim_t>(in.size()) / size_in_bytes(from);
        const layout line({count}, "a");
        descriptor last(to, line);
        last.extra.scale_adjust = scale_adjust;
        const std::vector<std::byte> two = run({descriptor(middle, line), last, second},
                                               run({descriptor(from, line), descriptor(middle, line), first}, in));
        const std::vector<std::byte> fused = run({descriptor(from, line), last, one}, in);
        const bool computed = !plait::detail::is_trivial(first) || !plait::detail::is_trivial(second);
        return elements_differ(to, two, fused, computed);
    }
    expected<descriptor_step> fused() const {
        const layout line({3}, "a");
        descriptor last(to, line);
        last.extra.scale_adjust = scale_adjust;
        return try_fuse(descriptor_step{descriptor(from, line), descriptor(middle, line), first},
                        descriptor_step{descriptor(middle, line), last, second});
    }
};

/// Returns random scales and zero points, of which some can be joined and others cannot.
reorder_attributes random_attributes(random_source& random) {
    constexpr float scales[] = {1, 1, 2, 0.5f, 0.0078125f, 1024, 0x1p-24f, 0x1p30f, 0x1p-100f, 0.1f, -1, 3, -0.5f};
    constexpr std::int32_t points[] = {0,    0,  0,       1,      -1,      5,         128,
                                       -128, 64, 1 << 14, 100000, 1 << 24, INT32_MAX, INT32_MIN};
    const auto scale = [&] { return random.once_in(3) ? scales[random.between(0, 12)] : scales[random.between(0, 3)]; };
    const auto point = [&] { return points[random.between(0, random.once_in(3) ? 13 : 6)]; };
    reorder_attributes out;
    if (random.once_in(2)) out.src_scale = scale();
    if (random.once_in(3)) out.dst_scale = scale();
    if (random.once_in(3)) out.src_zero_point = point();
    if (random.once_in(3)) out.dst_zero_point = point();
    return out;
}

TEST_CASE(
    "fuse: of all 729 triples of types, those without loss in the middle type fuse if one pass has the same bits") {
    int fused = 0, converted = 0, refused = 0, alike = 0, differs = 0;
    const auto convert_all = [](data_type from, data_type to, const std::vector<std::byte>& in) {
        const layout line({static_cast<dim_t>(in.size()) / size_in_bytes(from)}, "a");
        return run(step_of(line, from, line, to), in);
    };
    for (const data_type from : all_types) {
        const std::vector<std::byte> numbers = numbers_of(from, 3000);
        std::vector<std::byte> one_pass[std::size(all_types)];
        for (std::size_t i = 0; i < std::size(all_types); ++i) one_pass[i] = convert_all(from, all_types[i], numbers);
        for (const data_type middle : all_types) {
            const bool holds = plait::detail::loss_in(plait::detail::values_of(from), middle) == type_loss::none;
            const std::vector<std::byte> between = convert_all(from, middle, numbers);
            for (std::size_t i = 0; i < std::size(all_types); ++i) {
                const data_type to = all_types[i];
                const verdict why = conversion{from, middle, to}.fused().error();
                const bool differ = elements_differ(to, convert_all(middle, to, between), one_pass[i], false);
                CAPTURE(to_string(from));
                CAPTURE(to_string(middle));
                CAPTURE(to_string(to));
                // Each refusal must be necessary: the middle type loses numbers, or the bits of one pass differ.
                if (why.ok()) CHECK_FALSE(differ);
                else if (why.reason == reason::one_pass_differs) CHECK((holds && differ));
                else CHECK((!holds && is_about_values(why.reason)));
                why.ok() ? ++fused : differ ? ++refused : ++alike;
                if (why.ok() && from != middle && middle != to) ++converted;
                if (why.reason == reason::one_pass_differs) ++differs;
            }
        }
    }
    // docs/design/fusion.md has these numbers.
    CHECK(fused == 327);
    CHECK(converted == 174);
    CHECK(differs == 18);
    CHECK(refused == 381);
    CHECK(alike == 21);
}

TEST_CASE("fuse: joined attributes round as the two reorders do") {
    random_source random(fresh_seed());
    std::set<reason> refusals;
    int fused = 0, joined = 0;
    for (int round = 0; round < 12000; ++round) {
        conversion c{random_type(random), random_type(random), random_type(random)};
        if (random.once_in(2)) c.from = small_types[random.between(0, 3)];
        if (!random.once_in(4)) c.first = random_attributes(random);
        if (random.once_in(2)) c.second = random_attributes(random);
        if (random.once_in(3)) c.second.beta = 0.75f;
        if (c.to == data_type::s8 && random.once_in(3)) c.scale_adjust = random.once_in(2) ? 0.5f : 0.7f;
        const expected<descriptor_step> one = c.fused();
        if (!one) {
            refusals.insert(one.error().reason);
            continue;
        }
        ++fused;
        if (!plait::detail::is_trivial(c.first) && !(c.middle == c.to && plait::detail::is_trivial(c.second))) ++joined;
        CAPTURE(to_string(c.from));
        CAPTURE(to_string(c.middle));
        CAPTURE(to_string(c.to));
        CAPTURE(c.first.src_scale.value);
        CAPTURE(c.first.dst_scale.value);
        CAPTURE(c.first.src_zero_point.value);
        CAPTURE(c.first.dst_zero_point.value);
        CAPTURE(c.second.src_scale.value);
        CAPTURE(c.second.dst_scale.value);
        CAPTURE(c.second.src_zero_point.value);
        CAPTURE(c.second.dst_zero_point.value);
        CAPTURE(c.scale_adjust);
        CHECK_FALSE(c.differs(numbers_of(c.from, 400, static_cast<std::uint64_t>(round)), one->attributes));
    }
    CHECK(joined > 300);
    CHECK(fused > 1500);
    CHECK(refusals.size() == 4);
}

TEST_CASE("fuse: random layouts that are permuted or reshaped between the reorders, with padding and compensation") {
    random_source random(fresh_seed());
    std::set<reason> refusals;
    int fused = 0, changed = 0, by_index = 0, unmoved = 0;
    for (int round = 0; round < 6000; ++round) {
        const layout_chain c = random_chain(random);
        const attribute_values first_values(random, c.first_src.dims), second_values(random, c.second_dst.dims);
        const data_type middle = random.once_in(3) ? data_type::f32 : data_type::s8;
        const data_type to = random.once_in(2) ? middle : data_type::s8;
        descriptor_step a = step_of(c.first_src, random.once_in(2) ? middle : data_type::s8, c.first_dst, middle);
        descriptor_step b = step_of(c.second_src, middle, c.second_dst, to);
        if (random.once_in(2)) a.attributes = first_values.attributes;
        else if (random.once_in(2)) b.attributes = second_values.attributes;
        if (random.once_in(3)) b.attributes.beta = 0.5f;
        add_compensation(b.dst, random);
        const verdict second = check_reorder(b.src, b.dst, b.attributes);
        const expected<descriptor_step> one = try_fuse(a, b);
        if (!one) {
            if (second.ok() && check_reorder(a.src, a.dst, a.attributes).ok()) refusals.insert(one.error().reason);
            continue;
        }
        ++fused;
        if (!(c.first_dst.dims == c.second_src.dims && same_memory(c.first_dst, c.second_src))) ++changed;
        const reorder_attributes& at = one->attributes;
        if (at.src_scale.mask != 0 || at.dst_zero_point.mask != 0) ++by_index;
        const std::vector<std::byte> in = random_bytes(a.src, random), old = random_bytes(b.dst, random);
        const std::vector<std::byte> two = run(b, run(a, in), &old), fused_bytes = run(*one, in, &old);
        CAPTURE(std::string(format_name(a.src.layout).c_str()));
        CAPTURE(std::string(format_name(a.dst.layout).c_str()));
        CAPTURE(std::string(format_name(b.src.layout).c_str()));
        CAPTURE(std::string(format_name(b.dst.layout).c_str()));
        CHECK_FALSE(elements_differ(data_type::u8, two, fused_bytes, false));
        if (one->moves_nothing()) {
            // If the fused reorder moves nothing, the two reorders do not change a buffer whose padding is zero. Memory
            // after the destination is not compared.
            const std::vector<std::byte> zeroed = run({a.src, a.src}, in);
            std::vector<std::byte> same(zeroed.begin(),
                                        zeroed.begin() + static_cast<std::ptrdiff_t>(fused_bytes.size()));
            ++unmoved;
            CHECK(run(b, run(a, zeroed), &same) == same);
        }
    }
    CHECK(fused > 1000);
    CHECK(changed > 300);
    CHECK(by_index > 200);
    CHECK(unmoved > 10);
    CHECK(refusals.count(reason::mask_is_not_carried) == 1);
    CHECK(refusals.count(reason::middle_layouts_differ) == 1);
}

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

}}  // namespace test_reorder_fusion_law
