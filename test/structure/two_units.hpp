#pragma once
// Inline functions, variables and kernels that both units use. Each must be the same entity in both units.

#include <plait/plait.hpp>

#include <string>

namespace two_units {

inline constexpr plait::layout plain({2, 17, 5, 4}, "nchw");
inline constexpr plait::layout blocked({2, 17, 5, 4}, "nChw16c");

// The results of a reorder in one unit, and addresses of entities that both units use.
struct answer {
    std::string text;
    float last = 0;
    void (*kernel)(const float*, float*) noexcept = nullptr;
    const void* constant = nullptr;
};
answer from_unit_a();
answer from_unit_b();

inline answer make_answer() {
    float in[plain.padded_volume()] = {}, out[blocked.padded_volume()] = {};
    in[plain.offset(1, 16, 4, 3)] = 7;
    plait::reorder<plain, blocked>(in, out);
    float again[plain.padded_volume()] = {};
    plait::reorder(blocked, out, plain, again);
    return {plait::to_string(blocked), again[plain.offset(1, 16, 4, 3)],
            &plait::reorder_kernel<plain, blocked, float, float>, &plait::nChw16c<2, 17, 5, 4>::value};
}

}  // namespace two_units
