#pragma once
// Rows with kernels for static layouts.

#include "row.hpp"

#include <plait/plait.hpp>
#include <plait/reorder/converted_rows.hpp>

namespace bench {

using namespace plait::engine;

/// The only place that names the entry with a forced instruction set.
template <layout Src, layout Dst, element T, element U, bool Scaled>
constexpr move forced_avx2() {
#if defined(__x86_64__)
    if constexpr (Scaled && has_attributed_kernel<Src, Dst>)
        return [](const void* in, void* out, const reorder_attributes& with) {
            move_attributed_tensor_with<Src, Dst, T, U, isa::avx2>(static_cast<const T*>(in), static_cast<U*>(out),
                                                                   with);
        };
    else if constexpr (!Scaled && plait::detail::has_kernel<Src, Dst>)
        return [](const void* in, void* out, const reorder_attributes&) {
            move_tensor_with<Src, Dst, element_types_of<T, U>, isa::avx2>(in, out);
        };
#endif
    return nullptr;
}

/// The reorder as users call it, without the kernels of instruction sets below `Least`.
template <layout Src, layout Dst, element T, element U, bool Scaled, isa Least>
void run_row(const T* in, U* out, [[maybe_unused]] const reorder_attributes& with) {
    if constexpr (Least == least_isa() || !plait::detail::has_kernel<Src, Dst>) {
        if constexpr (Scaled) attributed_reorder_kernel<Src, Dst, T, U>(in, out, with);
        else reorder_kernel<Src, Dst, T, U>(in, out);
    } else if constexpr (Scaled) {
        move_attributed_tensor<Src, Dst, T, U, Least>(in, out, with);
    } else if constexpr (!std::is_same_v<T, U> && has_small_type<T, U>) {
        move_attributed_tensor<Src, Dst, T, U, Least>(in, out, {});
    } else {
        move_tensor<Src, Dst, element_types_of<T, U>, Least>(in, out);
    }
}

/// `Least`: the instruction set that the CPU has for certain. Rows that are many leave out the kernels of lesser ones,
/// which no call reaches.
template <layout Src, layout Dst, element T, element U, bool Scaled = false, isa Least = least_isa()>
row make_row(const char* name, const char* section, const char* demand = "", const char* like = "",
             const reorder_attributes& attributes = {}) {
    const move kernel = [](const void* in, void* out, const reorder_attributes& with) {
        run_row<Src, Dst, T, U, Scaled, Least>(static_cast<const T*>(in), static_cast<U*>(out), with);
    };
    const move avx2 = forced_avx2<Src, Dst, T, U, Scaled>();
    return {name, section, demand, like, Src, Dst, data_type_of<T>, data_type_of<U>, attributes, kernel, avx2};
}

}  // namespace bench
