#include "read_graph.hpp"

#include "json_fields.hpp"

#include <plait/algebra/format_name.hpp>

#include <map>

namespace tool {
namespace {

template <class Numbers>
Numbers axis_numbers(const fields& from, const char* field) {
    Numbers out;
    const std::vector<std::int64_t> numbers = from.numbers(field);
    if (numbers.size() > plait::max_ndims) from.refuse(std::string("the field '") + field + "' has more than 12 axes");
    for (const std::int64_t number : numbers) out.push_back(number);
    return out;
}

plait::format_tag read_format(const fields& from, const std::string& text) {
    const auto tag = plait::parse_format_tag(text);
    if (!tag) from.refuse("format '" + text + "': " + plait::describe(plait::check_format_tag(text)).c_str());
    return *tag;
}

template <class Enum>
Enum read_enumerator(const fields& from, const char* field, int count) {
    std::string names;
    for (int k = 0; k < count; ++k) {
        const std::string name = to_string(static_cast<Enum>(k));
        if (from.text(field) == name) return static_cast<Enum>(k);
        names += (k == 0 ? "" : ", ") + name;
    }
    from.refuse(std::string(field) + " '" + from.text(field) + "' is none of " + names);
}

/// Reads tensors, then operations, which refer to them by name.
class graph_reader {
public:
    graph_reader(const std::string& path, named_graph& out) : path_(path), out_(out) {
        const json whole = read_json(path);
        const fields top(whole, path, {"tensors", "operations"});
        int number = 0;
        for (const json& one : top.list("tensors")) add_tensor(one, number++);
        number = 0;
        for (const json& one : top.list("operations")) add_operation(one, number++);
        if (number == 0) top.refuse("the field 'operations' is missing or empty");
    }

private:
    const std::string& path_;
    named_graph& out_;
    std::map<std::string, int> tensors_, operations_;

    /// Returns "tensor 'image'", or its number if it has no name yet.
    std::string called(const json& object, const char* what, int number) const {
        const bool named = object.is_object() && object.contains("name") && object.at("name").is_string();
        return path_ + ": " + what + ' ' +
               (named ? '\'' + object.at("name").get<std::string>() + '\'' : std::to_string(number));
    }
    static void remember(std::map<std::string, int>& known, std::vector<std::string>& names, const fields& from,
                         int number) {
        const std::string name = from.text("name", std::to_string(number));
        for (const char c : name)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) from.refuse("the name has a control character");
        if (name.empty() || !known.emplace(name, number).second) from.refuse("the name is empty, or there twice");
        names.push_back(name);
    }

    /// Keeps a format as it is written in the file, to print it so.
    void keep_format(int tensor, const std::string& written, const plait::format_tag& tag) {
        if (tag.kind != plait::format_kind::blocked) return;
        plait::layout_name letters;
        plait::append_tag(letters, tag, plait::axis_families[0].letters);
        out_.names.formats.push_back({tensor, letters.c_str(), written});
    }

    void add_tensor(const json& object, int number) {
        const fields from(object, called(object, "tensor", number),
                          {"name", "dims", "type", "format", "strides", "constant"});
        remember(tensors_, out_.names.tensors, from, number);
        const auto dims = axis_numbers<plait::dims>(from, "dims");
        const auto type = plait::parse_data_type(from.text("type"));
        if (!type || *type == plait::data_type::undef) from.refuse("type '" + from.text("type") + "' is no data type");
        const plait::format_tag format = read_format(from, from.text("format", "any"));
        if (from.has("format")) keep_format(number, from.text("format"), format);
        if (!from.has("strides")) {
            if (format.kind == plait::format_kind::blocked)
                if (const plait::verdict why = plait::check_layout(dims, format); !why.ok())
                    from.refuse(plait::describe(why).c_str());
            if (from.flag("constant")) out_.graph.constant(dims, *type, format);
            else out_.graph.tensor(dims, *type, format);
            return;
        }
        const auto steps = axis_numbers<plait::strides>(from, "strides");
        const auto made = from.has("format") ? plait::try_layout(dims, format, steps) : plait::try_layout(dims, steps);
        if (!made) from.refuse(plait::describe(made.error()).c_str());
        const plait::tensor_id added = out_.graph.tensor(*made, *type);
        out_.graph.tensors[added.number].is_constant = from.flag("constant");
    }

    std::vector<plait::tensor_id> read_tensors(const fields& from, const char* field) const {
        std::vector<plait::tensor_id> out;
        for (const std::string& name : from.texts(field)) {
            const auto found = tensors_.find(name);
            if (found == tensors_.end())
                from.refuse("port " + std::to_string(out.size()) + " of '" + field + "' names '" + name +
                            "', which is no tensor");
            out.push_back({found->second});
        }
        return out;
    }

