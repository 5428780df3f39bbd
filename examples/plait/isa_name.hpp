#pragma once
// Instruction sets by their names.

#include "errors.hpp"

#include <plait/contract/isa.hpp>

namespace tool {

/// The names of all instruction sets.
inline std::string isa_names() {
    std::string names;
    for (const plait::isa which : plait::every_isa)
        names += (names.empty() ? "" : ", ") + std::string(to_string(which));
    return names;
}

/// The instruction set of that name, or the widest that this CPU has where the text is empty; throws failure with all
/// names, and what the option takes besides.
inline plait::isa read_isa(const std::string& text, const std::string& besides = "") {
    plait::isa widest = plait::isa::portable;
    for (const plait::isa which : plait::every_isa) {
        if (text == plait::to_string(which)) return which;
        if (plait::is_of_this_architecture(which) && plait::cpu_has(which)) widest = which;
    }
    if (!text.empty()) throw failure("instruction set '" + text + "' is none of " + isa_names() + besides);
    return widest;
}

}  // namespace tool
