// Planned reorders on the threads of an executor write the bytes of the reference.
// Planned reorders that zero a destination which is mostly padding before they write its elements.

#include <plait/contract/descriptor_reference.hpp>

#include "engine/quantize/converting_cases.hpp"
#include "support/executors.hpp"
#include "support/small_layouts.hpp"

#include <plait/algebra/broadcast_axis.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

namespace test_reorder_make_reorder { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::last_chunk_first;

const descriptor plain(data_type::f32, layout({2, 17, 5, 4}, "nchw"));
const descriptor blocked(data_type::f32, layout({2, 17, 5, 4}, "nChw16c"));

/// Memory for a source and a destination at any bytes.
struct memory {
    std::vector<float> floats = std::vector<float>(4000, -1);
    std::span<std::byte> bytes = std::as_writable_bytes(std::span(floats));

    bool is_untouched() const { return floats == std::vector<float>(4000, -1); }
};

TEST_CASE("planned_reorder: is a value that calls do not change, so threads can share it") {
    static_assert(std::is_nothrow_copy_constructible_v<planned_reorder> &&
                  std::is_nothrow_copy_assignable_v<planned_reorder> &&
                  std::is_trivially_destructible_v<planned_reorder>);
    // attempt() does not throw. operator() throws a refusal, so its result may be ignored.
    const planned_reorder* const any = nullptr;
    const std::span<const std::byte> no_bytes;
    static_assert(noexcept(any->attempt(nullptr, nullptr))&& noexcept(any->attempt(no_bytes, {})));
    static_assert(std::is_same_v<decltype(any->attempt(nullptr, nullptr)), expected<void>>);
    static_assert(std::is_invocable_r_v<verdict, const planned_reorder&, const void*, void*>);
    static_assert(
        std::is_invocable_r_v<verdict, const planned_reorder&, std::span<const std::byte>, std::span<std::byte>>);
    planned_reorder copy;
    {
        const auto planned = make_reorder(plain, blocked);
        REQUIRE(planned.has_value());
        copy = *planned;
    }
    CHECK(copy.src_size_in_bytes() == plain.buffer_size_in_bytes());
    CHECK(copy.dst_size_in_bytes() == blocked.buffer_size_in_bytes());
    std::vector<float> in(plain.size_in_bytes() / sizeof(float)),
        wanted(blocked.size_in_bytes() / sizeof(float), -1.0f);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    reference_reorder(plain, in.data(), blocked, wanted.data());
    std::vector<float> found[2] = {std::vector<float>(wanted.size(), -1.0f), std::vector<float>(wanted.size(), -1.0f)};
    const auto run = [&](int k) { (void)copy(in.data(), found[k].data()); };
    std::thread other(run, 1);
    run(0);
    other.join();
    CHECK(found[0] == wanted);
    CHECK(found[1] == wanted);
}

TEST_CASE("make_reorder: without a plan, it returns the verdict of check_reorder, and its value refuses to run") {
    memory here;
    const descriptor other(data_type::f32, layout({2, 18, 5, 4}, "nchw"));
    CHECK(make_reorder(plain, other).error() == check_reorder(plain, other));
    CHECK(make_reorder(plain, other).error() == verdict{reason::dims_differ, 1, 17, 18});
    CHECK(plait_test::refusal_of([&] { return make_reorder(plain, other).value(); }) ==
          verdict{reason::dims_differ, 1, 17, 18});
    CHECK(make_reorder(plain, blocked).error().ok());
    CHECK_FALSE(make_reorder(plain, other).has_value());
    // The value of a refused result is a plan that refuses to run.
    const auto refused = make_reorder(plain, other);
    CHECK(refused->attempt(here.bytes.data(), here.bytes.data() + 4000).error() ==
          verdict{reason::reorder_is_not_planned});
    CHECK(planned_reorder().attempt(here.bytes.data(), here.bytes.data() + 4000).error() ==
          verdict{reason::reorder_is_not_planned});
    CHECK(planned_reorder().attempt(std::span<const std::byte>(), std::span<std::byte>()).error() ==
          verdict{reason::reorder_is_not_planned});
    CHECK(try_reorder(plain, here.bytes.data(), other, here.bytes.data() + 4000).error() == status::invalid_arguments);
    CHECK_FALSE(make_reorder(descriptor{}, blocked).has_value());
    CHECK_FALSE(make_reorder(plain, blocked, {.src_scale = {{}, 1 << 1}}).has_value());
    const descriptor weights(data_type::s8, layout({2, 17, 5, 4}, "nchw"), {.s8s8_compensation = true, .s8s8_mask = 1});
    CHECK_FALSE(make_reorder(weights, plain).has_value());
    CHECK(try_reorder(weights, here.bytes.data(), plain, here.bytes.data() + 4000).error() ==
          status::invalid_arguments);
    CHECK(here.is_untouched());
}

TEST_CASE("planned_reorder: refuses null pointers, and one pointer for two tensors") {
    memory here;
    std::byte* const data = here.bytes.data();
    const auto planned = make_reorder(plain, blocked);
    REQUIRE(planned.has_value());
    const verdict no_source = check_buffer(nullptr, 0, 2720, buffer_role::source),
                  no_destination = check_buffer(nullptr, 0, 5120, buffer_role::destination),
                  same = overlap_of(2720, 5120, 0);
    CHECK(planned->attempt(nullptr, data).error() == no_source);
    CHECK(planned->attempt(data, nullptr).error() == no_destination);
    CHECK(planned->attempt(nullptr, nullptr).error() == no_source);
    CHECK(planned->attempt(data, data).error() == same);
    CHECK(try_reorder(plain, nullptr, blocked, data).error() == no_source);
    CHECK(try_reorder(plain, data, blocked, nullptr).error() == no_destination);
    CHECK(try_reorder(plain, data, blocked, data).error() == same);
    // operator() and the one-shot form throw the same refusals.
    CHECK(plait_test::refusal_of([&] { return (*planned)(nullptr, data); }) == no_source);
    CHECK(plait_test::refusal_of([&] { return (*planned)(last_chunk_first{}, data, data); }) == same);
    CHECK(plait_test::refusal_of([&] { return (*planned)({}, {}); }) == no_source);
    CHECK(plait_test::refusal_of([&] { return reorder(plain, nullptr, blocked, data); }) == no_source);
    CHECK(std::string_view(describe(same).c_str()).starts_with("spans_overlap: the source's 2720 bytes and the "));
    // In place is allowed only if no element changes.
    CHECK(try_reorder(plain, data, plain, data, {.src_scale = 2.0f}).error() == overlap_of(2720, 2720, 0));
    CHECK(try_reorder(plain, data, {data_type::s32, plain.layout}, data).error() == overlap_of(2720, 2720, 0));
    CHECK(here.is_untouched());
    CHECK(reorder(plain, data, plain, data) == status::success);
    CHECK(here.is_untouched());
}

TEST_CASE("planned_reorder: refuses spans that are too small, and tensors that overlap") {
    memory here;
    const auto planned = make_reorder(plain, blocked);
    REQUIRE(planned.has_value());
    const std::size_t from = planned->src_size_in_bytes(), to = planned->dst_size_in_bytes();
    CHECK(from == 2720);
    CHECK(to == 5120);
    const auto run = [&](std::size_t in_begin, std::size_t in_size, std::size_t out_begin, std::size_t out_size) {
        const std::span<const std::byte> in = here.bytes.subspan(in_begin, in_size);
        return planned->attempt(in, here.bytes.subspan(out_begin, out_size)).error();
    };
    CHECK(run(0, from - 1, from, to) == verdict{reason::buffer_is_too_small, -1, 2719, 2720, 1});
    CHECK(run(0, from, from, to - 1) == verdict{reason::buffer_is_too_small, -1, 5119, 5120, 2});
    CHECK(run(0, 0, from, to) == verdict{reason::buffer_is_too_small, -1, 0, 2720, 1});
    CHECK(run(0, from, 0, to) == overlap_of(from, to, 0));
    CHECK(run(0, from, from - 4, to) == overlap_of(from, to, 2716));
    CHECK(run(to - 4, from, 0, to) == overlap_of(from, to, -5116));
    CHECK(run(4, from, 0, to) == overlap_of(from, to, -4));
    CHECK(planned->attempt(std::span<const std::byte>(), {}).error() ==
          verdict{reason::buffer_is_null, -1, 2720, 0, 1});
    CHECK(here.is_untouched());
    // Spans may be larger than the tensors, and may overlap there.
    CHECK(run(0, from + 8, from, to + 8) == status::success);
    CHECK(run(to, from, 0, to + from) == status::success);
    CHECK_FALSE(here.is_untouched());
}

TEST_CASE("planned_reorder: without elements, it accepts null pointers and does nothing") {
    const descriptor none(data_type::f32, layout({2, 0, 5, 4}, "nchw"));
    const descriptor none_either(data_type::s8, layout({2, 0, 5, 4}, "nChw16c"));
    for (const descriptor& to : {none, none_either}) {
        const auto planned = make_reorder(none, to);
        REQUIRE(planned.has_value());
        CHECK((*planned)(nullptr, nullptr) == status::success);
        CHECK((*planned)({}, {}) == status::success);
        CHECK(planned->src_size_in_bytes() == 0);
        CHECK(planned->dst_size_in_bytes() == 0);
        CHECK(reorder(none, nullptr, to, nullptr) == status::success);
    }
    // A default-constructed planned_reorder refuses to run.
    CHECK(planned_reorder{}.attempt(nullptr, nullptr).error() == verdict{reason::reorder_is_not_planned});
}

TEST_CASE("planned_reorder: if the destination has only padding, the source may be null and is not read") {
    const descriptor none(data_type::f32, layout({0, 3}, "ab"));
    const descriptor padding(data_type::f32, plait_test::by_hand({0, 3}, {2, 3}, {3, 1}));
    const auto planned = make_reorder(none, padding);
    REQUIRE(planned.has_value());
    CHECK(planned->src_size_in_bytes() == 0);
    CHECK(planned->dst_size_in_bytes() == 24);
    std::vector<float> out(6, 7.0f);
    CHECK((*planned)(nullptr, out.data()) == verdict{});
    CHECK(out == std::vector<float>(6));
    CHECK((*planned)({}, std::as_writable_bytes(std::span(out))) == verdict{});
    CHECK(planned->attempt(out.data(), nullptr).error() == check_buffer(nullptr, 0, 24, buffer_role::destination));
    // Also if it is so large that it is not zeroed as a whole.
    const descriptor much(data_type::f32, plait_test::by_hand({0, 3}, {200000, 3}, {3, 1}));
    std::vector<float> many(600000, 7.0f);
    CHECK(make_reorder(none, much).value()(nullptr, many.data()) == verdict{});
    CHECK(many == std::vector<float>(600000));
}

TEST_CASE("planned_reorder: on an executor, moves, conversions and sums equal the reference") {
    values::random_source random(3);
    descriptor weights(data_type::s8, layout({512, 1024, 3, 3}, "ABcd4b16a4b"));
    weights.extra.s8s8_compensation = true;
    weights.extra.s8s8_mask = 1;
    const layout nchw({4, 64, 48, 48}, "abcd"), nhwc({4, 64, 48, 48}, "acdb");
    const struct {
        descriptor src, dst;
        reorder_attributes attributes;
    } cases[] = {{{data_type::f32, nchw}, {data_type::s8, nhwc}, {.src_scale = 0.5f}},
                 {{data_type::f32, nchw}, {data_type::f32, nhwc}, {}},
                 {{data_type::bf16, layout({1, 3000000}, "ab")}, {data_type::f32, layout({1, 3000000}, "ab")}, {}},
                 {{data_type::f32, layout({512, 1024, 3, 3}, "abcd")}, weights, {.src_scale = 0.5f}}};
    for (const auto& [src, dst, attributes] : cases) {
        const values::question asked(random, src, dst, attributes);
        const auto planned = make_reorder(src, dst, attributes);
        REQUIRE(planned.has_value());
        int chunks = 0;
        const last_chunk_first threads{3, &chunks};
        const bool is_answered = asked.is_answered_by([&](const void* in, void* out) { (*planned)(threads, in, out); },
                                                      kernels::fence::behind);
        CHECK(is_answered);
        CHECK(chunks > 1);  // a chunk has at least least_chunk_bytes
        CHECK(planned->attempt(threads, nullptr, nullptr).error().reason == reason::buffer_is_null);
    }
}

TEST_CASE(
    "make_reorder: with attributes, a destination that is mostly padding is zeroed in one run, and nothing around it") {
    const auto check = [](const layout& from, const layout& to, const reorder_attributes& attributes) {
        const descriptor src{data_type::f32, from}, dst{data_type::s8, to};
        const planned_reorder planned = make_reorder(src, dst, attributes).value();
        std::vector<float> in(from.element_span());
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 60) - 20;
        std::vector<std::int8_t> expected(to.element_span() + 100, 7), found = expected;
        reference_reorder(src, in.data(), dst, expected.data(), attributes);
        CHECK(planned(in.data(), found.data()).ok());
        CHECK(found == expected);
        std::fill(found.begin(), found.end(), std::int8_t{7});
        CHECK(planned(last_chunk_first{}, in.data(), found.data()).ok());
        CHECK(found == expected);
    };
    const std::vector<float> scales{1, 2, 0.5f};
    layout later({3, 2, 200, 300}, "aBcd32b");
    later.offset0 = 33;
    for (const bool whole : {true, false}) {
        reorder_attributes attributes;
        attributes.dst_zero_point.value = 5;  // the padding is still zero
        if (whole) attributes.src_scale.value = 0.5f;
        else attributes.src_scale = {scales, 1};
        check(layout({3, 1, 3, 3}, "abcd"), layout({3, 1, 3, 3}, "ABcd16b48a2b"), attributes);
        check(layout({3, 2, 200, 300}, "abcd"), later, attributes);
        check(layout({3, 8, 3, 3}, "cdba"), layout({3, 8, 3, 3}, "aBcd16b"), attributes);  // half of it
        attributes.beta = 1;  // old values are read, so nothing is zeroed before
        check(layout({3, 2, 200, 300}, "abcd"), later, attributes);
    }
}

