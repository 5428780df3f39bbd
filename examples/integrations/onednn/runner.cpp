#include "runner.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace example {

using plait::data_type, plait::descriptor, plait::layout;

parameters random_parameters(const network& net) {
    std::mt19937 engine(50);
    parameters out;
    for (const layer& l : net.layers) {
        if (!is_convolution(l)) continue;
        // Scaled so that results stay about as large as sources.
        const auto inputs = static_cast<float>(l.weights[1] * l.weights[2] * l.weights[3]);
        std::uniform_real_distribution<float> weight(-std::sqrt(3 / inputs), std::sqrt(3 / inputs)), bias(-0.1f, 0.1f);
        out.weights.emplace_back(static_cast<std::size_t>(plait::volume(l.weights)));
        out.biases.emplace_back(static_cast<std::size_t>(l.weights[0]));
        for (float& x : out.weights.back()) x = weight(engine);
        for (float& x : out.biases.back()) x = bias(engine);
    }
    return out;
}

std::vector<float> random_image(const network& net) {
    std::mt19937 engine(51);
    std::uniform_real_distribution<float> value(-1, 1);
    std::vector<float> out(static_cast<std::size_t>(plait::volume(net.tensors[0])));
    for (float& x : out) x = value(engine);
    return out;
}

/// Returns the memory of a tensor in a layout; shares that of another layout with the same places.
float* runner::data_of(plait::tensor_id tensor, const layout& where) {
    std::list<form>& forms = forms_[static_cast<std::size_t>(tensor.number)];
    for (const form& f : forms)
        if (same_memory(f.where, where) && f.where.element_span() == where.element_span()) return f.memory->data();
    forms.push_back({where, std::make_unique<buffer>(where.element_span() * sizeof(float))});
    return forms.back().memory->data();
}

void runner::add_reorder(const plait::graph_reorder& r, reorders_by who) {
    const layout from = formats_.from(r), to = formats_.to(r);
    float *const in = data_of(r.tensor, from), *const out = data_of(r.tensor, to);
    if (who == reorders_by::plait) {
        const auto planned = plait::make_reorder(descriptor(data_type::f32, from), descriptor(data_type::f32, to));
        plait::require(planned.error());
        steps_.push_back([in, out, planned] { (*planned)(in, out); });
        return;
    }
    const dnnl::memory source(dnnl::memory::desc(plait::to_onednn({data_type::f32, from})), dnnl_.engine, in);
    const dnnl::memory target(dnnl::memory::desc(plait::to_onednn({data_type::f32, to})), dnnl_.engine, out);
    const dnnl::reorder reorder(source, target);
    const std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}};
    steps_.push_back([this, reorder, arguments] {
        dnnl::stream stream = dnnl_.stream;
        reorder.execute(stream, arguments);
        stream.wait();
    });
}

void runner::add_layer(const network& net, int number, plait::tensor_id weights, const std::vector<float>& bias) {
    const layer& l = net.layers[static_cast<std::size_t>(number)];
    int port = 0;
    for (int i = 0; i < number; ++i)
        port += net.layers[static_cast<std::size_t>(i)].kind == layer_kind::pooling ? 2 : 3;
    std::vector<plait::tensor_id> sources{{l.source}};
    if (l.kind == layer_kind::convolution) sources.push_back(weights);
    if (l.kind == layer_kind::addition) sources.push_back({l.second_source});
    layer_layouts wanted;
    std::vector<float*> data;
    for (const plait::tensor_id source : sources) {
        wanted.sources.push_back(formats_.layout_in(source, formats_.port_formats[port++]));
        data.push_back(data_of(source, wanted.sources.back()));
    }
    wanted.result = formats_.layout_in({l.result}, formats_.port_formats[port]);
    const primitive made = make_primitive(dnnl_, l, wanted).value();
    biases_.push_back(std::make_unique<buffer>((bias.size() + 1) * sizeof(float)));
    std::copy(bias.begin(), bias.end(), biases_.back()->data());
    const auto arguments =
        arguments_of(dnnl_, l, wanted, data, biases_.back()->data(), data_of({l.result}, wanted.result));
    steps_.push_back([this, made, arguments] {
        dnnl::stream stream = dnnl_.stream;
        made.run.execute(stream, arguments);
        stream.wait();
    });
}

runner::runner(const library& dnnl, const network& net, const choice& formats, const parameters& values,
               reorders_by who)
    : dnnl_(dnnl), formats_(formats), forms_(static_cast<std::size_t>(formats.tensors.size())) {
    const int last = static_cast<int>(net.tensors.size()) - 1;
    for (std::size_t k = 0; k < values.weights.size(); ++k) {
        const plait::tensor_id tensor{last + 1 + static_cast<int>(k)};
        float* const data = data_of(tensor, layout(formats.tensors[tensor.number].dims, "oihw"));
        std::copy(values.weights[k].begin(), values.weights[k].end(), data);
    }
    for (const plait::graph_reorder& r : formats.reorders)
        if (r.is_ahead) add_reorder(r, reorders_by::plait);
    for (const std::function<void()>& step : steps_) step();
    steps_.clear();

    const layout image(net.tensors.front(), "nchw"), result(net.tensors.back(), "nchw");
    image_ = data_of({0}, image);
    made_ = data_of({last}, result);
    result_.resize(static_cast<std::size_t>(plait::volume(result.dims)));
    const auto reorders_behind = [&](int operation) {
        for (const plait::graph_reorder& r : formats.reorders)
            if (!r.is_ahead && r.behind == operation) add_reorder(r, who);
    };
    reorders_behind(-1);
    for (const int number : formats.order) {
        const auto begin = net.layers.begin(), here = begin + number;
        const auto k = static_cast<std::size_t>(std::count_if(begin, here, is_convolution));
        add_layer(net, number, {last + 1 + static_cast<int>(k)},
                  is_convolution(*here) ? values.biases[k] : std::vector<float>());
        reorders_behind(number);
    }
}

const std::vector<float>& runner::operator()(const std::vector<float>& image) {
    std::copy(image.begin(), image.end(), image_);
    for (const std::function<void()>& step : steps_) step();
    std::copy(made_, made_ + result_.size(), result_.begin());
    return result_;
}

}  // namespace example
