#pragma once
// Which compiled functions for bytes an instruction set has. The units that define them do not include this header: they
// would instantiate those of all sets.

#include <plait/engine/kernel/compiled_kernels.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {
/// Returns one of the compiled objects of an instruction set, or of the set that the compile flags guarantee, if that is
/// wider: find(rows) returns it.
///
/// Pre:     cpu_has(instructions)
template <class Code, class Find>
const Code& compiled_code_of(isa instructions, const Find& find) {
    const void* out = nullptr;
    with_isa<least_isa()>(instructions, [&]<isa Isa>() {
        out = find(compiled_kernels_once::rows<static_cast<int>(Isa)>());
    });
    return *static_cast<const Code*>(out);
}
/// Returns the functions of an instruction set for bytes.
inline const byte_kernels& byte_kernels_of(isa instructions) {
    return compiled_code_of<byte_kernels>(instructions, [](auto rows) { return rows.of_bytes({}); });
}
/// Returns what an instruction set has for tables of picked bytes.
inline const byte_window_code& byte_windows_of(isa instructions) {
    return compiled_code_of<byte_window_code>(instructions, [](auto rows) { return rows.windows({}); });
}
}  // namespace plait::engine
