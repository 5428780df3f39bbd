// Reorders with each instruction set of the CPU, and with stores past the cache.

#include "engine/kernel/kernels.hpp"
#include "support/with_each_isa.hpp"

#include <plait/reorder/converted_rows.hpp>
#include <plait/reorder/layout_reorder.hpp>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <vector>

namespace test_reorder_reorder_with_each_isa {

using namespace kernels;

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

TEST_CASE("reorder: values by index past the cache, with every instruction set") {
    constexpr layout from({5, 1024, 1024}, "abc"), to({5, 1024, 1024}, "acb");  // the least size for such stores
    const std::vector<std::int8_t> in = numbered<std::int8_t>(from.element_span());
    const std::vector<float> scales = {0.25f, 0.5f, 1.5f, -2, 3};
    const reorder_attributes attributes{.src_scale = {scales, 1}};
    std::vector<float> wanted(to.element_span());
    reference_reorder(from, in.data(), to, wanted.data(), attributes);
    plait_test::with_each_isa([&]<isa Isa>() {
        if constexpr (engine::has_attributed_kernels(Isa)) {
            std::vector<float> out(wanted.size());
            move_attributed_tensor_with<from, to, std::int8_t, float, Isa>(in.data(), out.data(), attributes);
            CHECK(same_bytes(out, wanted));
        }
    });
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
            INFO(to_string(src), " -> ", to_string(dst), " ", sizeof(T), " bytes");
            reference_reorder(src, in.data(), dst, wanted.data());
            reorder(src, in.data(), dst, out.data());
            CHECK(same_bytes(out, wanted));
            plait_test::with_each_isa([&]<isa Isa>() {
                constexpr data_type type = data_type_of<T>;
                const descriptor from{type, src}, to{type, dst};
                planned_reorder planned;
                engine::compiled_once::plan(Isa, planned, from, to, {}, plait::detail::measure_reorder(from, to).ends);
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

}  // namespace test_reorder_reorder_with_each_isa