TEST_CASE(
    "make_reorder: a destination that is mostly padding is zeroed in one run, and nothing around it; also in chunks") {
    // 1 to 8 of 32 channels: the destination is zeroed first, also at an offset. 9 of 32 channels: it is not.
    const auto plan_of = [](const layout& from, const layout& to) {
        return make_reorder({data_type::bf16, from}, {data_type::bf16, to}).value();
    };
    const auto check = [&](const layout& from, const layout& to, bool zeroes) {
        const planned_reorder planned = plan_of(from, to);
        REQUIRE(engine::compiled_once::tiles_of(planned) != nullptr);
        CHECK((engine::compiled_once::tiles_of(planned)->zeroed.first.bytes > 0) == zeroes);
        std::vector<std::uint16_t> in(from.element_span()), expected(to.element_span() + 100, 7), found = expected;
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i + 1);
        reference_reorder(descriptor(data_type::bf16, from), in.data(), descriptor(data_type::bf16, to),
                          expected.data(), {});
        CHECK(planned(in.data(), found.data()).ok());
        CHECK(found == expected);
        std::fill(found.begin(), found.end(), std::uint16_t{7});
        CHECK(planned(last_chunk_first{}, in.data(), found.data()).ok());
        CHECK(found == expected);
    };
    check(layout({256, 1, 3, 3}, "abcd"), layout({256, 1, 3, 3}, "ABcd16b48a2b"), true);
    check(layout({1, 2, 20, 30}, "abcd"), layout({1, 2, 20, 30}, "aBcd32b"), true);
    check(layout({1, 8, 5, 7}, "abcd"), layout({1, 8, 5, 7}, "aBcd32b"), true);
    check(layout({1, 9, 5, 7}, "abcd"), layout({1, 9, 5, 7}, "aBcd32b"), false);
    layout later({1, 2, 100, 170}, "aBcd32b");
    later.offset0 = 33;
    check(layout({1, 2, 100, 170}, "abcd"), later, true);
    // More than 2 MB is written once, with its padding.
    check(layout({1, 2, 600, 700}, "abcd"), layout({1, 2, 600, 700}, "aBcd32b"), false);
}

