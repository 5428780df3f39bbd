// Arithmetic on the lanes of a register, or on one number, and the values of attributes for them. Read in the same way
// as tile.inl.

/// What convert_with does with numbers, for the lanes of a register; a register of one lane is a number. Not fused.
template <class Number, int Lanes>
struct lane_numbers {
    using reg = bits<Lanes * sizeof(Number)>;
    static constexpr int at_once = vector_bytes(this_isa) / static_cast<int>(sizeof(Number));

    [[gnu::always_inline]] static inline reg all(Number x) { return broadcast<Number, Lanes>(x); }
    [[gnu::always_inline]] static inline reg load(const Number* from) {
        return vector<Lanes * sizeof(Number)>::load(reinterpret_cast<const std::byte*>(from));
    }
    [[gnu::always_inline]] static inline reg plus(reg a, reg b) { return add<Number, Lanes>(a, b); }
    [[gnu::always_inline]] static inline reg minus(reg a, reg b) { return subtract<Number, Lanes>(a, b); }
    [[gnu::always_inline]] static inline reg times(reg a, reg b) { return multiply<Number, Lanes>(a, b); }
    template <class From, class To, class Register>
    [[gnu::always_inline]] static inline auto convert(Register x) {
        return convert_lanes<From, To, Lanes>(x);
    }
};
template <class Number>
struct lane_numbers<Number, 1> {
    using reg = Number;

    static reg all(Number x) { return x; }
    static reg load(const Number* from) { return *from; }
    static reg plus(reg a, reg b) { return rounded(a + b); }
    static reg minus(reg a, reg b) { return rounded(a - b); }
    static reg times(reg a, reg b) { return rounded(a * b); }
    template <class From, class To>
    static To convert(From x) {
        return convert_element<To>(x);
    }
};

/// The values of one attribute for each lane of each register of a tile, made anew where a tile has others than the
/// one before. Registers with the same values share them.
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
        const auto place = [&](int number, int first) {
            dim_t sum = 0;
            for (int b = first; number >> (b - first) != 0; ++b)
                if ((number >> (b - first) & 1) != 0) sum += plan.bits[bit_of(b)].weight * step(plan.bits[bit_of(b)].axis);
            return sum;
        };
        for (int lane = 0; lane < Lanes; ++lane) lane_place_[lane] = place(lane, 0);
        for (int r = 0; r < Registers; ++r) {
            const dim_t here = place(r, log2_of(Lanes));
            int slot = 0;
            while (slot < slots_ && slot_place_[slot] != here) ++slot;
            if (slot == slots_) slot_place_[slots_++] = here;
            slot_[r] = slot;
        }
        prepare(0);
    }
    /// How many values a step along an axis of the plan passes.
    [[gnu::always_inline]] inline dim_t step(int axis) const { return axis >= 0 && axis < steps_.size() ? steps_[axis] : 0; }

    /// Makes the values for the tile whose first element has the value at `place`.
    [[gnu::always_inline]] inline void want(dim_t place) {
        if (place != prepared_for_) prepare(place);
    }
    [[gnu::always_inline]] inline typename numbers::reg lanes_of(int r) const { return numbers::load(lanes_[slot_[r]]); }

private:
    const Value* values_;
    dim_t count_;
    strides steps_;
    dim_t prepared_for_ = 0;
    int slots_ = 0;
    int slot_[Registers];
    dim_t slot_place_[Registers];
    dim_t lane_place_[Lanes];
    alignas(64) Number lanes_[Registers][Lanes];

    [[gnu::noinline]] void prepare(dim_t place) {
        prepared_for_ = place;
        const bool alike = lane_place_[Lanes - 1] == 0;
        for (int slot = 0; slot < slots_; ++slot) {
            const dim_t first = place + slot_place_[slot];
            Number value = 0;
            for (int lane = 0; lane < Lanes; ++lane) {
                // Lanes beyond the end of an axis have no value; nothing that they hold is stored.
                const dim_t at = first + lane_place_[lane];
                if (lane == 0 || !alike) value = at < count_ ? Become::template number<Number>(values_[at]) : Number{0};
                lanes_[slot][lane] = value;
            }
        }
    }
};

/// What becomes of an attribute's value before it is used.
struct as_number {
    template <class Number, class Value>
    static Number number(Value value) {
        return static_cast<Number>(value);
    }
};
struct as_reciprocal {
    template <class Number>
    static Number number(float value) {
        return rounded(reciprocal<Number>(value));
    }
};
struct as_negative {
    template <class Number>
    static Number number(std::int32_t value) {
        return static_cast<Number>(-std::int64_t{value});
    }
};
