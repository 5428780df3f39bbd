#pragma once
// One row, timed: all contestants in the same process, in turn, on the same buffers, the best of many.

#include "suite.hpp"

#include <array>
#include <memory>

namespace bench {

/// run_time: planned beforehand; planning: only that; run_once: both, as libdnnl_once makes a primitive and runs it.
enum contestant {
    kernel,
    avx2,
    run_time,
    planning,
    run_once,
    libdnnl,
    libdnnl_once,
    memory_copy,
    streaming_copy,
    plain_loop_nest,
    contestants
};
inline constexpr const char* contestant_names[contestants] = {
    "plait", "avx2", "run time", "planning", "run once", "libdnnl", "dnnl once", "memcpy", "streaming", "loop"};

struct result {
    const row* what = nullptr;
    std::array<double, contestants> seconds{};  ///< of one call, the least; 0: did not take part
    std::string libdnnl_implementation;         ///< as libdnnl calls it
    bool libdnnl_is_wrong = false;              ///< some bytes are not those of the reference

    bool has(contestant c) const { return seconds[c] > 0; }
    double gigabytes(contestant c) const { return static_cast<double>(what->bytes()) / seconds[c] * 1e-9; }
    /// Where it is not, libdnnl goes element by element, or the call takes longer than the move.
    bool libdnnl_beats_the_loop() const { return has(libdnnl) && ratio(libdnnl, plain_loop_nest) >= 1; }
    /// How many times faster one is than another.
    double ratio(contestant c, contestant other) const { return seconds[other] / seconds[c]; }
};

class race {
public:
    /// Prints what is wrong and ends the program with 1 if plait's bytes are not those of reference_reorder.
    explicit race(const row&);
    ~race();
    /// Each contestant once, for a millisecond or one call; those that took too long already sit out.
    void round();
    result best() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace bench
