#pragma once
// The vector of a product, in integers of 8 bits: 32 values share a scale.

#include "formats.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace packed_matmul {

/// A vector whose value i is q[i] * scale[i / 32].
struct activations {
    std::vector<std::int8_t> q;
    std::vector<float> scale;
    std::vector<std::int32_t> sum;  // of the q of each block, because kernels multiply by q of weights, not by q - 8

    explicit activations(std::span<const float> x) : q(x.size()), scale(x.size() / block), sum(x.size() / block) {
        for (std::size_t b = 0; b < scale.size(); ++b) {
            const std::span<const float> values = x.subspan(b * block, block);
            float largest = 0;
            for (const float v : values) largest = std::fmax(largest, std::fabs(v));
            scale[b] = largest / 127;
            for (std::size_t i = 0; i < block; ++i) {
                const float scaled = largest > 0 ? values[i] / scale[b] : 0;
                q[b * block + i] = static_cast<std::int8_t>(std::lround(scaled));
                sum[b] += q[b * block + i];
            }
        }
    }
};

}  // namespace packed_matmul
