#include "layout_json.hpp"

#include "json_text.hpp"

#include <plait/algebra/is_injective.hpp>

namespace tool {

namespace {

json fields_of(const plait::layout& l, const std::string& tag) {
    json out;
    if (!tag.empty()) out["format"] = tag;
    out["name"] = write_layout(l, tag);
    out["dims"] = list_of(l.dims);
    if (l.kind != plait::format_kind::blocked) return out;
    out["padded_dims"] = list_of(l.padded_dims);
    out["strides"] = list_of(l.strides());
    out["offset"] = l.offset0;
    out["elements"] = l.volume();
    out["padded_elements"] = l.padded_volume();
    out["memory"] = l.element_span();
    out["dense"] = l.is_dense();
    out["injective"] = plait::is_injective(l);
    out["digits"] = json::array();
    for (const plait::digit& d : l.digits)
        out["digits"].push_back({{"axis", d.axis}, {"extent", d.extent}, {"stride", d.stride}});
    return out;
}

}  // namespace

std::string json_of(const named_layout& what) { return text_of(fields_of(what.layout, what.tag)); }

std::string json_of(const named_layout& from, const plait::layout& result) {
    return text_of({{"from", fields_of(from.layout, from.tag)}, {"result", fields_of(result, "")}});
}

std::string json_of_match(const named_layout& what, const std::string& format, const std::string& why) {
    return text_of(
        {{"layout", fields_of(what.layout, what.tag)}, {"format", format}, {"matches", why.empty()}, {"why", why}});
}

std::string json_of_difference(const named_layout& first, const named_layout& second, const plait::position& at) {
    json out{{"first", fields_of(first.layout, first.tag)}, {"second", fields_of(second.layout, second.tag)}};
    out["same"] = at.empty();
    out["at"] = at.empty() ? json() : list_of(at);
    out["offsets"] = at.empty() ? json() : json{first.layout.offset(at), second.layout.offset(at)};
    return text_of(out);
}

std::string json_of_copies(const named_layout& from, const named_layout& to, plait::dim_t count,
                           const std::vector<plait::contiguous_copy>& first) {
    json out{{"from", fields_of(from.layout, from.tag)}, {"to", fields_of(to.layout, to.tag)}, {"copies", count}};
    out["first"] = json::array();
    for (const plait::contiguous_copy& c : first)
        out["first"].push_back({{"dst", c.dst}, {"src", c.src}, {"count", c.count}});
    return text_of(out);
}

std::string json_of(const reorder_summary& what) {
    return text_of({{"from", fields_of(what.from.layout, what.from.tag)},
                    {"to", fields_of(what.to.layout, what.to.tag)},
                    {"type", what.type},
                    {"to_type", what.to_type},
                    {"isa", what.isa},
                    {"same_order", what.same_order},
                    {"copy", what.copy},
                    {"plan", what.plan}});
}

std::string json_of(const bench_summary& what) {
    return text_of({{"from", fields_of(what.from.layout, what.from.tag)},
                    {"to", fields_of(what.to.layout, what.to.tag)},
                    {"type", what.type},
                    {"to_type", what.to_type},
                    {"isa", what.isa},
                    {"bytes_read", what.bytes_read},
                    {"bytes_written", what.bytes_written},
                    {"seconds", what.seconds},
                    {"memcpy_seconds", what.memcpy_seconds},
                    {"calls", what.calls}});
}

}  // namespace tool
