// Rows of 4-bit elements with one set of numbers each: what becomes of the 16 possible elements is computed once, and
// looked up for each element.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires nibble_lookup*.inl and row_registers.inl before it.

/// Some of the 16 elements, as numbers, after the operations of one row, as convert_pieces does them. Operations that
/// change nothing are done too: x - 0 and x * 1 are x, also for -0.
template <bool HasDst, int Lanes, class Register>
[[gnu::always_inline]] inline Register numbers_of_row(Register x, float first, float second, float third,
                                                      float fourth) {
    x = subtract<float, Lanes>(x, broadcast<float, Lanes>(first));
    x = multiply<float, Lanes>(x, broadcast<float, Lanes>(second));
    if constexpr (!HasDst) return x;
    x = multiply<float, Lanes>(x, broadcast<float, Lanes>(third));
    return subtract<float, Lanes>(x, broadcast<float, Lanes>(fourth));
}

/// Converts rows of 4-bit elements to elements of type U.
template <element U, bool HasDst>
[[gnu::always_inline]] inline void convert_nibble_rows_with(const nibble_row_block& block) noexcept {
    constexpr dim_t bytes = sizeof(U), at_once = 32;
    constexpr int lanes = row_lanes<float>, table_bytes = 16 * static_cast<int>(bytes);
    using floats = access<element_types<float, float, float>, lanes>;
    constexpr float zero = 0, one = 1;
    const auto or_else = [](const float* with, const float& neutral) { return with != nullptr ? with : &neutral; };
    const float *first = or_else(block.with[0], zero), *second = or_else(block.with[1], one),
                *third = or_else(block.with[2], one), *fourth = or_else(block.with[3], zero);
    const dim_t first_step = block.with_step[0], second_step = block.with_step[1], third_step = block.with_step[2],
                fourth_step = block.with_step[3], whole = block.count / at_once, remaining = block.count % at_once;
    const std::byte* from = block.from;
    std::byte* to = block.to;
    const auto* const elements = reinterpret_cast<const std::byte*>(block.elements);
    for (dim_t row = 0; row < block.rows; ++row, from += block.from_step, to += block.to_step) {
        const auto make_table = [&]() __attribute__((always_inline)) {
            if constexpr (lanes == 16) {
                return nibble_table<static_cast<int>(bytes)>(
                    convert_lanes<float, U, lanes>(numbers_of_row<HasDst, lanes>(floats::template load<lanes>(elements),
                                                                                 *first, *second, *third, *fourth)));
            } else {
                alignas(64) std::byte numbers[table_bytes];
                using made = access<element_types<float, float, U>, lanes>;
                for (int i = 0; i < 16; i += lanes)
                    made::template store<lanes, false>(
                        numbers + i * bytes,
                        numbers_of_row<HasDst, lanes>(floats::template load<lanes>(elements + i * dim_t{sizeof(float)}),
                                                      *first, *second, *third, *fourth));
                return nibble_table<static_cast<int>(bytes)>(numbers);
            }
        };
        const nibble_table<static_cast<int>(bytes)> table = make_table();
        const std::byte* src = from;
        std::byte* dst = to;
        for (dim_t i = 0; i < whole; ++i, src += at_once / 2, dst += at_once * bytes) table.look_up(src, dst);
        if (remaining > 0) {
            alignas(64) std::byte last[at_once / 2]{}, made[at_once * bytes];
            std::memcpy(last, src, static_cast<std::size_t>((remaining + 1) / 2));
            table.look_up(last, made);
            std::memcpy(dst, made, static_cast<std::size_t>(remaining * bytes));
        }
        first += first_step;
        second += second_step;
        third += third_step;
        fourth += fourth_step;
    }
}
template <element U>
[[gnu::noinline]] inline void convert_nibble_rows(const nibble_row_block& block) noexcept {
    if (block.with[2] != nullptr || block.with[3] != nullptr) convert_nibble_rows_with<U, true>(block);
    else convert_nibble_rows_with<U, false>(block);
}

template <element... U>
constexpr nibble_row_functions make_nibble_rows() {
    nibble_row_functions out;
    ((out.to[static_cast<int>(data_type_of<U>)] = convert_nibble_rows<U>), ...);
    return out;
}
/// The functions for some destination types; null for others.
template <element... U>
inline constexpr nibble_row_functions nibble_rows_of = make_nibble_rows<U...>();
