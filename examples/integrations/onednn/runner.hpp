#pragma once
// Runs the network in chosen formats.

#include "choices.hpp"

#include <functional>
#include <list>

namespace example {

/// Weights and biases of the convolutions in order, the same for all runs.
struct parameters {
    std::vector<std::vector<float>> weights, biases;
};
parameters random_parameters(const network& net);
std::vector<float> random_image(const network& net);

enum class reorders_by { plait, libdnnl };

/// The network in the formats of a choice: memory for every tensor in every format that it takes, and the calls in
/// order. plait reorders the weights before it runs.
class runner {
public:
    runner(const library& dnnl, const network& net, const choice& formats, const parameters& values, reorders_by who);

    /// Runs the network on an nchw image; the result is nchw too.
    const std::vector<float>& operator()(const std::vector<float>& image);

private:
    /// A tensor in one of the formats that it takes.
    struct form {
        plait::layout where;
        std::unique_ptr<buffer> memory;
    };
    float* data_of(plait::tensor_id tensor, const plait::layout& where);
    void add_reorder(const plait::graph_reorder& r, reorders_by who);
    void add_layer(const network& net, int number, plait::tensor_id weights, const std::vector<float>& bias);

    const library& dnnl_;
    const choice& formats_;
    std::vector<std::list<form>> forms_;  // by tensor
    std::vector<std::unique_ptr<buffer>> biases_;
    std::vector<std::function<void()>> steps_;
    float *image_ = nullptr, *made_ = nullptr;
    std::vector<float> result_;
};

}  // namespace example
