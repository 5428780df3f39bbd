#pragma once
// Records of packed weights as text: one line, or a table of the fields; and how a repack moves each field.

#include <plait/io/print.hpp>
#include <plait/io/text_table.hpp>
#include <plait/packed/record_laws.hpp>
#include <plait/packed/repack.hpp>

#include <cstdio>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns the canonical text of a record's tag.
///
/// Post:    parse_record_tag(to_string(t)) == t
/// Example: to_string(record_tag("nk:(w:u4 nk)")) == "nk: w:u4 nk"
inline std::string to_string(const record_tag& t) { return t.text().c_str(); }
/// Returns the canonical text of a record's tag, and the extents.
///
/// Pre:     r is the result of try_record
/// Cost:    allocates the text
/// Source:  docs/packed.md
/// Example: to_string(record("nk: w:u4 nk", {2, 3})) == "nk: w:u4 nk 2x3"
inline std::string to_string(const record& r) { return to_string(r.tag) + ' ' + to_string(r.dims); }

/// Writes a record's tag, or a record, to a stream, as to_string returns it.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const record_tag& t) {
    return out << to_string(t).c_str();
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const record& r) {
    return out << to_string(r).c_str();
}

namespace detail {
/// Returns the text of one column of the table of fields.
class record_columns {
public:
    explicit record_columns(const record& r) : r_(r) {}

    /// The stored type, and the map of values: "u4^8".
    static std::string type(const record_field& f) {
        std::string out = f.type == data_type::undef ? "u" + std::to_string(f.width) : std::string(to_string(f.type));
        if (f.flipped != 0) out += '^' + std::to_string(f.flipped);
        if (f.subtracted != 0) out += '-' + std::to_string(f.subtracted);
        return f.factor != 1 ? out + '*' + number(f.factor) : out;
    }
    /// The bits of a value that a piece has: "0-3".
    static std::string bits(const record_field& f) {
        return std::to_string(f.low) + '-' + std::to_string(f.low + f.width - 1);
    }
    /// The digits of a piece, the outermost of each axis first, with the stride of each in bits: "n 16:9216 4:16".
    std::string strides(const record_piece& piece) const {
        std::string out;
        for (int a = 0; a < r_.ndims(); ++a) {
            out += (a == 0 ? "" : "  ") + std::string(1, letter(a));
            const axis_digits digits(piece, a);
            const std::string before = out;
            for (int k = digits.list.size() - 1; k >= 0; --k)
                if (digits.list[k].place >= 0) out += ' ' + digit(piece.digits[digits.list[k].place]);
            if (out == before) out += " -";
        }
        return out;
    }
    /// The indices for which a piece is stored: "n 0-63", "n/4%2=1"; "all".
    std::string where(const record_piece& piece) const {
        std::string out;
        for (const piece_condition& c : piece.where) {
            out += out.empty() ? "" : ", ";
            if (c.extent == 0) {
                out += letter(c.axis) + (' ' + std::to_string(c.first)) + '-' + std::to_string(c.last - 1);
                continue;
            }
            out += letter(c.axis) + (c.step > 1 ? '/' + std::to_string(c.step) : "") + '%' + std::to_string(c.extent) +
                   '=' + std::to_string(c.first);
        }
        return out.empty() ? "all" : out;
    }
    /// The values that a field has: "given", "sum of q times 16".
    std::string content(const record_field& f) const {
        const field_content& c = f.content;
        std::string out = c.kind == field_content::given ? "given" : c.kind == field_content::sum ? "" : "given + ";
        if (c.kind != field_content::given) {
            const std::string of = c.of.c_str();
            out += "sum of " + (c.subtracted == 0 ? of : '(' + of + " - " + std::to_string(c.subtracted) + ')');
            if (c.times.size() > 0) out += std::string(" times ") + c.times.c_str();
            if (c.factor != 1) out += " times " + number(c.factor);
            if (c.parameter.size() > 0) out += std::string(" times ") + c.parameter.c_str();
        }
        for (int a = 0; a < r_.ndims(); ++a) {
            if ((f.repeated_axes >> a & 1) != 0) out += std::string(", padding repeats ") + letter(a);
            if ((f.valued_axes >> a & 1) != 0)
                out += std::string(", padding of ") + letter(a) + " is " + std::to_string(f.padding);
        }
        return out;
    }

private:
    char letter(int axis) const { return r_.tag.axes[axis]; }
    static std::string number(double value) {
        char text[40];
        std::snprintf(text, sizeof text, "%.15g", value);
        return text;
    }
    std::string digit(const piece_digit& d) const {
        std::string out = std::to_string(d.extent) + ':' + std::to_string(d.stride);
        return d.turned_by < 0 ? out : out + '-' + letter(d.turned_by);
    }

