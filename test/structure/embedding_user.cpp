// A unit that calls the kernels in every way: by reorder, by name, by function pointers. The test checks that its
// object file contains no code of kernels.
#include "embedding.hpp"

#include <vector>

using embedding::blocked, embedding::few, embedding::plain;

int main() {
    std::vector<float> in(plain.element_span(), 2.0f), out(blocked.element_span(), -1.0f), wanted(out.size());
    std::vector<std::int8_t> bytes(out.size(), -1);
    plait::reorder_kernel<plain, blocked>(in.data(), wanted.data());
    plait::reorder<plain, blocked>(in.data(), out.data());
    if (out != wanted) return 1;

    // `auto` is enough for the pointers, because the functions are not overloaded.
    const auto kernel = &plait::reorder_kernel<plain, blocked, float, float>;
    out.assign(out.size(), -1.0f);
    kernel(in.data(), out.data());
    if (out != wanted) return 2;

    const auto with_attributes = &plait::attributed_reorder_kernel<few, few, float, std::int8_t>;
    with_attributes(in.data(), bytes.data(), {.src_scale = 3.0f});
    if (bytes[0] != 6) return 3;
    plait::reorder<few, few>(in.data(), bytes.data(), {.src_scale = 4.0f});
    if (bytes[0] != 8) return 4;

    const auto chunk_of = &plait::reorder_chunk<plain, blocked, float, float>;
    out.assign(out.size(), -1.0f);
    for (const int chunk : {1, 0}) chunk_of(in.data(), out.data(), chunk, 2);
    return out == wanted ? 0 : 5;
}
