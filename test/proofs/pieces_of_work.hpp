#pragma once
// Work in pieces, of which threads take one at a time, and the options of programs that do such work.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <thread>
#include <vector>

namespace proofs {

/// The part of the work that is done: the `share`-th of `shares` equal parts of the pieces, on some threads.
struct part_of_work {
    std::size_t share = 1, shares = 1;
    unsigned threads = std::max(1u, std::thread::hardware_concurrency());

    /// Reads `--share N/M` or `--threads COUNT` at words[k], and moves k to its value. Returns false if it is neither.
    bool read(int count, char** words, int& k) {
        const std::string_view name = words[k];
        if (k + 1 == count) return false;
        if (name == "--threads") {
            threads = static_cast<unsigned>(std::strtoul(words[++k], nullptr, 10));
            return threads > 0;
        }
        return name == "--share" && std::sscanf(words[++k], "%zu/%zu", &share, &shares) == 2 && share >= 1 &&
               share <= shares;
    }
};

class pieces_of_work {
public:
    /// Adds a piece of work. `size` is its time, roughly and in any unit.
    void add(std::uint64_t size, std::function<void()> run) { all_.push_back({size, std::move(run)}); }
    /// Runs a part of the pieces, the largest first.
    void run(const part_of_work& part) {
        std::stable_sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.size > b.size; });
        std::atomic<std::size_t> next = 0;
        const auto work = [&] {
            for (std::size_t k = next++; k < all_.size(); k = next++)
                if (k % part.shares == part.share - 1) all_[k].run();
        };
        std::vector<std::thread> pool;
        for (unsigned k = 1; k < part.threads; ++k) pool.emplace_back(work);
        work();
        for (std::thread& thread : pool) thread.join();
        all_.clear();
    }

private:
    struct piece {
        std::uint64_t size;
        std::function<void()> run;
    };
    std::vector<piece> all_;
};

}  // namespace proofs
