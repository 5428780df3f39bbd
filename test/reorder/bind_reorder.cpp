// Reorders with dynamic extents: once bound, they write the bytes of a reorder of the bound descriptors.
// Refusals of reorders with dynamic extents, by make_reorder and by bind.

#include "laws/random_pairs.hpp"

#include "reorder/fusion_cases.hpp"
#include "support/small_layouts.hpp"
#include "support/static_check.hpp"

#include <plait/algebra/bind.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <string_view>
#include <thread>
#include <vector>

namespace test_reorder_bind_reorder { namespace {

using namespace plait;
using namespace plait_test;

/// Returns the descriptor with some dynamic extents. The strides that depend on them, and some others, are dynamic too.
descriptor with_dynamic(const descriptor& d, int axes, random_source& random) {
    descriptor out = d;
    layout& l = out.layout;
    for (int a = 0; a < d.ndims(); ++a)
        if ((axes >> a & 1) != 0) {
            l.dims[a] = l.padded_dims[a] = l.digits[a].extent = dynamic;
            // A stride that depends on this extent is not known either, but other strides may be.
            for (int b = 0; b < d.ndims(); ++b)
                if (b != a && l.digits[b].stride >= l.digits[a].stride && d.dims()[b] != 1)
                    l.digits[b].stride = dynamic;
        }
    for (int a = 0; a < d.ndims(); ++a)
        if (random.once_in(4)) l.digits[a].stride = dynamic;
    return out;
}

/// Returns the result of a plan on a buffer that holds `old`.
std::vector<std::byte> run(const planned_reorder& planned, const std::vector<std::byte>& in,
                           const std::vector<std::byte>& old) {
    std::vector<std::byte> out = old;
    CHECK(planned(std::span(in), std::span(out)) == status::success);
    return out;
}

const descriptor f32_of(const layout& l) { return {data_type::f32, l}; }

TEST_CASE("bind: a bound reorder of random descriptors writes the bytes of one made of the bound descriptors") {
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 31));
    int bound = 0, padded = 0, compensated = 0, by_index = 0, refused = 0;
    for (int round = 0; round < 3000; ++round) {
        const int n = static_cast<int>(random.between(1, 4));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.once_in(4) ? 1 : random.between(0, 7));
        const int all = (1 << n) - 1;
        // The padding of a part of a larger tensor, or of a layout made by hand, may not follow from the extents.
        const bool any = random.once_in(3);
        const layout from = any ? random_layout(random, extents, true) : random_layout_of(extents, random);
        const layout to = any ? random_layout(random, extents, false) : random_layout_of(extents, random);
        descriptor src(random_type(random), from), dst(random_type(random), to);
        if (random.once_in(2)) dst.layout.offset0 -= dst.layout.span_begin();
        if (dst.layout.offset0 == 0) add_compensation(dst, random);
        const attribute_values values(random, extents);
        reorder_attributes attributes;
        if (random.once_in(2)) attributes = values.attributes;
        const descriptor open_src = with_dynamic(src, static_cast<int>(random.between(0, all)), random),
                         open_dst = with_dynamic(dst, static_cast<int>(random.between(0, all)), random);
        INFO(round);
        // The attributes are passed to make_reorder or to bind.
        const bool at_once = random.once_in(2);
        expected<planned_reorder> made =
            at_once ? make_reorder(open_src, open_dst, attributes) : make_reorder(open_src, open_dst);
        const expected<planned_reorder> wanted = make_reorder(src, dst, attributes);
        if (!made) {
            CHECK((!wanted || (any && made.error().reason == reason::padded_dim_does_not_fit)));
            continue;
        }
        if (!made->is_dynamic()) continue;
        std::byte one{};
        CHECK((made->attempt(&one, &one).error().reason == reason::dim_is_dynamic ||
               made->attempt(&one, &one).error().reason == reason::stride_is_dynamic));
        const verdict why = at_once ? made->bind(src, dst) : made->bind(src, dst, attributes);
        if (any && why.reason == reason::bound_descriptor_differs) {
            ++refused;
            continue;
        }
        CHECK(why == wanted.error());
        if (!why.ok()) continue;
        ++bound;
        padded += dst.layout.is_padded();
        compensated += dst.extra.has_buffers();
        by_index += attributes.src_scale.mask != 0;
        CHECK(made->src_size_in_bytes() == wanted->src_size_in_bytes());
        CHECK(made->dst_size_in_bytes() == wanted->dst_size_in_bytes());
        const std::vector<std::byte> in = random_bytes(src, random), old = random_bytes(dst, random);
        CHECK(run(*made, in, old) == run(*wanted, in, old));
        CHECK(made->times_planned() == 1);
        CHECK((at_once ? made->bind(src, dst) : made->bind(src, dst, attributes)) == status::success);
        CHECK(made->times_planned() == 1);
    }
    MESSAGE(bound, " bound, ", padded, " padded, ", compensated, " compensated, ", by_index, " by index, ", refused,
            " refused");
    CHECK(bound > 1500);
    CHECK(padded > 200);
    CHECK(compensated > 50);
    CHECK(by_index > 200);
}

