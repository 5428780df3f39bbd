#pragma once
// Reorders on the threads of oneTBB. Not part of plait.hpp: link TBB::tbb and include this header.

#include <plait/reorder/parallel_reorder.hpp>

#if !__has_include(<oneapi/tbb/parallel_for.h>)
static_assert(false, "plait/interop/onetbb.hpp needs oneTBB: <oneapi/tbb/parallel_for.h> is not there");
#else
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Runs chunks on oneTBB's threads, with the concurrency of the arena that the call is made from.
///
/// Example: reorder<Src, Dst>(onetbb_executor{}, in, out)
struct onetbb_executor {
    static int concurrency() { return tbb::this_task_arena::max_concurrency(); }
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        tbb::parallel_for(0, chunks, chunk, tbb::static_partitioner());
    }
};

}  // namespace plait
#endif
