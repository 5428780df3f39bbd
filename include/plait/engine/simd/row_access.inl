// Loads and stores of one register of a row, and the loop over the registers of a row.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires element_access.inl before it.

/// Calls `some(place, lanes)` for each register of a row. `lanes` is false for all lanes, or a mask for the last
/// register.
template <int Lanes, class Some>
[[gnu::always_inline]] inline void for_row(dim_t count, Some some) {
    dim_t i = 0;
    for (; i + Lanes <= count; i += Lanes) some(i, std::false_type{});
    if (i < count) some(i, ~std::uint64_t{0} >> (64 - (count - i)));
}
template <class Elements, int Lanes, class Kept>
[[gnu::always_inline]] inline auto load_some(const std::byte* from, Kept lanes) {
    if constexpr (std::is_same_v<Kept, std::false_type>) return Elements::template load<Lanes>(from);
    else return Elements::template load<Lanes>(from, lanes);
}
template <class Elements, int Lanes, class Kept, class Register>
[[gnu::always_inline]] inline void store_some(std::byte* to, Register value, Kept lanes) {
    if constexpr (std::is_same_v<Kept, std::false_type>) Elements::template store<Lanes, false>(to, value);
    else Elements::template store<Lanes>(to, value, lanes);
}
