#include "record_json.hpp"

#include "json_text.hpp"

#include <plait/io/print_record.hpp>

#include <cstdio>

namespace tool {

namespace {

std::string axis_of(const plait::record& r, int axis) { return std::string(1, r.tag.axes[axis]); }

json digits_of(const plait::record& r, const plait::record_piece& piece) {
    json out = json::array();
    for (const auto& d : piece.digits)
        out.push_back({{"axis", axis_of(r, d.axis)},
                       {"step", d.step},
                       {"extent", d.extent},
                       {"stride", d.stride},
                       {"turned_by", d.turned_by < 0 ? json() : json(axis_of(r, d.turned_by))}});
    return out;
}

json conditions_of(const plait::record& r, const plait::record_piece& piece) {
    json out = json::array();
    for (const auto& c : piece.where) {
        json made{{"axis", axis_of(r, c.axis)}};
        if (c.extent == 0) made.update({{"first", c.first}, {"end", c.last}});
        else made.update({{"step", c.step}, {"extent", c.extent}, {"value", c.first}});
        out.push_back(made);
    }
    return out;
}

json fields_of(const plait::record& r) {
    const plait::detail::bit_usage usage = plait::detail::usage_of(r);
    const plait::verdict why = plait::check_fields_disjoint(r);
    const plait::detail::record_columns columns(r);
    json out{{"tag", plait::to_string(r.tag)}, {"dims", list_of(r.dims)}, {"size", r.size_in_bytes()}};
    out["padding_bits"] = usage.padding;
    out["gap_bits"] = usage.gaps + 8 * static_cast<plait::dim_t>(r.size_in_bytes()) - r.size_in_bits;
    out["overlap"] = why.ok() ? json() : json(plait::describe(why).c_str());
    out["fields"] = json::array();
    for (const auto& piece : r.pieces) {
        const plait::record_field& f = r.field_of(piece);
        const bool has_type = f.type != plait::data_type::undef;
        out["fields"].push_back({{"name", f.name.c_str()},
                                 {"type", has_type ? plait::to_string(f.type) : "u" + std::to_string(f.width)},
                                 {"low", f.low},
                                 {"width", f.width},
                                 {"begin", piece.at},
                                 {"origin", list_of(piece.origin)},
                                 {"share", list_of(plait::fibre(r, f.name.c_str()))},
                                 {"flipped", f.flipped},
                                 {"subtracted", f.subtracted},
                                 {"factor", f.factor},
                                 {"content", columns.content(f)},
                                 {"digits", digits_of(r, piece)},
                                 {"where", conditions_of(r, piece)}});
    }
    return out;
}

}  // namespace

std::string json_of(const plait::record& r) { return text_of(fields_of(r)); }

std::string json_of(const blob_file& blob) {
    char checksum[17];
    std::snprintf(checksum, sizeof checksum, "%016llx", static_cast<unsigned long long>(blob.content.checksum));
    return text_of({{"blob", blob.bytes->name()},
                    {"bytes", blob.bytes->bytes().size()},
                    {"key", blob.content.key.c_str()},
                    {"checksum", blob.content.checksum == 0 ? json() : json(checksum)},
                    {"record", fields_of(blob.content.record)}});
}

}  // namespace tool
