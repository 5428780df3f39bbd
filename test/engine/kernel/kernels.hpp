#pragma once
// Numbered elements for tests of kernels, and their comparison.

#include "support/fenced_memory.hpp"
#include "support/static_check.hpp"

#include <plait/reorder/reorder.hpp>

#include <cstring>
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

}  // namespace kernels