TEST_CASE("bind: extents suffice if the strides follow from them") {
    random_source random(7);
    for (int round = 0; round < 500; ++round) {
        const int n = static_cast<int>(random.between(1, 4));
        dims open, extents;
        for (int a = 0; a < n; ++a) {
            extents.push_back(random.between(0, 9));
            open.push_back(random.once_in(2) ? dynamic : extents[a]);
        }
        const format_tag from = random.tag(n, 1, 4), to = random.tag(n, 2, 4);
        const layout src(extents, from), dst(extents, to);
        auto made = make_reorder(f32_of(layout(open, from)), f32_of(layout(open, to)));
        REQUIRE(made.has_value());
        if (!made->is_dynamic()) continue;
        REQUIRE(made->bind(extents) == status::success);
        const auto wanted = make_reorder(f32_of(src), f32_of(dst));
        const std::vector<std::byte> in = random_bytes(f32_of(src), random), old(wanted->dst_size_in_bytes());
        CHECK(run(*made, in, old) == run(*wanted, in, old));
        // Binding the descriptors with these extents needs no new plan.
        CHECK(made->bind(f32_of(src), f32_of(dst)) == status::success);
        CHECK(made->times_planned() == 1);
    }
}

TEST_CASE("bind: keeps the plan for the same extents, and makes another for other extents") {
    const layout nchw({dynamic, 17, dynamic, 4}, "nchw"), blocked({dynamic, 17, dynamic, 4}, "nChw16c");
    auto planned = make_reorder(f32_of(nchw), f32_of(blocked));
    REQUIRE(planned.has_value());
    CHECK(planned->is_dynamic());
    CHECK(planned->src_size_in_bytes() == 0);
    const auto call = [&](dim_t n, dim_t h) {
        const descriptor src = f32_of(bind(nchw, {n, h})), dst = f32_of(bind(blocked, {n, h}));
        std::vector<std::byte> in = random_bytes(src, *std::make_unique<random_source>(3)),
                               out(dst.buffer_size_in_bytes(), std::byte{9}), wanted = out;
        CHECK((*planned)(src, in.data(), dst, out.data()) == status::success);
        reference_reorder(src, in.data(), dst, wanted.data());
        CHECK(out == wanted);
    };
    call(2, 5);
    call(2, 5);
    CHECK(planned->times_planned() == 1);
    call(3, 5);
    CHECK(planned->times_planned() == 2);
    call(3, 5);
    call(0, 5);
    CHECK(planned->times_planned() == 3);
    call(2, 5);
    CHECK(planned->times_planned() == 4);
}

TEST_CASE("bind: dynamic strides are those of the tensor, for example of a part of a larger one") {
    layout open({dynamic, dynamic}, "ab");
    open.digits[0].stride = open.digits[1].stride = dynamic;
    auto planned = make_reorder(f32_of(open), f32_of(layout({dynamic, dynamic}, "ab")));
    REQUIRE(planned.has_value());
    CHECK(planned->bind({2, 3}).reason == reason::stride_is_dynamic);
    const layout whole({4, 5}, "ab");
    std::vector<float> in(20), out(6, -1.0f);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    const descriptor part = f32_of(submemory(whole, {2, 3}, {1, 2})), dense = f32_of(layout({2, 3}, "ab"));
    CHECK((*planned)(part, in.data(), dense, out.data()) == status::success);
    CHECK(out == std::vector<float>{7, 8, 9, 12, 13, 14});
    // Another part with the same extents begins at another offset.
    CHECK((*planned)(f32_of(submemory(whole, {2, 3}, {0, 0})), in.data(), dense, out.data()) == status::success);
    CHECK(out == std::vector<float>{0, 1, 2, 5, 6, 7});
}

