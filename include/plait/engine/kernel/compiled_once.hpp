#pragma once
// What is compiled once in a program, as one unit of it includes plait/implementation.hpp, or as it is linked with
// plait::plait: declared here, defined in plan_reorder.hpp and bind_reorder.hpp.

#include <plait/contract/check_descriptor_reorder.hpp>
#include <plait/contract/isa.hpp>
#include <plait/engine/plan/internal_names.hpp>

namespace plait {

class planned_reorder;

namespace engine {

struct planned_tiles;

/// Plans reorders known only at run time and binds them; all that moves them hangs on it, by pointers in plans.
///
/// The linker prints this name where a program lacks it.
struct link_plait_plait_or_include_plait_implementation_hpp_in_one_unit {
    /// Plans with the instruction set that is named; what the unit's compile flags settle is in place of those below
    /// it.
    ///
    /// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; out is as it is made;
    ///          is_of_this_architecture(instructions); who runs the plan has cpu_has(instructions)
    static void plan(isa instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                     const reorder_attributes& attributes, const reorder_spans& spans);
    /// Plans with the widest instruction set that the CPU has.
    ///
    /// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; out is as it is made
    static void plan(planned_reorder& out, const descriptor& src, const descriptor& dst,
                     const reorder_attributes& attributes, const reorder_spans& spans);
    /// plait::make_reorder.
    static expected<planned_reorder> make(const descriptor& src, const descriptor& dst,
                                          const reorder_attributes& attributes);
    /// planned_reorder::bind; without attributes, null, those of make_reorder hold.
    static verdict bind(planned_reorder& out, const descriptor& src, const descriptor& dst,
                        const reorder_attributes* attributes);
    static verdict bind(planned_reorder& out, const dims& extents);
    /// The plan of tiles, for tests; null where elements go in another way.
    static const planned_tiles* tiles_of(const planned_reorder& planned) noexcept;

private:
    template <isa Isa>
    static void plan_with(planned_reorder& out, const descriptor& src, const descriptor& dst,
                          const reorder_attributes& attributes, const reorder_spans& spans);
    template <class Move>
    struct functions_of;
    template <class Move>
    static Move& move_by(planned_reorder& out);
};
using compiled_once = link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;

}  // namespace engine

}  // namespace plait
