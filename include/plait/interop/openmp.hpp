#pragma once
// Reorders on the threads of OpenMP. Not part of plait.hpp: compile with -fopenmp and include this header.

#include <plait/reorder/parallel_reorder.hpp>

#if !defined(_OPENMP)
static_assert(false, "plait/interop/openmp.hpp needs OpenMP: compile with -fopenmp");
#else
#include <omp.h>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Runs chunks on OpenMP's threads, chunk i on thread i. Uses one thread in a parallel region without nested regions.
///
/// Example: reorder<Src, Dst>(openmp_executor{}, in, out)
struct openmp_executor {
    int threads = 0;  ///< 0: OpenMP's default number of threads

    int concurrency() const {
        if (omp_get_active_level() >= omp_get_max_active_levels()) return 1;
        return threads > 0 ? threads : omp_get_max_threads();
    }
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
#pragma omp parallel for num_threads(chunks) schedule(static, 1)
        for (int number = 0; number < chunks; ++number) chunk(number);
    }
};

}  // namespace plait
#endif