TEST_CASE("bind: one value for the tensor is read when it is bound, values by index at each call") {
    const descriptor open = f32_of(layout({dynamic}, "a")), two = f32_of(layout({2}, "a"));
    std::vector<float> one{1.0f}, by_index{2.0f, 3.0f};
    auto planned = make_reorder(open, open, {.src_scale = {one, 0}});
    REQUIRE(planned.has_value());
    const std::vector<float> in{10, 20};
    std::vector<float> out(2);
    CHECK((*planned)(two, in.data(), two, out.data()) == status::success);
    CHECK(out == in);
    one[0] = 2;
    CHECK((*planned)(two, in.data(), two, out.data()) == status::success);
    CHECK(out == std::vector<float>{20, 40});
    CHECK(planned->bind(two, two, {.src_scale = {by_index, 1}}) == status::success);
    by_index[1] = 5;
    CHECK((*planned)(in.data(), out.data()) == status::success);
    CHECK(out == std::vector<float>{20, 100});
}

TEST_CASE("bind: threads can call one bound reorder, and bind copies of it") {
    const layout open({dynamic, 6}, "ab"), turned({dynamic, 6}, "ba");
    auto shared = make_reorder(f32_of(open), f32_of(turned));
    REQUIRE(shared.has_value());
    REQUIRE(shared->bind({40, 6}) == status::success);
    const planned_reorder& bound = *shared;
    std::vector<int> wrong(4, 0);
    const auto work = [&](std::size_t k) {
        planned_reorder mine = bound;
        for (dim_t n = 1; n < 60; ++n) {
            const descriptor src = f32_of(bind(open, {n})), dst = f32_of(bind(turned, {n}));
            std::vector<float> in(static_cast<std::size_t>(6 * n)), out(in.size()), again(240);
            for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + k);
            if (!mine(src, in.data(), dst, out.data()).ok()) ++wrong[k];
            for (dim_t i = 0; i < 6 * n; ++i)
                if (out[static_cast<std::size_t>(i % 6 * n + i / 6)] != in[static_cast<std::size_t>(i)]) ++wrong[k];
            in.assign(240, static_cast<float>(n));
            if (!bound(in.data(), again.data()).ok() || again != in) ++wrong[k];
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < 4; ++k) threads.emplace_back(work, k);
    for (std::thread& t : threads) t.join();
    CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("bind: every refusal names the difference, and keeps the earlier binding") {
    const layout rows({dynamic, 3}, "ab"), blocks({dynamic, 3}, "Ab4a");
    auto planned = make_reorder(f32_of(rows), f32_of(blocks));
    REQUIRE(planned.has_value());
    const descriptor src = f32_of(layout({2, 3}, "ab")), dst = f32_of(layout({2, 3}, "Ab4a"));
    std::vector<float> in{1, 2, 3, 4, 5, 6}, out(12, 7.0f);
    const std::vector<float> untouched = out;
    CHECK(planned->attempt(in.data(), out.data()).error() == verdict{reason::dim_is_dynamic, 0});
    REQUIRE(planned->bind(src, dst) == status::success);
    const auto refused = [&](const descriptor& from, const descriptor& to, const verdict& why) {
        CHECK(planned->attempt(from, in.data(), to, out.data()).error() == why);
        CHECK(plait_test::refusal_of([&] { return (*planned)(from, in.data(), to, out.data()); }) == why);
        CHECK(out == untouched);
        CHECK(planned->times_planned() == 1);
    };
    const auto part = [](descriptor_part which) { return static_cast<dim_t>(which); };
    refused(src, f32_of(layout({3, 3}, "Ab4a")), {reason::dims_differ, 0, 2, 3});
    refused(f32_of(layout({2, 4}, "ab")), dst, {reason::dims_differ, 1, 4, 3});
    refused(f32_of(layout({2, 3, 1}, "abc")), dst, {reason::rank_differs, -1, 3, 2});
    refused({data_type::s32, src.layout}, dst, {reason::data_types_differ, -1, 7, 2});
    refused(f32_of(rows), dst, {reason::dim_is_dynamic, 0});
    refused(descriptor{}, dst, {reason::layout_is_undefined});
    refused(src, f32_of(layout({2, 3}, "any")), {reason::layout_is_any});
    refused(f32_of(layout({2, 3}, strides{5, 1})), dst,
            {reason::bound_descriptor_differs, 0, 5, 3, part(descriptor_part::stride)});
    refused(src, f32_of(layout({2, 3}, "Ab8a")),
            {reason::bound_descriptor_differs, 0, 8, 4, part(descriptor_part::inner_block)});
    refused(src, f32_of(layout({2, 3}, "ab")),
            {reason::bound_descriptor_differs, -1, 0, 1, part(descriptor_part::inner_blocks)});
    refused(src, f32_of(layout({2, 3}, "aB4b")),
            {reason::bound_descriptor_differs, -1, 1, 0, part(descriptor_part::inner_axis)});
    descriptor further = dst;
    further.layout.padded_dims[0] = 8;
    further.layout.digits[0].extent = 2;
    refused(src, further, {reason::bound_descriptor_differs, 0, 8, 4, part(descriptor_part::padded_extent)});
    descriptor later = f32_of(layout({2, 3}, "ab"));
    later.layout.dims[0] = 1;
    later.layout.padded_offsets[0] = 1;
    refused(later, f32_of(layout({1, 3}, "Ab4a")),
            {reason::bound_descriptor_differs, 0, 2, 1, part(descriptor_part::padded_extent)});
    const std::vector<float> three(3, 2.0f);
    CHECK(planned->bind(src, dst, {.src_scale = {three, 1 << 0}}) ==
          verdict{reason::mask_has_other_values, -1, 1, 2, 3});
    CHECK(planned->bind({2}) == verdict{reason::rank_differs, -1, 1, 2});
    CHECK(planned->bind({2, 4}) == verdict{reason::dims_differ, 1, 4, 3});
    CHECK(planned->bind({dynamic, 3}) == verdict{reason::dim_is_dynamic, 0});
    CHECK(planned->bind({-2, 3}) == verdict{reason::dim_is_negative, 0, -2, 0});
    CHECK(planned->bind({INT64_MAX, 3}).reason == reason::size_overflows);
    CHECK(std::string_view(
              describe({reason::bound_descriptor_differs, 0, 5, 3, part(descriptor_part::stride)}).c_str()) ==
          "bound_descriptor_differs: the stride of axis 0 is 5 in the bound descriptor, but 3 where the extents are "
          "filled into the dynamic one");
    // The earlier binding is still in use.
    CHECK((*planned)(in.data(), out.data()) == status::success);
    CHECK(out == std::vector<float>{1, 4, 0, 0, 2, 5, 0, 0, 3, 6, 0, 0});
}

TEST_CASE("make_reorder: with dynamic extents, the static ones are checked at once") {
    const descriptor rows = f32_of(layout({dynamic, 3}, "ab"));
    CHECK(make_reorder(rows, f32_of(layout({dynamic, 4}, "ba"))).error() == verdict{reason::dims_differ, 1, 3, 4});
    CHECK(make_reorder(rows, f32_of(layout({dynamic}, "a"))).error() == verdict{reason::rank_differs, -1, 2, 1});
    CHECK(make_reorder(rows, f32_of(layout({2, 3}, "any"))).error() == verdict{reason::layout_is_any});
    CHECK(make_reorder(rows, rows, {.src_scale = {{}, 1 << 2}}).error() ==
          verdict{reason::mask_is_out_of_range, -1, 4, 2});
    const std::vector<float> two(2, 1.0f);
    CHECK(make_reorder(rows, rows, {.src_scale = {two, 1 << 1}}).error() ==
          verdict{reason::mask_has_other_values, -1, 2, 3, 2});
    descriptor weights(data_type::s8, layout({dynamic, 3}, "ab"), {.s8s8_compensation = true, .s8s8_mask = 1});
    CHECK(make_reorder(weights, rows).error() == verdict{reason::descriptor_has_extra});
    auto quantised = make_reorder(rows, weights);
    REQUIRE(quantised.has_value());
    const descriptor src = f32_of(layout({2, 3}, "ab"));
    CHECK(quantised->bind(src, {data_type::s8, layout({2, 3}, "ab")}) ==
          verdict{reason::compensation_is_missing, -1, 0, 1});
    CHECK(quantised->bind(src, {data_type::s8, layout({2, 3}, "ab"), {.s8s8_compensation = true}}) ==
          verdict{reason::compensation_mask_differs, -1, 0, 1, 1});
    CHECK(quantised->bind({2, 3}) == status::success);
    // If an extent is dynamic on one side only, it must equal that of the other side.
    auto partly = make_reorder(rows, f32_of(layout({2, dynamic}, "ba")));
    REQUIRE(partly.has_value());
    CHECK(partly->bind({3, 3}) == verdict{reason::dims_differ, 0, 3, 2});
    CHECK(partly->bind({2, 3}) == status::success);
    // A reorder without dynamic extents cannot be bound.
    auto known = make_reorder(src, src);
    CHECK_FALSE(known->is_dynamic());
    CHECK(known->bind({2, 3}) == verdict{reason::bound_values_do_not_match, -1, 2, 0});
    CHECK(known->bind(src, src) == verdict{reason::bound_values_do_not_match, -1, 2, 0});
    CHECK(planned_reorder().bind({2, 3}) == verdict{reason::reorder_is_not_planned});
    // The one-shot form cannot be bound, so it refuses dynamic extents.
    float x = 7;
    CHECK(try_reorder(rows, &x, rows, &x).error() == verdict{reason::dim_is_dynamic, 0});
}

}}  // namespace test_reorder_bind_reorder
