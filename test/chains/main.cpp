// Chains of operations on random layouts, each compared with brute force: plait_chains [--count N] [--seed N]. Without
// --seed, the chains are the same in each run.

#include "chains/judge.hpp"

#include <CLI/CLI.hpp>

#include <chrono>

int main(int argc, char** argv) {
    CLI::App app("Chains of operations on random layouts, held against brute force");
    long count = 50'000;
    std::uint64_t seed = 11;
    app.add_option("--count", count, "how many operations")->capture_default_str();
    app.add_option("--seed", seed, "where the random numbers begin")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    using namespace chains;
    random_source random(seed);
    judge by(random);
    const auto begin = std::chrono::steady_clock::now();
    while (by.asked() < count) {
        layout l = first_layout(random);
        for (int links = static_cast<int>(random.between(1, 8)); links > 0 && is_small(l); --links) {
            switch (random.between(0, 8)) {
                case 0: ask_query(l, random, by); break;
                case 1: ask_function(l, random, by); break;
                case 2: ask_dynamic(random, by); break;
                case 3: ask_pattern(l, random, by); break;
                case 4:
                case 5: ask_shape(l, random, by); break;
                default: ask_view(l, random, by); break;
            }
        }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    by.print();
    std::printf("%ld operations, seed %llu: %ld failures; %.1f s\n", by.asked(), static_cast<unsigned long long>(seed),
                by.failures(), seconds.count());
    return by.failures() == 0 ? 0 : 1;
}
