// BOTH: a_plan_takes_pointers_or_spans_of_bytes_of_a_vector_v_pass_v_data
// ERRORS: any
// Clang repeats the error of a deleted call operator.

#include <plait/plait.hpp>

#include <vector>

void move(const plait::planned_reorder& plan, const std::vector<float>& in, std::vector<float>& out) {
#ifdef FIXED
    plan(in.data(), out.data());
#else
    plan(in, out);
#endif
}
