// The kernels under the C interface, for its fuzzing program: a unit of their own, without sanitizers.
#include <plait/runtime/planned_reorder.hpp>

#include "../../src/run_time_kernels.inl"
