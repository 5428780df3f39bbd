// Conversion of the lanes of registers that are arrays, and arithmetic on them, one lane at a time, by definition.
// Included by portable.hpp, in its namespace.
// Requires nothing before it.

/// The register that holds `Bytes` bytes; fewer than 16 bytes are the low bytes of 128 bits, as in all instruction
/// sets.
template <int Bytes>
struct byte_register {
    alignas(16) std::byte all[Bytes];
};
template <int Bytes>
using bits = byte_register<(Bytes < 16 ? 16 : Bytes)>;

template <class T, int Bytes>
T read_lane(const byte_register<Bytes>& from, int lane) {
    T value;
    std::memcpy(&value, from.all + lane * static_cast<int>(sizeof(T)), sizeof(T));
    return value;
}
template <class T, int Bytes>
void write_lane(byte_register<Bytes>& to, int lane, T value) {
    std::memcpy(to.all + lane * static_cast<int>(sizeof(T)), &value, sizeof(T));
}

/// Converts the low lanes of a register to another type.
///
/// Pre:     Lanes is a power of two, with Lanes * max(sizeof(T), sizeof(U), 4) <= vector_bytes(this_isa)
/// Post:    lane i of the result is convert<U>(lane i of from), bit for bit
template <element T, element U, int Lanes>
bits<Lanes * sizeof(U)> convert_lanes(const bits<Lanes * sizeof(T)>& from) {
    bits<Lanes * sizeof(U)> to{};
    for (int i = 0; i < Lanes; ++i) write_lane(to, i, convert<U>(read_lane<T>(from, i)));
    return to;
}

/// False, because lanes are never packed here; see convert_lanes.inl.
template <class T, class U>
constexpr bool packs_when_loaded = false;
template <element T, element U, class... Register>
void pack_lanes(Register...);

/// Sums, differences and products of lanes of f32 or f64, each rounded separately.
///
/// Pre:     T is float or double
template <class T, int Lanes>
bits<Lanes * sizeof(T)> add(const bits<Lanes * sizeof(T)>& a, const bits<Lanes * sizeof(T)>& b) {
    bits<Lanes * sizeof(T)> sum{};
    for (int i = 0; i < Lanes; ++i) write_lane(sum, i, read_lane<T>(a, i) + read_lane<T>(b, i));
    return sum;
}
template <class T, int Lanes>
bits<Lanes * sizeof(T)> subtract(const bits<Lanes * sizeof(T)>& a, const bits<Lanes * sizeof(T)>& b) {
    bits<Lanes * sizeof(T)> difference{};
    for (int i = 0; i < Lanes; ++i) write_lane(difference, i, read_lane<T>(a, i) - read_lane<T>(b, i));
    return difference;
}
template <class T, int Lanes>
bits<Lanes * sizeof(T)> multiply(const bits<Lanes * sizeof(T)>& a, const bits<Lanes * sizeof(T)>& b) {
    bits<Lanes * sizeof(T)> product{};
    for (int i = 0; i < Lanes; ++i) {
        // The asm has no instruction; it hides the product, so that the compiler cannot fuse it into an FMA.
        auto bits_of_product =
            std::bit_cast<typename unsigned_of<sizeof(T)>::type>(read_lane<T>(a, i) * read_lane<T>(b, i));
        asm("" : "+r"(bits_of_product));
        write_lane(product, i, bits_of_product);
    }
    return product;
}
/// Sums of s32, modulo 2^32.
template <int Lanes>
bits<Lanes * 4> add_integers(const bits<Lanes * 4>& a, const bits<Lanes * 4>& b) {
    bits<Lanes * 4> sum{};
    for (int i = 0; i < Lanes; ++i) write_lane(sum, i, read_lane<std::uint32_t>(a, i) + read_lane<std::uint32_t>(b, i));
    return sum;
}
/// Returns a register with x in every lane.
template <class T, int Lanes>
bits<Lanes * sizeof(T)> broadcast(T x) {
    bits<Lanes * sizeof(T)> all{};
    for (int i = 0; i < Lanes; ++i) write_lane(all, i, x);
    return all;
}
