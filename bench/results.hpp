#pragma once
// The file that a suite writes. bench/merge.py completes it with the CPU, the commit and the date, and keeps it in
// docs/bench.

#include <plait/contract/isa.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace bench {

using json = nlohmann::ordered_json;

/// Matches every row: the filter of a suite that measures all of its rows.
inline constexpr const char* every_row = ".";

/// Returns a measured number, of which four digits are kept.
inline double four_digits(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", number);
    return std::strtod(text, nullptr);
}

class results_file {
public:
    /// Opens the file, before anything is measured; prints the reason if it cannot be written. `more` are further
    /// fields of the run.
    results_file(const std::string& file, const std::string& filter, const json& more = json::object()) : out_(file) {
        if (!out_) std::perror(file.c_str());
        const char* widest = "";
        for (const plait::isa which : plait::every_isa)
            if (plait::cpu_has(which)) widest = plait::to_string(which);
        what_["run"] = {{"isa", widest}, {"compiler", BENCH_COMPILER}, {"flags", BENCH_FLAGS}};
        what_["run"].update(more);
        what_["is_part"] = filter != every_row;
        what_["rows"] = json::array();
    }
    bool is_open() const { return out_.is_open(); }
    void set(const char* name, json value) { what_[name] = std::move(value); }
    void add_row(json row) { what_["rows"].push_back(std::move(row)); }
    /// Returns false, with the reason printed, if the file could not be written.
    bool write() {
        out_ << what_.dump(1) << std::endl;
        if (!out_) std::perror("the file of results");
        return static_cast<bool>(out_);
    }

private:
    std::ofstream out_;
    json what_;
};

}  // namespace bench