TEST_CASE(
    "make_reorder: a destination that is mostly padding is zeroed in strips, each before its elements are moved") {
    const auto check = [](const dims& extents, const char* read, const char* written, data_type type, bool in_strips) {
        const layout from(extents, *parse_format_tag(read));
        layout to(extents, *parse_format_tag(written));
        to.offset0 = 40;
        const descriptor src{type, from}, dst{type, to};
        const planned_reorder planned = make_reorder(src, dst).value();
        REQUIRE(engine::compiled_once::tiles_of(planned) != nullptr);
        CHECK((engine::compiled_once::tiles_of(planned)->strips_around >= 0) == in_strips);
        kernels::fenced_memory<std::byte> in(static_cast<std::size_t>(src.buffer_size_in_bytes()),
                                             kernels::fence::behind);
        for (const kernels::fence where : {kernels::fence::in_front, kernels::fence::behind}) {
            const auto bytes = static_cast<std::size_t>(dst.buffer_size_in_bytes());
            kernels::fenced_memory<std::byte> wanted(bytes, where), found(bytes, where), in_chunks(bytes, where);
            reference_reorder(src, in.data(), dst, wanted.data(), {});
            CHECK(planned(in.data(), found.data()).ok());
            CHECK(found.same_bytes(wanted));
            CHECK(planned(last_chunk_first{}, in.data(), in_chunks.data()).ok());
            CHECK(in_chunks.same_bytes(wanted));
        }
    };
    using enum data_type;
    check({128, 64, 1, 1}, "ABcd16b16a", "aCdb32c", f32, true);
    check({25, 25, 1, 1, 3}, "acdeb", "abCde32c", f32, true);
    check({2, 1, 50, 51}, "abcd", "aBcd16b", f32, true);
    check({1, 64, 20, 20}, "abcd", "ABcd16b16a", f32, true);
    check({20, 33, 1, 6}, "abcd", "aCBd4c8b8c4b", f32, true);  // tiles of six elements that alternate
    check({1, 1, 71, 31}, "abcd", "dcBA16b16a", bf16, false);  // a tile reaches over many steps of the outer loop
    check({2, 1, 10, 10}, "abcd", "aBcd16b", f32, false);      // 13 KB stay in the first-level cache
}

