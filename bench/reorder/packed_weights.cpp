// Repacks of records of packed weights, beside memcpy of as many bytes as are read and written: in the second cache,
// and beyond all caches. The formats are those of other libraries.
//
// usage: plait_bench_packed FILE [FILTER]: writes JSON to FILE, of the rows whose names match the regular expression
// FILTER

#include "../measured.hpp"
#include "../results.hpp"

#include <plait/packed.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <regex>
#include <string>
#include <vector>

namespace {

using namespace plait;

struct row {
    const char* name;
    const char* from;
    const char* to;
    dim_t wider = 1;  ///< how many times fewer indices along the second axis, for wider values
};

constexpr const char* q4_0 = "nk: nK(d:f16 /32k, q:u4 16k 2k@16)";
constexpr const char* q8_0 = "nk: nK(d:f16 /32k, q:s8 32k)";
constexpr const char* q4_k =
    "nk: nK(d:f16 /256k, dmin:f16 /256k, 4k(s:u6 2k@128=0 /32k, s.4:u2 2k@128=1 /32k), 4k(m:u6 2k@128=0 /32k, "
    "m.4:u2 2k@128=1 /32k), 4k(s:u4 2k@128=1 /32k, m:u4 2k@128=1 /32k), q:u4 4k 32k 2k@32)";

constexpr row rows[] = {
    {"Q4_0 rows -> 8x8", q4_0, "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)"},
    {"Q4_0 rows -> 4x8", q4_0, "nk: NK(d:f16 4n /32k, q:u4^8 2k 4n 8k 2k@16)"},
    {"Q8_0 rows -> 4x8", q8_0, "nk: NK(d:f16 4n /32k, q:s8 4k 4n 8k)"},
    {"Q4_K rows -> 8x8", q4_k,
     "nk: NK(d:f16 8n /256k, dmin:f16 8n /256k, 8k(4n(s:u6 2n@4=0 /32k, s.4:u2 2n@4=1 /32k), 4n(m:u6 2n@4=0 /32k, "
     "m.4:u2 2n@4=1 /32k), 4n(s:u4 2n@4=1 /32k, m:u4 2n@4=1 /32k)), q:u4 4k 4k 8n 8k 2k@32)"},
    {"Q4_0 rows -> AMX tiles", q4_0, "nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k)"},
    {"Q8_0 rows -> AMX tiles with sums", q8_0, "nk: NK(q:s8 8k 16n 4k, d:f16 16n /32k, sum:s32 16n /32k =sum(q)*128)"},
    {"even-odd halves -> qsi4cxp", "nk: n(q:u4 k, scale:f32 /k, bias:f32 /k)",
     "nk: N(q:u4^8 K 4k 4n 4k 2k@16 ~n, sum:s32 4n /k =sum(q)*16 ~n, scale:f32*0.0625 4n /k ~n, bias:f32 4n /k ~n)"},
    {"even-odd halves -> qsi4c32p", "nk: n(q:u4 k, s:bf16 K /64k, bias:f32 /k)",
     "nk: N(K(q:u4^8 2k 2k 8n 8k 2k@16 ~n, s:bf16 8n /64k ~n), sum:f32 8n /k =sum(q*s;8k 2k@16) ~n, "
     "bias:f32 8n /k ~n)"},
    {"scales for 16 -> tiles of 128 x 4", "nk: s:ue4m3 nK /16k", "nk: s:ue4m3 NK 32n 4n@32 4k /16k"},
    {"f32 with bias -> panels of 8", "nk: n(bias:f32 /k, w:f32 k)", "nk: N(bias:f32 8n /k, w:f32 K 4k 8n)", 8},
    {"f32 with bias -> panels of 8, turned", "nk: n(bias:f32 /k, w:f32 k)", "nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n)",
     8},
    {"f16 -> blocks of at most 512", "nk: w:f16 kn", "nk: w:f16 KN <512k 16n", 4},
};

struct measured {
    std::size_t bytes = 0;
    double seconds = 1e9, memcpy_seconds = 1e9, planning_seconds = 1e9;
    bool is_right = true;
};

/// Fills a record with values that weights have: no scale is infinite, or so small that its arithmetic is slow.
std::vector<std::byte> some_weights(const record& r) {
    std::vector<std::byte> out(r.size_in_bytes());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(32 + i * 37 % 29);
    return out;
}

measured measure(const row& r, const dims& extents) {
    const record from = *parse_record(r.from, extents), to = *parse_record(r.to, extents);
    const planned_repack planned = make_repack(from, to).value();
    const std::vector<std::byte> in = some_weights(from);
    std::vector<std::byte> out(to.size_in_bytes());
    measured result;
    result.bytes = in.size() + out.size();
    std::vector<std::byte> copied(result.bytes / 2), copy(copied.size());
    const bool is_large = result.bytes > (std::size_t{16} << 20);
    // In turn, so that all see the same of what else the machine does.
    for (int turn = 0; turn < 5; ++turn) {
        const int times = is_large ? 4 : 100;
        result.seconds = std::min(result.seconds, bench::least_seconds([&] { planned(in, out); }, times));
        const auto copies = [&] {
            std::memcpy(copy.data(), copied.data(), copied.size());
            asm volatile("" : : "r"(copy.data()) : "memory");
        };
        result.memcpy_seconds = std::min(result.memcpy_seconds, bench::least_seconds(copies, times));
        const auto plans = [&] { static_cast<void>(make_repack(from, to).has_value()); };
        result.planning_seconds = std::min(result.planning_seconds, bench::least_seconds(plans, 20));
    }
    result.is_right = verify(to, out).ok();
    return result;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2 && count != 3) return std::fputs("usage: plait_bench_packed FILE [FILTER]\n", stderr), 2;
    const std::string filter = count == 3 ? arguments[2] : bench::every_row;
    const std::regex wanted(filter);
    bench::results_file out(arguments[1], filter);
    if (!out.is_open()) return 1;
    bool all_right = true;
    for (const bool is_large : {false, true})
        for (const row& r : rows) {
            if (!std::regex_search(r.name, wanted)) continue;
            const dims extents = is_large ? dims{4096, 32768 / r.wider} : dims{64, 2048 / r.wider};
            const measured m = measure(r, extents);
            all_right = all_right && m.is_right;
            std::printf("%-40s %5lld x %-5lld %.2f of memcpy, planned in %.0f us%s\n", r.name,
                        static_cast<long long>(extents[0]), static_cast<long long>(extents[1]),
                        m.memcpy_seconds / m.seconds, m.planning_seconds * 1e6, m.is_right ? "" : " WRONG");
            out.add_row({{"name", r.name},
                         {"is_large", is_large},
                         {"bytes", m.bytes},
                         {"seconds",
                          {{"repack", bench::four_digits(m.seconds)},
                           {"memcpy", bench::four_digits(m.memcpy_seconds)},
                           {"planning", bench::four_digits(m.planning_seconds)}}}});
        }
    return out.write() && all_right ? 0 : 1;
}
