// The exchanges of a network that is a table, and masked accesses, over arrays. Read once in the namespace and target
// region of each instruction set.

struct exchanges {
    /// Exchanges the bit of two registers with bit `Lane` of their bytes; -1: the halves of bytes.
    template <int Bytes, int Lane>
    [[gnu::noinline]] static void run(std::byte* both) {
        bits<Bytes> low = vector<Bytes>::load(both), high = vector<Bytes>::load(both + Bytes);
        if constexpr (Lane < 0) lane_shuffles<Bytes>::exchange_half_bytes(low, high);
        else lane_shuffles<Bytes>::template exchange<Lane>(low, high, low, low);
        vector<Bytes>::store(both, low);
        vector<Bytes>::store(both + Bytes, high);
    }
    /// Loads the lanes of a mask, and stores those of another one.
    template <int Bytes, int ElementBytes>
    [[gnu::noinline]] static void masked(const std::byte* from, std::uint64_t loaded, std::byte* to,
                                         std::uint64_t stored) {
        const bits<Bytes> value = vector<Bytes>::template load<ElementBytes>(from, loaded);
        vector<Bytes>::template store<ElementBytes>(to, value, stored);
    }
    /// Writes a half of a register.
    template <int Bytes, bool Upper>
    [[gnu::noinline]] static void half(const std::byte* from, std::byte* to) {
        const bits<Bytes> all = vector<Bytes>::load(from);
        vector<Bytes / 2>::store(to, vector<Bytes>::template half<Upper>(all));
    }
};