    const record& r_;
};
}  // namespace detail

/// Describes a record in several lines: its text, its size, the bits that no value has, and a table of its fields. Each
/// piece of a field has a row: its type, its bits, the bit of the record at which it begins, how many indices share a
/// value, the digits of each axis with their strides in bits, the indices for which it is stored, and the content.
///
/// Pre:     r is the result of try_record
/// Post:    a line for each piece of each field
/// Cost:    allocates
/// Source:  plait's own
/// Example: explain(record("nk: NK(d:f16 4n /32k, q:u4 2k 4n 8k 2k@16)", {8, 64})) has "n 2:1152 4:16  k 2:576"
inline std::string explain(const record& r) {
    const detail::bit_usage usage = detail::usage_of(r);
    const std::string bytes = detail::count_of(static_cast<dim_t>(r.size_in_bytes()), "byte");
    std::string out = detail::line_of("record", to_string(r.tag)) + detail::line_of("dims", to_string(r.dims));
    const dim_t end = 8 * static_cast<dim_t>(r.size_in_bytes()) - r.size_in_bits;
    out += detail::line_of("size", bytes + ", of which " + detail::count_of(usage.padding, "bit") + " of padding, " +
                                       detail::count_of(usage.gaps + end, "bit") + " between and after fields");
    const verdict why = check_fields_disjoint(r);
    if (!why.ok()) out += detail::line_of("overlap", describe(why).c_str());
    const detail::record_columns columns(r);
    detail::text_table table;
    table.add_row({"name", "type", "bits", "begin", "share", "strides in bits", "stored for", "content"});
    for (const record_piece& piece : r.pieces) {
        const record_field& f = r.field_of(piece);
        table.add_row({f.name.c_str(), columns.type(f), columns.bits(f), std::to_string(piece.at),
                       to_string(fibre(r, f.name.c_str())), columns.strides(piece), columns.where(piece),
                       columns.content(f)});
    }
    return out + table.text("fields");
}

namespace detail {
/// Reads what a planned repack keeps.
struct explained_repack {
    static bool is_planned(const planned_repack& r) { return !r.plan_.is_empty(); }
    static dim_t movers(const planned_repack& r) { return compiled_repack::movers(*r.plan_); }
    static used_mover mover_at(const planned_repack& r, dim_t number) {
        return compiled_repack::mover_at(*r.plan_, number);
    }
};
inline const char* text_of(mover how) {
    constexpr const char* texts[] = {"permutes of bytes", "a reorder",    "a table of bits",
                                     "value by value",    "sums of rows", "sums value by value"};
    return texts[static_cast<int>(how)];
}
}  // namespace detail

/// Describes a repack in several lines: its bytes, its chunks, and what moves each field on this CPU, or sums it.
///
/// Pre:     none: the result of make_repack, or a repack that is not planned
/// Post:    a line for each mover of each field; none for the padding
/// Cost:    allocates
/// Source:  plait's own
/// Example: explain(make_repack(q4_0, q4_0_8x8).value()) has "q     permutes of bytes       1  avx512"
inline std::string explain(const planned_repack& r) {
    using detail::explained_repack, detail::line_of, detail::count_of;
    if (!explained_repack::is_planned(r)) return line_of("repack", "not planned");
    const std::string bytes = count_of(static_cast<dim_t>(r.dst_size_in_bytes()), "byte");
    std::string out = line_of("repack", count_of(static_cast<dim_t>(r.src_size_in_bytes()), "byte") + " to " + bytes +
                                            ", in " + count_of(r.chunks(), "chunk"));
    detail::text_table table;
    table.add_row({"name", "moved by", "pieces", "instructions"});
    for (dim_t i = 0; i < explained_repack::movers(r); ++i) {
        const detail::used_mover m = explained_repack::mover_at(r, i);
        table.add_row({m.field.c_str(), detail::text_of(m.how), std::to_string(m.pieces), to_string(m.instructions)});
    }
    return out + table.text("fields");
}

}  // namespace plait
