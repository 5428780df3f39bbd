// Elements that alternate in memory on one side, 3, 5, 6, 7 or 9 of them: every length of a row, every size of an
// element.

#include "table_kernels.hpp"

namespace test_engine_kernel_table_kernels_interleaves { namespace {

using namespace kernels;

/// Layouts with an axis of `count` values that alternate in memory, and layouts where they are planes.
struct interleave {
    layout alternating, apart;
};
std::vector<interleave> interleaves(dim_t length, dim_t count) {
    const dims row{length, count}, rows{3, length, count};
    return {{layout(row, "ab"), layout(row, "ba")},
            {layout(row, "ab"), layout(row, "bA16a")},  // padded planes
            {layout(rows, "abc"), layout(rows, "acb")},
            {layout(rows, "abc"), layout(rows, {count * (length + 2) + 5, 1, length + 2})},  // gaps
            {layout(rows, {length * count + 1, count, 1}), layout(rows, "cab")}};
}

std::vector<table_plan> plans_of_interleaves(const layout& src, const layout& dst, int bytes, isa which,
                                             const simd::table_kernels& all) {
    std::vector<table_plan> out;
    for (const table_plan& plan : every_table_plan(src, dst, bytes, which, all))
        if (plan.plan.pattern.interleave != 0) out.push_back(plan);
    return out;
}

template <class T>
void every_length() {
    constexpr int bytes = static_cast<int>(sizeof(T));
    for (const isa which : every_isa) {
        const simd::table_kernels* const all = table_kernels_with(which);
        if (all == nullptr) continue;
        const dim_t lanes = plait::detail::vector_bytes(which) / bytes;
        for (const dim_t count : {3, 5, 6, 7, 9}) {
            dim_t dealt = 0, collected = 0;
            for (dim_t length = 1; length <= 2 * lanes + 3; ++length)
                for (const auto& [alternating, apart] : interleaves(length, count)) {
                    const auto deals = plans_of_interleaves(alternating, apart, bytes, which, *all),
                               collects = plans_of_interleaves(apart, alternating, bytes, which, *all);
                    match_reference<T>(alternating, apart, which, deals);
                    match_reference<T>(apart, alternating, which, collects);
                    dealt += deals.empty() ? 0 : 1;
                    collected += collects.empty() ? 0 : 1;
                }
            INFO(std::string(to_string(which)), ", ", bytes, " bytes, ", count, " that alternate");
            // Nine elements are dealt out to whole registers of AVX-512 only, unless they are bytes.
            const dim_t least = (count == 9 && which == isa::avx512 && bytes > 1 ? 4 : 5) * lanes;
            CHECK(dealt > least);
            CHECK(collected > least);
        }
    }
}

TEST_CASE("interleaves: elements of one byte") { every_length<std::uint8_t>(); }
TEST_CASE("interleaves: elements of two bytes") { every_length<bfloat16>(); }
TEST_CASE("interleaves: elements of four bytes") { every_length<float>(); }
TEST_CASE("interleaves: elements of eight bytes") { every_length<double>(); }

}}  // namespace test_engine_kernel_table_kernels_interleaves
