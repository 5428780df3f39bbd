// Tags of records with numbers of any size: at each place where the grammar has a number, small ones and those beside
// powers of two that sums and products of numbers may reach. A tag or its extents are refused, or everything that is
// asked of the record ends soon, without an overflow: its laws, its description, its layouts, plans, checks of its
// bytes.

#include "fuzz/bytes.hpp"

#include <plait/io/print_record.hpp>
#include <plait/packed.hpp>

#include <algorithm>
#include <string>

using namespace plait;

namespace {

/// Draws a tag from its grammar.
class tag_drawer {
public:
    explicit tag_drawer(fuzz::byte_source& bytes) : bytes_(bytes) {}

    std::string tag() {
        std::string out = "nk: ";
        return out + (bytes_.once_in(3) ? group(0) : "nk"[0] + std::string("(") + fields(0) + ")");
    }
    dim_t extent() { return bytes_.once_in(2) ? 1 + bytes_.below(70) : std::min(number(), dim_t{1} << 58); }

private:
    dim_t number() {
        const int first = bytes_.byte();
        if (first < 150) return 1 + first % 9;
        constexpr int powers[] = {5, 8, 16, 20, 30, 31, 32, 33, 40, 57, 58, 59, 60, 61, 62, 63};
        const int power = powers[bytes_.below(16)];
        const std::uint64_t near = (std::uint64_t{1} << power) + static_cast<std::uint64_t>(bytes_.below(5)) - 2;
        return static_cast<dim_t>(std::min(near, std::uint64_t{INT64_MAX}));
    }
    std::string text(dim_t n) { return std::to_string(n); }
    char axis() { return bytes_.once_in(2) ? 'n' : 'k'; }

    std::string digit() {
        std::string out = text(number()) + axis();
        if (bytes_.once_in(3)) out += "@" + text(number());
        if (bytes_.once_in(6)) out += "!";
        if (bytes_.once_in(8)) out += std::string("-") + (out.find('n') == std::string::npos ? 'n' : 'k');
        return out;
    }
    std::string mark() {
        switch (bytes_.below(12)) {
            case 0: return std::string("/") + axis();
            case 1: return "/" + text(number()) + axis() + (bytes_.once_in(2) ? "@" + text(number()) : "");
            case 2:
                return text(number()) + axis() + "@" + text(number()) + "=" +
                       text(bytes_.once_in(3) ? number() : bytes_.below(3));
            case 3: return "<" + text(number()) + axis();
            case 4: return axis() + std::string("[") + bound() + ":" + bound() + "]";
            case 5: return std::string("~") + axis();
            default: return digit();
        }
    }
    std::string bound() { return bytes_.once_in(3) ? "" : (bytes_.once_in(2) ? "%" : "") + text(number()); }
    std::string type() {
        constexpr const char* types[] = {"u8", "u4", "u3", "s8", "f32", "s32", "f16", "u16", "f64", "u1"};
        std::string out = types[bytes_.below(10)];
        if (bytes_.once_in(5)) out += "^" + text(number());
        if (bytes_.once_in(9)) out += "*" + text(number());
        return out;
    }
    std::string content() {
        std::string out = bytes_.once_in(3) ? "=+sum(q" : "=sum(q";
        if (bytes_.once_in(2)) out += "*d";
        if (bytes_.once_in(2)) {
            out += ";";
            for (int i = bytes_.below(4); i >= 0; --i)
                out += text(number()) + axis() + (bytes_.once_in(3) ? "@" + text(number()) : "") + " ";
        }
        out += ")";
        if (bytes_.once_in(3))
            out += "*" + std::string(bytes_.once_in(2) ? "-" : "") + text(bytes_.once_in(2) ? number() : 3);
        return out;
    }
    /// Adds loops over both axes, upper case if there are digits.
    std::string letters(const std::string& marks) {
        std::string out;
        for (const char a : {'n', 'k'}) {
            if (bytes_.once_in(4)) continue;
            const bool upper = marks.find(a) != std::string::npos || bytes_.once_in(4);
            out += upper ? static_cast<char>(a - 32) : a;
        }
        return out;
    }
    std::string field() {
        constexpr const char* names[] = {"q", "d", "s", "q", "q.4", "d.63", "q.16"};
        const int which = bytes_.below(7);
        std::string marks, out = names[which];
        for (int i = bytes_.below(4); i > 0; --i) marks += " " + mark();
        out += ":" + (which == 2 ? std::string(bytes_.once_in(2) ? "f32" : "s32") : type());
        const std::string loops = letters(marks);
        out += " " + loops + marks;
        return which == 2 ? out + " " + content() : out;
    }
    std::string fields(int depth) {
        std::string out = depth < 2 && bytes_.once_in(4) ? group(depth + 1) : field();
        for (int i = bytes_.below(3); i > 0; --i) {
            out += ", ";
            if (bytes_.once_in(5)) out += std::string("_:") + (bytes_.once_in(2) ? "%" : "") + text(number());
            else out += depth < 2 && bytes_.once_in(4) ? group(depth + 1) : field();
        }
        return out;
    }
    std::string group(int depth) {
        std::string out = letters(bytes_.once_in(2) ? "nk" : "");
        for (int i = bytes_.below(3); i > 0; --i) out += " " + digit();
        return out + "(" + fields(depth) + ")";
    }

    fuzz::byte_source& bytes_;
};

/// Asks a record for everything that needs no memory as large as its index space.
void check_record(const record& r) {
    static_cast<void>(check_fields_disjoint(r));
    static_cast<void>(is_dense(r));
    static_cast<void>(same_memory(r, r));
    if (explain(r).empty()) fuzz::found("a record without a description", "explain", {});
    for (const record_field& f : r.tag.fields) {
        const std::string_view name(f.name.data(), static_cast<std::size_t>(f.name.size()));
        static_cast<void>(fibre(r, name));
        static_cast<void>(try_layout_of(r, name));
    }
    repack_options options;
    const expected<planned_repack> planned = make_repack(r, r, options);
    if (!planned.has_value() || r.size > 1 << 12) return;
    std::vector<std::byte> bytes(r.size_in_bytes()), again(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 % 61);
    (*planned)(bytes, again);
    const verdict why = verify(r, again, options);
    if (!why.ok() && why.reason != reason::indices_are_too_many) {
        std::fprintf(stderr, "%s %s\n", to_string(r).c_str(), describe(why).c_str());
        fuzz::found("what a repack wrote is damaged", "verify", {});
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::byte_source bytes(data, size);
    tag_drawer drawer(bytes);
    const dims extents{drawer.extent(), drawer.extent()};
    const std::string text = drawer.tag();
    const expected<record_tag> tag = parse_record_tag(text);
    if (!tag) {
        if (describe(tag.error()).size() == 0) fuzz::found("a refusal without a sentence", "record_tag", {});
        return 0;
    }
    const auto canonical = tag->text();
    const expected<record_tag> again = parse_record_tag(canonical.c_str());
    if (!again || !(*again == *tag)) fuzz::found("the canonical text is another tag", canonical.c_str(), {});
    const expected<record> r = try_record(*tag, extents);
    if (r) check_record(*r);
    else if (describe(r.error()).size() == 0) fuzz::found("a refusal without a sentence", "record", {});
    return 0;
}
