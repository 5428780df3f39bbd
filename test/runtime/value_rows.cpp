#include "runtime/values_cases.hpp"

#include <plait/runtime/values_reorder.hpp>

using namespace plait;

namespace {

/// Random reorders whose rows are those of an instruction set; the panels are moved without vectors, which compiles
/// cheaply.
template <isa Isa>
void check_rows() {
    if (!cpu_has(Isa)) return;
    values::random_source random(20220402);
    for (int i = 0; i < 400; ++i) {
        const values::question question(random, 1 + i % 4, 1200);
        INFO(name(Isa), " ", question.text(), ", number ", i);
        values_reorder planned =
            plan_values_with<isa::portable, element_movers>(question.src, question.dst, question.attributes);
        value_conversion& how = planned.plan.how;
        how.use(how.in_f64 ? find_rows<Isa, double>() : find_rows<Isa, float>());
        CHECK(question.is_answered_by(planned, i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front));
    }
}

}  // namespace

TEST_CASE("value_rows: every instruction set as the reference") {
#if defined(__x86_64__)
    check_rows<isa::sse41>();
    check_rows<isa::avx2>();
    check_rows<isa::avx512>();
#elif defined(__aarch64__)
    check_rows<isa::neon>();
#endif
}

TEST_CASE("value_rows: integers to integers through f32 are exact, at and beyond the bounds") {
    const std::int32_t in[] = {INT32_MIN, -16777217, -129, -128, -1, 0, 1, 127, 128, 255, 256, 16777217, INT32_MAX};
    constexpr dim_t count = sizeof(in) / sizeof(in[0]);
    const value_rows& rows = simd::portable::rows_of<float>;
    std::uint8_t as_u8[count];
    std::int8_t as_s8[count];
    const auto bytes = [](auto* p) { return reinterpret_cast<std::byte*>(p); };
    const auto* const from = reinterpret_cast<const std::byte*>(in);
    rows.convert({data_type::s32, data_type::u8, {}, {}}, from, bytes(as_u8), {count});
    rows.convert({data_type::s32, data_type::s8, {}, {}}, from, bytes(as_s8), {count});
    for (int i = 0; i < count; ++i) {
        CHECK(as_u8[i] == convert<std::uint8_t>(in[i]));
        CHECK(as_s8[i] == convert<std::int8_t>(in[i]));
    }
}

TEST_CASE("value_rows: sums wrap around") {
    const value_rows& rows = simd::portable::rows_of<float>;
    std::int8_t x[37];
    std::uint32_t sums[37], expected = 0;
    for (int i = 0; i < 37; ++i) {
        x[i] = static_cast<std::int8_t>(i * 7 - 128);
        sums[i] = i % 2 == 0 ? 3 : UINT32_MAX;
        expected += static_cast<std::uint32_t>(x[i]);
    }
    CHECK(rows.sum(reinterpret_cast<const std::byte*>(x), 37) == expected);
    rows.add_to(reinterpret_cast<const std::byte*>(x), reinterpret_cast<std::byte*>(sums), 37);
    for (int i = 0; i < 37; ++i) CHECK(sums[i] == (i % 2 == 0 ? 3 : UINT32_MAX) + static_cast<std::uint32_t>(x[i]));
}
