#include "array_type.hpp"
#include "commands.hpp"
#include "explain_words.hpp"
#include "file_bytes.hpp"
#include "isa_name.hpp"
#include "layout_json.hpp"
#include "move.hpp"

#include <plait/contract/check_reorder.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <limits>

namespace tool {

namespace {

/// Formats a number with `places` decimal places.
std::string fixed(double number, int places) {
    char out[64];
    std::snprintf(out, sizeof out, "%.*f", places, number);
    return out;
}

/// Formats a time: "31.20 microseconds".
std::string time_text(double seconds) {
    constexpr std::pair<double, const char*> units[] = {{1, "seconds"}, {1e-3, "milliseconds"}, {1e-6, "microseconds"}};
    for (const auto& [unit, name] : units)
        if (seconds >= unit || unit == 1e-6) return fixed(seconds / unit, seconds >= 100 * unit ? 0 : 2) + ' ' + name;
    return "";
}

/// The shortest time of a call, in seconds, and the number of calls.
struct timing {
    double best = std::numeric_limits<double>::infinity(), all = 0;
    std::int64_t calls = 0;

    template <class Action>
    void measure(Action&& action) {
        const auto start = std::chrono::steady_clock::now();
        action();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = std::min(best, time.count());
        all += time.count();
        ++calls;
    }
};

}  // namespace

void bench(const bench_options& options) {
    const auto [src, dst] = read_two_layouts(options.arguments);
    move_request request;
    request.from = src.layout;
    request.to = dst.layout;
    request.from_type = read_type(options.type);
    request.to_type = options.to_type.empty() ? request.from_type : read_type(options.to_type);
    if (const plait::verdict why = plait::check_reorder(src.layout, dst.layout); !why.ok())
        throw failure("reorder " + src.text + " -> " + dst.text + ": " + plait::describe(why).c_str());
    const planned_move planned = plan_move(request);

    constexpr int small_number = 0x3c;  // repeated, this byte is a number of ordinary size in each type
    const std::size_t half = (planned.src_bytes + planned.dst_bytes) / 2;
    buffer in(std::max(planned.src_bytes, half)), out(std::max(planned.dst_bytes, half));
    std::memset(in.data(), small_number, in.size());
    std::memset(out.data(), small_number, out.size());
    timing reorder, copy;
    // Alternates, so that a busy moment affects both; the copies read and write the same number of bytes.
    do {
        reorder.measure([&] { planned.run(in.data(), out.data()); });
        copy.measure([&] { std::memcpy(out.data(), in.data(), half); });
    } while (reorder.all + copy.all < options.seconds);

    const double bytes = static_cast<double>(planned.src_bytes + planned.dst_bytes);
    if (options.json) {
        std::cout << json_of(bench_summary{src, dst, plait::to_string(request.from_type),
                                           plait::to_string(request.to_type), plait::to_string(read_isa("")),
                                           planned.src_bytes, planned.dst_bytes, reorder.best, copy.best,
                                           reorder.calls});
        return;
    }
    std::cout << line("reorder", std::string(plait::to_string(request.from_type)) + ' ' + src.text + " -> " +
                                     plait::to_string(request.to_type) + ' ' + dst.text + ", " +
                                     plait::to_string(read_isa("")) + ", one thread")
              << '\n'
              << line("copy", describe_copy(src.layout, dst.layout, request.from_type != request.to_type)) << '\n'
              << line("memory", std::to_string(planned.src_bytes) + " bytes read, " +
                                    std::to_string(planned.dst_bytes) + " written")
              << '\n'
              << line("time", time_text(reorder.best) + ", the least of " + std::to_string(reorder.calls) + " calls")
              << '\n'
              << line("speed", fixed(bytes * 1e-9 / reorder.best, 1) + " GB/s; memcpy of as many bytes " +
                                   fixed(bytes * 1e-9 / copy.best, 1) + " GB/s, so " +
                                   fixed(copy.best / reorder.best, 2) + " of it")
              << '\n';
}

}  // namespace tool
