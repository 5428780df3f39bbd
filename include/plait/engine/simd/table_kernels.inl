// The kernels whose networks are tables, and a table of all of them.
// Included by the header of each instruction set, in its namespace.
// Requires registers, conversions and lane_shuffles before it.

#include <plait/engine/simd/kernel.inl>

#include <plait/engine/simd/walk.inl>

#include <plait/engine/simd/table_tile.inl>

// Tiles whose networks are tables.

/// A tile whose registers are stored as they were loaded, or multiplied.
template <int Bytes, int RegisterBits, bool Stream, bool Multiplies>
struct copied_tile {
    static constexpr int count = 1 << RegisterBits;
    const reorder_plan& plan;
    const whole_tile_addresses<const std::byte> from;
    const whole_tile_addresses<std::byte> to;
    const move_factors factors;

    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        move(src, dst, indices<count>{});
    }

private:
    template <int... R>
    [[gnu::always_inline]] inline void move(const std::byte* src, std::byte* dst,
                                            std::integer_sequence<int, R...>) const {
        const bool prefetches = Stream && plan.prefetch != 0;
        const std::byte* const ahead = src + plan.prefetch * plan.sizes.src;
        bits<Bytes> r[count];
        ((r[R] = vector<Bytes>::load(from.address(src, R))), ...);
        if constexpr (Multiplies) ((r[R] = multiplied<Bytes>(r[R], factors)), ...);
        if constexpr (Stream) (vector<Bytes>::stream(to.address(dst, R), r[R]), ...);
        else (vector<Bytes>::store(to.address(dst, R), r[R]), ...);
        if (prefetches) (__builtin_prefetch(from.address(ahead, R), 0, 2), ...);
    }
};

/// True if tiles of this number of registers have kernels of their own for copies at ends, with masks held in
/// registers.
template <int Bytes, int RegisterBits>
inline constexpr bool has_masked_copies = RegisterBits <= 2 && requires {
    typename lane_shuffles<Bytes>::held_lanes;
};

/// A tile whose registers are loaded and stored unchanged, but for lanes beyond ends; or a tile of zeros, which loads
/// nothing, because no cache may have the lines. Masks are held in registers.
template <int Bytes, int RegisterBits, bool Loads, bool Stream>
struct masked_copied_tile {
    using shuffles = lane_shuffles<Bytes>;
    static constexpr int count = 1 << RegisterBits;
    const listed_addresses<const std::byte> from;
    const listed_addresses<std::byte> to;
    std::uint64_t loaded[count], stored[count];
    typename shuffles::held_lanes held[count];

    [[gnu::always_inline]] inline explicit masked_copied_tile(const segment_lanes& lanes)
        : masked_copied_tile(lanes, indices<count>{}) {}
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        move(src, dst, indices<count>{});
    }
    /// True if tiles may be loaded: without masked loads of bytes, whole registers are, and lanes beyond ends must be
    /// in memory that may be read.
    [[gnu::always_inline]] static inline bool can_load(const segment_lanes& lanes) {
        if (shuffles::masks_bytes || lanes.loads_whole || lanes.reads_segments) return true;
        return has_whole_registers(lanes, indices<count>{});
    }

private:
    static constexpr std::uint64_t all_bytes = ~std::uint64_t{0} >> (64 - Bytes);

    template <int... R>
    [[gnu::always_inline]] static inline bool has_whole_registers(const segment_lanes& lanes,
                                                                  std::integer_sequence<int, R...>) {
        return ((lanes.loaded[R] == 0 || lanes.loaded[R] == all_bytes) && ...);
    }
    template <int... R>
    [[gnu::always_inline]] inline masked_copied_tile(const segment_lanes& lanes, std::integer_sequence<int, R...>)
        : from({}, lanes.src_offsets),
          to({}, lanes.dst_offsets),
          loaded{lanes.loaded[R]...},
          stored{lanes.stored[R]...},
          held{shuffles::hold(lanes.loaded[R])...} {}
    template <int... R>
    [[gnu::always_inline]] inline void move(const std::byte* src, std::byte* dst,
                                            std::integer_sequence<int, R...>) const {
        bits<Bytes> r[count]{};
        if constexpr (Loads) ((r[R] = load(from.address(src, R), loaded[R], held[R])), ...);
        (store(to.address(dst, R), r[R], stored[R]), ...);
    }
    [[gnu::always_inline]] static inline bits<Bytes> load(const std::byte* from, std::uint64_t lanes,
                                                          const typename shuffles::held_lanes& of) {
        if (!shuffles::masks_bytes && lanes == 0) return bits<Bytes>{};
        return shuffles::load(from, of);
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, const bits<Bytes>& r, std::uint64_t lanes) {
        if constexpr (Stream) {
            if (lanes != 0) vector<Bytes>::stream(to, r);
        } else {
            if (shuffles::masks_bytes) return vector<Bytes>::template store<1>(to, r, lanes);
            if (lanes == all_bytes) vector<Bytes>::store(to, r);
            else if (lanes != 0) vector<Bytes>::template store<1>(to, r, lanes);
        }
    }
};

