// The kernels of tiles of a few elements that alternate in memory on one side, such as RGB, in plans known only at run
// time. Their tables are data: elements of all sizes share a kernel, whose lanes are bytes.
// Included by table_kernels.inl, in the namespace of each instruction set.
// Requires interleave.inl and walk.inl before it.
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
