// Rows of elements that become f32, are computed with up to four operands and the old contents of the destination, and
// become elements again.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires the plain rows and the registers of row_conversions.inl before it.

/// The numbers of one operand, from the row and the element that are computed next; null if it is absent.
struct computed_numbers {
    const std::byte* at = nullptr;
    dim_t elements = 0;  ///< all bits if each element has a number, or none if a row has one
    dim_t row_step = 0;

    constexpr computed_numbers() = default;
    constexpr computed_numbers(const std::byte* numbers, dim_t of_elements, dim_t step)
        : at(numbers), elements(of_elements), row_step(step) {}
    /// Numbers of a row, from its element i on.
    [[gnu::always_inline]] inline computed_numbers(const computed_numbers& of_row, dim_t i)
        : at(of_row.of_element(i)), elements(of_row.elements), row_step(of_row.row_step) {}
    [[gnu::always_inline]] inline const std::byte* of_element(dim_t i) const { return at + 4 * (i & elements); }
    [[gnu::always_inline]] inline void advance() { at += row_step; }
};

/// Some rows, and their numbers. Steps are in bytes.
struct rows_to_compute {
    const std::byte* from;
    std::byte* to;
    dim_t rows, from_step, to_step;
    computed_numbers with[4];
    const std::byte* beta;  ///< a register of equal numbers; null if old contents do not count
};

/// Elements of each row: `count` of them, from element `first` on. They are no part of rows_to_compute: a changed copy
/// of that is read by wider loads than it was written by, and these wait until all stores before them are done. u8 ->
/// f32 acdb -> ABcd32a32b of 256x2048 with a scale took 180 us instead of 105 (Emerald Rapids).
struct part_of_row {
    dim_t first, count;
};

/// A register of numbers, with the arithmetic of each operand.
struct computed_register {
    static constexpr int lanes = row_lanes<float>;
    using numbers = access<element_types<float, float, float>, lanes>;
    typename numbers::reg x;

    /// Loads a register of T. Its NaNs are made quiet only if U is f32: conversions to other types do so themselves.
    template <element T, element U, class Kept>
    [[gnu::always_inline]] static inline computed_register load(const std::byte* from, Kept kept) {
        return {number_lanes<T, std::is_same_v<U, float>, lanes>(
            load_some<access<element_types<T, T, T>, lanes>, lanes>(from, kept))};
    }
    template <int K, class Kept>
    [[gnu::always_inline]] inline void apply(const std::byte* operand, Kept kept) {
        const auto y = load_some<numbers, lanes>(operand, kept);
        if constexpr (K == 0 || K == 3) x = subtract<float, lanes>(x, y);
        else x = multiply<float, lanes>(x, y);
    }
    /// Adds beta times the old elements of U.
    template <element U, class Kept>
    [[gnu::always_inline]] inline void add_old(const std::byte* beta, const std::byte* to, Kept kept) {
        const auto old = load_some<access<element_types<U, U, U>, lanes>, lanes>(to, kept);
        x = add<float, lanes>(
            x, multiply<float, lanes>(numbers::template load<lanes>(beta), number_lanes<U, false, lanes>(old)));
    }
};

