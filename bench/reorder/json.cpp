#include "../results.hpp"
#include "demands.hpp"
#include "libdnnl.hpp"
#include "load_onednn3.hpp"
#include "report.hpp"

namespace bench {
namespace {

/// The versions of the libraries that take part.
json libraries() {
    json out = {{"libdnnl", libdnnl_version()}};
    if (const char* const version = onednn3().version) out["onednn_3"] = version;
    return out;
}

json seconds_of(const result& r) {
    json out = json::object();
    for (int c = 0; c < contestants; ++c)
        if (const auto who = static_cast<contestant>(c); r.has(who))
            out[contestant_names[c]] = four_digits(r.seconds[who]);
    for (const auto& [name, seconds] : r.peers) out[name] = four_digits(seconds);
    return out;
}

}  // namespace

bool write_json(const std::vector<result>& results, const std::string& file, const std::string& filter) {
    constexpr const char* kinds[] = {"memcpy", "like", "30 ns", "libdnnl"};
    results_file out(file, filter, libraries());
    json lines = json::array();
    for (const demand& line : demands)
        lines.push_back({{"id", line.id}, {"what", line.what}, {"least", line.least}, {"of", kinds[line.kind]}});
    out.set("demands", lines);
    for (const result& r : results)
        out.add_row({{"name", r.what->name},
                     {"section", r.what->section},
                     {"bytes", r.what->bytes()},
                     {"tensor_bytes", r.what->tensor_bytes()},
                     {"demand", r.what->demand},
                     {"like", r.what->like},
                     {"libdnnl", r.libdnnl_implementation},
                     {"seconds", seconds_of(r)}});
    return out.write();
}

bool write_drawn_json(const std::vector<result>& results, const std::string& seed, const std::string& file,
                      const std::string& filter) {
    json run = libraries();
    run["seed"] = json::parse(seed);
    results_file out(file, filter, run);
    for (const result& r : results) {
        json row = {{"name", r.what->name}, {"bytes", r.what->bytes()}, {"tensor_bytes", r.what->tensor_bytes()}};
        if (!r.libdnnl_cannot.empty()) row["libdnnl_cannot"] = r.libdnnl_cannot;
        else row["libdnnl"] = r.libdnnl_implementation;
        if (r.libdnnl_is_wrong) row["libdnnl_is_wrong"] = true;
        for (const std::string& peer : r.wrong_peers) row[peer + "_is_wrong"] = true;
        if (!r.problems.empty()) row["problem"] = r.problems.front();
        row["seconds"] = seconds_of(r);
        out.add_row(std::move(row));
    }
    return out.write();
}

}  // namespace bench
