#pragma once
// The primitives that libdnnl has for each layer, with measured times.

#include "primitives.hpp"

namespace example {

/// The formats of one primitive, and its running time.
struct alternative {
    std::vector<plait::format_tag> sources;
    plait::format_tag result;
    std::string implementation;
    double seconds = 0;
    bool is_liked = false;  ///< libdnnl selects it if all formats are `any`
};

/// The memory speed of this machine.
struct machine {
    double bytes_per_second = 0;  ///< of memcpy, read and written bytes together
    plait::cost_options costs;    ///< the relative costs of plait's reorders, in hundredths of memcpy
};

machine measure_machine(int calls);

/// Returns the alternatives of each layer: plain and blocked formats, and the one that libdnnl prefers. Leaves out
/// reference implementations if there are others, and formats without a layout. Layers of the same shape share their
/// alternatives.
std::vector<std::vector<alternative>> measure_alternatives(const library& dnnl, const network& net, int calls);

}  // namespace example
