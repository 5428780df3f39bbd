#pragma once
// The cases recorded from oneDNN, in the format that to_lines.py writes.

#include "support/small_layouts.hpp"
#include "support/test_data.hpp"

#include <charconv>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace plait_test {

/// One line of the file: a call of oneDNN and its result.
class recorded_case {
public:
    explicit recorded_case(std::string line) : line_(std::move(line)) {
        std::string_view rest = line_;
        operation_ = take_word(rest);
        while (!rest.empty()) {
            const std::string_view word = take_word(rest);
            const std::size_t sign = word.find('=');
            words_[word.substr(0, sign)] = word.substr(sign + 1);
        }
    }
    recorded_case(const recorded_case&) = delete;
    recorded_case& operator=(const recorded_case&) = delete;

    const std::string& line() const { return line_; }
    std::string_view operation() const { return operation_; }
    bool has(std::string_view key) const { return words_.count(key) != 0; }
    /// Returns the word of a key. Throws if the key is absent, which is an error in the test.
    std::string_view word(std::string_view key) const { return words_.at(key); }
    bool flag(std::string_view key) const { return number_in(word(key)) == 1; }

    /// Returns the numbers of a key as dims, strides, a position or a permutation.
    template <class Numbers>
    Numbers list(std::string_view key) const {
        Numbers out;
        std::string_view rest = word(key);
        while (!rest.empty()) {
            const std::size_t comma = rest.find(',');
            out.push_back(number_in(rest.substr(0, comma)));
            rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
        }
        return out;
    }

    /// Returns a descriptor that is filled in field by field.
    plait::layout descriptor(const std::string& key) const {
        const auto dims = list<plait::dims>(key + ".dims"), padded = list<plait::dims>(key + ".padded_dims");
        layout_fields fields{list<plait::strides>(key + ".strides"), list<plait::dims>(key + ".inner_blks"),
                             list<plait::dims>(key + ".inner_idxs")};
        plait::layout out = by_hand(dims, padded, fields.strides, {}, list<plait::position>(key + ".padded_offsets"),
                                    number_in(word(key + ".offset0")));
        dim_t inside = 1;
        for (int k = 0; k < fields.sizes.size(); ++k) inside *= fields.sizes[k];
        for (int k = 0; k < fields.sizes.size(); ++k) {
            const int axis = static_cast<int>(fields.axes[k]);
            inside /= fields.sizes[k];
            dim_t& outer = out.digits[axis].extent;
            if (outer != plait::dynamic) outer = plait::detail::divide_up(outer, fields.sizes[k]);
            out.digits.push_back({axis, fields.sizes[k], inside});
        }
        return out;
    }

private:
    struct layout_fields {
        plait::strides strides;
        plait::dims sizes, axes;
    };

    static std::string_view take_word(std::string_view& rest) {
        const std::size_t space = rest.find(' ');
        const std::string_view word = rest.substr(0, space);
        rest = space == rest.npos ? std::string_view() : rest.substr(space + 1);
        return word;
    }
    static dim_t number_in(std::string_view text) {
        dim_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
            throw std::invalid_argument("not a number: " + std::string(text));
        return number;
    }

    std::string line_;
    std::string_view operation_;
    std::map<std::string_view, std::string_view> words_;
};

/// Calls visit(case) for each recorded case of an operation. Returns the number of cases.
template <class Visit>
int for_each_recorded(std::string_view operation, const Visit& visit) {
    std::ifstream file(plait_test::recorded_cases_file());
    int count = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.compare(0, operation.size() + 1, std::string(operation) + ' ') != 0) continue;
        visit(recorded_case(std::move(line)));
        ++count;
    }
    return count;
}

}  // namespace plait_test
