// Products and sums of lanes, as a kernel would compute them. Read once in the namespace of each instruction set, in a
// region with FMA in addition.

struct arithmetic {
    template <class T, int Lanes>
    [[gnu::noinline]] static void multiply_add(const T* a, const T* b, const T* c, T* out) {
        bits<Lanes * sizeof(T)> x, y, z;
        std::memcpy(&x, a, sizeof(x)), std::memcpy(&y, b, sizeof(x)), std::memcpy(&z, c, sizeof(x));
        x = add<T, Lanes>(multiply<T, Lanes>(x, y), z);
        std::memcpy(out, &x, sizeof(x));
    }
    template <class T, int Lanes>
    [[gnu::noinline]] static void multiply_subtract(const T* a, const T* b, const T* c, T* out) {
        bits<Lanes * sizeof(T)> x, y, z;
        std::memcpy(&x, a, sizeof(x)), std::memcpy(&y, b, sizeof(x)), std::memcpy(&z, c, sizeof(x));
        x = subtract<T, Lanes>(z, multiply<T, Lanes>(x, y));
        std::memcpy(out, &x, sizeof(x));
    }
    template <class T, int Lanes>
    [[gnu::noinline]] static void fill(T x, T* out) {
        const auto all = broadcast<T, Lanes>(x);
        std::memcpy(out, &all, sizeof(all));
    }
};
