// A reorder for the tests in test/witness that runs with a given instruction set. It is in a library that is not
// installed, because plait's reorder always uses the widest instruction set of the CPU.

#include "c_descriptor.hpp"
#include "c_reorder.hpp"
#include "data_span.hpp"
#include "refusal.hpp"

#include <cstring>
#include <string>

namespace {

using namespace plait;
using namespace plait::detail;

/// Makes the plan again with the named instruction set. Returns false if the CPU does not support it.
bool plan_again(c::planned_parts& out, const char* wanted) {
    for (const isa which : every_isa) {
        if (std::strcmp(to_string(which), wanted) != 0 || !is_of_this_architecture(which) || !cpu_has(which)) continue;
        // Starts at the first place of each tensor, like c::plan_reorder.
        descriptor from = out.src, to = out.dst;
        for (descriptor* d : {&from, &to}) d->layout.offset0 -= c::first_place(*d);
        out.plan = {};
        engine::compiled_once::plan(which, out.plan, from, to, out.held.attributes, measure_reorder(from, to).ends);
        return true;
    }
    return false;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

/// Returns the names of the instruction sets that this CPU has, the widest first.
const char* plait_witness_instruction_sets(void) {
    static const std::string names = [] {
        std::string out;
        for (const isa which : every_isa)
            if (is_of_this_architecture(which) && cpu_has(which)) out = to_string(which) + (" " + out);
        return out;
    }();
    return names.c_str();
}

/// Runs plait_reorder with one instruction set.
plait_status_t plait_witness_reorder(const char* instruction_set, const plait_memory_desc_t* src_desc, const void* src,
                                     size_t src_size, const plait_memory_desc_t* dst_desc, void* dst, size_t dst_size,
                                     const plait_reorder_attributes_t* attributes) {
    return c::guarded([&] {
        c::planned_parts once;
        if (const c::outcome step = c::plan_reorder(once, src_desc, dst_desc, attributes); !step) return step;
        if (!plan_again(once, instruction_set))
            return c::refuse(PLAIT_UNIMPLEMENTED, "instruction_set_is_missing: %s", instruction_set);
        return c::run_reorder(once, {src, src_size, dst, dst_size});
    });
}

}  // extern "C"
#pragma GCC visibility pop
