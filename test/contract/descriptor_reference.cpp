#include <plait/contract/descriptor_reference.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_contract_descriptor_reference {

using namespace plait;

TEST_CASE("reference_reorder: descriptors give the bytes that layouts and C++ types give") {
    const layout from({3, 10}, "ab"), to({3, 10}, "Ba4b");
    const float scales[] = {0.5f, -2, 3};
    const reorder_attributes attributes{.src_scale = {scales, 1}, .dst_zero_point = 4, .beta = 0.5f};
    std::vector<std::int32_t> in(30);
    for (int i = 0; i < 30; ++i) in[static_cast<std::size_t>(i)] = i * 31 - 400;
    for (const reorder_attributes& each : {attributes, reorder_attributes{}}) {
        std::vector<bfloat16> expected(36, convert<bfloat16>(3.0f)), found = expected;
        reference_reorder(from, in.data(), to, expected.data(), each);
        reference_reorder(descriptor(data_type::s32, from), in.data(), descriptor(data_type::bf16, to), found.data(),
                          each);
        CHECK(expected == found);
    }
}

TEST_CASE("reference_reorder: compensation after the data, by hand") {
    extra besides;
    besides.s8s8_compensation = besides.asymmetric_source_compensation = true;
    besides.s8s8_mask = 1;
    besides.scale_adjust = 0.5f;
    const descriptor src(data_type::f32, layout({3, 2}, "ab")), dst(data_type::s8, layout({3, 2}, "AB4a4b"), besides);
    const float in[] = {2, 4, -6, 8, 300, 5};  // scale_adjust halves them: 1 2, -3 4, 127 2, because 2.5 rounds to even
    std::vector<std::byte> out(dst.size_in_bytes(), std::byte{77});
    REQUIRE(out.size() == 16 + 4 * 4 + 4);
    reference_reorder(src, in, dst, out.data());
    std::int32_t sums[5];
    std::memcpy(sums, out.data() + 16, sizeof(sums));
    CHECK(sums[0] == -128 * 3);
    CHECK(sums[1] == -128 * 1);
    CHECK(sums[2] == -128 * 129);
    CHECK(sums[3] == 0);  // a padded channel
    CHECK(sums[4] == -133);
}

TEST_CASE("reference_reorder: sums by two axes are in the order of the destination, by hand") {
    // oneDNN 2.6 and 3.14 write them in this order: in Abcd16a, the inner one of the two axes is a, in blocks of 16.
    const extra besides{.asymmetric_source_compensation = true, .asymmetric_source_mask = 3};
    const descriptor src(data_type::s8, layout({2, 2, 1, 1}, "abcd")),
        dst(data_type::s8, layout({2, 2, 1, 1}, "Abcd16a"), besides);
    const std::int8_t in[] = {1, 2, 3, 4};
    std::vector<std::byte> out(dst.size_in_bytes(), std::byte{77});
    REQUIRE(out.size() == 32 + 4 * 32);
    reference_reorder(src, in, dst, out.data());
    std::int32_t sums[32];
    std::memcpy(sums, out.data() + 32, sizeof(sums));
    for (int i = 0; i < 32; ++i) CHECK(sums[i] == (i == 0 ? -1 : i == 1 ? -3 : i == 16 ? -2 : i == 17 ? -4 : 0));
}

TEST_CASE("reference_reorder: the sums of a tensor that has only padding are 0") {
    // Mask 0 has one sum; mask 1 has one for each place of the padding.
    for (const int mask : {0, 1}) {
        layout padded({18}, "A9a");
        padded.dims = {0};
        const extra besides{.asymmetric_source_compensation = true, .asymmetric_source_mask = mask};
        const descriptor src(data_type::f32, layout({0}, "a")), dst(data_type::s8, padded, besides);
        REQUIRE(check_reorder(src, dst).ok());
        std::vector<std::byte> out(dst.size_in_bytes(), std::byte{77});
        REQUIRE(out.size() == (mask == 0 ? 20 + 4 : 20 + 4 * 18));
        reference_reorder(src, out.data(), dst, out.data());
        // The two bytes between the data and the sums are not written.
        for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == std::byte(i == 18 || i == 19 ? 77 : 0));
    }
}

}  // namespace test_contract_descriptor_reference