TEST_CASE(
    "make_reorder: values for a destination that is mostly padding are converted after their places were zeroed") {
    const auto check = [&](const dims& extents, const char* written, data_type read_type, int mask) {
        std::size_t count = 1;
        for (int a = 0; a < 4; ++a) count *= static_cast<std::size_t>((mask >> a & 1) != 0 ? extents[a] : 1);
        std::vector<float> scales(count);
        for (std::size_t i = 0; i < count; ++i) scales[i] = i % 2 == 0 ? 2.0f : 0.5f;
        const layout from(extents, "abcd");
        layout to(extents, *parse_format_tag(written));
        to.offset0 = 40;
        const descriptor src{read_type, from}, dst{data_type::s8, to};
        const reorder_attributes attributes{.src_scale = {scales, mask}};
        const planned_reorder planned = make_reorder(src, dst, attributes).value();
        kernels::fenced_memory<std::byte> in(static_cast<std::size_t>(src.buffer_size_in_bytes()),
                                             kernels::fence::behind);
        for (std::size_t i = 0; i < static_cast<std::size_t>(src.buffer_size_in_bytes()); i += 4)
            in.data()[i] = std::byte{static_cast<unsigned char>(i / 4 % 60)};
        for (const kernels::fence where : {kernels::fence::in_front, kernels::fence::behind}) {
            const auto bytes = static_cast<std::size_t>(dst.buffer_size_in_bytes());
            kernels::fenced_memory<std::byte> wanted(bytes, where), found(bytes, where), in_chunks(bytes, where);
            reference_reorder(src, in.data(), dst, wanted.data(), attributes);
            CHECK(planned(in.data(), found.data()).ok());
            CHECK(found.same_bytes(wanted));
            CHECK(planned(last_chunk_first{}, in.data(), in_chunks.data()).ok());
            CHECK(in_chunks.same_bytes(wanted));
        }
    };
    using enum data_type;
    check({2, 55, 8, 8}, "ABcd16b64a", s8, 3);
    check({2, 55, 8, 8}, "ABcd16b64a", s32, 3);
    check({1, 64, 20, 20}, "AcdB8b32a", s8, 2);
    check({3, 40, 9, 20}, "dcBA16b16a", s32, 2);
    check({1, 1, 71, 31}, "dcBA16b16a", s8, 4);
}

