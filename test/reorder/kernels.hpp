#pragma once
// Each instruction set that the CPU has, forced in turn and compared with the reference.

#include "support/static_check.hpp"

#include <plait/reorder/reorder.hpp>

#include <cstring>
#include <utility>
#include <vector>

namespace kernels {

using namespace plait;

template <class T>
std::vector<T> numbered(std::size_t size) {
    std::vector<T> out(size);
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t number = i * 0x9e3779b97f4a7c15u + 1;  // bytes that differ everywhere
        std::memcpy(&out[i], &number, sizeof(T));
    }
    return out;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// The vectors end where the tensors end, so that the address sanitizer sees every access outside.
template <layout Src, layout Dst, class T, class U, isa Isa>
void matches_reference() {
    if constexpr (is_of_this_architecture(Isa)) {
        if (!cpu_has(Isa)) return;
        INFO(to_string(Src), " -> ", to_string(Dst), ' ', name(Isa), ' ', name(data_type_of<T>), " -> ",
             name(data_type_of<U>));
        // What the layout does not own has to stay as it is.
        std::vector<T> in = numbered<T>(Src.element_span() + static_cast<std::size_t>(Src.offset0));
        std::vector<U> out = numbered<U>(Dst.element_span() + static_cast<std::size_t>(Dst.offset0)), wanted = out;
        reference_reorder(Src, in.data(), Dst, wanted.data());
        move_tensor_with<Src, Dst, path_of<T, U>, Isa>(in.data(), out.data());
        CHECK(same_bytes(out, wanted));
    }
}

template <layout Src, layout Dst, class T = float, class U = T>
void matches_with_every_isa() {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (matches_reference<Src, Dst, T, U, every_isa[I]>(), ...); }
    (std::make_index_sequence<std::size(every_isa)>{});
}

template <layout A, layout B, class T = float, class U = T>
void matches_both_ways() {
    matches_with_every_isa<A, B, T, U>();
    matches_with_every_isa<B, A, U, T>();
}

}  // namespace kernels