template <int Bytes, int RegisterBits, bool Stream, class Network = tile_network<Bytes, RegisterBits>>
void run_whole_data(const reorder_plan& plan, const run_time_offsets& offsets, const kernel_walk& walk,
                    const std::byte* src, std::byte* dst) noexcept {
    // Copying a few registers takes less time than the checks of a tile.
    if constexpr (RegisterBits <= 2 && !Network::is_known)
        if (offsets.keeps_lanes()) {
            const whole_tile_addresses<const std::byte> from(offsets.src, nullptr);
            const whole_tile_addresses<std::byte> to(offsets.dst, nullptr);
            if (offsets.factors.changes)
                return run_walk<true>(walk, src, dst,
                                      copied_tile<Bytes, RegisterBits, Stream, true>{plan, from, to, offsets.factors});
            return run_walk<true>(walk, src, dst, copied_tile<Bytes, RegisterBits, Stream, false>{plan, from, to, {}});
        }
    // At least eight registers, because fewer leave few stores waiting.
    if constexpr (!Stream && RegisterBits >= 3 && Bytes == vector_bytes(this_isa))
        if (plan.destination_prefetch != 0)
            return run_walk<false>(walk, src, dst,
                                   table_tile<Bytes, RegisterBits, tile_access::ahead, Network>(plan, offsets, {}));
    constexpr tile_access way = Stream ? tile_access::stream : tile_access::whole;
    run_walk<false>(walk, src, dst, table_tile<Bytes, RegisterBits, way, Network>(plan, offsets, {}));
}
template <int Bytes, int RegisterBits, bool Loads>
[[gnu::always_inline]] inline void run_masked_copies(const segment_lanes& lanes, const kernel_walk& walk,
                                                     const std::byte* src, std::byte* dst) noexcept {
    if constexpr (has_streams<Bytes>)
        if (lanes.streams)
            return run_walk<false>(walk, src, dst, masked_copied_tile<Bytes, RegisterBits, Loads, true>(lanes));
    run_walk<false>(walk, src, dst, masked_copied_tile<Bytes, RegisterBits, Loads, false>(lanes));
}
/// A tile whose registers are stored as they were loaded, without their lanes beyond ends, as copies of pieces.
struct copied_pieces {
    const masked_pieces& pieces;

    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const { pieces(src, dst); }
};

/// Moves tiles in pieces, if that is faster; otherwise returns false. Pieces are found once for all tiles. Copied out
/// of registers, a few of them are no faster than masked stores.
template <int Bytes, int RegisterBits>
[[gnu::always_inline]] inline bool run_in_pieces(const reorder_plan& plan, const run_time_offsets& offsets,
                                                 const segment_lanes& lanes, const kernel_walk& walk,
                                                 const std::byte* src, std::byte* dst) noexcept {
    if (lanes.streams || walk.planes * walk.rows * walk.tiles < masked_pieces::least_tiles) return false;
    const int segments = 1 << offsets.dst_bits.size(), segment_bytes = Bytes >> offsets.network.dst_segments;
    const int ends = segments_that_end(lanes.stored, segments, ~std::uint64_t{0} >> (64 - segment_bytes));
    bool copies = ends > 0 && offsets.copies_registers() && plan.sparse_bytes == 0 && !lanes.loads_nothing;
    for (int segment = 0; copies && segment < segments; ++segment)
        copies = (lanes.stored[segment] & ~lanes.loaded[segment]) == 0;
    if (ends < masked_pieces::least_ends && !copies) return false;
    const masked_pieces pieces(lanes.stored, copies ? lanes.src_offsets : nullptr, lanes.dst_offsets, segments,
                               segment_bytes);
    if (copies) run_walk<false>(walk, src, dst, copied_pieces{pieces});
    else
        run_walk<false>(walk, src, dst,
                        table_tile<Bytes, RegisterBits, tile_access::pieces>(plan, offsets, lanes, &pieces));
    return true;
}
template <int Bytes, int RegisterBits>
void run_masked_data(const reorder_plan& plan, const run_time_offsets& offsets, const segment_lanes& lanes,
                     const kernel_walk& walk, const std::byte* src, std::byte* dst) noexcept {
    if constexpr (this_isa != isa::avx512)
        if (run_in_pieces<Bytes, RegisterBits>(plan, offsets, lanes, walk, src, dst)) return;
    if constexpr (has_masked_copies<Bytes, RegisterBits>)
        if (offsets.copies_registers() && plan.sparse_bytes == 0) {
            if (lanes.loads_nothing) return run_masked_copies<Bytes, RegisterBits, false>(lanes, walk, src, dst);
            if (masked_copied_tile<Bytes, RegisterBits, true, false>::can_load(lanes))
                return run_masked_copies<Bytes, RegisterBits, true>(lanes, walk, src, dst);
        }
    run_walk<false>(walk, src, dst, table_tile<Bytes, RegisterBits, tile_access::masked>(plan, offsets, lanes));
}

