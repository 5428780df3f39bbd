// Reorders of elements smaller than a byte, with values by group, beside memcpy of as many bytes as are read and
// written: in the second cache, and beyond all caches.
//
// usage: plait_bench_small FILE [FILTER]: writes JSON to FILE, of the rows whose names match the regular expression
// FILTER

#include "../measured.hpp"
#include "../results.hpp"

#include <plait/contract/descriptor_reference.hpp>
#include <plait/plait.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <regex>
#include <string>
#include <vector>

namespace {

using namespace plait;

struct row {
    data_type from, to;
    const char* source;
    const char* destination;
    dim_t group = 0;               ///< along the second axis; 0: no scales
    bool has_zero_points = false;  ///< of u4, for each group
};

constexpr row rows[] = {
    {data_type::u4, data_type::u4, "ab", "ba"},
    {data_type::s4, data_type::s4, "ab", "ba"},
    {data_type::u4, data_type::u4, "ab", "AB16b64a2b"},
    {data_type::s4, data_type::s4, "AB16b64a2b", "ab"},
    {data_type::u4, data_type::f32, "ab", "ab", 32},
    {data_type::u4, data_type::f32, "ab", "ab", 32, true},
    {data_type::u4, data_type::f16, "ab", "ab", 32},
    {data_type::u4, data_type::f16, "ab", "ab", 128, true},
    {data_type::u4, data_type::bf16, "ab", "ab", 32},
    {data_type::f4_e2m1, data_type::bf16, "ab", "ab", 32},
    {data_type::u4, data_type::s8, "ab", "ab", 32},
    {data_type::s4, data_type::s8, "ab", "ab"},
    {data_type::u4, data_type::f16, "ab", "ba", 32},
    {data_type::u4, data_type::f16, "AB16b64a2b", "ab", 32},
    {data_type::f32, data_type::u4, "ab", "ab", 32},
    {data_type::f16, data_type::u4, "ab", "ab", 32},
    {data_type::s8, data_type::s4, "ab", "ab", 32},
    {data_type::f32, data_type::f4_e2m1, "ab", "ab", 32},
    {data_type::f32, data_type::s4, "ab", "AB16b64a2b", 32},
    {data_type::s8, data_type::f32, "ab", "ab", 32},
};

std::string name_of(const row& r) {
    std::string name = std::string(to_string(r.from)) + " " + r.source + " -> " + to_string(r.to) + " " + r.destination;
    if (r.group != 0) name += " f16 scales for " + std::to_string(r.group);
    if (r.has_zero_points) name += ", u4 zero points";
    return name;
}

struct measured {
    std::string name;
    std::size_t bytes = 0;
    double seconds = 1e9, memcpy_seconds = 1e9;
    bool is_right = false;
};

measured measure(const row& r, const dims& extents) {
    const auto layout_in = [&](const char* tag) { return layout(extents, *parse_format_tag(std::string_view(tag))); };
    const descriptor src(r.from, layout_in(r.source)), dst(r.to, layout_in(r.destination));
    std::vector<std::byte> in(src.buffer_size_in_bytes()), out(dst.buffer_size_in_bytes()), wanted(out.size());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::byte>(i * 37 % 113);
    const dim_t groups = r.group == 0 ? 1 : volume(extents) / r.group;
    std::vector<float16> scales(static_cast<std::size_t>(groups));
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = float16(static_cast<float>(1 + i % 7) / 4);
    const std::vector<std::byte> zero_points(static_cast<std::size_t>((groups + 1) / 2), std::byte{0x78});
    reorder_attributes attributes;
    const dims group{1, r.group};
    const bool dequantises = size_in_bits(r.from) < size_in_bits(r.to);
    if (r.group != 0)
        (dequantises ? attributes.src_scale : attributes.dst_scale) = values_by_group(scales, extents, group);
    if (r.has_zero_points) attributes.src_zero_point = values_by_group<u4>(zero_points, extents, group);
    const planned_reorder planned = make_reorder(src, dst, attributes).value();

    measured result;
    result.name = name_of(r);
    result.bytes = in.size() + out.size();
    std::vector<std::byte> from(result.bytes / 2), to(from.size());
    const bool is_large = result.bytes > (std::size_t{16} << 20);
    // In turn, so that both see the same of what else the machine does.
    for (int turn = 0; turn < 5; ++turn) {
        result.seconds = std::min(
            result.seconds,
            bench::least_seconds([&] { static_cast<void>(planned(in.data(), out.data())); }, is_large ? 5 : 100));
        const auto copy = [&] {
            std::memcpy(to.data(), from.data(), from.size());
            asm volatile("" : : "r"(to.data()) : "memory");
        };
        result.memcpy_seconds = std::min(result.memcpy_seconds, bench::least_seconds(copy, is_large ? 5 : 100));
    }
    if (!is_large) reference_reorder(src, in.data(), dst, wanted.data(), attributes);
    result.is_right = is_large || wanted == out;
    return result;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2 && count != 3) return std::fputs("usage: plait_bench_small FILE [FILTER]\n", stderr), 2;
    const std::string filter = count == 3 ? arguments[2] : bench::every_row;
    const std::regex wanted(filter);
    bench::results_file out(arguments[1], filter);
    if (!out.is_open()) return 1;
    bool all_right = true;
    for (const bool is_large : {false, true})
        for (const row& r : rows) {
            if (!std::regex_search(name_of(r), wanted)) continue;
            const dims extents = is_large ? dims{4096, 8192} : dims{128, 1024};
            const measured m = measure(r, extents);
            all_right = all_right && m.is_right;
            std::printf("%-60s %5lld x %-5lld %.3f of memcpy%s\n", m.name.c_str(), static_cast<long long>(extents[0]),
                        static_cast<long long>(extents[1]), m.memcpy_seconds / m.seconds, m.is_right ? "" : " WRONG");
            out.add_row(
                {{"name", m.name},
                 {"is_large", is_large},
                 {"bytes", m.bytes},
                 {"seconds",
                  {{"run time", bench::four_digits(m.seconds)}, {"memcpy", bench::four_digits(m.memcpy_seconds)}}}});
        }
    return out.write() && all_right ? 0 : 1;
}