/// Computes at most a register of each row, of four rows at a time if it is whole. The operands that are present are
/// checked for each four: a CPU foresees these branches, and arithmetic with neutral numbers would take as long as any.
template <element T, element U, bool IsWhole>
[[gnu::noinline]] inline void compute_across(const rows_to_compute& rows, part_of_row part) noexcept {
    constexpr int lanes = row_lanes<float>;
    using elements = access<element_types<float, float, U>, lanes>;
    const std::byte* from = rows.from + part.first * static_cast<dim_t>(sizeof(T));
    std::byte* to = rows.to + part.first * static_cast<dim_t>(sizeof(U));
    computed_numbers first(rows.with[0], part.first), second(rows.with[1], part.first), third(rows.with[2], part.first),
        fourth(rows.with[3], part.first);
    dim_t remaining = rows.rows;
    if constexpr (IsWhole) {
        const std::false_type all;
        for (; remaining >= 4; remaining -= 4, from += 4 * rows.from_step, to += 4 * rows.to_step) {
            const dim_t from_step = rows.from_step, to_step = rows.to_step;
            auto a = computed_register::template load<T, U>(from, all),
                 b = computed_register::template load<T, U>(from + from_step, all),
                 c = computed_register::template load<T, U>(from + 2 * from_step, all),
                 d = computed_register::template load<T, U>(from + 3 * from_step, all);
            const auto apply = [&]<int K>(computed_numbers & numbers, std::integral_constant<int, K>)
                __attribute__((always_inline)) {
                const dim_t step = numbers.row_step;
                a.template apply<K>(numbers.at, all);
                b.template apply<K>(numbers.at + step, all);
                c.template apply<K>(numbers.at + 2 * step, all);
                d.template apply<K>(numbers.at + 3 * step, all);
                numbers.at += 4 * step;
            };
            if (first.at != nullptr) apply(first, std::integral_constant<int, 0>{});
            if (second.at != nullptr) apply(second, std::integral_constant<int, 1>{});
            if (rows.beta != nullptr) {
                a.template add_old<U>(rows.beta, to, all);
                b.template add_old<U>(rows.beta, to + to_step, all);
                c.template add_old<U>(rows.beta, to + 2 * to_step, all);
                d.template add_old<U>(rows.beta, to + 3 * to_step, all);
            }
            if (third.at != nullptr) apply(third, std::integral_constant<int, 2>{});
            if (fourth.at != nullptr) apply(fourth, std::integral_constant<int, 3>{});
            elements::template store<lanes, false>(to, a.x);
            elements::template store<lanes, false>(to + to_step, b.x);
            elements::template store<lanes, false>(to + 2 * to_step, c.x);
            elements::template store<lanes, false>(to + 3 * to_step, d.x);
        }
    }
    const auto run = [&](auto kept_lanes) __attribute__((always_inline)) {
        for (; remaining > 0; --remaining, from += rows.from_step, to += rows.to_step) {
            auto one = computed_register::template load<T, U>(from, kept_lanes);
            if (first.at != nullptr) one.template apply<0>(first.at, kept_lanes), first.advance();
            if (second.at != nullptr) one.template apply<1>(second.at, kept_lanes), second.advance();
            if (rows.beta != nullptr) one.template add_old<U>(rows.beta, to, kept_lanes);
            if (third.at != nullptr) one.template apply<2>(third.at, kept_lanes), third.advance();
            if (fourth.at != nullptr) one.template apply<3>(fourth.at, kept_lanes), fourth.advance();
            store_some<elements, lanes>(to, one.x, kept_lanes);
        }
    };
    if constexpr (IsWhole) run(std::false_type{});
    else run(~std::uint64_t{0} >> (64 - part.count));
}

/// Stores four adjacent registers of numbers as elements of U.
template <element U, class Register>
[[gnu::always_inline]] inline void store_four(std::byte* to, Register a, Register b, Register c, Register d) {
    constexpr int lanes = row_lanes<float>, at_once = vector_bytes(this_isa) / static_cast<int>(sizeof(U));
    constexpr dim_t step = lanes * static_cast<dim_t>(sizeof(U));
    if constexpr (packs_when_loaded<float, U> && at_once == 4 * lanes) {
        store_lanes<U, at_once, false>(to, pack_lanes<float, U>(a, b, c, d));
    } else if constexpr (packs_when_loaded<float, U>) {
        store_lanes<U, at_once, false>(to, pack_lanes<float, U>(a, b));
        store_lanes<U, at_once, false>(to + 2 * step, pack_lanes<float, U>(c, d));
    } else {
        using elements = access<element_types<float, float, U>, lanes>;
        elements::template store<lanes, false>(to, a);
        elements::template store<lanes, false>(to + step, b);
        elements::template store<lanes, false>(to + 2 * step, c);
        elements::template store<lanes, false>(to + 3 * step, d);
    }
}

