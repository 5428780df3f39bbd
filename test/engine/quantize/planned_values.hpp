#pragma once
// Plans reorders of values, for tests that look at a plan.

#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/engine/quantize/converting_reorder.hpp>

namespace values {

/// Plans a reorder of values with the rows of an instruction set that the library compiles.
///
/// Pre:     check_reorder(src, dst, attributes).ok(), the CPU has the instruction set
template <plait::isa Isa = plait::least_isa(), class BlockCopies = plait::engine::element_block_copies>
plait::engine::converting_reorder planned_values(const plait::descriptor& src, const plait::descriptor& dst,
                                                 const plait::reorder_attributes& attributes) {
    const plait::engine::run_time_kernels kernels = plait::engine::compiled_kernels<Isa>();
    plait::engine::converting_reorder out;
    plan_values(out, src, dst, attributes, static_cast<plait::dim_t>(src.layout.element_span()),
                {*kernels.rows_in_f32, *kernels.rows_in_f64}, BlockCopies());
    return out;
}

}  // namespace values
