// Rows of elements that become f32, are computed with up to four operands, and become elements again. No register
// checks which operands there are: absent ones are neutral numbers, and change nothing.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires the plain rows and the registers of row_conversions.inl before it.

/// The numbers that stand for absent operands: x - 0 and x * 1 are x, also for -0.
template <class Number>
struct neutral_numbers {
    alignas(64) Number zeros[most_numbers_at_once];
    alignas(64) Number ones[most_numbers_at_once];

    constexpr neutral_numbers() : zeros{}, ones{} {
        for (Number& x : ones) x = 1;
    }
    static const neutral_numbers all;
};
template <class Number>
inline constexpr neutral_numbers<Number> neutral_numbers<Number>::all{};

/// The numbers of one operand.
struct computed_numbers {
    const std::byte* at;
    dim_t elements;  ///< all bits if each element has a number, or none if a row has one
    dim_t row_step;

    [[gnu::always_inline]] inline computed_numbers(const row_operand& o, const float* neutral)
        : at(o.numbers != nullptr ? o.numbers : reinterpret_cast<const std::byte*>(neutral)),
          elements(o.numbers != nullptr && o.differs_in_row ? ~dim_t{0} : 0),
          row_step(o.numbers != nullptr ? o.row_step : 0) {}
};

/// Returns true if numbers are multiplied by one operand, and nothing else is computed.
inline bool multiplies_once(const row_operations& operations) {
    return operations.with[0].numbers == nullptr && operations.with[3].numbers == nullptr &&
           (operations.with[1].numbers == nullptr) != (operations.with[2].numbers == nullptr);
}

/// Loads a register of T, and computes it with the numbers at the four places; only with the second if
/// MultipliesOnce. `kept` is false for all lanes, or a mask.
template <element T, bool MultipliesOnce, class Kept>
[[gnu::always_inline]] inline auto compute_register(const std::byte* from, const std::byte* first,
                                                    const std::byte* second, const std::byte* third,
                                                    const std::byte* fourth, Kept kept) {
    constexpr int lanes = row_lanes<float>;
    using elements = access<element_types<T, float, float>, lanes>;
    using numbers = access<element_types<float, float, float>, lanes>;
    auto x = load_some<elements, lanes>(from, kept);
    if constexpr (!MultipliesOnce) x = subtract<float, lanes>(x, load_some<numbers, lanes>(first, kept));
    x = multiply<float, lanes>(x, load_some<numbers, lanes>(second, kept));
    if constexpr (!MultipliesOnce) {
        x = multiply<float, lanes>(x, load_some<numbers, lanes>(third, kept));
        x = subtract<float, lanes>(x, load_some<numbers, lanes>(fourth, kept));
    }
    return x;
}

/// A register at the same place of several rows, and of repeats of them. Steps are in bytes.
struct register_of_rows {
    const std::byte* from;
    std::byte* to;
    const std::byte *first, *second, *third, *fourth;
};
struct steps_of_rows {
    dim_t count, from, to, first, second, third, fourth;
};

template <element T, element U, bool MultipliesOnce, class Kept>
[[gnu::always_inline]] inline void compute_across(register_of_rows at, const steps_of_rows& steps, Kept kept) {
    constexpr int lanes = row_lanes<float>;
    for (dim_t row = 0; row < steps.count; ++row) {
        store_some<access<element_types<float, float, U>, lanes>, lanes>(
            at.to, compute_register<T, MultipliesOnce>(at.from, at.first, at.second, at.third, at.fourth, kept), kept);
        at.from += steps.from;
        at.to += steps.to;
        at.second += steps.second;
        if constexpr (MultipliesOnce) continue;
        at.first += steps.first;
        at.third += steps.third;
        at.fourth += steps.fourth;
    }
}