TEST_CASE("make_reorder: a destination of more than 2 MB that is mostly padding is written once, or zeroed in strips") {
    const auto check = [](const dims& extents, const char* format, bool zeroes) {
        const layout from(extents, "abcd"), to(extents, *parse_format_tag(format));
        const descriptor src{data_type::f32, from}, dst{data_type::f32, to};
        const planned_reorder planned = make_reorder(src, dst).value();
        REQUIRE(engine::compiled_once::tiles_of(planned) != nullptr);
        if (cpu_has(isa::avx2)) CHECK((engine::compiled_once::tiles_of(planned)->zeroed.first.bytes > 0) == zeroes);
        std::vector<float> in(from.element_span()), expected(to.element_span() + 100, 7);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
        reference_reorder(src, in.data(), dst, expected.data(), {});
        for (const std::size_t past_line : {0u, 1u}) {
            std::vector<float> memory(expected.size() + 32, 7);
            const auto place = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(float);
            float* const found = memory.data() + (16 - place % 16) + past_line;
            CHECK(planned(in.data(), found).ok());
            CHECK(std::equal(expected.begin(), expected.end(), found));
        }
    };
    check({1, 16, 64, 96}, "ABcd8b32a2b", true);  // an element in each fourth cache line
    check({1, 13, 70, 90}, "ABcd4b32a4b", false);
    check({1, 16, 64, 96}, "ABcd16b16a", false);
    check({1, 16, 16, 32}, "ABcd8b32a2b", true);  // 1 MB stays in a cache
}

