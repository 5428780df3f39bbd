// The functions that move tiles with an instruction set, under the names that this namespace gives them.
// Included last by the header of each instruction set, in its namespace.
// Requires table_kernels.inl before it.

struct code {
    /// The kernel of a static plan, or of a part of it.
    template <class Plan, bool Stream, class... Part>
    static constexpr auto run = run_static<Plan, Stream, Part...>;
    /// The kernel of a static plan whose bounds are those of another plan.
    template <class Plan, bool Stream>
    static constexpr auto run_with_bounds = run_static_with_bounds<Plan, Stream>;
    /// The kernel of a plan that scales elements while it moves them.
    template <class Plan, bool Stream>
    static constexpr auto run_scaled_plan = run_scaled<Plan, Stream>;
    /// The kernels whose networks are tables, with registers of at most `Bytes` bytes.
    template <int Bytes>
    static constexpr const table_kernels* data = &every_table_kernel<Bytes>;
    /// One of them: of tiles of 2^RegisterBits registers of `Bytes` bytes.
    template <int Bytes, int RegisterBits>
    static constexpr const run_time_kernel* table_kernel = &table_kernel_for<Bytes, RegisterBits>;
};
