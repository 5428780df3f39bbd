#pragma once
// What results say of where and when they were measured.

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

}  // namespace bench
