// Rows of elements, for run-time reorders. Read once an instruction set, behind convert_lanes and element_access.inl.

/// Runs `some(place, lanes)` for each register of a row: of all lanes, as false, or of the last ones, as a mask.
template <int Lanes, class Some>
[[gnu::always_inline]] inline void for_row(dim_t count, Some some) {
    dim_t i = 0;
    for (; i + Lanes <= count; i += Lanes) some(i, std::false_type{});
    if (i < count) some(i, ~std::uint64_t{0} >> (64 - (count - i)));
}
template <class Elements, int Lanes, class Which>
[[gnu::always_inline]] inline auto load_some(const std::byte* from, Which lanes) {
    if constexpr (std::is_same_v<Which, std::false_type>) return Elements::template load<Lanes>(from);
    else return Elements::template load<Lanes>(from, lanes);
}
template <class Elements, int Lanes, class Which, class Register>
[[gnu::always_inline]] inline void store_some(std::byte* to, Register value, Which lanes) {
    if constexpr (std::is_same_v<Which, std::false_type>) Elements::template store<Lanes, false>(to, value);
    else Elements::template store<Lanes>(to, value, lanes);
}

/// As many as one register of numbers has.
template <class Number>
inline constexpr int row_lanes = vector_bytes(this_isa) / static_cast<int>(sizeof(Number));

/// Elements as numbers, or numbers as elements.
template <class T, class Number, class U>
[[gnu::noinline]] inline void convert_rows(const std::byte* from, std::byte* to, const row_block& block) noexcept {
    constexpr int lanes = row_lanes<Number>;
    using elements = access<element_path<T, Number, U>, lanes>;
    for (dim_t row = 0; row < block.rows; ++row, from += block.from_step, to += block.to_step)
        for_row<lanes>(block.count, [=](dim_t i, auto which) {
            store_some<elements, lanes>(to + i * static_cast<dim_t>(sizeof(U)),
                                        load_some<elements, lanes>(from + i * static_cast<dim_t>(sizeof(T)), which),
                                        which);
        });
}

struct subtract_lanes {
    template <class Number, int Lanes, class Register>
    [[gnu::always_inline]] static inline Register of(Register x, Register operand, Register) {
        return subtract<Number, Lanes>(x, operand);
    }
};
struct multiply_lanes {
    template <class Number, int Lanes, class Register>
    [[gnu::always_inline]] static inline Register of(Register x, Register operand, Register) {
        return multiply<Number, Lanes>(x, operand);
    }
};
struct add_product_of_lanes {
    template <class Number, int Lanes, class Register>
    [[gnu::always_inline]] static inline Register of(Register x, Register operand, Register other) {
        return add<Number, Lanes>(x, multiply<Number, Lanes>(operand, other));
    }
};

template <class Number, class Operation>
[[gnu::noinline]] inline void combine_rows(const std::byte* from, const std::byte* operand, std::byte* to,
                                           const row_block& block) noexcept {
    constexpr int lanes = row_lanes<Number>;
    constexpr dim_t bytes = sizeof(Number);
    using elements = access<element_path<Number, Number, Number>, lanes>;
    const dim_t step = block.operand_is_one ? 0 : bytes;
    for (dim_t row = 0; row < block.rows; ++row, from += block.from_step, to += block.to_step) {
        for_row<lanes>(block.count, [=](dim_t i, auto which) {
            const auto x = load_some<elements, lanes>(from + i * bytes, which);
            const auto with = elements::template load<lanes>(operand + step * i);
            auto other = x;
            if constexpr (std::is_same_v<Operation, add_product_of_lanes>)
                other = load_some<elements, lanes>(to + i * bytes, which);
            store_some<elements, lanes>(to + i * bytes, Operation::template of<Number, lanes>(x, with, other), which);
        });
        operand += block.operand_step;
    }
}

/// Elements as numbers, or numbers as elements, with a product in between.
template <class T, class Number, class U>
[[gnu::noinline]] inline void scale_rows(const std::byte* from, const std::byte* operand, std::byte* to,
                                         const row_block& block) noexcept {
    constexpr int lanes = row_lanes<Number>;
    using elements = access<element_path<T, Number, U>, lanes>;
    using operands = access<element_path<Number, Number, Number>, lanes>;
    const dim_t step = block.operand_is_one ? 0 : sizeof(Number);
    for (dim_t row = 0; row < block.rows; ++row, from += block.from_step, to += block.to_step) {
        for_row<lanes>(block.count, [=](dim_t i, auto which) {
            const auto x = load_some<elements, lanes>(from + i * static_cast<dim_t>(sizeof(T)), which);
            const auto with = operands::template load<lanes>(operand + step * i);
            store_some<elements, lanes>(to + i * static_cast<dim_t>(sizeof(U)), multiply<Number, lanes>(x, with),
                                        which);
        });
        operand += block.operand_step;
    }
}

/// Templates, so that who includes this compiles none of it before it is used.
template <class Sum>
[[gnu::noinline]] inline std::uint32_t sum_row(const std::byte* from, dim_t count) noexcept {
    constexpr int lanes = row_lanes<Sum>;
    using elements = access<element_path<std::int8_t, Sum, Sum>, lanes>;
    typename elements::reg sums{};
    for_row<lanes>(count, [&](dim_t i, auto which) {
        sums = add_integers<lanes>(sums, load_some<elements, lanes>(from + i, which));
    });
    std::uint32_t each[lanes], sum = 0;
    vector<sizeof(each)>::store(reinterpret_cast<std::byte*>(each), sums);
    for (const std::uint32_t x : each) sum += x;
    return sum;
}

template <class Sum>
[[gnu::noinline]] inline void add_row(const std::byte* from, std::byte* to, dim_t count) noexcept {
    constexpr int lanes = row_lanes<Sum>;
    using elements = access<element_path<std::int8_t, Sum, Sum>, lanes>;
    using sums = access<element_path<Sum, Sum, Sum>, lanes>;
    for_row<lanes>(count, [=](dim_t i, auto which) {
        std::byte* const here = to + 4 * i;
        store_some<sums, lanes>(
            here, add_integers<lanes>(load_some<sums, lanes>(here, which), load_some<elements, lanes>(from + i, which)),
            which);
    });
}

/// f64 becomes no f32 before it is computed with.
template <class T, class Number, class U>
constexpr value_rows::convert* convert_with_rows() {
    if constexpr ((std::is_same_v<T, double> || std::is_same_v<U, double>)&&!std::is_same_v<Number, double>)
        return nullptr;
    else return convert_rows<T, Number, U>;
}
template <class T, class Number, class U>
constexpr value_rows::combine* scale_with_rows() {
    if constexpr ((std::is_same_v<T, double> || std::is_same_v<U, double>)&&!std::is_same_v<Number, double>)
        return nullptr;
    else return scale_rows<T, Number, U>;
}

/// In the order of data_type.
template <class Number, class... T>
constexpr value_rows make_rows() {
    return {{nullptr, convert_with_rows<T, Number, Number>()...},
            {nullptr, convert_with_rows<Number, Number, T>()...},
            {nullptr, scale_with_rows<T, Number, Number>()...},
            {nullptr, scale_with_rows<Number, Number, T>()...},
            combine_rows<Number, subtract_lanes>,
            combine_rows<Number, multiply_lanes>,
            combine_rows<Number, add_product_of_lanes>,
            sum_row<std::int32_t>,
            add_row<std::int32_t>};
}
template <class Number>
inline constexpr value_rows rows_of = make_rows<Number, double, float, bfloat16, float16, float8_e5m2, float8_e4m3,
                                                std::int32_t, std::int8_t, std::uint8_t>();
