// Sums of rows of s8, modulo 2^32, for compensation. For example, 1 2 3 4 adds 10 to the sum of the row, or 1, 2, 3 and
// 4 to four adjacent sums.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires row_access.inl and row_registers.inl before it.

/// Templates, so that including this file compiles nothing before it is used.
template <class Sum>
[[gnu::noinline]] inline std::uint32_t sum_row(const std::byte* from, dim_t count) noexcept {
    constexpr int lanes = row_lanes<Sum>;
    using elements = access<element_types<std::int8_t, Sum, Sum>, lanes>;
    typename elements::reg sums{};
    for_row<lanes>(count, [&](dim_t i, auto kept) {
        sums = add_integers<lanes>(sums, load_some<elements, lanes>(from + i, kept));
    });
    std::uint32_t each[lanes], sum = 0;
    vector<sizeof(each)>::store(reinterpret_cast<std::byte*>(each), sums);
    for (const std::uint32_t x : each) sum += x;
    return sum;
}

template <class Sum>
[[gnu::noinline]] inline void add_row(const std::byte* from, std::byte* to, dim_t count) noexcept {
    constexpr int lanes = row_lanes<Sum>;
    using elements = access<element_types<std::int8_t, Sum, Sum>, lanes>;
    using sums = access<element_types<Sum, Sum, Sum>, lanes>;
    for_row<lanes>(count, [=](dim_t i, auto kept) {
        std::byte* const here = to + 4 * i;
        store_some<sums, lanes>(
            here, add_integers<lanes>(load_some<sums, lanes>(here, kept), load_some<elements, lanes>(from + i, kept)),
            kept);
    });
}
