#pragma once
// Executors that run the chunks of a reorder: on the calling thread, and on threads of their own.

#include <thread>
#include <vector>

namespace plait_test {

/// Runs the chunks one by one, the last one first, and counts them if there is a counter.
struct last_chunk_first {
    int threads = 2;
    int* counter = nullptr;
    constexpr int concurrency() const { return threads; }
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        if (counter != nullptr) *counter += chunks;
        for (int number = chunks - 1; number >= 0; --number) chunk(number);
    }
};

/// Runs each chunk on a thread of its own, the last one first, and counts them if there is a counter.
struct new_threads {
    int threads = 2;
    int* counter = nullptr;
    int concurrency() const { return threads; }
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        if (counter != nullptr) *counter += chunks;
        std::vector<std::thread> running;
        for (int number = chunks - 1; number >= 0; --number) running.emplace_back([&chunk, number] { chunk(number); });
        for (std::thread& thread : running) thread.join();
    }
};

}  // namespace plait_test
