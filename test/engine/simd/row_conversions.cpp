#include "engine/quantize/converting_cases.hpp"
#include "engine/quantize/plain_row_functions.hpp"
#include "engine/quantize/planned_values.hpp"
#include "support/with_each_isa.hpp"

namespace test_engine_simd_row_conversions {

using namespace plait;
using namespace plait::engine;

namespace {

/// The rows of an instruction set.
struct rows_of_isa {
    isa which;
    const row_conversions& in_f32;
    const row_conversions& in_f64;
};

/// Calls check for the rows of each instruction set that this CPU has, as the library compiles them.
template <class Check>
void with_every_isa(const Check& check) {
    plait_test::with_each_isa([&]<isa Isa>() {
        if constexpr (has_compiled_kernels(Isa)) {
            const run_time_kernels kernels = compiled_kernels<Isa>();
            check(rows_of_isa{Isa, *kernels.rows_in_f32, *kernels.rows_in_f64});
        }
    });
}
/// Calls check for those with vectors.
template <class Check>
void with_every_vector_isa(const Check& check) {
    with_every_isa([&](const rows_of_isa& of) {
        if (of.which != isa::portable) check(of);
    });
}

/// Random reorders with the rows of an instruction set. The blocks are moved without vectors, which compiles
/// cheaply.
void check_rows(const rows_of_isa& of) {
    values::random_source random(20220402);
    for (int i = 0; i < 400; ++i) {
        const values::question question(random, 1 + i % 4, 1200);
        INFO(to_string(of.which), " ", question.text(), ", number ", i);
        converting_reorder planned = values::planned_values(question.src, question.dst, question.attributes);
        value_conversion& how = planned.plan.conversion;
        how.use(how.in_f64 ? of.in_f64 : of.in_f32);
        if (how.has_few_results(4096)) how.look_up = byte_lookup_of(of.which, how.dst_bytes);
        CHECK(question.is_answered_by(planned, i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front));
    }
}

}  // namespace

TEST_CASE("row_conversions: every instruction set agrees with the reference") { with_every_vector_isa(check_rows); }

TEST_CASE("row_conversions: integers to integers through f32 are exact, at and beyond the bounds") {
    const std::int32_t in[] = {INT32_MIN, -16777217, -129, -128, -1, 0, 1, 127, 128, 255, 256, 16777217, INT32_MAX};
    constexpr dim_t count = sizeof(in) / sizeof(in[0]);
    const row_conversions& rows = *compiled_kernels<least_isa()>().rows_in_f32;
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

namespace {

/// f32 times one or two numbers for each element or row: rows of all lengths, a part of them, and repeated.
void check_products(const rows_of_isa& of) {
    const row_conversions& rows = of.in_f32;
    for (const dim_t count : {1, 2, 7, 8, 15, 16, 17, 40})
        for (const bool first_differs : {false, true})
            for (const int twice : {0, 1, 2}) {  // not; by one number; by one for each element
                INFO(to_string(of.which), ", rows of ", count, first_differs ? ", each its own" : "", ", twice ",
                     twice);
                const row_block block{.count = count,
                                      .rows = 3,
                                      .from_step = 4 * count,
                                      .to_step = 4 * (count + 1),
                                      .repeats = 2,
                                      .from_repeat = 4 * 3 * count,
                                      .to_repeat = 4 * 3 * (count + 1)};
                kernels::fenced_memory<float> from(static_cast<std::size_t>(6 * count), kernels::fence::behind);
                kernels::fenced_memory<float> to(static_cast<std::size_t>(6 * (count + 1)), kernels::fence::behind);
                alignas(64) float numbers[2][3 * 64];
                for (int i = 0; i < 3 * 64; ++i) {
                    const int row = i / 64;
                    numbers[0][i] = static_cast<float>(first_differs ? 3 + i : 3 + row);
                    numbers[1][i] = static_cast<float>(twice == 2 ? 1 + i % 5 : 1 + row) / 8;
                }
                const auto size = static_cast<std::size_t>(6 * count);
                for (std::size_t i = 0; i < size; ++i) from.data()[i] = static_cast<float>(i % 23) - 11;
                for (std::size_t i = 0; i < static_cast<std::size_t>(6 * (count + 1)); ++i) to.data()[i] = -1;
                row_operations how{};
                const auto operand = [&](int k, bool differs) {
                    return row_operand{reinterpret_cast<const std::byte*>(numbers[k]), differs, 4 * 64};
                };
                how.with[1] = operand(0, first_differs);
                if (twice != 0) how.with[2] = operand(1, twice == 2);
                rows.convert(how, reinterpret_cast<const std::byte*>(from.data()),
                             reinterpret_cast<std::byte*>(to.data()), block);
                bool same = true;
                for (dim_t r = 0; r < 6; ++r) {
                    for (dim_t i = 0; i < count; ++i) {
                        const dim_t n = r % 3 * 64;
                        const float expected = from.data()[r * count + i] * numbers[0][first_differs ? n + i : n] *
                                               (twice == 0 ? 1 : numbers[1][twice == 2 ? n + i : n]);
                        same = same && to.data()[r * (count + 1) + i] == expected;
                    }
                    same = same && to.data()[r * (count + 1) + count] == -1;
                }
                CHECK(same);
            }
}

}  // namespace

TEST_CASE("row_conversions: f32 times one number or two, for each element or each row, and no write between the rows") {
    with_every_vector_isa(check_products);
}

namespace {

/// Numbers of four operands: different ones for each element of six rows, and for each row a register of equal ones.
struct some_numbers {
    static constexpr dim_t row = 640, rows = 6;
    alignas(64) float each[4][rows * row], equal[4][rows * most_numbers_at_once];

    some_numbers() {
        const auto number = [](int k, dim_t i) {
            const float x = static_cast<float>(i % 7 - 3);
            return k == 0 || k == 3 ? x : 0.75f + x / 8;  // subtracted, or multiplied by
        };
        for (int k = 0; k < 4; ++k) {
            for (dim_t i = 0; i < rows * row; ++i) each[k][i] = number(k, i);
            for (dim_t i = 0; i < rows * most_numbers_at_once; ++i)
                equal[k][i] = number(k, i / most_numbers_at_once + k);
        }
    }
    /// The operand's number 0 to 3 is by element, by element and row, by row, or one for all rows.
    row_operand operand(int k, int kind) const {
        const bool differs = kind < 2;
        const dim_t step = kind == 1 ? row * 4 : kind == 2 ? most_numbers_at_once * 4 : 0;
        return {reinterpret_cast<const std::byte*>(differs ? each[k] : equal[k]), differs, step};
    }
};

/// Rows of any types with some operands, as plain loops compute them: nothing between the rows is written, and nothing
/// beyond them is read.
void check_operands(const rows_of_isa& of, data_type src, data_type dst, const some_numbers& numbers, unsigned number) {
    static constexpr dim_t counts[] = {1, 3, 8, 15, 16, 17, 31, 32, 48, 63, 64, 65, 131, 600};
    values::random_source random(number);
    const auto draw = [&](int most) { return static_cast<int>(random.between(0, most)); };
    const dim_t src_bytes = size_in_bytes(src), dst_bytes = size_in_bytes(dst);
    for (const dim_t count : counts) {
        const dim_t rows = 1 + draw(some_numbers::rows - 1), repeats = 1 + draw(4), gap = draw(1) * 3,
                    run = count + gap;
        const row_block block{
            count, rows, run * src_bytes, run * dst_bytes, repeats, rows * run * src_bytes, rows * run * dst_bytes};
        const dim_t size = rows * repeats * run - gap;
        row_operations how{src, dst, {}, {}};
        const int set = src == dst ? 1 + draw(14) : draw(15);
        for (int k = 0; k < 4; ++k)
            if ((set >> k & 1) != 0) how.with[k] = numbers.operand(k, draw(3));
        INFO(to_string(of.which), " ", to_string(src), " -> ", to_string(dst), ", ", rows, " rows of ", count, ", gap ",
             gap, ", ", repeats, " times, operands ", set);
        kernels::fenced_memory<std::uint8_t> in(static_cast<std::size_t>(size * src_bytes), kernels::fence::behind),
            found(static_cast<std::size_t>(size * dst_bytes), kernels::fence::behind);
        std::vector<std::byte> expected(static_cast<std::size_t>(size * dst_bytes), std::byte{7});
        for (dim_t i = 0; i < size * src_bytes; ++i) in.data()[i] = static_cast<std::uint8_t>(random.between(0, 255));
        std::memset(found.data(), 7, expected.size());
        plait_test::convert_each<float>(how, plait_test::bytes(in.data()), expected.data(), block);
        of.in_f32.convert(how, plait_test::bytes(in.data()), plait_test::bytes(found.data()), block);
        CHECK(values::same_elements(dst, expected.data(), plait_test::bytes(found.data()), expected.size()));
    }
}

}  // namespace

TEST_CASE("row_conversions: all pairs of types with any operands, and no access beyond the rows") {
    const some_numbers numbers;
    with_every_isa([&](const rows_of_isa& of) {
        unsigned number = 0;
        for (int from = 1; from <= 9; ++from)
            for (int to = 1; to <= 9; ++to) {
                const auto src = static_cast<data_type>(from), dst = static_cast<data_type>(to);
                if (src != data_type::f64 && dst != data_type::f64) check_operands(of, src, dst, numbers, ++number);
            }
    });
}

namespace {

template <class Number>
void check_spread(isa which, const row_conversions& rows) {
    for (const dim_t count : {1, 2, 5})
        for (dim_t length = 1; length < 70; ++length) {
            INFO(to_string(which), ", ", count, " numbers ", length, " times");
            const auto size = static_cast<std::size_t>(count * length + most_numbers_at_once - 1);
            kernels::fenced_memory<Number> to(size, kernels::fence::behind);
            Number from[5] = {3, -1, 0.5, 7, 2};
            rows.spread(reinterpret_cast<const std::byte*>(from), count, length,
                        reinterpret_cast<std::byte*>(to.data()));
            bool same = true;
            for (dim_t i = 0; i < count * length; ++i) same = same && to.data()[i] == from[i / length];
            CHECK(same);
        }
}

void check_lines(const rows_of_isa& of) {
    const row_conversions& rows = of.in_f32;
    for (const std::size_t lines : {0u, 1u, 3u, 64u}) {
        std::vector<std::byte> from(lines * 64 + 1);
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 37);
        alignas(64) std::byte to[66 * 64];
        std::memset(to, 9, sizeof(to));
        rows.stream(from.data() + 1, to + 64, static_cast<dim_t>(lines * 64));
        rows.finish_streams();
        CHECK(std::memcmp(from.data() + 1, to + 64, lines * 64) == 0);
        CHECK((to[63] == std::byte{9} && to[(lines + 1) * 64] == std::byte{9}));
    }
}

}  // namespace

TEST_CASE("row_conversions: numbers spread by every instruction set, and nothing else written") {
    with_every_isa([](const rows_of_isa& of) {
        check_spread<float>(of.which, of.in_f32);
        check_spread<double>(of.which, of.in_f64);
    });
}

TEST_CASE("row_conversions: cache lines are copied past the cache, and nothing around them is written") {
    with_every_isa(check_lines);
}

TEST_CASE("row_conversions: sums wrap around") {
    const row_conversions& rows = *compiled_kernels<least_isa()>().rows_in_f32;
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

namespace {

/// Converts an element. The types are known only at run time, so that the checks of all pairs are one function.
void convert_element(data_type from, data_type to, const std::byte* src, std::byte* dst) {
    with_element_type(from, [&]<class T>(T x) {
        std::memcpy(&x, src, sizeof(x));
        with_element_type(to, [&]<class U>(U) {
            const U y = convert<U>(x);
            std::memcpy(dst, &y, sizeof(y));
        });
    });
}

/// Converts rows with gaps, which must not be written, and compares them with converting each element.
void check_plain(plain_rows* convert_rows, data_type from, data_type to, const row_block& block) {
    const dim_t src_bytes = size_in_bytes(from), dst_bytes = size_in_bytes(to);
    const dim_t size = block.repeats * block.rows * (block.count + 3);
    std::vector<std::byte> in(static_cast<std::size_t>(size * src_bytes)),
        found(static_cast<std::size_t>(size * dst_bytes), std::byte{7}), expected = found;
    values::random_source random(static_cast<unsigned>(block.count));
    for (std::byte& x : in) x = static_cast<std::byte>(random.between(0, 255));
    for (dim_t again = 0; again < block.repeats; ++again)
        for (dim_t row = 0; row < block.rows; ++row)
            for (dim_t i = 0; i < block.count; ++i)
                convert_element(from, to, in.data() + again * block.from_repeat + row * block.from_step + i * src_bytes,
                                expected.data() + again * block.to_repeat + row * block.to_step + i * dst_bytes);
    convert_rows(in.data(), found.data(), block);
    CHECK(values::same_elements(to, expected.data(), found.data(), found.size()));
}

void check_plain_rows(const rows_of_isa& of) {
    int pairs = 0;
    for (int from = 1; from <= 9; ++from)
        for (int to = 1; to <= 9; ++to) {
            plain_rows* const rows = of.in_f32.plain->of[from][to];
            if (rows == nullptr) continue;
            ++pairs;
            const auto src = static_cast<data_type>(from), dst = static_cast<data_type>(to);
            const dim_t src_bytes = size_in_bytes(src), dst_bytes = size_in_bytes(dst);
            INFO(to_string(of.which), " ", to_string(src), " -> ", to_string(dst));
            for (dim_t count = 1; count < 150; count += count < 35 ? 1 : 19)
                for (const dim_t gap : {0, 3}) {
                    INFO("count ", count, ", gap ", gap);
                    const dim_t run = count + gap, again = 3 * run;
                    check_plain(rows, src, dst,
                                {count, 3, run * src_bytes, run * dst_bytes, 2, again * src_bytes, again * dst_bytes});
                }
        }
    // All except 8-bit floating-point types, which go through f32; none for CPUs without AVX2.
    CHECK(pairs == (of.which == isa::portable || of.which == isa::sse41 ? 0 : 7 * 6 + 4));
}

}  // namespace

TEST_CASE("plain_rows: each pair of types that has a function, rows of all lengths") {
    with_every_isa(check_plain_rows);
}

}  // namespace test_engine_simd_row_conversions
