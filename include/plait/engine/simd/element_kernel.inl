// The kernel of plans whose tile is one element, which may change its type.
// Included by portable.hpp, in its namespace.
// Requires table_kernels.inl and element_access.inl before it.

template <class Types>
struct moved_element {
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        using elements = access<Types, 1>;
        elements::template store<1, false>(dst, elements::template load<1>(src));
    }
};
template <class Types>
struct zeroed_element {
    [[gnu::always_inline]] inline void operator()(const std::byte*, std::byte* dst) const {
        std::memset(dst, 0, sizeof(typename Types::to));
    }
};

template <class Types>
void run_elements(const reorder_plan&, const run_time_offsets&, const kernel_walk& walk, const std::byte* src,
                  std::byte* dst) noexcept {
    run_walk<true>(walk, src, dst, moved_element<Types>{});
}
template <class Types>
void run_elements_at_ends(const reorder_plan& plan, const run_time_offsets& offsets, const segment_lanes& lanes,
                          const kernel_walk& walk, const std::byte* src, std::byte* dst) noexcept {
    if (lanes.stored[0] == 0) return;
    if (lanes.loaded[0] != 0) return run_elements<Types>(plan, offsets, walk, src, dst);
    run_walk<false>(walk, src, dst, zeroed_element<Types>{});
}
template <class Types>
constexpr run_time_kernel make_element_kernel() {
    run_time_kernel out;
    out.whole = out.stream = run_elements<Types>;
    out.masked = run_elements_at_ends<Types>;
    out.finish_streams = finish_streams;
    return out;
}
template <class Types>
inline constexpr run_time_kernel element_kernel_for = make_element_kernel<Types>();
