// Arithmetic on the lanes of a register, or on one number, and the values of attributes for them. Read in the same way
// as tile.inl.

/// What convert_with does with numbers, for the lanes of a register; a register of one lane is a number. Not fused.
template <class Number, int Lanes>
struct lane_numbers {
    using reg = bits<Lanes * sizeof(Number)>;

    [[gnu::always_inline]] static inline reg all(Number x) { return broadcast<Number, Lanes>(x); }
    [[gnu::always_inline]] static inline reg load(const Number* from) {
        return vector<Lanes * sizeof(Number)>::load(reinterpret_cast<const std::byte*>(from));
    }
    /// From lanes of f32 or s32.
    template <class Value>
    [[gnu::always_inline]] static inline reg load_as(const Value* from) {
        return convert_lanes<Value, Number, Lanes>(
            vector<Lanes * sizeof(Value)>::load(reinterpret_cast<const std::byte*>(from)));
    }
    [[gnu::always_inline]] static inline void store(Number* to, reg x) {
        vector<Lanes * sizeof(Number)>::store(reinterpret_cast<std::byte*>(to), x);
    }
    [[gnu::always_inline]] static inline reg plus(reg a, reg b) { return add<Number, Lanes>(a, b); }
    [[gnu::always_inline]] static inline reg minus(reg a, reg b) { return subtract<Number, Lanes>(a, b); }
    [[gnu::always_inline]] static inline reg times(reg a, reg b) { return multiply<Number, Lanes>(a, b); }
    /// One by each lane; no words of an instruction set divide, but both compilers know its vectors as numbers.
    [[gnu::always_inline]] static inline reg reciprocals(reg x) {
        return __builtin_bit_cast(reg, Number{1} / __builtin_bit_cast(as_numbers, x));
    }
    template <class From, class To, class Register>
    [[gnu::always_inline]] static inline auto convert(Register x) {
        return convert_lanes<From, To, Lanes>(x);
    }

private:
    typedef Number as_numbers __attribute__((vector_size(sizeof(reg))));
};
template <class Number>
struct lane_numbers<Number, 1> {
    using reg = Number;

    static reg all(Number x) { return x; }
    static reg load(const Number* from) { return *from; }
    template <class Value>
    static reg load_as(const Value* from) {
        return static_cast<Number>(*from);
    }
    static void store(Number* to, reg x) { *to = x; }
    static reg plus(reg a, reg b) { return rounded(a + b); }
    static reg minus(reg a, reg b) { return rounded(a - b); }
    static reg times(reg a, reg b) { return rounded(a * b); }
    static reg reciprocals(reg x) { return rounded(Number{1} / x); }
    template <class From, class To>
    static To convert(From x) {
        return convert_element<To>(x);
    }
};

/// The values of one attribute for each lane of each register of a tile. Registers with the same values share them;
/// those of some tiles are kept, as an inner loop comes back to them.
template <class Value, class Number, int Lanes, int Registers, class Become>
class lane_values {
public:
    using numbers = lane_numbers<Number, Lanes>;

    /// `bit_of(b)` is the bit of the tile that bit b of the lane's number counts, then of the register's.
    template <class Attribute, class BitOf>
    lane_values(const Attribute& a, const dims& extents, const reorder_plan& plan, BitOf bit_of)
        : values_(a.values != nullptr ? a.values : &a.value),
          count_(mask_volume(extents, a.mask)),
          steps_(mask_strides(extents, a.mask)) {
        const auto value_index = [&](int number, int first) {
            dim_t sum = 0;
            for (int b = first; number >> (b - first) != 0; ++b)
                if ((number >> (b - first) & 1) != 0)
                    sum += plan.bits[bit_of(b)].index_step * step(plan.bits[bit_of(b)].axis);
            return sum;
        };
        for (int lane = 0; lane < Lanes; ++lane) {
            lane_value_index_[lane] = value_index(lane, 0);
            is_dense_ = is_dense_ && lane_value_index_[lane] == lane;
        }
        for (int r = 0; r < Registers; ++r) {
            const dim_t here = value_index(r, log2_of(Lanes));
            int slot = 0;
            while (slot < slots_ && slot_value_index_[slot] != here) ++slot;
            if (slot == slots_) slot_value_index_[slots_++] = here;
            slot_[r] = slot;
        }
        for (dim_t& index_of_set : prepared_for_) index_of_set = -1;
        want(0);
    }
    /// How many values a step along an axis of the plan passes.
    [[gnu::always_inline]] inline dim_t step(int axis) const {
        return axis >= 0 && axis < steps_.size() ? steps_[axis] : 0;
    }

    /// Makes the values for the tile whose first element has the value at `place`.
    [[gnu::always_inline]] inline void want(dim_t value_index) {
        const dim_t set = value_index / Lanes % sets;
        now_ = lanes_[set];
        if (value_index != prepared_for_[set]) prepare(value_index, set);
    }
    [[gnu::always_inline]] inline typename numbers::reg lanes_of(int r) const { return numbers::load(now_[slot_[r]]); }

private:
    const Value* values_;
    dim_t count_;
    strides steps_;
    static constexpr int sets = Registers < 16 ? 32 / Registers : 2;
    bool is_dense_ = true;
    dim_t prepared_for_[sets];
    const Number (*now_)[Lanes] = nullptr;
    int slots_ = 0;
    int slot_[Registers];
    dim_t slot_value_index_[Registers];
    dim_t lane_value_index_[Lanes];
    alignas(64) Number lanes_[sets][Registers][Lanes];

    [[gnu::noinline]] void prepare(dim_t value_index, dim_t set) {
        prepared_for_[set] = value_index;
        for (int slot = 0; slot < slots_; ++slot)
            prepare_slot(lanes_[set][slot], value_index + slot_value_index_[slot]);
    }
    [[gnu::always_inline]] inline void prepare_slot(Number (&to)[Lanes], dim_t first) {
        Value here[Lanes];
        const Value* from = here;
        if (lane_value_index_[Lanes - 1] == 0) {
            const Value all = first < count_ ? values_[first] : Value{1};
            for (int lane = 0; lane < Lanes; ++lane) here[lane] = all;
        } else if (is_dense_ && first + Lanes <= count_) {
            from = values_ + first;
        } else {
            // Lanes beyond the end of an axis have no value; nothing that they hold is stored.
            for (int lane = 0; lane < Lanes; ++lane) {
                const dim_t at = first + lane_value_index_[lane];
                here[lane] = at < count_ ? values_[at] : Value{1};
            }
        }
        numbers::store(to, Become::template numbers<numbers>(numbers::template load_as<Value>(from)));
    }
};

/// What becomes of an attribute's values before they are used.
struct as_numbers {
    template <class Numbers>
    [[gnu::always_inline]] static inline typename Numbers::reg numbers(typename Numbers::reg values) {
        return values;
    }
};
struct as_reciprocals {
    template <class Numbers>
    [[gnu::always_inline]] static inline typename Numbers::reg numbers(typename Numbers::reg values) {
        return Numbers::reciprocals(values);
    }
};
/// From zero, so that 0 stays +0, and what it is subtracted from stays as it is.
struct as_negatives {
    template <class Numbers>
    [[gnu::always_inline]] static inline typename Numbers::reg numbers(typename Numbers::reg values) {
        return Numbers::minus(Numbers::all(0), values);
    }
};
