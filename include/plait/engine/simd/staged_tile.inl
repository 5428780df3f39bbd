// A strip of tiles that passes through a staging buffer, used instead of a tile.
// Included by kernel.inl, after its loops, in the namespace of each instruction set.
// Requires the loops of kernel.inl before it.
//
// Example: f32 ab -> ba of 1024 x 1024: 16 tiles fill 16 rows of 256 elements in a buffer of 17408 bytes. Each row is
//          copied to the destination by 16 registers of 64 bytes.

template <class Plan>
struct staged_tile {
    static constexpr staging_buffer through{Plan::value};
    using inner_tile = typename pick_tile<typename Plan::types, through.filling.pattern, 0>::type;
    static constexpr typename inner_tile::offset_table inner_offsets = [] {
        auto out = inner_tile::find_offsets(through.filling, true);
        out.ahead = 0;  // the staging buffer stays in the cache
        return out;
    }();
    static constexpr int row_bytes = static_cast<int>(through.row_elements * Plan::value.sizes.dst);
    static constexpr int vector_size = row_bytes % vector_bytes(this_isa) == 0 ? vector_bytes(this_isa) : 16;
    static_assert(row_bytes % vector_size == 0);

    struct offset_table {};
    static constexpr offset_table find_offsets(const reorder_plan&, bool) { return {}; }

    template <bool, bool, class Remaining>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const offset_table&, const std::byte* src,
                                                  std::byte* dst, const Remaining& remaining) {
        alignas(64) std::byte rows[through.bytes()];
        typename inner_tile::remaining_type none({});
        none.src_end = remaining.src_end;
        run_loops<inner_tile, 0, false, false, through.filling.loops.size()>(through.filling, inner_offsets, 0, src,
                                                                             rows, none);
        for (int row = 0; row < through.rows.size(); ++row) {
            const std::byte* const from = rows + row * through.pitch * plan.sizes.dst;
            std::byte* const to = dst + through.rows[row] * plan.sizes.dst;
            if (row + 1 < through.rows.size())
                for (int k = 0; k < row_bytes; k += cache_line_bytes)
                    __builtin_prefetch(dst + through.rows[row + 1] * plan.sizes.dst + k, 1, 3);
            for (int k = 0; k < row_bytes; k += vector_size)
                vector<vector_size>::store(to + k, vector<vector_size>::load(from + k));
        }
    }
};