    void add_operation(const json& object, int number) {
        const std::string name = called(object, "operation", number);
        if (object.is_object() && object.contains("view")) {
            const fields from(object, name, {"name", "view", "sources", "results", "axes", "offsets", "axis"});
            remember(operations_, out_.names.operations, from, number);
            return add_view(from);
        }
        const fields from(object, name,
                          {"name", "kind", "propagation", "sources", "results", "alternatives", "in_place", "hint"});
        remember(operations_, out_.names.operations, from, number);
        const auto kind =
            read_enumerator<plait::primitive_kind>(from, "kind", static_cast<int>(plait::primitive_kind::binary) + 1);
        const auto direction = from.has("propagation") ? read_propagation(from) : plait::usual_propagation(kind);
        const auto sources = read_tensors(from, "sources"), results = read_tensors(from, "results");
        auto added = out_.graph.operation(kind, direction, sources, results);
        int k = 0;
        std::vector<plait::tensor_id> ports = sources;
        ports.insert(ports.end(), results.begin(), results.end());
        for (const json& one : from.list("alternatives")) add_alternative(one, from, k++, sources.size(), ports, added);
        if (from.has("in_place")) {
            const std::int64_t port = from.number("in_place");
            if (port < 0 || port >= static_cast<std::int64_t>(sources.size())) from.refuse("'in_place' is no source");
            added.in_place(static_cast<int>(port));
        }
        if (from.has("hint")) {
            const auto forward = operations_.find(from.text("hint"));
            if (forward == operations_.end()) from.refuse("hint '" + from.text("hint") + "' is no operation before it");
            added.hint(forward->second);
        }
    }
    static plait::propagation read_propagation(const fields& from) {
        const std::string text = from.text("propagation");
        if (text == "forward") return plait::propagation::forward;
        if (text == "backward") return plait::propagation::backward;
        from.refuse("propagation '" + text + "' is neither forward nor backward");
    }
    template <class Builder>
    void add_alternative(const json& object, const fields& of, int number, std::size_t sources,
                         const std::vector<plait::tensor_id>& ports, Builder& added) {
        const fields from(object, of.called() + ", alternative " + std::to_string(number), {"formats", "cost"});
        std::vector<plait::format_tag> in, out;
        for (const std::string& text : from.texts("formats")) {
            const std::size_t port = in.size() + out.size();
            const plait::format_tag format = read_format(from, text);
            if (port < ports.size()) keep_format(ports[port].number, text, format);
            (in.size() < sources ? in : out).push_back(format);
        }
        added.accepts(in, out, from.has("cost") ? from.number("cost") : 0);
    }

    void add_view(const fields& from) {
        const auto kind =
            read_enumerator<plait::view_kind>(from, "view", static_cast<int>(plait::view_kind::concatenate) + 1);
        const bool joins = kind == plait::view_kind::concatenate;
        const auto sources = read_tensors(from, "sources"), results = read_tensors(from, "results");
        if (results.size() != 1 || sources.empty() || (!joins && sources.size() != 1))
            from.refuse(joins ? "a concatenation has one result, and at least one source"
                              : "a view has one source and one result");
        plait::graph_view what{kind, {}};
        const auto only = [&](const char* field, bool wanted) {
            if (from.has(field) != wanted)
                from.refuse(std::string("the field '") + field + (wanted ? "' is missing" : "' does not belong here"));
            return wanted;
        };
        if (only("axes", kind == plait::view_kind::permute_axes))
            what.numbers = axis_numbers<plait::position>(from, "axes");
        if (only("offsets", kind == plait::view_kind::submemory))
            what.numbers = axis_numbers<plait::position>(from, "offsets");
        if (only("axis", joins)) what.numbers = {from.number("axis")};
        out_.graph.add_view(sources, what, results[0]);
    }
};

}  // namespace

named_graph read_graph(const std::string& path) {
    named_graph out;
    const graph_reader read(path, out);
    return out;
}

void read_factors(const std::string& path, plait::cost_options& options) {
    const json whole = read_json(path);
    const fields from(whole.is_object() && whole.contains("percent") ? whole.at("percent") : whole, path + ": percent",
                      {"runs", "pieces", "transposition"});
    const char* const names[] = {"runs", "pieces", "transposition"};
    for (int k = 0; k < 3; ++k) {
        options.percent[k] = from.number(names[k]);
        if (options.percent[k] < 1 || options.percent[k] > 1'000'000)
            from.refuse(std::string("the factor '") + names[k] + "' is not between 1 and 1000000 hundredths");
    }
}

std::string describe(const plait::verdict& why, const named_graph& named) {
    std::string out = plait::describe(why).c_str();
    const auto operation = [&](plait::dim_t number) {
        const int n = static_cast<int>(number);
        if (n >= 0 && n < named.graph.operations.size())
            out += "; operation " + std::to_string(n) + " is '" + named.names.operation(n) + '\'';
    };
    const auto tensor = [&](plait::dim_t number) {
        const int n = static_cast<int>(number);
        if (n >= 0 && n < named.graph.tensors.size())
            out += "; tensor " + std::to_string(n) + " is '" + named.names.tensor(n) + '\'';
    };
    const auto port = [&] {
        operation(why.first);
        if (why.axis >= 0) tensor(named.graph.tensor_at(static_cast<int>(why.first), why.axis));
    };
    switch (why.reason) {
        case plait::reason::tensor_has_two_producers: tensor(why.first), operation(why.second); break;
        case plait::reason::tensor_is_given_and_made: tensor(why.first), operation(why.second); break;
        case plait::reason::graph_has_cycle:
        case plait::reason::hint_does_not_fit: operation(why.first), operation(why.second); break;
        case plait::reason::port_rank_differs:
        case plait::reason::port_cannot_have_format:
        case plait::reason::port_has_no_format: port(); break;
        case plait::reason::in_place_does_not_fit: operation(why.first), tensor(why.third); break;
        case plait::reason::port_extents_differ:
        case plait::reason::ports_do_not_match:
        case plait::reason::propagation_does_not_apply:
        case plait::reason::operation_has_no_alternative:
        case plait::reason::costs_overflow:
        case plait::reason::view_does_not_fit: operation(why.first); break;
        case plait::reason::tensor_format_is_open:
        case plait::reason::tensor_cost_overflows: tensor(why.first); break;
        default: break;
    }
    return out;
}

}  // namespace tool
