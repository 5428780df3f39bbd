#include "primitives.hpp"

namespace example {
namespace {

dnnl::memory::desc described(const plait::layout& l) {
    return dnnl::memory::desc(plait::to_onednn({plait::data_type::f32, l}));
}

/// Reads the layouts that a primitive descriptor has selected.
template <class Descriptor>
plait::verdict read_back(const Descriptor& made, const std::vector<dnnl::memory::desc>& sources, primitive& out) {
    const auto read = [](const dnnl::memory::desc& md, plait::layout& to) {
        const plait::expected<plait::descriptor> said = plait::try_from_onednn(md.data);
        if (said) to = said->layout;
        return said.error();
    };
    for (const dnnl::memory::desc& md : sources) {
        out.layouts.sources.emplace_back();
        if (const plait::verdict why = read(md, out.layouts.sources.back()); !why.ok()) return why;
    }
    out.implementation = made.impl_info_str();
    out.run = dnnl::primitive(made);
    return read(made.dst_desc(), out.layouts.result);
}

dnnl::primitive_attr with_relu(bool wanted) {
    dnnl::primitive_attr out;
    if (!wanted) return out;
    dnnl::post_ops after;
    after.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
    out.set_post_ops(after);
    return out;
}

plait::verdict make(const library& dnnl, const layer& l, const layer_layouts& wanted, primitive& out) {
    constexpr auto forward = dnnl::prop_kind::forward_inference;
    const dnnl::memory::dims strides{l.stride, l.stride}, kernel{l.kernel, l.kernel}, padding{l.padding, l.padding};
    const dnnl::memory::desc src = described(wanted.sources[0]), dst = described(wanted.result);
    if (l.kind == layer_kind::pooling) {
        const dnnl::pooling_forward::desc what(forward, dnnl::algorithm::pooling_max, src, dst, strides, kernel,
                                               padding, padding);
        const dnnl::pooling_forward::primitive_desc made(what, dnnl.engine);
        return read_back(made, {made.src_desc()}, out);
    }
    const dnnl::memory::desc second = described(wanted.sources[1]);
    if (l.kind == layer_kind::addition) {
        const dnnl::binary::desc what(dnnl::algorithm::binary_add, src, second, dst);
        const dnnl::binary::primitive_desc made(what, with_relu(l.relu), dnnl.engine);
        return read_back(made, {made.src0_desc(), made.src1_desc()}, out);
    }
    const dnnl::memory::desc bias = described(plait::layout({l.weights[0]}, "a"));
    const dnnl::convolution_forward::desc what(forward, dnnl::algorithm::convolution_direct, src, second, bias, dst,
                                               strides, padding, padding);
    const dnnl::convolution_forward::primitive_desc made(what, with_relu(l.relu), dnnl.engine);
    return read_back(made, {made.src_desc(), made.weights_desc()}, out);
}

}  // namespace

plait::expected<primitive> make_primitive(const library& dnnl, const layer& l, const layer_layouts& wanted) {
    plait::expected<primitive> out;
    try {
        out.error() = make(dnnl, l, wanted, *out);
    } catch (const dnnl::error& e) {
        out.error() = {plait::reason::library_refuses, -1, e.status};
    }
    return out;
}

std::unordered_map<int, dnnl::memory> arguments_of(const library& dnnl, const layer& l, const layer_layouts& layouts,
                                                   const std::vector<float*>& sources, float* bias, float* result) {
    const auto memory = [&](const plait::layout& where, float* data) {
        return dnnl::memory(described(where), dnnl.engine, data);
    };
    std::unordered_map<int, dnnl::memory> out;
    out[l.kind == layer_kind::addition ? DNNL_ARG_SRC_0 : DNNL_ARG_SRC] = memory(layouts.sources[0], sources[0]);
    if (l.kind == layer_kind::addition) out[DNNL_ARG_SRC_1] = memory(layouts.sources[1], sources[1]);
    if (l.kind == layer_kind::convolution) {
        out[DNNL_ARG_WEIGHTS] = memory(layouts.sources[1], sources[1]);
        out[DNNL_ARG_BIAS] = memory(plait::layout({l.weights[0]}, "a"), bias);
    }
    out[DNNL_ARG_DST] = memory(layouts.result, result);
    return out;
}

}  // namespace example