/// Computes rows of T with the operands of `operations`, and writes them as U. Rows of several registers are computed
/// one after the other, and the last register of a row overlaps the one before it. Shorter rows are computed across.
///
/// Pre:     operations.beta is absent; MultipliesOnce: multiplies_once(operations); from and to do not overlap
/// Post:    each element is convert<U>(((x - first) * second) * third - fourth), with each result rounded
template <element T, element U, bool MultipliesOnce>
[[gnu::noinline]] inline void compute_rows(const row_operations& operations, const std::byte* from, std::byte* to,
                                           const row_block& block) noexcept {
    constexpr int lanes = row_lanes<float>;
    constexpr dim_t src_bytes = sizeof(T), dst_bytes = sizeof(U), several = 4;
    const float *const zeros = neutral_numbers<float>::all.zeros, *const ones = neutral_numbers<float>::all.ones;
    const bool by_third = MultipliesOnce && operations.with[1].numbers == nullptr;
    const computed_numbers first(operations.with[0], zeros), second(operations.with[by_third ? 2 : 1], ones),
        third(operations.with[2], ones), fourth(operations.with[3], zeros);
    const dim_t count = block.count;
    // The register of a row at element i.
    const auto place = [&](const std::byte* x, std::byte* y, dim_t row, dim_t i) __attribute__((always_inline)) {
        const auto of = [row, i](const computed_numbers& n) { return n.at + row * n.row_step + 4 * (i & n.elements); };
        return register_of_rows{x + i * src_bytes, y + i * dst_bytes, of(first), of(second), of(third), of(fourth)};
    };
    if (count < several * lanes) {
        const bool across_repeats = block.repeats > block.rows;
        const steps_of_rows rows{block.rows,      block.from_step, block.to_step,  first.row_step,
                                 second.row_step, third.row_step,  fourth.row_step},
            repeats{block.repeats, block.from_repeat, block.to_repeat, 0, 0, 0, 0};
        const steps_of_rows &inside = across_repeats ? repeats : rows, &around = across_repeats ? rows : repeats;
        for (dim_t k = 0; k < around.count; ++k) {
            const std::byte* const x = from + k * around.from;
            std::byte* const y = to + k * around.to;
            const dim_t row = across_repeats ? k : 0;
            if (count < lanes) {
                compute_across<T, U, MultipliesOnce>(place(x, y, row, 0), inside, ~std::uint64_t{0} >> (64 - count));
                continue;
            }
            for (dim_t i = 0; i < count; i += lanes)
                compute_across<T, U, MultipliesOnce>(place(x, y, row, i + lanes <= count ? i : count - lanes), inside,
                                                     std::false_type{});
        }
        return;
    }
    const std::false_type all;
    for (dim_t again = 0; again < block.repeats; ++again)
        for (dim_t row = 0; row < block.rows; ++row) {
            const register_of_rows here = place(from + again * block.from_repeat + row * block.from_step,
                                                to + again * block.to_repeat + row * block.to_step, row, 0);
            const auto computed = [&](dim_t i) __attribute__((always_inline)) {
                return compute_register<T, MultipliesOnce>(
                    here.from + i * src_bytes, here.first + 4 * (i & first.elements),
                    here.second + 4 * (i & second.elements), here.third + 4 * (i & third.elements),
                    here.fourth + 4 * (i & fourth.elements), all);
            };
            dim_t i = 0;
            if constexpr (packs_when_loaded<float, U>) {  // a whole register of U at once
                constexpr int at_once = vector_bytes(this_isa) / static_cast<int>(dst_bytes);
                for (; i + at_once <= count; i += at_once) {
                    std::byte* const y = here.to + i * dst_bytes;
                    if constexpr (at_once == 4 * lanes)
                        store_lanes<U, at_once, false>(
                            y, pack_lanes<float, U>(computed(i), computed(i + lanes), computed(i + 2 * lanes),
                                                    computed(i + 3 * lanes)));
                    else store_lanes<U, at_once, false>(y, pack_lanes<float, U>(computed(i), computed(i + lanes)));
                }
            }
            const auto one = [&](dim_t k) __attribute__((always_inline)) {
                store_some<access<element_types<float, float, U>, lanes>, lanes>(here.to + k * dst_bytes, computed(k),
                                                                                 all);
            };
            for (; i + lanes <= count; i += lanes) one(i);
            if (i < count) one(count - lanes);
        }
}

/// The functions that compute rows of one pair of types; null if there are none.
struct computed_rows {
    using function = void (*)(const row_operations& operations, const std::byte* from, std::byte* to,
                              const row_block& block) noexcept;
    function once = nullptr, any = nullptr;  ///< if multiplies_once, and for all operations
};
/// Indexed by the types of source and destination.
struct computed_rows_table {
    computed_rows of[16][16]{};
};
/// Returns the functions of a pair of types. One multiplication has its own function only between f32 and other types,
/// and within a type: these are the usual pairs, and their rows are limited by loads.
template <element T, element U>
constexpr computed_rows find_computed_rows() {
    constexpr bool has_once = std::is_same_v<T, float> || std::is_same_v<U, float> || std::is_same_v<T, U>;
    return {compute_rows<T, U, has_once>, compute_rows<T, U, false>};
}
/// All pairs of the usual types have functions. Other pairs are converted by several functions: see
/// compute_through_numbers.
template <element T, element... U>
constexpr void add_computed_rows(computed_rows_table& table) {
    ((table.of[static_cast<int>(data_type_of<T>)][static_cast<int>(data_type_of<U>)] = find_computed_rows<T, U>()),
     ...);
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
    make_computed_rows<Number, bfloat16, float16, std::int8_t, std::uint8_t>();

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
                    const computed_rows& in_f32 = computed_rows_of<Number>.of[f32][f32];
                    (multiplies_once(moved) ? in_f32.once : in_f32.any)(moved, x, store == nullptr ? y : computed,
                                                                        join_rows(moved, some, number_bytes));
                    pass_to(computed);
                }
                some.to_step = block.to_step;
                if (store != nullptr) (*store)(x, y, some);
            }
}

/// Converts rows with arithmetic in f32, and without the old contents of the destination.
///
/// Pre:     operations.beta is absent; block is what join_rows returns, and its rows are not empty
template <class Number>
void convert_computed_rows(const row_operations& operations, const std::byte* from, std::byte* to,
                           const row_block& block) noexcept {
    const computed_rows& of =
        computed_rows_of<Number>.of[static_cast<int>(operations.src)][static_cast<int>(operations.dst)];
    if (of.any == nullptr) return compute_through_numbers<Number>(operations, from, to, block);
    (multiplies_once(operations) ? of.once : of.any)(operations, from, to, block);
}
