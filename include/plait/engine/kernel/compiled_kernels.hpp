#pragma once
// The kernels that a program compiles once, an instruction set at a time. The headers of implementation/ define them.

#include <plait/engine/kernel/compiled_once.hpp>
#include <plait/engine/kernel/for_all_units.hpp>
#include <plait/engine/plan/run_time_kernel.hpp>
#include <plait/engine/simd/byte_kernels.hpp>
#include <plait/engine/simd/byte_windows.hpp>
#include <plait/engine/simd/row_conversions.hpp>
#include <plait/engine/simd/table_kernels.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {
/// The sizes of the types with which kernels are called.
using kernel_types =
    for_all_units::types_of_bytes<sizeof(simd::table_kernels), sizeof(run_time_kernel), sizeof(row_conversions),
                                  sizeof(row_operations), sizeof(row_block), sizeof(byte_kernels), sizeof(run_sums),
                                  sizeof(lane_sums), sizeof(rows_of_runs), sizeof(byte_window_code),
                                  sizeof(shuffle_table), sizeof(shuffle_target), sizeof(shuffle_group)>;
}  // namespace plait::engine

namespace plait::for_all_units::kernels {

/// If a program lacks the definitions, the linker prints this name. Sanitizers are off for the units that define them,
/// and on for the unit that plans.
struct link_plait_plait_or_include_plait_implementation_hpp_in_one_unit {
    /// The kernels of an instruction set (the number of an engine::isa) whose networks are tables: simd::table_kernels.
    ///
    /// Pre:     has_compiled_kernels(isa(Isa)), has_table_kernels(isa(Isa))
    template <int Isa>
    struct tiles {
        static const void* all(engine::kernel_types) noexcept;
    };
    /// The functions of an instruction set that convert rows: row_conversions; or, of_bytes, its byte_kernels; or,
    /// windows, those that run tables of picked bytes: its byte_window_code.
    ///
    /// Pre:     has_compiled_kernels(isa(Isa))
    template <int Isa>
    struct rows {
        static const void* in_f32(engine::kernel_types) noexcept;
        static const void* in_f64(engine::kernel_types) noexcept;
        static const void* of_bytes(engine::kernel_types) noexcept;
        static const void* windows(engine::kernel_types) noexcept;
    };
};

}  // namespace plait::for_all_units::kernels

namespace plait::inline PLAIT_UNIT_FLAGS::engine {
using compiled_kernels_once = for_all_units::kernels::link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;

/// Returns one of the compiled objects of an instruction set, or of the set that the compile flags guarantee, if that
/// is wider: find(rows) returns it.
///
/// Pre:     cpu_has(instructions)
template <class Code, class Find>
const Code& compiled_code_of(isa instructions, const Find& find) {
    const void* out = nullptr;
    with_isa<least_isa()>(instructions,
                          [&]<isa Isa>() { out = find(compiled_kernels_once::rows<static_cast<int>(Isa)>()); });
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
