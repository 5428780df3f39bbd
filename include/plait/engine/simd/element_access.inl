// Loads and stores of lanes, which convert their type on the way.
// Included by kernel.inl, in the namespace of each instruction set.
// Requires registers (vector<Bytes>) and conversions (convert_lanes) before it.

/// Loads or stores lanes of T unchanged; with a mask, only its lanes, and the others are loaded as zero.
template <class T, int Count, class... Mask>
[[gnu::always_inline]] inline auto load_lanes(const std::byte* src, Mask... lanes) {
    using loaded = vector<Count * sizeof(T)>;
    if constexpr (sizeof...(lanes) == 0) return loaded::load(src);
    else return loaded::template load<sizeof(T)>(src, (lanes & ... & (~std::uint64_t{0} >> (64 - Count))));
}
template <class T, int Count, bool Stream, class... Mask>
[[gnu::always_inline]] inline void store_lanes(std::byte* dst, bits<Count * sizeof(T)> value, Mask... lanes) {
    using stored = vector<Count * sizeof(T)>;
    if constexpr (sizeof...(lanes) != 0)
        stored::template store<sizeof(T)>(dst, value, (lanes & ... & (~std::uint64_t{0} >> (64 - Count))));
    else if constexpr (Stream) stored::stream(dst, value);
    else stored::store(dst, value);
}

/// Loads lanes of the working type from elements of another type, and stores them to elements of another type. As many
/// lanes as fit in the widest register are converted at the same time; more are joined.
template <class Types, int Lanes>
struct access {
    using from = typename Types::from;
    using work = typename Types::work;
    using to = typename Types::to;
    static constexpr int work_bytes = sizeof(work);
    static constexpr bool moves_only = std::is_same_v<from, work>;  ///< true if loads do not convert
    static constexpr bool keeps_zero = true;                        ///< zero stays zero
    static constexpr bool waits_for_memory = true;                  ///< so prefetches pay
    using reg = bits<Lanes * work_bytes>;
    using unconverted = access<element_types<from, from, from>, Lanes>;

    template <class T>
    static constexpr int lanes_at_once = vector_bytes(this_isa) /
                                         static_cast<int>(sizeof(T) > sizeof(work)
                                                              ? (sizeof(T) > 4 ? sizeof(T) : 4)
                                                              : (sizeof(work) > 4 ? sizeof(work) : 4));
    static constexpr int at_once = lanes_at_once<from>;
    /// True if `Count` lanes are converted in one register when they are loaded; or packed from two or four registers
    /// of 4-byte lanes to a whole register of 1-byte or 2-byte lanes.
    template <int Count>
    static constexpr bool is_converted_at_once = !moves_only && Count <= at_once;
    template <int Count>
    static constexpr bool is_packed = (Count * work_bytes == vector_bytes(this_isa) && packs_when_loaded<from, work>);
    template <int Count>
    [[gnu::always_inline]] static inline bits<Count * work_bytes> convert_loaded(bits<Count * sizeof(from)> value) {
        return convert_lanes<from, work, Count>(value);
    }
    template <class... Register>
    [[gnu::always_inline]] static inline reg pack_loaded(Register... parts) {
        return pack_lanes<from, work>(parts...);
    }

    // With a mask, only its lanes are loaded, and the others are zero; or only its lanes are stored.
    template <int Count, class... Mask>
    [[gnu::always_inline]] static inline bits<Count * work_bytes> load(const std::byte* src, Mask... lanes) {
        if constexpr (moves_only) return load_lanes<from, Count>(src, lanes...);
        else if constexpr (Count <= at_once) return convert_loaded<Count>(load_lanes<from, Count>(src, lanes...));
        else if constexpr (is_packed<Count>) return load_packed(indices<4 / work_bytes>{}, src, lanes...);
        else
            return vector<Count * work_bytes>::join(
                load<Count / 2>(src, lanes...),
                load<Count / 2>(src + Count / 2 * sizeof(from), (lanes >> (Count / 2))...));
    }
    template <int Count, bool Stream = false, class... Mask>
    [[gnu::always_inline]] static inline void store(std::byte* dst, bits<Count * work_bytes> value, Mask... lanes) {
        if constexpr (std::is_same_v<work, to>) {
            store_lanes<to, Count, Stream>(dst, value, lanes...);
        } else if constexpr (Count <= lanes_at_once<to>) {
            store_lanes<to, Count, Stream>(dst, convert_lanes<work, to, Count>(value), lanes...);
        } else {
            using whole = vector<Count * work_bytes>;
            store<Count / 2, Stream>(dst, whole::template half<false>(value), lanes...);
            store<Count / 2, Stream>(dst + Count / 2 * sizeof(to), whole::template half<true>(value),
                                     (lanes >> (Count / 2))...);
        }
    }

    template <shuffle_rule Rule>
    [[gnu::always_inline]] static inline void shuffle(reg& low, reg& high) {
        vector<Lanes * work_bytes>::template shuffle<Rule, work_bytes>(low, high);
    }

private:
    template <int... R, class... Mask>
    [[gnu::always_inline]] static inline reg load_packed(std::integer_sequence<int, R...>, const std::byte* src,
                                                         Mask... lanes) {
        return pack_lanes<from, work>(load_part<R>(src, lanes...)...);
    }
    template <int R, class... Mask>
    [[gnu::always_inline]] static inline auto load_part(const std::byte* src, Mask... lanes) {
        return load_lanes<from, at_once>(src + R * at_once * static_cast<int>(sizeof(from)),
                                         (lanes >> (R * at_once))...);
    }
};

/// Loads and stores of one element, without vectors.
template <class Types>
struct access<Types, 1> {
    using from = typename Types::from;
    using work = typename Types::work;
    using to = typename Types::to;
    static constexpr int work_bytes = sizeof(work);
    static constexpr bool keeps_zero = true, waits_for_memory = true;
    using reg = work;

    template <int, class... Mask>
    static reg load(const std::byte* src, Mask... lanes) {
        if ((!lanes || ...)) return reg{};
        from value;
        std::memcpy(&value, src, sizeof(value));
        return convert_element<work>(value);
    }
    template <int, bool Stream = false, class... Mask>
    static void store(std::byte* dst, reg value, Mask... lanes) {
        if ((!lanes || ...)) return;
        const to converted = convert_element<to>(value);
        std::memcpy(dst, &converted, sizeof(converted));
    }
    template <shuffle_rule>
    static void shuffle(reg&, reg&) {}
};

/// The state that loops pass to a tile: what remains of the axes, and the object that loads and stores its elements.
template <int Bounds, class Elements>
struct tile_state : remaining_extents<Bounds> {
    [[no_unique_address]] Elements elements;
    explicit tile_state(const Elements& of) : elements(of) {}
    [[gnu::always_inline]] inline tile_state(const reorder_plan& plan, const std::byte* src, const Elements& of)
        : remaining_extents<Bounds>(plan, src), elements(of) {}
};
