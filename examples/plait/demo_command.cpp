#include "array_file.hpp"
#include "commands.hpp"
#include "reorder_command.hpp"
#include "temporary_directory.hpp"

#include <plait/plait.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>

namespace tool {

namespace {

constexpr plait::layout plain({32, 256, 56, 56}, "nchw");
constexpr plait::layout blocked({32, 256, 56, 56}, "nChw16c");

/// The least of several times, taken in turn with the others, so that a busy moment hits all alike.
class stopwatch {
public:
    template <class Action>
    void measure(Action&& action) {
        const auto start = std::chrono::steady_clock::now();
        action();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        if (time.count() < best_) best_ = time.count();
    }
    double gigabytes_per_second(double bytes) const { return bytes / best_ * 1e-9; }

private:
    double best_ = std::numeric_limits<double>::infinity();
};

void write_activations(const std::string& path, const buffer& data) {
    written_array array;
    array.what.type = type_for(plait::data_type::f32);
    for (const plait::dim_t extent : plain.dims) array.what.shape.push_back(extent);
    array.fill = [&data](std::byte* to) { std::memcpy(to, data.data(), data.size()); };
    write_array_file(path, file_kind::npy, {array});
}

void reorder_file(const std::string& in, const std::string& out, const char* from, const char* to) {
    reorder_options options;
    options.in = in;
    options.out = out;
    options.from = from;
    options.to = to;
    reorder(options);
}

}  // namespace

void demo() {
    const temporary_directory directory;
    const std::string original = directory.file("activations.npy"), there = directory.file("blocked.npy"),
                      back = directory.file("back.npy");

    buffer data(plain.element_span() * sizeof(float));
    const auto values = reinterpret_cast<float*>(data.data());
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < plain.element_span(); ++i) {
        state = state * 1664525u + 1013904223u;  // any numbers, all different
        values[i] = static_cast<float>(state >> 8) / 65536.0f;
    }
    write_activations(original, data);
    reorder_file(original, there, "nchw", "nChw16c");
    reorder_file(there, back, "nChw16c", "nchw");
    const array_file returned = read_array_file(back);
    if (returned.arrays[0].data.size() != data.size() ||
        std::memcmp(returned.arrays[0].data.data(), data.data(), data.size()) != 0)
        throw failure("the round trip over nChw16c changed the data");
    std::puts("round trip exact, byte for byte\n");

    buffer out(blocked.element_span() * sizeof(float)), copy(data.size());
    const auto in = reinterpret_cast<const float*>(data.data());
    const auto to = reinterpret_cast<float*>(out.data());
    const auto again = reinterpret_cast<float*>(copy.data());
    std::memset(copy.data(), 0, copy.size());
    stopwatch memcpy_time, forward, backward, run_time;
    for (int round = 0; round < 10; ++round) {
        memcpy_time.measure([&] { std::memcpy(copy.data(), data.data(), copy.size()); });
        forward.measure([&] { plait::reorder<plain, blocked>(in, to); });
        backward.measure([&] { plait::reorder<blocked, plain>(to, again); });
        run_time.measure([&] { plait::reorder(plain, in, blocked, to); });
    }
    if (std::memcmp(copy.data(), data.data(), copy.size()) != 0) throw failure("the static kernels changed the data");

    const double bytes = 2.0 * static_cast<double>(data.size());  // read and written
    const double base = memcpy_time.gigabytes_per_second(bytes);
    std::printf("%-34s %8s %8s\n", "f32 32x256x56x56, one thread", "GB/s", "memcpy");
    const auto line = [&](const char* what, const stopwatch& time) {
        const double speed = time.gigabytes_per_second(bytes);
        std::printf("%-34s %8.1f %8.2f\n", what, speed, speed / base);
    };
    line("memcpy", memcpy_time);
    line("nchw -> nChw16c", forward);
    line("nChw16c -> nchw", backward);
    line("nchw -> nChw16c, run-time layouts", run_time);
}

}  // namespace tool
