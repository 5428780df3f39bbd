#pragma once
// Compares elements that were computed.

#include <plait/core/data_type.hpp>

#include <cstddef>
#include <cstring>
#include <vector>

namespace plait_test {

/// True if the bytes are equal, except that a NaN of f32 or f64 may have other bits.
inline bool same_but_for_nan(const std::vector<std::byte>& a, const std::vector<std::byte>& b, plait::data_type type) {
    if (a == b) return true;
    const auto compare = [&]<class T>(T) {
        for (std::size_t i = 0; i + sizeof(T) <= a.size(); i += sizeof(T)) {
            T x, y;
            std::memcpy(&x, a.data() + i, sizeof(x));
            std::memcpy(&y, b.data() + i, sizeof(y));
            if (std::memcmp(&x, &y, sizeof(x)) != 0 && (x == x || y == y)) return false;
        }
        return true;
    };
    if (a.size() != b.size()) return false;
    return type == plait::data_type::f32 ? compare(float{}) : type == plait::data_type::f64 && compare(double{});
}

}  // namespace plait_test
