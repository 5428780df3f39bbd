#pragma once
// Text in columns.

#include <plait/core/axis.hpp>
#include <plait/support/heap_list.hpp>

#include <initializer_list>
#include <string>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns a number with a noun: "1 byte", "2 bytes".
inline std::string count_of(dim_t count, const std::string& what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}
/// Returns a number with its sign: "+3", "-3".
inline std::string signed_number(dim_t number) { return (number < 0 ? "" : "+") + std::to_string(number); }

/// The number of characters that a heading takes at the beginning of a line.
inline constexpr std::size_t heading_width = 10;

/// Returns a line with a heading, followed by text starting at column 10.
inline std::string line_of(const std::string& heading, const std::string& text) {
    return heading + std::string(heading_width - heading.size(), ' ') + text + '\n';
}

/// Rows with aligned entries: numbers are right-aligned, text is left-aligned. A column is text if one of its entries
/// has a space.
class text_table {
public:
    void add_row(std::initializer_list<std::string> entries) { add_row<std::initializer_list<std::string>>(entries); }
    /// Adds a row from any list of texts.
    template <class Entries>
    void add_row(const Entries& entries) {
        heap_list<std::string> row;
        for (const std::string& entry : entries) row.push_back(entry);
        rows_.push_back(std::move(row));
    }

    /// Returns all rows, the first after a heading; empty if there are none.
    std::string text(std::string heading) const {
        heap_list<column> columns;
        for (const auto& row : rows_)
            for (int k = 0; k < row.size(); ++k) {
                if (k == columns.size()) columns.push_back({});
                if (row[k].size() > columns[k].width) columns[k].width = row[k].size();
                if (row[k].find(' ') != std::string::npos) columns[k].is_text = true;
            }
        std::string out;
        for (const auto& row : rows_) {
            std::string line;
            for (int k = 0; k < row.size(); ++k) {
                const std::string blank(columns[k].width - row[k].size(), ' ');
                line += (k == 0 ? "" : "  ") + (columns[k].is_text ? row[k] + blank : blank + row[k]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line_of(heading, line);
            heading.clear();
        }
        return out;
    }

private:
    struct column {
        std::size_t width = 0;
        bool is_text = false;
    };
    heap_list<heap_list<std::string>> rows_;
};

}  // namespace plait::detail
