#pragma once
// Instruction sets by name.

#include "errors.hpp"

#include <plait/contract/isa.hpp>

namespace tool {

/// Returns the names of all instruction sets.
inline std::string isa_names() {
    std::string names;
    for (const plait::isa which : plait::every_isa)
        names += (names.empty() ? "" : ", ") + std::string(to_string(which));
    return names;
}

/// Returns the instruction set of that name, or the widest that this CPU has if the text is empty. Throws failure with
/// all names, and with `besides`, the other values that the option takes.
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
