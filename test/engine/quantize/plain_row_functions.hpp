#pragma once
// The functions of rows as plain loops that also record their calls. With them, tests of their callers need no
// instruction set.

#include <plait/contract/attributes.hpp>
#include <plait/engine/quantize/cache_block_shape.hpp>
#include <plait/engine/quantize/value_conversion.hpp>

#include <cstring>

namespace plait_test {

using namespace plait;
using namespace plait::engine;

inline const std::byte* bytes(const void* p) { return static_cast<const std::byte*>(p); }
inline std::byte* bytes(void* p) { return static_cast<std::byte*>(p); }

/// The place of rows without loops and without values.
inline constexpr cache_block_node no_node;
inline constexpr dim_t no_steps[value_arrays]{};

/// Counts the calls of the functions of rows since the last reset.
struct row_calls {
    int converted = 0, plain = 0, spread = 0, finished = 0;
    dim_t streamed = 0;         ///< bytes
    row_operations operations;  ///< of the last conversion
};
inline row_calls calls;

template <class Number>
Number number_of(data_type type, const std::byte* from) {
    return with_element_type(type, [from]<class T>(T x) {
        std::memcpy(&x, from, sizeof(x));
        return convert<Number>(x);
    });
}
template <class Number>
void store_number(data_type type, Number number, std::byte* to) {
    with_element_type(type, [=]<class T>(T) {
        const T x = convert<T>(number);
        std::memcpy(to, &x, sizeof(x));
    });
}

/// Converts rows with the arithmetic that row_operations states. An operand that is equal for the elements of a row is
/// read from every lane of a register.
template <class Number>
void convert_each(const row_operations& o, const std::byte* from, std::byte* to, const row_block& block) noexcept {
    ++calls.converted;
    calls.operations = o;
    const auto each = [&](dim_t row, dim_t i, const std::byte* x, std::byte* y) {
        const auto operand = [&](const row_operand& w) {
            Number out;
            const dim_t lane = w.differs_in_row ? i : i % most_numbers_at_once;
            std::memcpy(&out, w.numbers + row * w.row_step + lane * dim_t{sizeof(Number)}, sizeof(out));
            return out;
        };
        Number n = number_of<Number>(o.src, x);
        if (o.with[0].numbers != nullptr) n = detail::rounded(n - operand(o.with[0]));
        if (o.with[1].numbers != nullptr) n = detail::rounded(n * operand(o.with[1]));
        if (o.beta.numbers != nullptr)
            n = detail::rounded(n + detail::rounded(operand(o.beta) * number_of<Number>(o.dst, y)));
        if (o.with[2].numbers != nullptr) n = detail::rounded(n * operand(o.with[2]));
        if (o.with[3].numbers != nullptr) n = detail::rounded(n - operand(o.with[3]));
        store_number(o.dst, n, y);
    };
    for (dim_t again = 0; again < block.repeats; ++again)
        for (dim_t row = 0; row < block.rows; ++row)
            for (dim_t i = 0; i < block.count; ++i)
                each(row, i, from + again * block.from_repeat + row * block.from_step + i * size_in_bytes(o.src),
                     to + again * block.to_repeat + row * block.to_step + i * size_in_bytes(o.dst));
}
template <class Number>
void spread_each(const std::byte* numbers, dim_t count, dim_t length, std::byte* to) noexcept {
    ++calls.spread;
    constexpr auto size = static_cast<dim_t>(sizeof(Number));
    for (dim_t i = 0; i < count * length; ++i) std::memcpy(to + i * size, numbers + i / length * size, sizeof(Number));
}
template <data_type From, data_type To>
void plain_each(const std::byte* from, std::byte* to, const row_block& block) noexcept {
    ++calls.plain;
    row_operations none;
    none.src = From;
    none.dst = To;
    convert_each<float>(none, from, to, block);
    --calls.converted;
}
inline void stream_bytes(const std::byte* from, std::byte* to, dim_t bytes) noexcept {
    calls.streamed += bytes;
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
inline std::uint32_t sum_each(const std::byte* from, dim_t count) noexcept {
    std::uint32_t out = 0;
    for (dim_t i = 0; i < count; ++i) out += static_cast<std::uint32_t>(std::to_integer<std::int8_t>(from[i]));
    return out;
}
inline void add_each(const std::byte* from, std::byte* to, dim_t count) noexcept {
    for (dim_t i = 0; i < count; ++i) {
        std::uint32_t sum;
        std::memcpy(&sum, to + 4 * i, 4);
        sum += static_cast<std::uint32_t>(std::to_integer<std::int8_t>(from[i]));
        std::memcpy(to + 4 * i, &sum, 4);
    }
}

constexpr plain_rows_table plain_functions() {
    plain_rows_table out{};
    out.of[static_cast<int>(data_type::f32)][static_cast<int>(data_type::s8)] =
        plain_each<data_type::f32, data_type::s8>;
    out.of[static_cast<int>(data_type::f32)][static_cast<int>(data_type::f32)] =
        plain_each<data_type::f32, data_type::f32>;
    out.of[static_cast<int>(data_type::s8)][static_cast<int>(data_type::s8)] = plain_each<data_type::s8, data_type::s8>;
    return out;
}
inline constexpr plain_rows_table plain_table = plain_functions();

/// The functions of rows. Conversions without arithmetic are those from f32 to s8 and to f32, and from s8 to s8.
template <class Number>
inline constexpr row_conversions row_functions{.convert = convert_each<Number>,
                                               .plain = &plain_table,
                                               .spread = spread_each<Number>,
                                               .stream = stream_bytes,
                                               .finish_streams = []() noexcept { ++calls.finished; },
                                               .sum = sum_each,
                                               .add_to = add_each};

/// Returns a conversion that uses these functions.
template <class Number = float>
value_conversion conversion_with(data_type src, data_type dst, const reorder_attributes& attributes,
                                 float scale_adjust = 1) {
    value_conversion out = make_conversion(src, dst, attributes, scale_adjust);
    out.use(row_functions<Number>);
    return out;
}

}  // namespace plait_test
