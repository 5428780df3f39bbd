// Sums of rows of s8, modulo 2^32, as compensation has them: 1 2 3 4 is 10 for the row; or 1, 2, 3 and 4 more for four
// sums that lie side by side.
// Read once in each instruction set's namespace, see tile_moves.inl.
// Needs before it: all of row_conversions.inl, which ends with it.

/// Templates, so that who includes this compiles none of it before it is used.
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
