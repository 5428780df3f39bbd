#include "engine/kernel/kernels.hpp"
#include "support/with_each_isa.hpp"

#include <plait/algebra/is_nested.hpp>
#include <plait/algebra/position_of.hpp>
#include <plait/reorder/layout_reorder.hpp>
#include <plait/typed/formats.hpp>

#include <numeric>
#include <random>

namespace test_reorder_reorder {

using namespace kernels;

namespace {

constexpr layout plain({2, 17, 5, 4}, "nchw");
constexpr layout blocked({2, 17, 5, 4}, "nChw16c");

}  // namespace

TEST_CASE("check_reorder: pairs that are refused, with their reasons") {
    STATIC_CHECK(check_reorder(plain, blocked).ok());
    STATIC_CHECK(check_reorder(plain, layout({2, 17, 20}, "abc")) == verdict{reason::rank_differs, -1, 4, 3});
    STATIC_CHECK(check_reorder(plain, layout({2, 18, 5, 4}, "nchw")) == verdict{reason::dims_differ, 1, 17, 18});
    STATIC_CHECK(check_reorder(layout(), layout()).reason == reason::layout_is_undefined);
    STATIC_CHECK(check_reorder(plain, layout({2, 17, 5, 4}, "any")).reason == reason::layout_is_any);
    STATIC_CHECK(check_reorder(plain, layout({dynamic, 17, 5, 4}, "nchw")).reason == reason::dim_is_dynamic);
    STATIC_CHECK(check_reorder(layout({3, 4}, strides{0, 1}), layout({3, 4}, "ab")).ok());
    STATIC_CHECK(check_reorder(layout({3, 4}, "ab"), layout({3, 4}, strides{0, 1})) ==
                 verdict{reason::destination_is_not_injective, 0, 3, 0});
}

TEST_CASE("reorder: zeroes the padding, and the reverse reorder restores the elements") {
    const std::vector<float> in = numbered<float>(plain.element_span());
    std::vector<float> out(blocked.element_span(), -1), back(in.size());
    reorder<plain, blocked>(in.data(), out.data());
    for (dim_t number = 0; number < blocked.padded_volume(); ++number) {
        const position at = unravel(blocked.padded_dims, number);
        if (at[1] >= 17) CHECK(out[static_cast<std::size_t>(blocked.padded_offset(at))] == 0);
    }
    reorder<blocked, plain>(out.data(), back.data());
    CHECK(same_bytes(in, back));
}

TEST_CASE("reorder: the contents of source padding do not matter") {
    std::vector<float> in = numbered<float>(blocked.element_span()), other = in;
    for (std::size_t i = 0; i < other.size(); ++i)
        if (!position_of(blocked, static_cast<dim_t>(i))) other[i] = 1e30f;
    std::vector<float> out(plain.element_span()), same = out;
    reorder<blocked, plain>(in.data(), out.data());
    reorder<blocked, plain>(other.data(), same.data());
    CHECK(same_bytes(out, same));
}

TEST_CASE("reorder: conversions equal the reference") {
    std::vector<float> in(plain.element_span());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 300) - 150.5f;
    std::vector<std::int8_t> out(blocked.element_span(), 1), wanted = out;
    reorder<plain, blocked>(in.data(), out.data());
    reference_reorder(plain, in.data(), blocked, wanted.data());
    CHECK(out == wanted);
    CHECK(out[0] == -128);
}

TEST_CASE("reorder: tensors of no elements write nothing, and tensors of one element are copied") {
    float in[1] = {3}, out[1] = {7};
    reorder<layout({2, 0, 3}, "abc"), layout({2, 0, 3}, "aBc8b")>(in, out);
    CHECK(out[0] == 7);
    reorder<layout({1, 1}, "ab"), layout({1, 1}, "ba")>(in, out);
    CHECK(out[0] == 3);
    reorder(layout({0}, "a"), in, layout({0}, "a"), out);
    CHECK(out[0] == 3);
}

TEST_CASE("reorder: tensors without elements need no memory") {
    const std::vector<float> in;
    std::vector<float> out;
    reorder<layout({0, 3}, "ab"), layout({0, 3}, "ba")>(in.data(), out.data());
    reorder(layout({0, 3}, "ab"), in.data(), layout({0, 3}, "ba"), out.data());
    move_tensor_with<layout({0, 3}, "ab"), layout({0, 3}, "ba"), element_types_of<float, float>, isa::portable>(
        in.data(), out.data());
    CHECK(out.empty());
}

