// Several registers of rows: their addresses, and the conversion of their elements to numbers and back.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires row_access.inl before it.

/// The number of lanes in one register of numbers.
template <class Number>
inline constexpr int row_lanes = vector_bytes(this_isa) / static_cast<int>(sizeof(Number));

/// Some pieces of rows, each at most a register of numbers. Steps are in bytes.
struct row_pieces {
    static constexpr int operands = 5;
    static constexpr int at_once = 4;

    dim_t repeats = 1, from_repeat = 0, to_repeat = 0;  ///< of all of them
    dim_t count = 0;
    dim_t overlap = 0;  ///< number of elements by which the last piece begins early, to end with the row
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    dim_t from_step = 0, to_step = 0;
    const std::byte* operand[operands]{};  ///< the last is beta
    dim_t operand_step[operands]{}, operand_element[operands]{}, operand_repeat[operands]{};

    /// Returns true if all pieces of a repeat are computed with the same register of an operand.
    bool is_shared(int k) const { return operand[k] != nullptr && operand_step[k] == 0; }
};

/// The beginnings of some pieces, in bytes from the first. Beyond the last piece, the last piece is repeated.
template <int AtOnce>
struct piece_steps {
    dim_t from[AtOnce], to[AtOnce], operands[row_pieces::operands][AtOnce];

    /// The last piece begins `back` elements early.
    [[gnu::always_inline]] inline piece_steps(const row_pieces& p, dim_t pieces, dim_t from_bytes, dim_t to_bytes,
                                              dim_t overlap = 0) {
        const dim_t last = pieces - 1;
        const auto set = [last](dim_t * steps, dim_t step, dim_t too_early) __attribute__((always_inline)) {
            const dim_t behind = last * step - too_early;
            steps[0] = last < 1 ? behind : 0;
            steps[1] = last < 2 ? behind : step;
            steps[2] = last < 3 ? behind : 2 * step;
            steps[3] = behind;
        };
        set(from, p.from_step, overlap * from_bytes);
        set(to, p.to_step, overlap * to_bytes);
        for (int k = 0; k < row_pieces::operands; ++k)
            if (p.operand[k] != nullptr) set(operands[k], p.operand_step[k], overlap * p.operand_element[k]);
    }
};

/// Registers of numbers, of pieces that begin at steps[k]. There are no lambdas, because GCC keeps registers captured
/// by closures in memory.
template <class Number, int Lanes>
struct row_registers {
    static constexpr int lanes = Lanes;
    using numbers = access<element_types<Number, Number, Number>, lanes>;
    using reg = typename numbers::reg;
    reg a, b, c, d;

    [[gnu::always_inline]] static inline row_registers all(reg one) { return {one, one, one, one}; }
    /// Loads those of the first four operands that all pieces share.
    [[gnu::always_inline]] static inline void load_shared(const row_pieces& p, const bool* shared, reg& first,
                                                          reg& second, reg& third, reg& fourth) {
        if (shared[0]) first = numbers::template load<lanes>(p.operand[0]);
        if (shared[1]) second = numbers::template load<lanes>(p.operand[1]);
        if (shared[2]) third = numbers::template load<lanes>(p.operand[2]);
        if (shared[3]) fourth = numbers::template load<lanes>(p.operand[3]);
    }
    template <class T, class Kept>
    [[gnu::always_inline]] static inline row_registers loaded(const std::byte* from, const dim_t* steps, Kept kept) {
        using elements = access<element_types<T, Number, Number>, lanes>;
        return {load_some<elements, lanes>(from + steps[0], kept), load_some<elements, lanes>(from + steps[1], kept),
                load_some<elements, lanes>(from + steps[2], kept), load_some<elements, lanes>(from + steps[3], kept)};
    }
    /// Loads elements of type T, or of `type` if T is void. f64 elements are computed only in f64.
    template <class T, class Kept>
    [[gnu::always_inline]] static inline row_registers load(data_type type, const std::byte* from, const dim_t* steps,
                                                            Kept kept) {
        if constexpr (!std::is_void_v<T>) return loaded<T>(from, steps, kept);
        switch (type) {
            case data_type::f64: return loaded<Number>(from, steps, kept);
            case data_type::bf16: return loaded<bfloat16>(from, steps, kept);
            case data_type::f16: return loaded<float16>(from, steps, kept);
            case data_type::f8_e5m2: return loaded<float8_e5m2>(from, steps, kept);
            case data_type::f8_e4m3: return loaded<float8_e4m3>(from, steps, kept);
            case data_type::s32: return loaded<std::int32_t>(from, steps, kept);
            case data_type::s8: return loaded<std::int8_t>(from, steps, kept);
            case data_type::u8: return loaded<std::uint8_t>(from, steps, kept);
            default: break;  // f32; rows of smaller types are converted from and to others first (packed_rows.inl)
        }
        return loaded<float>(from, steps, kept);
    }
    template <class U, class Kept>
    [[gnu::always_inline]] inline void store_as(std::byte* to, const dim_t* steps, Kept kept) const {
        using elements = access<element_types<Number, Number, U>, lanes>;
        store_some<elements, lanes>(to + steps[0], a, kept);
        store_some<elements, lanes>(to + steps[1], b, kept);
        store_some<elements, lanes>(to + steps[2], c, kept);
        store_some<elements, lanes>(to + steps[3], d, kept);
    }
    template <class U, class Kept>
    [[gnu::always_inline]] inline void store(data_type type, std::byte* to, const dim_t* steps, Kept kept) const {
        if constexpr (!std::is_void_v<U>) return store_as<U>(to, steps, kept);
        switch (type) {
            case data_type::f64: return store_as<Number>(to, steps, kept);
            case data_type::bf16: return store_as<bfloat16>(to, steps, kept);
            case data_type::f16: return store_as<float16>(to, steps, kept);
            case data_type::f8_e5m2: return store_as<float8_e5m2>(to, steps, kept);
            case data_type::f8_e4m3: return store_as<float8_e4m3>(to, steps, kept);
            case data_type::s32: return store_as<std::int32_t>(to, steps, kept);
            case data_type::s8: return store_as<std::int8_t>(to, steps, kept);
            case data_type::u8: return store_as<std::uint8_t>(to, steps, kept);
            default: break;  // f32; rows of smaller types are converted from and to others first (packed_rows.inl)
        }
        return store_as<float>(to, steps, kept);
    }
    [[gnu::always_inline]] inline row_registers operator-(const row_registers& o) const {
        return {subtract<Number, lanes>(a, o.a), subtract<Number, lanes>(b, o.b), subtract<Number, lanes>(c, o.c),
                subtract<Number, lanes>(d, o.d)};
    }
    [[gnu::always_inline]] inline row_registers operator*(const row_registers& o) const {
        return {multiply<Number, lanes>(a, o.a), multiply<Number, lanes>(b, o.b), multiply<Number, lanes>(c, o.c),
                multiply<Number, lanes>(d, o.d)};
    }
    [[gnu::always_inline]] inline row_registers operator+(const row_registers& o) const {
        return {add<Number, lanes>(a, o.a), add<Number, lanes>(b, o.b), add<Number, lanes>(c, o.c),
                add<Number, lanes>(d, o.d)};
    }
};
