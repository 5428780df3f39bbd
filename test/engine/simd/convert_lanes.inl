// Runs what converts lanes, and what shuffles registers, over arrays. Read once in the namespace and target region of
// each instruction set.

struct over_arrays {
    /// The low bytes of a register; those above, if there are any, should not matter.
    template <int Bytes>
    static bits<Bytes> load(const void* from) {
        bits<Bytes> x;
        std::memset(&x, 0xa5, sizeof(x));
        std::memcpy(&x, from, Bytes);
        return x;
    }
    template <class T, class U, int Lanes>
    static void convert(const void* in, void* out, std::size_t count) {
        for (std::size_t i = 0; i < count; i += Lanes) {
            const auto y =
                convert_lanes<T, U, Lanes>(load<Lanes * sizeof(T)>(static_cast<const char*>(in) + i * sizeof(T)));
            std::memcpy(static_cast<char*>(out) + i * sizeof(U), &y, Lanes * sizeof(U));
        }
    }
    /// Converts lanes of two or four registers that are then packed to one. Does nothing if such lanes are not packed.
    template <class T, class U>
    static constexpr bool packs = packs_when_loaded<T, U>;
    template <class T, class U>
    static void pack(const void* in, void* out, std::size_t count) {
        constexpr std::size_t lanes = vector_bytes(this_isa) / 4, all = vector_bytes(this_isa) / sizeof(U);
        const auto* from = static_cast<const char*>(in);
        for (std::size_t i = 0; i + all <= count; i += all) {
            const auto part = [&](std::size_t k) {
                return load<lanes * sizeof(T)>(from + (i + k * lanes) * sizeof(T));
            };
            bits<vector_bytes(this_isa)> y;
            if constexpr (sizeof(U) == 2) y = pack_lanes<T, U>(part(0), part(1));
            else y = pack_lanes<T, U>(part(0), part(1), part(2), part(3));
            std::memcpy(static_cast<char*>(out) + i * sizeof(U), &y, sizeof(y));
        }
    }
    /// Shuffles two registers of `Bytes` bytes, which are one after the other in memory.
    template <int Bytes, int ElementBytes, shuffle_rule Rule>
    static void shuffle(char* both) {
        auto low = load<Bytes>(both), high = load<Bytes>(both + Bytes);
        vector<Bytes>::template shuffle<Rule, ElementBytes>(low, high);
        std::memcpy(both, &low, Bytes);
        std::memcpy(both + Bytes, &high, Bytes);
    }
};