TEST_CASE("reorder: reads overlapping windows, and writes interleaved places but no gaps") {
    // The rows are windows of 16 elements, each one element after the other, so a source element is read up to 16
    // times.
    static constexpr layout windows({24, 16}, strides{1, 1}), columns({24, 16}, "ba");
    std::vector<float> in(windows.element_span()), out(columns.element_span());
    std::iota(in.begin(), in.end(), 1.0f);
    reorder<windows, columns>(in.data(), out.data());
    for (dim_t a = 0; a < 24; ++a)
        for (dim_t b = 0; b < 16; ++b)
            CHECK(out[static_cast<std::size_t>(columns.offset(a, b))] == static_cast<float>(1 + a + b));
    // 16 columns of 3 rows, with strides 3 and 7: each place is written once, and the gaps stay as they were.
    static constexpr layout rows({3, 16}, "ab"), interleaved({3, 16}, strides{7, 3});
    static_assert(!is_nested(interleaved) && is_injective(interleaved));
    std::vector<float> from(rows.element_span()), to(interleaved.element_span(), -1.0f);
    std::iota(from.begin(), from.end(), 1.0f);
    reorder<rows, interleaved>(from.data(), to.data());
    std::vector<float> wanted(to.size(), -1.0f);
    for (dim_t a = 0; a < 3; ++a)
        for (dim_t b = 0; b < 16; ++b)
            wanted[static_cast<std::size_t>(interleaved.offset(a, b))] =
                from[static_cast<std::size_t>(rows.offset(a, b))];
    CHECK(to == wanted);
}

TEST_CASE("check_reorder: checks layouts that are put together by hand") {
    const layout overlapping({4, 4}, strides{1, 1});
    CHECK(check_reorder(layout({4, 4}, "ab"), overlapping) == verdict{reason::destination_is_not_injective, 0, 4, 1});
    CHECK(check_reorder(overlapping, layout({4, 4}, "ab")).ok());
    // The elements are interleaved, but each has its own place.
    CHECK(check_reorder(layout({3, 2}, "ab"), layout({3, 2}, strides{2, 3})).ok());
    layout outside({4, 4}, "ab");
    outside.digits[1].axis = 50;
    CHECK(check_reorder(outside, layout({4, 4}, "ab")).reason == reason::layout_is_malformed);
    static_assert(!plait::detail::has_kernel<layout({4}, "a"), layout({8}, "a")>);
}

TEST_CASE("reorder: in place, another layout is refused, and the same layout changes nothing") {
    std::vector<float> data = numbered<float>(plain.element_span()), before = data;
    try {
        reorder<plain, layout({2, 17, 5, 4}, "nhwc")>(data.data(), data.data());
        FAIL("not refused");
    } catch (const rejection& refused) {
        CHECK(refused.verdict().reason == reason::spans_overlap);
    }
    CHECK_THROWS_AS(reorder(plain, data.data(), layout({2, 17, 5, 4}, "nhwc"), data.data()), rejection);
    reorder<plain, plain>(data.data(), data.data());
    CHECK(same_bytes(data, before));
}

TEST_CASE("reorder: refuses a null pointer before it writes, with the number of bytes that the tensor needs") {
    constexpr layout other({2, 17, 5, 4}, "nhwc");
    std::vector<float> data = numbered<float>(plain.element_span()), before = data;
    const float* const nothing = nullptr;
    float* const nowhere = nullptr;
    constexpr auto bytes = static_cast<dim_t>(2 * 17 * 5 * 4 * sizeof(float));
    const auto refusal = [](auto call) {
        try {
            call();
        } catch (const rejection& refused) {
            return refused.verdict();
        }
        return verdict{};
    };
    const verdict no_source{reason::buffer_is_null, -1, bytes, 0, static_cast<dim_t>(buffer_role::source)};
    const verdict no_destination{reason::buffer_is_null, -1, bytes, 0, static_cast<dim_t>(buffer_role::destination)};
    CHECK(refusal([&] { reorder<plain, other>(nothing, data.data()); }) == no_source);
    CHECK(refusal([&] { reorder<plain, other>(data.data(), nowhere); }) == no_destination);
    CHECK(refusal([&] { reorder<plain, other>(nothing, data.data(), {.src_scale = 2}); }) == no_source);
    CHECK(refusal([&] { reorder<plain, plain>(nothing, nowhere); }) == no_source);
    CHECK(refusal([&] { reorder(plain, nothing, other, data.data()); }) == no_source);
    CHECK(refusal([&] { reorder<layout({0, 3}, "ab"), layout({0, 3}, "ba")>(nothing, nowhere); }).ok());
    // try_reorder returns the same refusals without an exception.
    static_assert(noexcept(try_reorder<plain, other>(nothing, nowhere)));
    CHECK(try_reorder<plain, other>(nothing, data.data()).error() == no_source);
    CHECK(try_reorder<plain, other>(data.data(), nowhere).error() == no_destination);
    CHECK(try_reorder<plain, other>(nothing, data.data(), {.src_scale = 2}).error() == no_source);
    CHECK(try_reorder<plain, other>(data.data(), data.data(), {.src_scale = 0}).error().reason ==
          reason::scale_is_invalid);
    CHECK(try_reorder(plain, nothing, other, data.data()).error() == no_source);
    CHECK(try_reorder(plain, data.data(), layout({4}, "a"), data.data()).error() == check_reorder(plain, {{4}, "a"}));
    CHECK(try_reorder<layout({0, 3}, "ab"), layout({0, 3}, "ba")>(nothing, nowhere));
    CHECK(same_bytes(data, before));
}

