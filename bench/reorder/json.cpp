#include "../measured.hpp"
#include "libdnnl.hpp"
#include "load_onednn3.hpp"
#include "report.hpp"

#include <cstdio>

namespace bench {
namespace {

std::FILE* begin_json(const std::string& file, const std::string& filter, std::string more = "") {
    more += std::string(", \"libdnnl\": \"") + libdnnl_version() + '"';
    if (const char* const version = onednn3().version) more += std::string(", \"onednn_3\": \"") + version + '"';
    return begin_results(file, filter, more);
}

void write_seconds(std::FILE* out, const result& r) {
    std::fprintf(out, "\"seconds\": {");
    const char* comma = "";
    for (int c = 0; c < contestants; ++c) {
        const auto who = static_cast<contestant>(c);
        if (!r.has(who)) continue;
        std::fprintf(out, "%s\"%s\": %.4g", comma, contestant_names[c], r.seconds[who]);
        comma = ", ";
    }
    for (const auto& [name, seconds] : r.peers) {
        std::fprintf(out, "%s\"%s\": %.4g", comma, name.c_str(), seconds);
        comma = ", ";
    }
    std::fprintf(out, "}");
}

}  // namespace

void write_json(const std::vector<result>& results, const std::string& file, const std::string& filter) {
    std::FILE* const out = begin_json(file, filter);
    if (out == nullptr) return;
    std::fprintf(out, "  \"demands\": [");
    write_demands(out);
    std::fprintf(out, "\n  ],\n  \"rows\": [");
    const char* separator = "\n";
    for (const result& r : results) {
        std::fprintf(out, "%s    {\"name\": \"%s\", \"section\": \"%s\", \"bytes\": %zu, ", separator,
                     r.what->name.c_str(), r.what->section.c_str(), r.what->bytes());
        std::fprintf(out, "\"tensor_bytes\": %zu, \"demand\": \"%s\", \"like\": \"%s\", ", r.what->tensor_bytes(),
                     r.what->demand.c_str(), r.what->like.c_str());
        std::fprintf(out, "\"libdnnl\": \"%s\", ", r.libdnnl_implementation.c_str());
        write_seconds(out, r);
        std::fprintf(out, "}");
        separator = ",\n";
    }
    std::fprintf(out, "\n  ]\n}\n");
    std::fclose(out);
}

void write_drawn_json(const std::vector<result>& results, const std::string& seed, const std::string& file,
                      const std::string& filter) {
    std::FILE* const out = begin_json(file, filter, ", \"seed\": " + seed);
    if (out == nullptr) return;
    std::fprintf(out, "  \"rows\": [");
    const char* separator = "\n";
    for (const result& r : results) {
        std::fprintf(out, "%s    {\"name\": \"%s\", \"bytes\": %zu, \"tensor_bytes\": %zu, ", separator,
                     r.what->name.c_str(), r.what->bytes(), r.what->tensor_bytes());
        if (!r.libdnnl_cannot.empty()) std::fprintf(out, "\"libdnnl_cannot\": \"%s\", ", r.libdnnl_cannot.c_str());
        else std::fprintf(out, "\"libdnnl\": \"%s\", ", r.libdnnl_implementation.c_str());
        if (r.libdnnl_is_wrong) std::fprintf(out, "\"libdnnl_is_wrong\": true, ");
        for (const std::string& peer : r.wrong_peers) std::fprintf(out, "\"%s_is_wrong\": true, ", peer.c_str());
        if (!r.problems.empty()) std::fprintf(out, "\"problem\": \"%s\", ", r.problems.front().c_str());
        write_seconds(out, r);
        std::fprintf(out, "}");
        separator = ",\n";
    }
    std::fprintf(out, "\n  ]\n}\n");
    std::fclose(out);
}

}  // namespace bench
