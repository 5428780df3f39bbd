#pragma once
// What a program compiles once: either one unit includes plait/implementation.hpp, or the program links plait::plait.
// Declared here. reorder/plan_reorder.hpp and reorder/bind_reorder.hpp define the functions, the headers of
// implementation/ the kernels of each instruction set.

#include <plait/contract/check_descriptor_reorder.hpp>
#include <plait/contract/isa.hpp>
#include <plait/engine/plan/internal_names.hpp>

#include <bit>  // std::endian

namespace plait::inline PLAIT_UNIT_FLAGS {

class planned_reorder;

namespace engine {

struct planned_tiles;
struct row_conversions;
struct run_time_kernels;
namespace simd {
struct table_kernels;
}

/// Returns true if an instruction set has kernels for tiles of vectors. CPUs with only the baseline of their
/// architecture move single elements.
constexpr bool has_table_kernels(isa instructions) {
    return instructions != isa::portable ||
           (!is_of_this_architecture(isa::sse41) && !is_of_this_architecture(isa::neon) &&
            std::endian::native == std::endian::little);
}

/// Returns true if the kernels of an instruction set are compiled: the CPU's architecture has the set, and the compile
/// flags do not guarantee a wider one.
constexpr bool has_compiled_kernels(isa instructions) {
    return is_of_this_architecture(instructions) && instructions >= least_isa();
}

/// Plans and binds reorders known only at run time. All code that moves them is reached from here, by pointers in
/// plans.
///
/// If a program lacks the definitions, the linker prints this name.
struct link_plait_plait_or_include_plait_implementation_hpp_in_one_unit {
    /// Plans with the given instruction set. If it is below what the compile flags of the unit guarantee, the
    /// instruction set that they guarantee is used instead.
    ///
    /// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; out is default-constructed;
    ///          is_of_this_architecture(instructions); the CPU that runs the plan has cpu_has(instructions)
    static void plan(isa instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                     const reorder_attributes& attributes, const reorder_spans& spans);
    /// Plans with the widest instruction set that the CPU has.
    ///
    /// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; out is default-constructed
    static void plan(planned_reorder& out, const descriptor& src, const descriptor& dst,
                     const reorder_attributes& attributes, const reorder_spans& spans);
    /// Implements plait::make_reorder.
    static expected<planned_reorder> make(const descriptor& src, const descriptor& dst,
                                          const reorder_attributes& attributes);
    /// Does the same with the given instruction set.
    ///
    /// Pre:     as plan
    static expected<planned_reorder> make(isa instructions, const descriptor& src, const descriptor& dst,
                                          const reorder_attributes& attributes);
    /// Implements planned_reorder::bind. If the attributes are null, those of make_reorder are used.
    static verdict bind(planned_reorder& out, const descriptor& src, const descriptor& dst,
                        const reorder_attributes* attributes);
    static verdict bind(planned_reorder& out, const dims& extents);
    /// Returns the plan of tiles, for tests; null if elements are not moved by tiles alone.
    static const planned_tiles* tiles_of(const planned_reorder& planned) noexcept;

    /// The kernels of an instruction set whose networks are tables. They may be compiled in a unit of their own.
    ///
    /// Pre:     has_compiled_kernels(Isa), has_table_kernels(Isa)
    template <isa Isa>
    struct tiles {
        static const simd::table_kernels& all() noexcept;
    };
    /// The functions of an instruction set that convert rows. They may be compiled in a unit of their own.
    ///
    /// Pre:     has_compiled_kernels(Isa)
    template <isa Isa>
    struct rows {
        static const row_conversions& in_f32() noexcept;
        static const row_conversions& in_f64() noexcept;
    };

private:
    static void plan_with(const run_time_kernels& kernels, planned_reorder& out, const descriptor& src,
                          const descriptor& dst, const reorder_attributes& attributes, const reorder_spans& spans);
    template <class Move>
    struct functions_of;
    template <class Move>
    static Move& move_by(planned_reorder& out);
};
using compiled_once = link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;

}  // namespace engine

}  // namespace plait
