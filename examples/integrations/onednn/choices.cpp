#include "choices.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace example {
namespace {

using plait::format_tag, plait::tensor_id;

/// Returns the alternative that a fixed strategy takes; `formats` are the formats in which tensors are made so far.
const alternative& only_one(const std::vector<alternative>& all, const layer& l, const std::vector<format_tag>& formats,
                            strategy how) {
    const format_tag plain = "nchw";
    const auto found = std::find_if(all.begin(), all.end(), [&](const alternative& a) {
        if (how == strategy::plain) return a.sources[0] == plain && a.result == plain;
        if (l.kind == layer_kind::convolution) return a.is_liked;
        return a.sources[0] == formats[static_cast<std::size_t>(l.source)];
    });
    if (found == all.end()) throw std::runtime_error("libdnnl has no primitive in the format that is asked for");
    return *found;
}

plait::primitive_kind kind_of(const layer& l) {
    switch (l.kind) {
        case layer_kind::pooling: return plait::primitive_kind::pooling;
        case layer_kind::addition: return plait::primitive_kind::binary;
        default: return plait::primitive_kind::convolution;
    }
}

}  // namespace

choice choose(const network& net, const std::vector<std::vector<alternative>>& alternatives, const machine& here,
              strategy how) {
    plait::large_graph g;
    const std::size_t last = net.tensors.size() - 1;
    std::vector<tensor_id> tensors;
    for (std::size_t t = 0; t <= last; ++t)
        tensors.push_back(g.tensor(net.tensors[t], plait::data_type::f32,
                                   t == 0 || t == last ? format_tag("nchw") : format_tag("any")));
    std::vector<tensor_id> weights;
    for (const layer& l : net.layers)
        if (l.kind == layer_kind::convolution) weights.push_back(g.constant(l.weights, plait::data_type::f32, "oihw"));
    std::vector<format_tag> made(net.tensors.size(), "nchw");
    std::size_t next_weights = 0;
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        const layer& l = net.layers[i];
        const tensor_id source = tensors[static_cast<std::size_t>(l.source)];
        const tensor_id result = tensors[static_cast<std::size_t>(l.result)];
        const bool one_source = l.kind == layer_kind::pooling;
        tensor_id second{l.second_source};
        if (l.kind == layer_kind::convolution) second = weights[next_weights++];
        auto operation = one_source ? g.operation(kind_of(l), {source}, {result})
                                    : g.operation(kind_of(l), {source, second}, {result});
        const auto accept = [&](const alternative& a) {
            const auto cost = static_cast<dim_t>(std::ceil(a.seconds * here.bytes_per_second));
            if (one_source) operation.accepts({a.sources[0]}, {a.result}, cost);
            else operation.accepts({a.sources[0], a.sources[1]}, {a.result}, cost);
        };
        if (how == strategy::chosen) {
            for (const alternative& a : alternatives[i]) accept(a);
        } else {
            const alternative& a = only_one(alternatives[i], l, made, how);
            made[static_cast<std::size_t>(l.result)] = a.result;
            accept(a);
        }
    }
    return plait::choose_formats(g, here.costs);
}

}  // namespace example
