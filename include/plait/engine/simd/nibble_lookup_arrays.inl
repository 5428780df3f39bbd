// Look-ups of 32 elements of 4 bits in a table of 16, one at a time, by definition.
// Included by portable.hpp, in its namespace.

/// A table of 16 numbers of `Bytes` bytes.
template <int Bytes>
struct nibble_table {
    std::byte numbers[16 * Bytes];

    explicit nibble_table(const std::byte* table) { std::memcpy(numbers, table, sizeof(numbers)); }
    void look_up(const std::byte* from, std::byte* to) const {
        for (int i = 0; i < 32; ++i)
            std::memcpy(to + i * Bytes, numbers + read_bits(from, dim_t{4} * i, 4) * Bytes, Bytes);
    }
};
