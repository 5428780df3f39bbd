#include "stored_field.hpp"

#include <algorithm>

namespace tool {

namespace {

using plait::detail::record_node, plait::detail::record_part;

/// Returns the nodes of the loops around a field and of its marks; nothing if several parts of the tag have its name.
std::optional<std::vector<record_node>> nodes_of(const plait::record_tag& tag, int field) {
    std::vector<record_node> path, out;
    std::vector<std::size_t> groups;
    std::size_t pending = 0;
    for (int i = 0; i < tag.nodes.size(); ++i) {
        const record_node& n = tag.nodes[i];
        if (n.part == record_part::open) {
            groups.push_back(path.size() - pending);
            pending = 0;
        } else if (n.part == record_part::close) {
            path.resize(groups.back());
            groups.pop_back();
        } else if (n.part == record_part::field) {
            const bool is_wanted = n.field == field;
            if (is_wanted) {
                if (!out.empty()) return std::nullopt;
                out.push_back(n);
                out.insert(out.end(), path.begin(), path.end());
            }
            for (++i; tag.nodes[i].part != record_part::end; ++i)
                if (is_wanted) out.push_back(tag.nodes[i]);
            if (is_wanted) out.push_back(tag.nodes[i]);
        } else if (n.part == record_part::loop) {
            path.push_back(n);
            ++pending;
        }
    }
    return out;
}

/// Returns the record of one field.
std::optional<plait::record> record_of(const plait::record& r, const plait::field_name& name) {
    int field = -1;
    for (int i = 0; i < r.tag.fields.size(); ++i) {
        if (!(r.tag.fields[i].name == name)) continue;
        if (field >= 0) return std::nullopt;
        field = i;
    }
    if (field < 0) return std::nullopt;
    plait::record_tag tag;
    tag.axes = r.tag.axes;
    tag.fields.push_back(r.tag.fields[field]);
    tag.fields[0].content = {};
    const auto nodes = nodes_of(r.tag, field);
    for (record_node n : *nodes) {
        n.field = n.part == record_part::field || n.part == record_part::end ? 0 : n.field;
        // The steps are known; with fewer loops the rule may give others.
        n.marked = n.extent > 0 && n.part != record_part::range && n.part != record_part::ragged;
        if (n.extent == 0 && n.part == record_part::loop) n.value = n.step > 1;
        tag.nodes.push_back(n);
    }
    if (!plait::detail::resolve_steps(tag).ok()) return std::nullopt;
    const plait::expected<plait::record> out = plait::try_record(tag, r.dims);
    if (!out.has_value() || out->pieces.size() != 1) return std::nullopt;
    return *out;
}

}  // namespace

bool is_words(const array_type& type, plait::data_type field) {
    const bool is_integer = type.name.size() > 1 && (type.name[1] == 'i' || type.name[1] == 'u');
    return is_integer && type.bytes > 1 && type.type != field && plait::size_in_bits(field) <= 8 &&
           type.type != plait::data_type::bf16;
}

std::optional<stored_field> stored_field_of(const plait::record& r, const plait::field_name& name, int word_bits) {
    std::optional<plait::record> record = record_of(r, name);
    if (!record) return std::nullopt;
    stored_field out{*record, {}};
    const plait::record_piece& piece = out.record.pieces[0];
    plait::dim_t inside = out.record.tag.fields[0].width;  // bits
    for (const plait::piece_digit& d : piece.digits) {     // from the innermost
        if (d.extent == 1) continue;
        if (d.turned_by >= 0) return std::nullopt;
        plait::dim_t left = d.extent;
        if (inside < word_bits) {
            if (left == 0) return std::nullopt;
            const plait::dim_t wanted = word_bits / inside, taken = std::min(wanted, left);
            if (word_bits % inside != 0 || wanted % taken != 0 || left % taken != 0) return std::nullopt;
            inside *= taken;
            left /= taken;
        }
        if (left != 1) out.shape.push_back(left);
    }
    if (inside != word_bits) return std::nullopt;
    std::reverse(out.shape.begin(), out.shape.end());
    return out;
}

bool joins_axes(const std::vector<std::int64_t>& words, const std::vector<std::int64_t>& shape) {
    std::size_t at = 0;
    for (const std::int64_t extent : shape) {
        std::int64_t joined = 1;
        while (joined != extent && (joined < extent || extent == 0) && at < words.size()) joined *= words[at++];
        if (joined != extent) return false;
    }
    return at == words.size();
}

}  // namespace tool
