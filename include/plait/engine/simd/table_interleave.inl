// Tiles of a few elements that alternate in memory on one side, such as RGB, in plans known only at run time. Their
// tables are data.
// Included by table_kernels.inl, after table_tile.inl, in the namespace of each instruction set.
// Requires pattern_kernels.inl and table_tile.inl before it.
//
// Example: u8 nhwc -> nchw of RGB images with AVX-512, 64 pixels a tile: three registers are loaded from 192 bytes. For
//          each plane, its bytes are selected from the three, put in order by a shuffle, and stored.

/// Deals elements of a size known only at run time out to `Count` registers in turn, or collects them.
template <int Bytes, int Count, bool Deals>
struct interleave_steps : blend_registers<vector<Bytes>, Count> {
    [[gnu::always_inline]] inline explicit interleave_steps(int element_bytes)
        : blend_registers<vector<Bytes>, Count>(every_blend_table<Count, Deals>[log2_of(element_bytes)]) {}
    [[gnu::always_inline]] inline void operator()(bits<Bytes> (&r)[Count]) const { this->template run<Deals>(r); }
};
template <int Bytes, int Count, bool Deals>
    requires(Count % 2 == 0)
struct interleave_steps<Bytes, Count, Deals> {
    const interleave_tables<Count>& tables;

    [[gnu::always_inline]] inline explicit interleave_steps(int element_bytes)
        : tables(every_interleave_table<Count, Deals>[log2_of(element_bytes)]) {}
    /// Returns register number `to`.
    [[gnu::always_inline]] inline bits<Bytes> of(const bits<Bytes> (&r)[Count], int to) const {
        return gather(r, to, indices<Count - 1>{});
    }

private:
    template <int... From>
    [[gnu::always_inline]] inline bits<Bytes> gather(const bits<Bytes> (&r)[Count], int to,
                                                     std::integer_sequence<int, From...>) const {
        bits<Bytes> sum = vector<Bytes>::pick_bytes(r[0], tables.of[to][0]);
        ((sum = vector<Bytes>::bit_or(sum, vector<Bytes>::pick_bytes(r[From + 1], tables.of[to][From + 1]))), ...);
        return sum;
    }
};

/// A tile of a few elements that alternate in memory on one side: in the source if `Deals`. The tables for its element
/// size are data.
template <int Bytes, int Count, bool Deals, bool Stream>
struct interleaved_tile {
    using reg = bits<Bytes>;
    using every_register = indices<Count>;
    const dim_t step;  ///< distance in bytes between registers on the side where they do not alternate
    const interleave_steps<Bytes, Count, Deals> steps;

    [[gnu::always_inline]] inline interleaved_tile(const reorder_plan& plan, dim_t bytes_apart)
        : step(bytes_apart), steps(plan.sizes.work) {}

    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        move(src, dst, every_register{});
    }

private:
    using bytes = access<moved_elements<1>, Bytes>;
    using alternating = alternating_registers<bytes, Count>;

    template <int... R>
    [[gnu::always_inline]] inline void move(const std::byte* src, std::byte* dst,
                                            std::integer_sequence<int, R...>) const {
        reg r[Count];
        if constexpr (Deals) alternating::template load_all<Bytes>({}, src, r);
        else ((r[R] = bytes::template load<Bytes>(src + R * step)), ...);
        if constexpr (Count % 2 == 0) {
            for (int to = 0; to < Count; ++to) put(dst, to, steps.of(r, to));
        } else {
            steps(r);
            if constexpr (Deals) (put(dst, R, r[R]), ...);
            else alternating::template store_all<Bytes, Stream>({}, dst, r);
        }
    }
    [[gnu::always_inline]] inline void put(std::byte* dst, int number, reg value) const {
        if constexpr (Deals) bytes::template store<Bytes, Stream>(dst + number * step, value);
        else alternating::template store<Bytes, Stream>({}, dst, number, value);
    }
};
template <int Bytes, int Count, bool Deals, bool Stream>
void run_whole_interleaves(const reorder_plan& plan, const run_time_offsets&, const tile_walk& walk,
                           const std::byte* src, std::byte* dst) noexcept {
    const dim_t apart = Deals ? plan.interleaved.dst * plan.sizes.dst : plan.interleaved.src * plan.sizes.src;
    run_walk<false>(walk, src, dst, interleaved_tile<Bytes, Count, Deals, Stream>(plan, apart));
}
/// A tile that passes the end of an axis. Its elements are copied to and from a whole tile.
template <int Bytes, int Count, bool Deals>
struct table_interleave_edge {
    const reorder_plan& plan;
    const std::size_t read, written;  ///< of each register, in bytes

    void operator()(const std::byte* src, std::byte* dst) const {
        alignas(64) std::byte from[Bytes * Count]{}, to[Bytes * Count];
        const dim_t apart = Deals ? plan.interleaved.dst * plan.sizes.dst : plan.interleaved.src * plan.sizes.src;
        if constexpr (Deals) std::memcpy(from, src, read * Count);
        else
            for (int k = 0; k < Count; ++k) std::memcpy(from + k * Bytes, src + k * apart, read);
        interleaved_tile<Bytes, Count, Deals, false>(plan, Bytes)(from, to);
        if constexpr (Deals)
            for (int k = 0; k < Count; ++k) std::memcpy(dst + k * apart, to + k * Bytes, written);
        else std::memcpy(dst, to, written * Count);
    }
};
template <int Bytes, int Count, bool Deals>
void run_table_interleave_edges(const reorder_plan& plan, const remaining_extents<>& remaining, const tile_walk& walk,
                                const std::byte* src, std::byte* dst) noexcept {
    const interleave_lanes lanes(plan, remaining);
    const auto bytes = static_cast<std::size_t>(plan.sizes.work);
    run_walk<false>(walk, src, dst,
                    table_interleave_edge<Bytes, Count, Deals>{plan, static_cast<std::size_t>(lanes.valid) * bytes,
                                                               static_cast<std::size_t>(lanes.stored) * bytes});
}
template <int Bytes, int Count, bool Deals>
constexpr run_time_kernel make_interleave_kernel() {
    run_time_kernel out;
    out.whole = run_whole_interleaves<Bytes, Count, Deals, false>;
    out.stream = run_whole_interleaves<Bytes, Count, Deals, true>;
    out.edge = run_table_interleave_edges<Bytes, Count, Deals>;
    out.finish_streams = finish_streams;
    return out;
}
template <int Bytes, int Count, bool Deals>
inline constexpr run_time_kernel interleave_kernel_for = make_interleave_kernel<Bytes, Count, Deals>();