/// Copies a row of a multiple of `Bytes` bytes.
template <int Bytes, bool Stream>
[[gnu::always_inline]] inline void copy_row_by(const std::byte* from, std::byte* to, dim_t row_bytes) {
    for (dim_t k = 0; k < row_bytes; k += Bytes) {
        if constexpr (Stream) vector<Bytes>::stream(to + k, vector<Bytes>::load(from + k));
        else vector<Bytes>::store(to + k, vector<Bytes>::load(from + k));
    }
}
/// Copies a row of a multiple of 16 bytes.
template <bool Stream>
[[gnu::always_inline]] inline void copy_row(const std::byte* from, std::byte* to, dim_t row_bytes) {
    constexpr int widest = vector_bytes(this_isa);
    if (row_bytes % widest == 0) copy_row_by<widest, Stream>(from, to, row_bytes);
    else copy_row_by<16, Stream>(from, to, row_bytes);
}
inline void load_staged_rows(const staged_source& from, const std::byte* src, std::byte* rows) noexcept {
    for (const dim_t row : from.rows) {
        copy_row<false>(src + row, rows, from.row_bytes);
        rows += from.row_bytes;
    }
}
template <bool Stream>
void store_staged_rows(const staging_buffer& through, const std::byte* rows, std::byte* dst) noexcept {
    const dim_t bytes = through.filling.sizes.dst;
    for (const dim_t row : through.rows) {
        copy_row<Stream>(rows, dst + row * bytes, through.row_elements * bytes);
        rows += through.pitch * bytes;
    }
}

inline void store_lines(const std::byte* from, std::byte* to, dim_t bytes) noexcept { copy_row<true>(from, to, bytes); }
/// Copies a run past the caches, but for the parts of cache lines at its ends.
inline void stream_run_of_bytes(const std::byte* run, std::byte* dst, dim_t bytes) noexcept {
    copy_past_caches(run, dst, bytes, store_lines);
}

/// The kernel of all tiles of 2^RegisterBits registers of `Bytes` bytes.
template <int Bytes, int RegisterBits>
constexpr run_time_kernel make_table_kernel() {
    run_time_kernel out;
    out.whole = run_whole_data<Bytes, RegisterBits, false>;
    out.stream = run_whole_data<Bytes, RegisterBits, has_streams<Bytes>>;
    out.masked = run_masked_data<Bytes, RegisterBits>;
    out.finish_streams = finish_streams;
    out.load_rows = load_staged_rows;
    out.store_rows = store_staged_rows<false>;
    out.stream_rows = store_staged_rows<true>;
    out.stream_run = stream_run_of_bytes;
    out.network_of = this_isa;
    return out;
}
template <int Bytes, int RegisterBits>
inline constexpr run_time_kernel table_kernel_for = make_table_kernel<Bytes, RegisterBits>();

