#pragma once
// What a program compiles once: either one unit includes plait/implementation.hpp, or the program links plait::plait.
// Here is what other headers call, with types. planned_reorder.hpp passes it on to functions that have the same names
// in all units; reorder/plan_reorder.hpp, reorder/bind_reorder.hpp and reorder/reorder_choice.hpp define these, the
// headers of implementation/ the kernels of each instruction set.

#include <plait/contract/check_descriptor_reorder.hpp>
#include <plait/contract/isa.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/support/inline_text.hpp>

#include <bit>  // std::endian
#include <string_view>

namespace plait::inline PLAIT_UNIT_FLAGS {

class planned_reorder;
class planned_table_reorder;

namespace engine {

struct planned_tiles;
struct cache_block_plan;
struct reorder_planner;

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
/// plans. These functions call those of for_all_units::reorders, which a program has once.
struct compiled_once {
    /// Plans with the given instruction set. If it is below what the compile flags of the code that is compiled once
    /// guarantee, the instruction set that they guarantee is used instead.
    ///
    /// Pre:     measure_reorder(src, dst, attributes) is ok, and has these ends; out is default-constructed;
    ///          is_of_this_architecture(instructions); the CPU that runs the plan has cpu_has(instructions)
    static inline void plan(isa instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                            const reorder_attributes& attributes, const reorder_ends& ends);
    /// Plans with the widest instruction set that the CPU has.
    ///
    /// Pre:     measure_reorder(src, dst, attributes) is ok, and has these ends; out is default-constructed
    static inline void plan(planned_reorder& out, const descriptor& src, const descriptor& dst,
                            const reorder_attributes& attributes, const reorder_ends& ends);
    /// Implements plait::make_reorder.
    static inline expected<planned_reorder> make(const descriptor& src, const descriptor& dst,
                                                 const reorder_attributes& attributes);
    /// Does the same with the given instruction set.
    ///
    /// Pre:     as plan
    static inline expected<planned_reorder> make(isa instructions, const descriptor& src, const descriptor& dst,
                                                 const reorder_attributes& attributes);
    /// Implements planned_reorder::bind. If the attributes are null, those of make_reorder are used.
    static inline verdict bind(planned_reorder& out, const descriptor& src, const descriptor& dst,
                               const reorder_attributes* attributes);
    static inline verdict bind(planned_reorder& out, const dims& extents);
    /// Implement planned_reorder::choice and set_choice.
    static inline void choice(inline_text<96>& out, const planned_reorder& planned) noexcept;
    static inline verdict set_choice(planned_reorder& planned, std::string_view text) noexcept;
    /// Returns the plan of tiles, for tests; null if elements are not moved by tiles alone.
    static inline const planned_tiles* tiles_of(const planned_reorder& planned) noexcept;
    /// Returns how values are cut into cache blocks, for tests; null if the plan has none.
    static inline const cache_block_plan* cache_blocks_of(const planned_reorder& planned) noexcept;
};

}  // namespace engine

}  // namespace plait
