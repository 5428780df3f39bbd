// Threads come from the caller: an executor runs the chunks of a reorder.

#include <plait/plait.hpp>

#include <iostream>
#include <numeric>
#include <thread>
#include <vector>

using plait::layout;

constexpr layout plain({8, 64, 56, 56}, "nchw");
constexpr layout blocked({8, 64, 56, 56}, "nChw16c");

// Any type that can run n independent chunks is an executor; a program with its own threads runs the chunks on those.
// <plait/interop/openmp.hpp> and <plait/interop/onetbb.hpp> are for programs that use OpenMP or oneTBB.
struct two_threads {
    static int concurrency() { return 2; }

    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        std::thread other([&] {
            for (int number = 1; number < chunks; number += 2) chunk(number);
        });
        for (int number = 0; number < chunks; number += 2) chunk(number);
        other.join();
    }
};
static_assert(plait::executor<two_threads>);

int main() {
    std::vector<float> in(plain.element_span()), out(blocked.element_span(), -1.0f), wanted(out.size());
    std::iota(in.begin(), in.end(), 1.0f);
    plait::reorder<plain, blocked>(in.data(), wanted.data());

    // The executor comes first. A tensor below 1 MB stays on the calling thread, because that is faster.
    plait::reorder<plain, blocked>(two_threads{}, in.data(), out.data());
    std::cout << in.size() * 4 / 1000000 << " MB with two threads: " << (out == wanted ? "the same" : "other")
              << " bytes\n";
    if (out != wanted) return 1;

    out.assign(out.size(), -1.0f);
    plait::reorder(two_threads{}, plain, in.data(), blocked, out.data());
    if (out != wanted) return 2;

    // Or chunk by chunk: the elements of each chunk depend only on the layouts, the types, the CPU and the number of
    // chunks.
    out.assign(out.size(), -1.0f);
    for (const int chunk : {2, 0, 1}) plait::reorder_chunk<plain, blocked>(in.data(), out.data(), chunk, 3);
    std::cout << "in 3 chunks, the last one first: " << (out == wanted ? "the same" : "other") << " bytes\n";
    if (out != wanted) return 3;

    plait::reorder<plain, blocked>(plait::sequential, in.data(), out.data());
    return out == wanted ? 0 : 4;
}
