#pragma once
// What results say of where and when they were measured, and how long a call takes.

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <string>

namespace bench {

/// The model of the processor.
inline std::string machine() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

/// As 2000-01-31.
inline std::string today() {
    char text[sizeof "2000-01-01"];
    const std::time_t now = std::time(nullptr);
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

/// Returns the least of some times, in seconds.
template <class Run>
double least_seconds(Run run, int times) {
    double least = 1e9;
    for (int i = 0; i < times; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

}  // namespace bench
