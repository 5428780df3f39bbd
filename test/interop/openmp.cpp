#include "executors.hpp"

#include <plait/interop/openmp.hpp>

int main() {
    if (const int failed = interop::check(plait::openmp_executor{})) return failed;
    if (const int failed = interop::check(plait::openmp_executor{3})) return failed;
    if (plait::openmp_executor{3}.concurrency() != 3) return 10;
    // If the threads of a region start no other threads, a reorder is one chunk.
    omp_set_max_active_levels(1);
    bool one = true;
#pragma omp parallel num_threads(2) reduction(&& : one)
    one = plait::openmp_executor{3}.concurrency() == 1 && interop::check(plait::openmp_executor{}) == 0;
    return one ? 0 : 11;
}
