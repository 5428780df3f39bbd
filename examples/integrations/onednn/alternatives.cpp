#include "alternatives.hpp"

#include <cmath>
#include <cstdio>
#include <map>

namespace example {
namespace {

using plait::layout;

std::vector<layout> dims_of_sources(const network& net, const layer& l, const plait::format_tag& format) {
    std::vector<layout> out{layout(net.tensors[static_cast<std::size_t>(l.source)], format)};
    if (l.kind == layer_kind::convolution) out.push_back(layout(l.weights, "any"));
    if (l.kind == layer_kind::addition)
        out.push_back(layout(net.tensors[static_cast<std::size_t>(l.second_source)], format));
    return out;
}

/// Returns the tag that makes exactly this layout; the graph supports no other layouts.
std::optional<plait::format_tag> exact_tag(const layout& l) {
    const auto tag = plait::tag_of(l);
    return tag && layout(l.dims, *tag) == l ? tag : std::nullopt;
}

double measure(const library& dnnl, const layer& l, const primitive& p, int calls) {
    std::vector<buffer> memory;
    std::vector<float*> sources;
    for (const layout& where : p.layouts.sources) memory.emplace_back(where.element_span() * sizeof(float));
    for (const buffer& b : memory) sources.push_back(b.data());
    const buffer bias(4096 * sizeof(float)), result(p.layouts.result.element_span() * sizeof(float));
    const auto arguments = arguments_of(dnnl, l, p.layouts, sources, bias.data(), result.data());
    dnnl::stream stream = dnnl.stream;
    return best_seconds(calls, [&] {
        p.run.execute(stream, arguments);
        stream.wait();
    });
}

/// Adds libdnnl's primitive for these formats, if it is new and its formats have layouts.
void add_alternative(const library& dnnl, const layer& l, const layer_layouts& wanted, bool is_liked, int calls,
                     std::vector<alternative>& out) {
    const plait::expected<primitive> made = make_primitive(dnnl, l, wanted);
    if (!made) {
        if (is_liked) std::printf("  liked, but left out: %s\n", describe(made.error()).c_str());
        return;
    }
    alternative added{{}, {}, made->implementation, 0, is_liked};
    for (const layout& source : made->layouts.sources)
        if (const auto tag = exact_tag(source)) added.sources.push_back(*tag);
    const auto result = exact_tag(made->layouts.result);
    if (!result || added.sources.size() != wanted.sources.size()) return;
    added.result = *result;
    for (alternative& other : out)
        if (other.sources == added.sources && other.result == added.result) {
            other.is_liked = other.is_liked || is_liked;
            return;
        }
    const plait::format_tag plain = "nchw";
    const bool is_needed = is_liked || (added.sources[0] == plain && added.result == plain);
    if (added.implementation.rfind("ref", 0) == 0 && !is_needed) return;
    added.seconds = measure(dnnl, l, *made, calls);
    out.push_back(added);
}

std::vector<alternative> alternatives_of(const library& dnnl, const network& net, const layer& l, int calls) {
    std::vector<alternative> out;
    const plait::dims& extents = net.tensors[static_cast<std::size_t>(l.result)];
    const plait::format_tag formats[] = {"nchw", "nhwc", "nChw16c", "nChw8c"};
    for (const plait::format_tag& from : formats)
        for (const plait::format_tag& to : formats)
            // Only convolutions have kernels that change the format.
            if (from == to || l.kind == layer_kind::convolution)
                add_alternative(dnnl, l, {dims_of_sources(net, l, from), layout(extents, to)}, false, calls, out);
    if (l.kind == layer_kind::convolution)
        add_alternative(dnnl, l, {dims_of_sources(net, l, "any"), layout(extents, "any")}, true, calls, out);
    return out;
}

}  // namespace

machine measure_machine(int calls) {
    const plait::dims extents{1, 64, 56, 56};
    const layout nchw(extents, "nchw"), nhwc(extents, "nhwc"), by_16(extents, "nChw16c"), by_8(extents, "nChw8c");
    const std::size_t bytes = nchw.element_span() * sizeof(float);
    const buffer from(bytes), to(bytes);
    const double copy = best_seconds(10 * calls, [&] { std::memcpy(to.data(), from.data(), bytes); });
    machine out;
    out.bytes_per_second = 2 * static_cast<double>(bytes) / copy;
    const std::pair<layout, layout> classes[] = {{nhwc, by_16}, {nhwc, by_8}, {nchw, nhwc}};
    for (int k = 0; k < 3; ++k) {
        const auto planned = plait::make_reorder(plait::descriptor(plait::data_type::f32, classes[k].first),
                                                 plait::descriptor(plait::data_type::f32, classes[k].second));
        const double took = best_seconds(10 * calls, [&] { (*planned)(from.data(), to.data()); });
        out.costs.percent[k] = static_cast<dim_t>(std::ceil(100 * took / copy));
    }
    return out;
}

std::vector<std::vector<alternative>> measure_alternatives(const library& dnnl, const network& net, int calls) {
    std::map<std::vector<dim_t>, std::vector<alternative>> known;
    std::vector<std::vector<alternative>> out;
    for (const layer& l : net.layers) {
        const plait::dims& from = net.tensors[static_cast<std::size_t>(l.source)];
        const plait::dims& to = net.tensors[static_cast<std::size_t>(l.result)];
        const std::vector<dim_t> shape{static_cast<dim_t>(l.kind), from[1], from[2], to[1], to[2], l.kernel, l.relu};
        if (!known.contains(shape)) known[shape] = alternatives_of(dnnl, net, l, calls);
        out.push_back(known[shape]);
    }
    return out;
}

}  // namespace example
