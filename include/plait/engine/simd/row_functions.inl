// The functions that convert rows, and those for bytes, with an instruction set, under the names that this namespace
// gives them. Included last by NAME_rows.hpp of each instruction set, in its namespace.
// Requires the registers and the tiles of NAME.hpp, and nibble_lookup, before it.

#include <plait/engine/simd/byte_windows.inl>

#include <plait/engine/simd/row_conversions.inl>

struct row_code {
    /// The conversions of rows, with arithmetic in f32 or f64.
    template <class Number>
    static constexpr const row_conversions* rows = &rows_of<Number>;
    /// The conversions of rows of type T to type U, of elements From and To in memory.
    template <element T, element U, element From = T, element To = U>
    static constexpr const row_conversions* rows_with_types = &rows_of_types<T, U, From, To>;
    /// The functions for bytes as they are stored.
    template <class Byte>
    static constexpr const byte_kernels* bytes = &every_byte_kernel<Byte>;
    /// The code that runs tables of picked bytes.
    template <int Bytes = vector_bytes(this_isa)>
    static constexpr const byte_window_code* windows = &byte_windows_of<Bytes>;
};
