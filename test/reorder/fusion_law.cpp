// The law of fuse: the fused reorder writes the bits that the two reorders write. The reference checks it for all
// types.

#include <plait/contract/descriptor_reference.hpp>
#include <plait/reorder/descriptor_fusion.hpp>

#include "reorder/fusion_cases.hpp"
#include "support/static_check.hpp"

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

}}  // namespace test_reorder_fusion_law
