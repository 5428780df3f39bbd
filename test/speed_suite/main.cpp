// Compares the static kernel, the run-time reorder and the reference for every row of the reorder suite.

#include "suite.hpp"

#include <plait/contract/descriptor_reference.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <cstring>

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

using namespace plait;
using namespace plait::engine;

namespace {

// The reference takes about 100 ns per element, so it is left out for larger tensors.
constexpr dim_t largest_for_reference = 1 << 18;

/// Returns random bytes that are finite numbers in every type: neither NaN nor infinity.
std::vector<std::byte> source_of(const bench::row& r, std::size_t bytes) {
    std::vector<std::byte> in(bytes);
    std::uint32_t state = 12345;
    // The last byte of a floating-point number holds the sign and the exponent: 0x3d to 0x44, or with the sign bit set.
    const int size = size_in_bytes(r.src_type);
    const bool is_float = r.src_type != data_type::s32 && size > 1;
    for (std::size_t i = 0; i < bytes; ++i) {
        state = state * 1664525u + 1013904223u;
        const std::uint32_t random = state >> 24;
        const bool has_exponent = is_float && i % static_cast<std::size_t>(size) == static_cast<std::size_t>(size - 1);
        in[i] = static_cast<std::byte>(has_exponent ? 0x3d + (random & 7) + (random & 0x80) : random & 0xfb);
    }
    return in;
}

}  // namespace

TEST_CASE("reorder suite: the static kernel, the run-time reorder and the reference write the same bytes") {
    int by_reference = 0;
    const std::vector<bench::row> rows = bench::all_rows();
    CHECK(rows.size() > 200);
    for (const bench::row& r : rows) {
        INFO(r.name);
        const descriptor src(r.src_type, r.src), dst(r.dst_type, r.dst);
        const std::vector<std::byte> in = source_of(r, src.buffer_size_in_bytes());
        std::vector<std::byte> planned(dst.buffer_size_in_bytes(), std::byte{0x5a}), wanted = planned;
        r.kernel(in.data(), wanted.data(), r.attributes);
        const auto plan = make_reorder(src, dst, r.attributes);
        REQUIRE(plan);
        CHECK((*plan)(in.data(), planned.data()) == status::success);
        CHECK(std::memcmp(planned.data(), wanted.data(), wanted.size()) == 0);
        if (r.dst.padded_volume() > largest_for_reference) continue;
        ++by_reference;
        std::vector<std::byte> reference(wanted.size(), std::byte{0x5a});
        reference_reorder(src, in.data(), dst, reference.data(), r.attributes);
        CHECK(std::memcmp(planned.data(), reference.data(), wanted.size()) == 0);
    }
    CHECK(by_reference > 100);
}
