#pragma once
// An executor that runs a planned reorder in two chunks.

namespace plait_test {

/// Runs two chunks, the last one first.
struct two_chunks {
    static constexpr int concurrency() { return 2; }
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        for (int number = chunks - 1; number >= 0; --number) chunk(number);
    }
};

}  // namespace plait_test