/// Computes rows of at least a register, four registers at a time. The last register of a row overlaps the one before
/// it.
///
/// Pre:     part.first == 0; with beta, rows are whole registers: old contents are read once
template <element T, element U>
[[gnu::noinline]] inline void compute_along(const rows_to_compute& rows, part_of_row part) noexcept {
    constexpr int lanes = row_lanes<float>;
    constexpr dim_t src_bytes = sizeof(T), dst_bytes = sizeof(U);
    const std::false_type all;
    computed_numbers first = rows.with[0], second = rows.with[1], third = rows.with[2], fourth = rows.with[3];
    const std::byte* from = rows.from;
    std::byte* to = rows.to;
    for (dim_t row = 0; row < rows.rows; ++row, from += rows.from_step, to += rows.to_step) {
        dim_t i = 0;
        for (; i + 4 * lanes <= part.count; i += 4 * lanes) {
            const auto load = [&](int k) __attribute__((always_inline)) {
                return computed_register::template load<T, U>(from + (i + k * lanes) * src_bytes, all);
            };
            auto a = load(0), b = load(1), c = load(2), d = load(3);
            const auto apply = [&]<int K>(const computed_numbers& numbers, std::integral_constant<int, K>)
                __attribute__((always_inline)) {
                const std::byte* const at = numbers.of_element(i);
                const dim_t step = 4 * (lanes & numbers.elements);
                a.template apply<K>(at, all);
                b.template apply<K>(at + step, all);
                c.template apply<K>(at + 2 * step, all);
                d.template apply<K>(at + 3 * step, all);
            };
            if (first.at != nullptr) apply(first, std::integral_constant<int, 0>{});
            if (second.at != nullptr) apply(second, std::integral_constant<int, 1>{});
            if (rows.beta != nullptr) {
                a.template add_old<U>(rows.beta, to + i * dst_bytes, all);
                b.template add_old<U>(rows.beta, to + (i + lanes) * dst_bytes, all);
                c.template add_old<U>(rows.beta, to + (i + 2 * lanes) * dst_bytes, all);
                d.template add_old<U>(rows.beta, to + (i + 3 * lanes) * dst_bytes, all);
            }
            if (third.at != nullptr) apply(third, std::integral_constant<int, 2>{});
            if (fourth.at != nullptr) apply(fourth, std::integral_constant<int, 3>{});
            store_four<U>(to + i * dst_bytes, a.x, b.x, c.x, d.x);
        }
        for (; i < part.count; i += lanes) {
            const dim_t here = i + lanes <= part.count ? i : part.count - lanes;
            auto one = computed_register::template load<T, U>(from + here * src_bytes, all);
            if (first.at != nullptr) one.template apply<0>(first.of_element(here), all);
            if (second.at != nullptr) one.template apply<1>(second.of_element(here), all);
            if (rows.beta != nullptr) one.template add_old<U>(rows.beta, to + here * dst_bytes, all);
            if (third.at != nullptr) one.template apply<2>(third.of_element(here), all);
            if (fourth.at != nullptr) one.template apply<3>(fourth.of_element(here), all);
            store_some<access<element_types<float, float, U>, lanes>, lanes>(to + here * dst_bytes, one.x, all);
        }
        first.advance();
        second.advance();
        third.advance();
        fourth.advance();
    }
}

/// The functions that compute rows of one pair of types; null if there are none.
struct computed_rows {
    using function = void (*)(const rows_to_compute& rows, part_of_row part) noexcept;
    function across = nullptr, across_part = nullptr, along = nullptr;
};
template <element T, element U>
inline constexpr computed_rows computed_rows_for{compute_across<T, U, true>, compute_across<T, U, false>,
                                                 compute_along<T, U>};

/// Computes rows with the operands of `operations`. Rows of several registers are computed one after the other, as are
/// rows in pages of their own, so that each page is used once. Of other rows, a register at the same place of all rows,
/// or of their repeats, is computed at a time. The last register of a row overlaps the one before it; with beta, old
/// contents are read once, so it is a part of a register instead.
///
/// Example: s8 -> f32 cdeba -> abcde of 256x385x3x3x3, a scale: rows of 54 elements, 41,580 bytes apart: 5.9 ms
///          instead of 11.3 (Sapphire Rapids)
///
/// Pre:     `compute` has functions for the types of `operations`, Number is float; from and to do not overlap
/// Post:    each element is convert<U>(((x - first) * second + beta * old) * third - fourth), with each result rounded
template <class Number>
[[gnu::noinline]] inline void compute_rows(const computed_rows& compute, const row_operations& operations,
                                           const std::byte* from, std::byte* to, const row_block& block) noexcept {
    constexpr dim_t lanes = row_lanes<Number>, several = 4, least_page_bytes = 4096;
    const dim_t count = block.count, part = count % lanes;
    const bool are_in_pages =
        step_size(block.from_step) >= least_page_bytes || step_size(block.to_step) >= least_page_bytes;
    const bool has_beta = operations.beta.numbers != nullptr,
               is_along = count >= several * lanes || (are_in_pages && count > lanes),
               across_repeats = !is_along && block.repeats > block.rows;
    rows_to_compute some;
    some.beta = operations.beta.numbers;
    some.rows = across_repeats ? block.repeats : block.rows;
    some.from_step = across_repeats ? block.from_repeat : block.from_step;
    some.to_step = across_repeats ? block.to_repeat : block.to_step;
    for (int k = 0; k < 4; ++k)
        if (const row_operand& o = operations.with[k]; o.numbers != nullptr)
            some.with[k] = {o.numbers, o.differs_in_row ? ~dim_t{0} : 0, across_repeats ? 0 : o.row_step};
    const dim_t around = across_repeats ? block.rows : block.repeats,
                from_next = across_repeats ? block.from_step : block.from_repeat,
                to_next = across_repeats ? block.to_step : block.to_repeat;
    some.from = from;
    some.to = to;
    for (dim_t again = 0; again < around; ++again, some.from += from_next, some.to += to_next) {
        if (across_repeats && again > 0)
            for (int k = 0; k < 4; ++k)
                if (some.with[k].at != nullptr) some.with[k].at += operations.with[k].row_step;
        if (is_along) compute.along(some, {0, has_beta ? count - part : count});
        else
            for (dim_t i = 0; i + lanes <= count; i += lanes) compute.across(some, {i, lanes});
        if (part == 0 || (is_along && !has_beta)) continue;
        if (count < lanes || has_beta) compute.across_part(some, {count - part, part});
        else compute.across(some, {count - lanes, lanes});
    }
}

