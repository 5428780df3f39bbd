// Runs what converts and computes lanes over arrays. Read once in the namespace and target region of each instruction
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
    /// a * b + c, and c - a * b, and (a * b) as it is: what a compiler would like to fuse.
    template <class T, int Lanes>
    static void compute(const T* a, const T* b, T c, T* sum, T* difference, T* product) {
        constexpr int bytes = Lanes * sizeof(T);
        const auto p = multiply<T, Lanes>(load<bytes>(a), load<bytes>(b));
        const auto s = add<T, Lanes>(p, broadcast<T, Lanes>(c));
        const auto d = subtract<T, Lanes>(broadcast<T, Lanes>(c), p);
        std::memcpy(sum, &s, bytes);
        std::memcpy(difference, &d, bytes);
        std::memcpy(product, &p, bytes);
    }
};
