#pragma once
// What libdnnl has for each layer, measured.

#include "primitives.hpp"

namespace example {

/// The formats of one primitive, and how long it takes.
struct alternative {
    std::vector<plait::format_tag> sources;
    plait::format_tag result;
    std::string implementation;
    double seconds = 0;
    bool is_liked = false;  ///< what libdnnl answers where all is `any`
};

/// How fast this machine moves memory.
struct machine {
    double bytes_per_second = 0;  ///< of memcpy, read and written bytes together
    plait::cost_options costs;    ///< what plait's reorders take, in hundredths of that
};

machine measure_machine(int calls);

/// For each layer its alternatives: plain and blocked formats, and what libdnnl likes best; without those of a
/// reference implementation where others will do, and without those that have no layout. Layers of the same shape share
/// them.
std::vector<std::vector<alternative>> measure_alternatives(const library& dnnl, const network& net, int calls);

}  // namespace example
