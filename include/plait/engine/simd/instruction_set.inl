// The functions that the engine requires of an instruction set, under the names that this namespace gives them.
// Included last by the header of each instruction set, in its namespace.
// Requires table_kernels.inl and nibble_lookup before it.

#include <plait/engine/simd/byte_windows.inl>

#include <plait/engine/simd/row_conversions.inl>

struct code {
    /// The kernel of a static plan, or of a part of it.
    template <class Plan, bool Stream, class... Part>
    static constexpr auto run = run_static<Plan, Stream, Part...>;
    /// The kernel of a plan that scales elements while it moves them.
    template <class Plan, bool Stream>
    static constexpr auto run_scaled_plan = run_scaled<Plan, Stream>;
    /// The kernel of run-time plans of one pattern.
    template <class Types, tile_pattern Pattern, bool Stream>
    static constexpr const run_time_kernel* plain_kernel = &plain_kernel_for<Types, Pattern, Stream>;
    /// The kernels whose networks are tables, with registers of at most `Bytes` bytes.
    template <int Bytes>
    static constexpr const table_kernels* data = &every_table_kernel<Bytes>;
    /// One of them: of tiles of 2^RegisterBits registers of `Bytes` bytes.
    template <int Bytes, int RegisterBits>
    static constexpr const run_time_kernel* table_kernel = &table_kernel_for<Bytes, RegisterBits>;
    /// The conversions of rows, with arithmetic in f32 or f64.
    template <class Number>
    static constexpr const row_conversions* rows = &rows_of<Number>;
    /// The conversions of rows of type T to type U, of elements From and To in memory.
    template <element T, element U, element From = T, element To = U>
    static constexpr const row_conversions* rows_with_types = &rows_of_types<T, U, From, To>;
    /// The function that runs tables of picked bytes.
    template <int Bytes = vector_bytes(this_isa)>
    static constexpr const byte_window_code* windows = &byte_windows_of<Bytes>;
};