/// The kernel of tiles with number K of the frequent networks. Tiles at ends use the general one.
template <int Bytes, int K>
constexpr run_time_kernel make_known_kernel() {
    constexpr const frequent_network& known = lane_shuffles<Bytes>::frequent_networks[K];
    using network = known_network<Bytes, known.register_bits, known.steps>;
    run_time_kernel out = make_table_kernel<Bytes, known.register_bits>();
    out.whole = run_whole_data<Bytes, known.register_bits, false, network>;
    out.stream = run_whole_data<Bytes, known.register_bits, has_streams<Bytes>, network>;
    return out;
}
template <int Bytes, int K>
inline constexpr run_time_kernel known_kernel_for = make_known_kernel<Bytes, K>();

/// The frequent networks and their kernels.
template <int Bytes, class K = indices<std::extent_v<decltype(lane_shuffles<Bytes>::frequent_networks)>>>
struct known_kernels;
template <int Bytes, int... K>
struct known_kernels<Bytes, std::integer_sequence<int, K...>> {
    static constexpr known_kernel all[] = {
        {log2_of(Bytes), lane_shuffles<Bytes>::frequent_networks[K], &known_kernel_for<Bytes, K>}...};
};

// The kernels of tiles of a few elements that alternate in memory on one side, such as RGB, in plans known only at run
// time. Their tables are data: elements of all sizes share a kernel, whose lanes are bytes.
//
// Example: u8 nhwc -> nchw of RGB images with AVX-512, 64 pixels a tile: three registers are loaded from 192 bytes. For
//          each plane, its bytes are selected from the three, put in order by a shuffle, and stored.

template <int Bytes, int Count, bool Deals, bool Stream>
void run_whole_interleaves(const reorder_plan& plan, const run_time_offsets&, const kernel_walk& walk,
                           const std::byte* src, std::byte* dst) noexcept {
    using bytes = access<moved_elements<1>, Bytes>;
    run_walk<false>(
        walk, src, dst,
        alternating_tile<bytes, Bytes, Count, Deals, Stream, 0>({}, bytes_between_registers(plan), plan.sizes.work));
}
template <int Bytes, int Count, bool Deals>
void run_interleave_edges(const reorder_plan& plan, const remaining_extents<>& remaining, const kernel_walk& walk,
                          const std::byte* src, std::byte* dst) noexcept {
    using bytes = access<moved_elements<1>, Bytes>;
    interleave_lanes lanes(plan, remaining);
    lanes.valid *= plan.sizes.work;
    lanes.stored *= plan.sizes.work;
    run_walk<false>(
        walk, src, dst,
        alternating_edge<bytes, Bytes, Count, Deals, 0>{{}, bytes_between_registers(plan), plan.sizes.work, lanes});
}
template <int Bytes, int Count, bool Deals>
constexpr run_time_kernel make_interleave_kernel() {
    run_time_kernel out;
    out.whole = run_whole_interleaves<Bytes, Count, Deals, false>;
    out.stream = run_whole_interleaves<Bytes, Count, Deals, true>;
    out.edge = run_interleave_edges<Bytes, Count, Deals>;
    out.finish_streams = finish_streams;
    return out;
}
template <int Bytes, int Count, bool Deals>
inline constexpr run_time_kernel interleave_kernel_for = make_interleave_kernel<Bytes, Count, Deals>();

// All kernels.

template <int Bytes, int Count>
constexpr void add_interleave(table_kernels& out) {
    out.interleaves[log2_of(Bytes)][Count][0] = &interleave_kernel_for<Bytes, Count, false>;
    out.interleaves[log2_of(Bytes)][Count][1] = &interleave_kernel_for<Bytes, Count, true>;
}
template <int Bytes, int... R>
constexpr void add_kernels(table_kernels& out, std::integer_sequence<int, R...>) {
    ((out.of[log2_of(Bytes)][R] = &table_kernel_for<Bytes, R>), ...);
    add_interleave<Bytes, 3>(out);
    add_interleave<Bytes, 5>(out);
    add_interleave<Bytes, 6>(out);
    add_interleave<Bytes, 7>(out);
    add_interleave<Bytes, 9>(out);
}
/// The kernels with registers of `Bytes` bytes. Registers of 32 bytes have at most 8 in a tile: with all 16, none is
/// left for shuffles.
template <int Bytes>
constexpr table_kernels make_table_kernels(table_kernels others = {}) {
    add_kernels<Bytes>(others, indices < Bytes == 32 ? max_register_bits : max_register_bits + 1 > {});
    if constexpr (requires { lane_shuffles<Bytes>::frequent_networks; }) others.known = known_kernels<Bytes>::all;
    return others;
}
