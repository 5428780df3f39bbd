#pragma once
// Text in columns.

#include <plait/core/axis.hpp>
#include <plait/support/heap_list.hpp>

#include <initializer_list>
#include <string>

namespace plait {

/// "1 byte", "2 bytes".
inline std::string count_of(dim_t count, const std::string& what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}
/// "1,204,224 bytes": for people, where count_of is read by programs, too.
inline std::string grouped_count_of(dim_t count, const std::string& what) {
    std::string out = count_of(count, what);
    for (std::size_t at = out.find(' '); at > 3 && out[at - 4] != '-'; at -= 3) out.insert(at - 3, ",");
    return out;
}
/// "+3", "-3".
inline std::string signed_number(dim_t number) { return (number < 0 ? "" : "+") + std::to_string(number); }

/// How many characters a heading takes at the beginning of a line.
inline constexpr std::size_t heading_width = 10;

/// A heading, then text from column 10 on.
inline std::string line_of(const std::string& heading, const std::string& text) {
    return heading + std::string(heading_width - heading.size(), ' ') + text + '\n';
}

/// Rows whose entries stand below each other: numbers end in one column, text begins in one. A column is text where an
/// entry has a space.
class text_table {
public:
    void add_row(std::initializer_list<std::string> entries) { add_row<std::initializer_list<std::string>>(entries); }
    /// A row of any list of texts.
    template <class Entries>
    void add_row(const Entries& entries) {
        heap_list<std::string> row;
        for (const std::string& entry : entries) row.push_back(entry);
        rows_.push_back(std::move(row));
    }

    /// All rows, the first behind a heading; nothing where there are none.
    std::string text(std::string heading) const {
        std::string out;
        for (const auto& row : rows_) {
            std::string line;
            for (int column = 0; column < row.size(); ++column) {
                const std::string blank(width(column) - row[column].size(), ' ');
                line += (column == 0 ? "" : "  ") + (is_text(column) ? row[column] + blank : blank + row[column]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line_of(heading, line);
            heading.clear();
        }
        return out;
    }

private:
    heap_list<heap_list<std::string>> rows_;

    std::size_t width(int column) const {
        std::size_t widest = 0;
        for (const auto& row : rows_)
            if (column < row.size() && row[column].size() > widest) widest = row[column].size();
        return widest;
    }
    bool is_text(int column) const {
        for (const auto& row : rows_)
            if (column < row.size() && row[column].find(' ') != std::string::npos) return true;
        return false;
    }
};

}  // namespace plait
