#pragma once
// One row, timed: all contestants in the same process, in turn, on the same buffers, the best of many.

#include "row.hpp"

#include <array>
#include <memory>

namespace bench {

/// run_time: planned beforehand; planning: only that; run_once: both, as libdnnl_once makes a primitive and runs it.
/// Those with avx2 in their names: as on a CPU without AVX-512.
enum contestant {
    kernel,
    avx2,
    run_time,
    run_time_avx2,
    planning,
    run_once,
    libdnnl,
    libdnnl_once,
    memory_copy,
    streaming_copy,
    plain_loop_nest,
    contestants
};
inline constexpr const char* contestant_names[contestants] = {"plait",    "avx2",      "run time", "run avx2",
                                                              "planning", "run once",  "libdnnl",  "dnnl once",
                                                              "memcpy",   "streaming", "loop"};

struct result {
    const row* what = nullptr;
    std::array<double, contestants> seconds{};          ///< of one call, the least; 0: did not take part
    std::string libdnnl_implementation;                 ///< as libdnnl calls it; empty if it cannot
    std::string libdnnl_cannot;                         ///< why; empty if it can
    bool libdnnl_is_wrong = false;                      ///< some bytes are not those of the reference
    std::vector<std::pair<std::string, double>> peers;  ///< other libraries, and the seconds of one call
    std::vector<std::string> wrong_peers;  ///< those whose bytes are not the reference's; they were not timed
    std::vector<std::string> problems;     ///< of plait: other bytes, refusals; then nothing was timed

    bool has(contestant c) const { return seconds[c] > 0; }
    double gigabytes(contestant c) const { return static_cast<double>(what->bytes()) / seconds[c] * 1e-9; }
    /// Where it is not, libdnnl goes element by element, or the call takes longer than the move.
    bool libdnnl_beats_the_loop() const { return has(libdnnl) && ratio(libdnnl, plain_loop_nest) >= 1; }
    /// How many times faster one is than another.
    double ratio(contestant c, contestant other) const { return seconds[other] / seconds[c]; }
};

/// For how long a contestant runs, and which take part.
struct race_rules {
    double batch_seconds, seconds_each;  ///< of one batch of calls; of all of one contestant's
    double too_long;                     ///< where the call that is verified takes longer, it is the only one
    bool with_loops;                     ///< the plain loop and the non-temporal copy too
};
inline constexpr race_rules suite_rules = {1e-3, 0.35, 1e9, true}, drawn_rules = {5e-4, 0.04, 0.2, false};

class race {
public:
    /// All that plait does is compared with reference_reorder first; where it differs, the result has problems.
    race(const row&, const race_rules&);
    ~race();
    /// Each contestant once, for a batch of calls or one call; those that took too long already sit out.
    void round();
    result best() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace bench
