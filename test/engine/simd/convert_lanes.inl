// Runs what converts lanes over arrays. Read once in the namespace and target region of each instruction
// set.

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
};
