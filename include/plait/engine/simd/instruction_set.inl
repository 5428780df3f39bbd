// What the engine asks of an instruction set, each by the name of what this namespace has.
// Read once in each instruction set's namespace, see tile_moves.inl.
// Needs before it: all others.

struct code {
    /// The kernel of a plan that is a constant, or of a part of it.
    template <class Plan, bool Stream, class... Part>
    static constexpr auto run = run_static<Plan, Stream, Part...>;
    /// The kernel of a plan that scales elements on their way.
    template <class Plan, bool Stream>
    static constexpr auto run_scaled_plan = run_scaled<Plan, Stream>;
    /// The kernel of run-time plans of one pattern.
    template <class Types, tile_pattern Pattern, bool Stream>
    static constexpr const run_time_kernel* plain_kernel = &plain_kernel_for<Types, Pattern, Stream>;
    /// The kernels whose networks are tables, with registers of at most so many bytes.
    template <int Bytes>
    static constexpr const table_kernels* data = &every_table_kernel<Bytes>;
    /// What happens to rows of elements, computed in f32 or f64.
    template <class Number>
    static constexpr const row_conversions* rows = &rows_of<Number>;
    /// The same for two types.
    template <element T, element U>
    static constexpr const row_conversions* rows_with_types = &rows_of_types<T, U>;
};
