#pragma once
// An executor that runs the chunks of a planned reorder on the calling thread.

namespace plait_test {

/// Runs the chunks one by one, the last one first.
struct last_chunk_first {
    int threads = 2;
    constexpr int concurrency() const { return threads; }
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        for (int number = chunks - 1; number >= 0; --number) chunk(number);
    }
};

}  // namespace plait_test