TEST_CASE("make_reorder: lines of mostly padding are stored whole, if tiles would store parts of them with padding") {
    const auto check = [](const dims& extents, bool zeroes) {
        const layout from(extents, "abcd"), to(extents, "aBcd16b");
        const descriptor src{data_type::bf16, from}, dst{data_type::bf16, to};
        const planned_reorder planned = make_reorder(src, dst).value();
        REQUIRE(engine::compiled_once::tiles_of(planned) != nullptr);
        if (cpu_has(isa::avx2)) CHECK((engine::compiled_once::tiles_of(planned)->zeroed.first.bytes > 0) == zeroes);
        std::vector<std::uint16_t> in(from.element_span()), expected(to.element_span() + 100, 7), found = expected;
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i + 1);
        reference_reorder(src, in.data(), dst, expected.data(), {});
        CHECK(planned(in.data(), found.data()).ok());
        CHECK(found == expected);
    };
    check({4, 3, 28, 28}, false);  // three channels and a zero, twice in a line
    check({4, 1, 28, 28}, false);
    check({4, 4, 28, 28}, true);  // no padding
    check({1, 3, 20, 20}, true);  // lines stay in the first cache
}

TEST_CASE("make_reorder: zeroes the destination first if single elements fill at most half of it") {
    const auto check = [&](const layout& from, const layout& to, bool zeroes) {
        const descriptor src{data_type::s8, from}, dst{data_type::s8, to};
        const planned_reorder planned = make_reorder(src, dst).value();
        REQUIRE(engine::compiled_once::tiles_of(planned) != nullptr);
        CHECK_FALSE(engine::compiled_once::tiles_of(planned)->plan.pattern.has_vectors());
        CHECK((engine::compiled_once::tiles_of(planned)->zeroed.first.bytes > 0) == zeroes);
        std::vector<std::int8_t> in(from.element_span()), expected(to.element_span() + 100, 7), found = expected;
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int8_t>(i % 100 + 1);
        reference_reorder(src, in.data(), dst, expected.data(), {});
        CHECK(planned(in.data(), found.data()).ok());
        CHECK(found == expected);
    };
    check(layout({1, 24, 2, 5}, "Adcb16a"), layout({1, 24, 2, 5}, "BAcd4b8a8b2a"), true);  // 1 of 16, 24 of 32
    check(broadcast_axis(layout({1, 1, 1, 1}, "abcd"), 1, 480), layout({1, 480, 1, 1}, "aCdB16c4b"), true);
    // A destination without padding is not zeroed.
    check(layout({4, 4, 7}, strides{200, 50, 7}), layout({4, 4, 7}, strides{2000, 300, 11}), false);
}

}}  // namespace test_reorder_make_reorder
