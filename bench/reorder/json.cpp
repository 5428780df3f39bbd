#include "../machine.hpp"
#include "libdnnl.hpp"
#include "report.hpp"

#include <cstdio>

namespace bench {
namespace {

const char* widest_isa() {
    const char* widest = "";
    for (const isa which : every_isa)
        if (cpu_has(which)) widest = name(which);
    return widest;
}

}  // namespace

void write_json(const std::vector<result>& results, const std::string& file, const std::string& kernels) {
    std::FILE* const out = std::fopen(file.c_str(), "w");
    if (out == nullptr) return std::perror(file.c_str());
    std::fprintf(out, "{\n  \"machine\": \"%s\", \"isa\": \"%s\", \"date\": \"%s\",\n", machine().c_str(), widest_isa(),
                 today().c_str());
    std::fprintf(out, "  \"compiler\": \"%s\", \"flags\": \"%s\", \"libdnnl\": \"%s\",\n", BENCH_COMPILER, BENCH_FLAGS,
                 libdnnl_version());
    std::fprintf(out, "  \"kernels\": \"%s\",\n  \"demands\": [", kernels.c_str());
    write_demands(out);
    std::fprintf(out, "\n  ],\n  \"rows\": [");
    const char* separator = "\n";
    for (const result& r : results) {
        std::fprintf(out, "%s    {\"name\": \"%s\", \"section\": \"%s\", \"bytes\": %zu, ", separator,
                     r.what->name.c_str(), r.what->section.c_str(), r.what->bytes());
        std::fprintf(out, "\"tensor_bytes\": %zu, \"demand\": \"%s\", \"like\": \"%s\", ", r.what->tensor_bytes(),
                     r.what->demand.c_str(), r.what->like.c_str());
        std::fprintf(out, "\"libdnnl\": \"%s\", \"seconds\": {", r.libdnnl_implementation.c_str());
        const char* comma = "";
        for (int c = 0; c < contestants; ++c) {
            const auto who = static_cast<contestant>(c);
            if (!r.has(who)) continue;
            std::fprintf(out, "%s\"%s\": %.4g", comma, contestant_names[c], r.seconds[who]);
            comma = ", ";
        }
        std::fprintf(out, "}}");
        separator = ",\n";
    }
    std::fprintf(out, "\n  ]\n}\n");
    std::fclose(out);
}

}  // namespace bench
