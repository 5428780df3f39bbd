// How long zero_pad takes beside a memset of the cache lines that have padding: less cannot be written. A ratio of 1 is
// the speed of memory. Each row is measured by turns, and the best of all turns counts.

#include <plait/plait.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace plait;
using namespace plait::engine;

namespace {

constexpr std::size_t line = 64;

struct byte_range {
    std::size_t begin, end;
};

/// The cache lines that have padding, from the first to the last of each sequence without a gap.
std::vector<byte_range> padded_lines(const descriptor& d) {
    std::vector<bool> has_padding(d.buffer_size_in_bytes() / line + 1);
    const auto size = static_cast<dim_t>(size_in_bytes(d.type));
    visit_padding(d.layout, [&](const place_box& box) {
        const unsigned char* none = nullptr;
        // Only the differences of these pointers are used.
        return visit_runs(box, none, size, [&](const unsigned char* at, dim_t count, dim_t step, std::size_t length) {
            for (dim_t i = 0; i < count; ++i) {
                const auto begin = static_cast<std::size_t>(at - none + i * step);
                for (std::size_t k = begin / line; k <= (begin + length - 1) / line; ++k) has_padding[k] = true;
            }
            return true;
        });
    });
    std::vector<byte_range> out;
    for (std::size_t k = 0; k < has_padding.size(); ++k) {
        if (!has_padding[k]) continue;
        if (!out.empty() && out.back().end == k * line) out.back().end += line;
        else out.push_back({k * line, (k + 1) * line});
    }
    return out;
}

template <class Work>
double seconds(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void race(const char* what, const descriptor& d) {
    const std::vector<byte_range> lines = padded_lines(d);
    std::size_t touched = 0;
    for (const byte_range& range : lines) touched += range.end - range.begin;
    std::vector<unsigned char> buffer(d.buffer_size_in_bytes() + 2 * line, 1);
    unsigned char* const data = buffer.data() + (line - reinterpret_cast<std::uintptr_t>(buffer.data()) % line);
    const int times = static_cast<int>(20'000'000 / touched) + 1;
    double padding = 1e9, memory = 1e9, checking = 1e9;
    bool zero = true;
    for (int turn = 0; turn < 15; ++turn) {
        const auto best = [&](double& least, auto work) {
            const double now = seconds([&] {
                for (int i = 0; i < times; ++i) work();
            });
            if (now < least) least = now;
        };
        best(memory, [&] {
            for (const byte_range& range : lines) std::memset(data + range.begin, 1, range.end - range.begin);
        });
        best(padding, [&] { (void)zero_pad(d, data); });
        best(checking, [&] { zero = zero && is_padding_zero(d, data); });
    }
    const double bytes = static_cast<double>(touched) * times;
    std::printf("%-28s %10zu %9.1f %9.1f %9.1f %8.2f%s\n", what, touched, bytes / memory / 1e9, bytes / padding / 1e9,
                bytes / checking / 1e9, padding / memory, zero ? "" : "  NOT ZERO");
}

}  // namespace

int main() {
    std::printf("%-28s %10s %9s %9s %9s %8s\n", "", "bytes of", "memset", "zero_pad", "is zero", "time of");
    std::printf("%-28s %10s %9s %9s %9s %8s\n", "", "lines", "GB/s", "GB/s", "GB/s", "memset");
    race("f32 nChw8c 1x17x56x56", {data_type::f32, layout({1, 17, 56, 56}, "nChw8c")});
    race("f32 nChw16c 1x17x56x56", {data_type::f32, layout({1, 17, 56, 56}, "nChw16c")});
    race("f32 nChw16c 1x31x56x56", {data_type::f32, layout({1, 31, 56, 56}, "nChw16c")});
    race("f32 nChw16c 32x17x7x7", {data_type::f32, layout({32, 17, 7, 7}, "nChw16c")});
    race("bf16 nChw16c 1x23x56x56", {data_type::bf16, layout({1, 23, 56, 56}, "nChw16c")});
    race("u8 nChw16c 1x3x224x224", {data_type::u8, layout({1, 3, 224, 224}, "nChw16c")});
    race("f32 nChw16c 32x17x224x224", {data_type::f32, layout({32, 17, 224, 224}, "nChw16c")});
    race("u8 nChw16c 256x3x224x224", {data_type::u8, layout({256, 3, 224, 224}, "nChw16c")});
    race("u8 nChw4c 256x3x224x224", {data_type::u8, layout({256, 3, 224, 224}, "nChw4c")});
    race("s8 OIhw4i16o4i 250x255x3x3", {data_type::s8, layout({250, 255, 3, 3}, "OIhw4i16o4i")});
    race("s8 OIhw4i16o4i 250x253x3x3", {data_type::s8, layout({250, 253, 3, 3}, "OIhw4i16o4i")});
    race("bf16 OIhw8i16o2i 250x255x3x3", {data_type::bf16, layout({250, 255, 3, 3}, "OIhw8i16o2i")});
    race("f32 OIhw16i16o 250x250x3x3", {data_type::f32, layout({250, 250, 3, 3}, "OIhw16i16o")});
    race("s8 BA16a64b4a 1000x1000", {data_type::s8, layout({1000, 1000}, "BA16a64b4a")});
    race("f32 AB16b64a 1000x1000", {data_type::f32, layout({1000, 1000}, "AB16b64a")});
    race("s8 OIhw4i16o4i 17x23x3x3", {data_type::s8, layout({17, 23, 3, 3}, "OIhw4i16o4i")});
    race("f32 nChw16c 1x17x1x1", {data_type::f32, layout({1, 17, 1, 1}, "nChw16c")});
}
