// Tables of bytes that are picked from windows of the source.
// Included by row_functions.inl, in the namespace of each instruction set. Requires `vector` before it.

/// Picks bytes of sixteen bytes of the source.
template <int Bytes>
[[gnu::always_inline]] inline auto pick_of_window(const std::byte* from, const std::byte* which) {
    return vector<Bytes>::pick_bytes(vector<Bytes>::spread(reinterpret_cast<const std::uint8_t*>(from)),
                                     vector<Bytes>::load(which));
}
template <int Bytes>
[[gnu::always_inline]] inline void store_first_bytes(std::byte* to, const typename vector<Bytes>::reg& value,
                                                     int length) {
    if (length == Bytes) return vector<Bytes>::store(to, value);
    if constexpr (Bytes == 16)
        if (length == 8) return vector<8>::store(to, value);
    vector<Bytes>::template store<1>(to, value, ~std::uint64_t{0} >> (64 - length));
}

/// Makes the targets of a table, each of the bytes that its terms pick.
template <int Bytes>
[[gnu::always_inline]] inline void run_targets(const shuffle_table& table, const std::byte* src, std::byte* dst) {
    using v = vector<Bytes>;
    const shuffle_group* group = table.groups;
    const std::uint32_t* from = table.terms;
    const std::byte* bytes = table.bytes;
    for (const shuffle_target* target = table.targets; target < table.end; ++target) {
        auto out = v::load(bytes);
        bytes += Bytes;
        for (int g = 0; g < target->groups; ++g, ++group) {
            auto picked = pick_of_window<Bytes>(src + *from++, bytes);
            bytes += Bytes;
            for (int t = 1; t < group->terms; ++t, bytes += Bytes)
                picked = v::bit_or(picked, pick_of_window<Bytes>(src + *from++, bytes));
            if ((group->left | group->right) != 0) picked = v::shift(picked, group->left, group->right);
            out = v::add_masked(out, picked, v::load(bytes));
            bytes += Bytes;
        }
        store_first_bytes<Bytes>(dst + target->dst, out, target->length);
    }
}
template <int Bytes>
[[gnu::noinline]] inline void run_shuffles(const shuffle_table& table, dim_t count, dim_t src_step, dim_t dst_step,
                                           const std::byte* src, std::byte* dst) noexcept {
    const shuffle_table all = table;  // a copy, which no store changes
    for (; count > 0; --count, src += src_step, dst += dst_step) run_targets<Bytes>(all, src, dst);
}
template <int Bytes>
inline constexpr byte_window_code byte_windows_of{Bytes, this_isa != isa::portable, run_shuffles<Bytes>};
