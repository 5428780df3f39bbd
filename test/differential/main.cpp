// Random operations on layouts, run by plait and by the installed oneDNN: plait_differential [--count N] [--seed N].
// Without --seed, the operations are the same in each run.

#include "differential/referee.hpp"

#include <CLI/CLI.hpp>

#include <chrono>

int main(int argc, char** argv) {
    CLI::App app("Random questions about layouts, asked of plait and of oneDNN");
    long count = 1'000'000;
    std::uint64_t seed = 20'220'331;
    app.add_option("--count", count, "how many questions")->capture_default_str();
    app.add_option("--seed", seed, "where the random numbers begin")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    using namespace differential;
    random_source random(seed);
    referee judge;
    const auto begin = std::chrono::steady_clock::now();
    for (long i = 0; i < count; ++i) {
        // Reshapes and parts are drawn more often, because their rules are the most complex.
        const dim_t kind = random.between(0, 9);
        if (kind < 4) ask_reshape(random, judge);
        else if (kind < 6) ask_submemory(random, judge);
        else if (kind < 7) ask_tag(random, judge);
        else if (kind < 8) ask_strides(random, judge);
        else if (kind < 9) ask_permute(random, judge);
        else ask_equal(random, judge);
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    judge.print();
    std::printf("%ld questions, seed %llu, oneDNN %d.%d: %ld differences that no rule explains; %.1f s\n", count,
                static_cast<unsigned long long>(seed), dnnl_version()->major, dnnl_version()->minor, judge.failures(),
                seconds.count());
    return judge.failures() == 0 ? 0 : 1;
}
