// Loads and stores of lanes that scale them.
// Included by kernel.inl, in the namespace of each instruction set.
// Requires element_access.inl before it.

/// The arithmetic of convert_with on the lanes of a register, not fused. A register of one lane is a number.
template <class Number, int Lanes>
struct lane_numbers {
    using reg = bits<Lanes * sizeof(Number)>;

    [[gnu::always_inline]] static inline reg all(Number x) { return broadcast<Number, Lanes>(x); }
    [[gnu::always_inline]] static inline reg minus(reg a, reg b) { return subtract<Number, Lanes>(a, b); }
    [[gnu::always_inline]] static inline reg times(reg a, reg b) { return multiply<Number, Lanes>(a, b); }
    template <class From, class To, class Register>
    [[gnu::always_inline]] static inline auto convert(Register x) {
        return convert_lanes<From, To, Lanes>(x);
    }
};
template <class Number>
struct lane_numbers<Number, 1> {
    static Number all(Number x) { return x; }
    static Number minus(Number a, Number b) { return rounded(a - b); }
    static Number times(Number a, Number b) { return rounded(a * b); }
    template <class From, class To>
    static To convert(From x) {
        return convert_element<To>(x);
    }
};

/// Loads and stores that apply attributes with one value each, and beta 0.
template <class Types, int Lanes>
struct scaled_access {
    using from = typename Types::from;
    using work = typename Types::work;
    using to = typename Types::to;
    using number = typename Types::number;
    using reg = typename access<Types, Lanes>::reg;
    using unconverted = access<element_types<from, from, from>, Lanes>;
    static constexpr int work_bytes = sizeof(work);
    static constexpr bool moves_only = !Types::at_load;  ///< true if loads do not convert
    static constexpr bool keeps_zero = false;
    // Scaling takes longer than memory: f32 -> s8 of 154 MB took twice as long with prefetches (Zen 3).
    static constexpr bool waits_for_memory = false;
    static constexpr int at_once = vector_bytes(this_isa) / static_cast<int>(sizeof(number));

    template <int Count>
    static constexpr bool is_converted_at_once = Types::at_load&& Count <= at_once;
    template <int>
    static constexpr bool is_packed = false;
    template <int Count>
    [[gnu::always_inline]] inline auto convert_loaded(bits<Count * sizeof(from)> value) const {
        return apply<Count>(value);
    }

    number src_zero_point, src_scale, dst_factor, dst_zero_point;

    explicit scaled_access(const element_attributes& a)
        : src_zero_point(static_cast<number>(a.src_zero_point)),
          src_scale(static_cast<number>(a.src_scale)),
          dst_factor(rounded(reciprocal<number>(a.dst_scale))),
          dst_zero_point(static_cast<number>(-std::int64_t{a.dst_zero_point})) {}

    template <int Count, class Register>
    [[gnu::always_inline]] inline auto apply(Register x) const {
        using n = lane_numbers<number, Count>;
        auto y = n::minus(n::template convert<from, number>(x), n::all(src_zero_point));
        y = n::times(n::times(y, n::all(src_scale)), n::all(dst_factor));
        return n::template convert<number, to>(n::minus(y, n::all(dst_zero_point)));
    }

    // The loads and stores of `access`. Without a mask, all lanes are used.
    template <int Count, class... Mask>
    [[gnu::always_inline]] inline auto load(const std::byte* src, Mask... lanes) const {
        if constexpr (Lanes == 1) {
            from value{};
            if (((lanes != 0) && ...)) std::memcpy(&value, src, sizeof(value));
            if constexpr (Types::at_load) return apply<1>(value);
            else return value;
        } else if constexpr (!Types::at_load) {
            return load_lanes<from, Count>(src, lanes...);
        } else if constexpr (Count <= at_once) {
            return apply<Count>(load_lanes<from, Count>(src, lanes...));
        } else {
            return vector<Count * sizeof(work)>::join(
                load<Count / 2>(src, lanes...),
                load<Count / 2>(src + Count / 2 * sizeof(from), (lanes >> (Count / 2))...));
        }
    }
    template <int Count, bool Stream = false, class Register, class... Mask>
    [[gnu::always_inline]] inline void store(std::byte* dst, Register value, Mask... lanes) const {
        if constexpr (Lanes == 1) {
            if (!((lanes != 0) && ...)) return;
            to result;
            if constexpr (Types::at_load) result = value;
            else result = apply<1>(value);
            std::memcpy(dst, &result, sizeof(result));
        } else if constexpr (Types::at_load) {
            store_lanes<to, Count, Stream>(dst, value, lanes...);
        } else if constexpr (Count <= at_once) {
            store_lanes<to, Count, Stream>(dst, apply<Count>(value), lanes...);
        } else {
            using whole = vector<Count * sizeof(work)>;
            store<Count / 2, Stream>(dst, whole::template half<false>(value), lanes...);
            store<Count / 2, Stream>(dst + Count / 2 * sizeof(to), whole::template half<true>(value),
                                     (lanes >> (Count / 2))...);
        }
    }
};
