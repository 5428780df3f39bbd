// The fragments of docs/packed.md and docs/coming-from/ggml.md, each in its own scope, and checks of their pictures and
// tables: a picture is drawn from the places of its record, and rows of tables are tags that are read.
#include <plait/packed.hpp>

#include <plait/io/print_record.hpp>
#include <plait/packed/formats.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

void expect_at(bool holds, int line) {
    if (holds) return;
    std::fprintf(stderr, "docs/packed.md or docs/coming-from/ggml.md, line %d: not so\n", line);
    std::exit(1);
}
// This is a macro because __LINE__ must be the line in the document.
#define expect(...) expect_at((__VA_ARGS__), __LINE__)

using plait::dim_t;

/// The contents of half a byte: a field, and the index of the value.
struct half {
    std::string field;
    dim_t n = 0, k = 0;
    bool is_next(const half& before) const { return field == before.field && n == before.n && k == before.k + 1; }
    bool operator==(const half&) const = default;
};

std::string text_of(const half& h) {
    if (h.field.empty()) return "-";
    return h.field + "(" + std::to_string(h.n) + "," + std::to_string(h.k) + ")";
}

/// Returns what the halves of the bytes of a record with two axes hold; values that are shared, by their first index.
std::vector<std::array<half, 2>> halves_of(const plait::record& r) {
    std::vector<std::array<half, 2>> out(r.size_in_bytes());
    for (const plait::record_piece& piece : r.pieces)
        for (dim_t n = r.dims[0] - 1; n >= 0; --n)
            for (dim_t k = r.dims[1] - 1; k >= 0; --k) {
                if (!piece.holds({n, k})) continue;
                const plait::record_field& field = r.field_of(piece);
                const dim_t first = piece.place({n, k});
                for (dim_t bit = first; bit < first + field.width; ++bit)
                    out[static_cast<std::size_t>(bit / 8)][bit % 8 / 4] = {field.name.c_str(), n, k};
            }
    return out;
}

/// Draws a record: a line for each run of bytes whose low and high halves are consecutive values of a row. Lines after
/// the first `lines` are left out.
std::string drawn(const plait::record& r, int lines) {
    const auto halves = halves_of(r);
    std::string out = "bytes        low half              high half\n";
    for (std::size_t first = 0, last = 0; first < halves.size(); first = last + 1) {
        last = first;
        const bool wide = halves[first][0] == halves[first][1];
        const auto goes_on = [&](const std::array<half, 2>& now, const std::array<half, 2>& then) {
            if (wide) return then[0] == then[1] && (then == now || then[0].is_next(now[0]));
            return then[0].is_next(now[0]) && then[1].is_next(now[1]);
        };
        while (last + 1 < halves.size() && goes_on(halves[last], halves[last + 1])) ++last;
        if (lines-- == 0) return out + "...\n";
        const auto run = [&](int which) {
            const half &a = halves[first][which], &b = halves[last][which];
            return text_of(a) + (a == b ? "" : " to " + text_of(b));
        };
        const std::string bytes = std::to_string(first) + (first == last ? "" : " to " + std::to_string(last));
        char line[120];
        std::snprintf(line, sizeof(line), "%-12s %-21s %s", bytes.c_str(), run(0).c_str(), wide ? "" : run(1).c_str());
        std::string text = line;
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    }
    return out;
}

std::string folder_of_documents;

std::string document(const char* name) {
    const std::string path = folder_of_documents + "/" + name;
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    if (text.str().empty()) std::fprintf(stderr, "%s: cannot be read\n", path.c_str()), std::exit(1);
    return text.str();
}

int wrong = 0;
void expect_text(const std::string& document, const std::string& text, const char* what) {
    if (document.find("```text\n" + text + "```\n") != std::string::npos) return;
    std::fprintf(stderr, "docs/packed.md has no such text, of %s:\n%s", what, text.c_str());
    ++wrong;
}
void check_picture(const std::string& text, const char* tag, const plait::dims& extents, int lines) {
    expect_text(text, drawn(plait::parse_record(tag, extents).value(), lines), tag);
}

/// Calls check(cells) for each row of a table whose cell in a given column is a tag; backticks are removed.
template <class Check>
int for_each_tag(const std::string& text, std::size_t column, const Check& check) {
    std::stringstream lines(text);
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("| ", 0) != 0) continue;
        std::vector<std::string> cells;
        for (std::size_t at = 2; at < line.size();) {
            const std::size_t end = line.find(" |", at);
            if (end == std::string::npos) break;
            std::string cell = line.substr(at, end - at);
            if (cell.size() > 2 && cell.front() == '`') cell = cell.substr(1, cell.find('`', 1) - 1);
            cells.push_back(cell);
            at = end + 3;
        }
        if (cells.size() <= column || cells[column].rfind("nk: ", 0) != 0) continue;
        if (!check(cells)) std::fprintf(stderr, "not so: %s\n", line.c_str()), ++wrong;
        ++count;
    }
    return count;
}

void expect_rows(int found, int least) {
    if (found < least) std::fprintf(stderr, "%d rows with tags, at least %d expected\n", found, least), ++wrong;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return std::fprintf(stderr, "usage: %s DOCS, the folder of the documents\n", arguments[0]), 2;
    folder_of_documents = arguments[1];
#include "all_of_packed.inc"
    const std::string guide = document("packed.md"), ggml = document("coming-from/ggml.md");
    check_picture(guide, "nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {2, 64}, 4);
    check_picture(guide, "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {8, 32}, 18);
    check_picture(guide, "nk: N(K(q:s8 4n 4k), sum:s32 4n /k =sum(q))", {4, 8}, 12);
    const char* const panels = "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)";
    expect_text(guide, plait::explain(plait::parse_record(panels, {64, 256}).value()), "explain");
    // Refusals: the tag, the extents if the tag alone is right, the reason.
    expect_rows(for_each_tag(guide, 0,
                             [](const std::vector<std::string>& row) {
                                 const auto found = plait::parse_record(row[0], {64, 256});
                                 const auto wanted = plait::describe(found.error());
                                 return row.size() > 1 && !found.has_value() &&
                                        std::string(wanted.c_str()).rfind(row[1] + ":", 0) == 0;
                             }),
                12);
    // Formats: the name, the bytes of a block, the tag.
    expect_rows(for_each_tag(ggml, 2,
                             [](const std::vector<std::string>& row) {
                                 const auto found = plait::parse_record(row[2], {32, 512});
                                 return found.has_value() && found->tag.text().c_str() == row[2] &&
                                        found->size % std::atoi(row[1].c_str()) == 0;
                             }),
                12);
    return wrong == 0 ? 0 : 1;
}
