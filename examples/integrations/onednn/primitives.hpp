#pragma once
// A layer as a primitive of libdnnl, for tensors in plait's layouts.

#include "network.hpp"

#include <plait/interop/onednn.hpp>

#include <dnnl.hpp>

#include <chrono>
#include <cstring>
#include <memory>
#include <string>

namespace example {

/// Aligned memory of `bytes` bytes, initially 0.
class buffer {
public:
    explicit buffer(std::size_t bytes)
        : data_(static_cast<float*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64 + 64))) {
        if (data_ == nullptr) throw std::bad_alloc();
        std::memset(data_.get(), 0, bytes);
    }
    float* data() const { return data_.get(); }

private:
    struct free_it {
        void operator()(float* data) const { std::free(data); }
    };
    std::unique_ptr<float, free_it> data_;
};

/// Returns the best time of `calls` calls, in seconds, after one that is not timed.
template <class Call>
double best_seconds(int calls, const Call& call) {
    double best = 1e9;
    for (int i = 0; i <= calls; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        call();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (i > 0 && took.count() < best) best = took.count();
    }
    return best;
}

/// The library, on the CPU.
struct library {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
};

/// The layouts of a layer's tensors: for a convolution source, weights and result; for an addition both sources and the
/// result. `any` if libdnnl should choose.
struct layer_layouts {
    std::vector<plait::layout> sources;
    plait::layout result;
};

/// libdnnl's primitive for a layer and these layouts, none of which is `any`.
struct primitive {
    dnnl::primitive run;
    layer_layouts layouts;
    std::string implementation;
};

/// Makes a primitive for a layer.
///
/// Refused: library_refuses, if libdnnl has no implementation; as try_from_onednn, if it selects a format without a
/// layout
plait::expected<primitive> make_primitive(const library& dnnl, const layer& l, const layer_layouts& wanted);

/// Returns the arguments of a primitive's call: the sources, the bias of a convolution (otherwise null), the result.
std::unordered_map<int, dnnl::memory> arguments_of(const library& dnnl, const layer& l, const layer_layouts& layouts,
                                                   const std::vector<float*>& sources, float* bias, float* result);

}  // namespace example