/// Indexed by the types of source and destination.
struct computed_rows_table {
    computed_rows of[16][16]{};
};
/// All pairs of the usual types have functions. Other pairs are converted by several functions: see
/// compute_through_numbers.
template <element T, element... U>
constexpr void add_computed_rows(computed_rows_table& table) {
    ((table.of[static_cast<int>(data_type_of<T>)][static_cast<int>(data_type_of<U>)] = computed_rows_for<T, U>), ...);
}
template <element... T>
constexpr computed_rows_table make_computed_rows() {
    computed_rows_table table;
    (add_computed_rows<T, T...>(table), ...);
    return table;
}
/// A template, so that including this file compiles nothing before it is used.
template <class Number>
inline constexpr computed_rows_table computed_rows_of =
    make_computed_rows<Number, bfloat16, float16, std::int32_t, std::int8_t, std::uint8_t>();

/// Computes rows of any types, through f32 in the nearest cache: elements become numbers, are computed with, and become
/// elements, each in a loop of its own.
///
/// Pre:     operations.beta is absent, and not both types are f32
template <class Number>
[[gnu::noinline]] inline void compute_through_numbers(const row_operations& operations, const std::byte* from,
                                                      std::byte* to, const row_block& block) noexcept {
    constexpr dim_t most = 512, number_bytes = sizeof(Number);
    constexpr int f32 = static_cast<int>(data_type::f32);
    alignas(64) std::byte loaded[most * number_bytes], computed[most * number_bytes];
    plain_rows* const load = plain_rows_of<Number>.of[static_cast<int>(operations.src)][f32];
    plain_rows* const store = plain_rows_of<Number>.of[f32][static_cast<int>(operations.dst)];
    bool computes = false;
    for (const row_operand& o : operations.with) computes = computes || o.numbers != nullptr;
    const dim_t src_bytes = size_in_bytes(operations.src), dst_bytes = size_in_bytes(operations.dst),
                rows_at_once = block.count < most ? most / block.count : 1;
    for (dim_t again = 0; again < block.repeats; ++again)
        for (dim_t row = 0; row < block.rows; row += rows_at_once)
            for (dim_t i = 0; i < block.count; i += most) {
                row_block some;
                some.count = smaller_of(most, block.count - i);
                some.rows = smaller_of(rows_at_once, block.rows - row);
                const std::byte* x = from + again * block.from_repeat + row * block.from_step + i * src_bytes;
                std::byte* const y = to + again * block.to_repeat + row * block.to_step + i * dst_bytes;
                some.from_step = block.from_step;
                const auto pass_to = [&](std::byte* buffer) {
                    x = buffer;
                    some.from_step = some.to_step;
                };
                some.to_step = some.count * number_bytes;
                if (load != nullptr && store == nullptr && !computes) {  // the numbers are the result
                    some.to_step = block.to_step;
                    (*load)(x, y, some);
                    continue;
                }
                if (load != nullptr) {
                    (*load)(x, loaded, some);
                    pass_to(loaded);
                }
                if (computes) {
                    row_operations moved = operations;
                    moved.src = moved.dst = data_type::f32;
                    for (row_operand& o : moved.with)
                        if (o.numbers != nullptr)
                            o.numbers += row * o.row_step + (o.differs_in_row ? i * number_bytes : 0);
                    if (store == nullptr) some.to_step = block.to_step;
                    compute_rows<Number>(computed_rows_of<Number>.of[f32][f32], moved, x,
                                         store == nullptr ? y : computed, join_rows(moved, some, number_bytes));
                    pass_to(computed);
                }
                some.to_step = block.to_step;
                if (store != nullptr) (*store)(x, y, some);
            }
}

/// Converts rows with arithmetic in f32. Returns false if there are no functions for it: with beta, and a type that is
/// not one of the usual ones.
///
/// Pre:     block is what join_rows returns, and its rows are not empty
template <class Number>
bool convert_computed_rows(const row_operations& operations, const std::byte* from, std::byte* to,
                           const row_block& block) noexcept {
    const computed_rows& compute =
        computed_rows_of<Number>.of[static_cast<int>(operations.src)][static_cast<int>(operations.dst)];
    if (compute.along != nullptr) compute_rows<Number>(compute, operations, from, to, block);
    else if (operations.beta.numbers == nullptr) compute_through_numbers<Number>(operations, from, to, block);
    else return false;
    return true;
}