TEST_CASE("reorder: past the cache or not, the bytes are the same") {
    // Large enough for non-temporal stores; once from the beginning of a cache line, once 16 bytes after it.
    constexpr layout from({2, 64, 160, 160}, "nchw"), to({2, 64, 160, 160}, "nChw16c");
    static_assert(may_stream(*make_plan(from, to, element_sizes(4), isa::avx512)));
    std::vector<float> in = numbered<float>(from.element_span() + 32), out(to.element_span() + 32), back(in.size());
    const auto line = [](std::vector<float>& v) {
        return v.data() + (64 - reinterpret_cast<std::uintptr_t>(v.data()) % 64) % 64 / 4;
    };
    for (const int shift : {0, 4}) {
        float *const source = line(in) + shift, *const middle = line(out) + shift, *const target = line(back) + shift;
        reorder<from, to>(source, middle);
        reorder<to, from>(middle, target);
        CHECK(std::memcmp(source, target, from.element_span() * 4) == 0);
        CHECK(middle[to.offset(1, 37, 80, 3)] == source[from.offset(1, 37, 80, 3)]);
    }
}

TEST_CASE("isa: the architecture's baseline vector set is available, and no set of another architecture") {
    CHECK(cpu_has(isa::portable));
    CHECK(cpu_has(least_isa()));
    for (const isa which : every_isa)
        if (cpu_has(which)) CHECK(is_of_this_architecture(which));
#if defined(__aarch64__)
    STATIC_CHECK(least_isa() == isa::neon);
    CHECK(cpu_has(isa::neon));
    // A run-time transpose uses vectors.
    const auto planned =
        make_reorder({data_type::f32, layout({32, 32}, "ab")}, {data_type::f32, layout({32, 32}, "ba")});
    CHECK(engine::compiled_once::tiles_of(*planned)->plan.pattern.lane_bits == 2);
#elif defined(__x86_64__)
    CHECK(!cpu_has(isa::neon));
#endif
}

TEST_CASE("run-time reorder: random layouts equal the reference, with every instruction set") {
    std::mt19937 random(20);
    const char* const tags[] = {"abcd",       "acdb",     "bcda",        "dcba",       "abdc",    "bacd",
                                "cdba",       "aBcd4b",   "aBcd8b",      "aBcd16b",    "aBcd24b", "Abcd16a",
                                "ABcd16b16a", "ABcd8a8b", "ABcd4b16a4b", "ABcd8b16a2b"};
    const auto pick = [&](std::size_t limit) { return static_cast<dim_t>(random() % limit); };
    const auto run = [&]<class T>(T, int rounds) {
        for (int round = 0; round < rounds; ++round) {
            const dims extents{1 + pick(40), 1 + pick(40), 1 + pick(12), 1 + pick(12)};
            const layout src(extents, *parse_format_tag(tags[pick(std::size(tags))])),
                dst(extents, *parse_format_tag(tags[pick(std::size(tags))]));
            const std::vector<T> in = numbered<T>(src.element_span());
            std::vector<T> out = numbered<T>(dst.element_span()), wanted = out;
            INFO(to_string(src), " -> ", to_string(dst), ' ', sizeof(T), " bytes");
            reference_reorder(src, in.data(), dst, wanted.data());
            reorder(src, in.data(), dst, out.data());
            CHECK(same_bytes(out, wanted));
            plait_test::with_each_isa([&]<isa Isa>() {
                constexpr data_type type = data_type_of<T>;
                const descriptor from{type, src}, to{type, dst};
                planned_reorder planned;
                engine::compiled_once::plan(Isa, planned, from, to, {}, plait::detail::measure_reorder(from, to).spans);
                out = numbered<T>(dst.element_span());
                CHECK(planned(in.data(), out.data()) == status::success);
                CHECK(same_bytes(out, wanted));
            });
        }
    };
    run(float{}, 150);
    run(std::int8_t{}, 30);
    run(bfloat16{}, 30);
    run(double{}, 30);
}

TEST_CASE("reorder: layout types give the bytes that their values give") {
    using from = nchw<2, 3, 4, 5>;
    using to = nChw8c<2, 3, 4, 5>;
    std::vector<float> in(120), by_type(static_cast<std::size_t>(to::value.padded_volume()), -1.0f), by_value(by_type);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    reorder<from, to>(in.data(), by_type.data());
    reorder<from::value, to::value>(in.data(), by_value.data());
    CHECK(by_type == by_value);
    reorder<from, to>(sequential, in.data(), by_type.data(), {.src_scale = 2.0f});
    reorder<from::value, to::value>(in.data(), by_value.data(), {.src_scale = 2.0f});
    CHECK(by_type == by_value);
}

}  // namespace test_reorder_reorder
