#pragma once
// Runs each instruction set of the CPU in turn and compares the result with the reference.

#include "support/fenced_memory.hpp"
#include "support/static_check.hpp"

#include <plait/reorder/reorder.hpp>

#include <cstring>
#include <utility>
#include <vector>

namespace kernels {

using namespace plait;
using namespace plait::engine;

template <class T>
std::vector<T> numbered(std::size_t size) {
    std::vector<T> out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = numbered_element<T>(i);
    return out;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Runs a kernel on memory between inaccessible pages, and compares every byte of the destination with the
/// reference. Bytes that the layout does not own must not change.
template <class T, class U, class Kernel>
void matches_reference(const layout& src, const layout& dst, isa which, Kernel kernel) {
    const std::size_t src_size = src.element_span() + static_cast<std::size_t>(src.offset0),
                      dst_size = dst.element_span() + static_cast<std::size_t>(dst.offset0);
    for (const fence where : {fence::in_front, fence::behind}) {
        fenced_memory<T> in(src_size, where);
        fenced_memory<U> out(dst_size, where), wanted(dst_size, where);
        reference_reorder(src, in.data(), dst, wanted.data());
        kernel(in.data(), out.data());
        if (out.same_bytes(wanted)) continue;
        FAIL_CHECK(to_string(src), " -> ", to_string(dst), " ", std::string(to_string(which)), " ",
                   std::string(to_string(data_type_of<T>)), " -> ", std::string(to_string(data_type_of<U>)));
        return;
    }
    CHECK(true);  // counted
}

template <layout Src, layout Dst, class T, class U, isa Isa>
void static_kernel_matches() {
    if constexpr (is_of_this_architecture(Isa))
        if (cpu_has(Isa))
            matches_reference<T, U>(Src, Dst, Isa, move_tensor_with<Src, Dst, element_types_of<T, U>, Isa>);
}

template <layout Src, layout Dst, class T = float, class U = T>
void matches_with_every_isa() {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (static_kernel_matches<Src, Dst, T, U, every_isa[I]>(), ...); }
    (std::make_index_sequence<std::size(every_isa)>{});
}

template <layout A, layout B, class T = float, class U = T>
void matches_both_ways() {
    matches_with_every_isa<A, B, T, U>();
    matches_with_every_isa<B, A, U, T>();
}

}  // namespace kernels
