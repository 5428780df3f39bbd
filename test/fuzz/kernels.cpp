// What implementation.hpp has without records.cpp: the kernels, which are compiled without sanitizers.

#include <plait/reorder/bind_reorder.hpp>
#include <plait/reorder/plan_reorder.hpp>
