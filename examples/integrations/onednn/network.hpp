#pragma once
// ResNet-50 up to the end of its second stage, as data: the tensors, and the layers that compute them. Batch
// normalisation is folded into weights and biases.

#include <plait/plait.hpp>

#include <vector>

namespace example {

using plait::dim_t;

enum class layer_kind { convolution, pooling, addition };

/// One layer. Tensors are numbers; a convolution has weights and a bias, an addition has a second source.
struct layer {
    layer_kind kind;
    int source, second_source, result;
    dim_t kernel = 1, stride = 1, padding = 0;
    bool relu = true;
    plait::dims weights{};  ///< for a convolution: output channels, input channels, height, width
};

inline bool is_convolution(const layer& l) { return l.kind == layer_kind::convolution; }

struct network {
    std::vector<plait::dims> tensors;  ///< number 0 is the image, the last one the result
    std::vector<layer> layers;

    int add(const layer& l, dim_t channels) {
        layer added = l;
        const plait::dims from = tensors[static_cast<std::size_t>(l.source)];
        const dim_t extent = (from[2] + 2 * l.padding - l.kernel) / l.stride + 1;
        tensors.push_back({from[0], channels, extent, extent});
        added.result = static_cast<int>(tensors.size()) - 1;
        if (l.kind == layer_kind::convolution) added.weights = {channels, from[1], l.kernel, l.kernel};
        layers.push_back(added);
        return added.result;
    }
    int convolution(int source, dim_t channels, dim_t kernel, dim_t stride, bool relu) {
        return add({layer_kind::convolution, source, -1, -1, kernel, stride, kernel / 2, relu}, channels);
    }
    /// Adds convolutions 1x1, 3x3, 1x1, then the source: unchanged, or through a 1x1 convolution if its shape differs.
    int bottleneck(int source, dim_t channels, dim_t stride) {
        const int narrow = convolution(source, channels, 1, 1, true);
        const int seen = convolution(narrow, channels, 3, stride, true);
        const int wide = convolution(seen, 4 * channels, 1, 1, false);
        const bool same = stride == 1 && tensors[static_cast<std::size_t>(source)][1] == 4 * channels;
        const int beside = same ? source : convolution(source, 4 * channels, 1, stride, false);
        return add({layer_kind::addition, wide, beside, -1}, 4 * channels);
    }
};

/// Returns the network for images of size x size.
inline network first_stages(dim_t batch, dim_t size) {
    network out;
    out.tensors.push_back({batch, 3, size, size});
    int last = out.convolution(0, 64, 7, 2, true);
    last = out.add({layer_kind::pooling, last, -1, -1, 3, 2, 1, false}, 64);
    for (int block = 0; block < 3; ++block) last = out.bottleneck(last, 64, 1);
    for (int block = 0; block < 4; ++block) last = out.bottleneck(last, 128, block == 0 ? 2 : 1);
    return out;
}

}  // namespace example
