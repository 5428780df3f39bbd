// The boundary of the C interface: any argument gives a status. A refused call writes nothing and does not crash.

#include "c_api/c_descriptors.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

namespace test_c_api_refusals {

using namespace plait_test;

TEST_CASE("C arguments: null and misaligned pointers, ranks of 0 and 13, and unknown numbers are refused") {
    plait_memory_desc_t d = blocked(), out = pattern();
    const auto refused = [&](plait_status_t status, const char* part) {
        INFO(plait_last_refusal());
        CHECK(status == PLAIT_INVALID_ARGUMENTS);
        CHECK(says(part));
        CHECK(same_bytes(out, pattern()));
    };
    const plait_dim_t thirteen[13] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    refused(plait_memory_desc_init_by_tag(nullptr, 4, four, PLAIT_F32, "nchw"), "out is null");
    refused(plait_memory_desc_init_by_tag(&out, 4, nullptr, PLAIT_F32, "nchw"), "dims is null");
    refused(plait_memory_desc_init_by_tag(&out, 4, four, PLAIT_F32, nullptr), "tag is null");
    refused(plait_memory_desc_init_by_tag(&out, 0, four, PLAIT_F32, "nchw"), "rank_differs");
    refused(plait_memory_desc_init_by_tag(&out, 0, nullptr, PLAIT_F32, "undef"), "layout_is_undefined");
    refused(plait_memory_desc_init_by_strides(&out, 0, nullptr, nullptr, PLAIT_F32), "layout_is_undefined");
    refused(plait_memory_desc_init_by_tag(&out, 13, thirteen, PLAIT_F32, "nchw"), "ndims_is_out_of_range");
    refused(plait_memory_desc_init_by_strides(&out, 13, thirteen, thirteen, PLAIT_F32), "ndims_is_out_of_range");
    refused(plait_memory_desc_init_by_tag(&out, -1, four, PLAIT_F32, "nchw"), "ndims_is_out_of_range");
    refused(plait_memory_desc_init_by_tag(&out, 4, four, 21, "nchw"), "data_type_is_unknown: number 21");
    refused(plait_memory_desc_init_by_tag(&out, 4, four, PLAIT_UNDEF, "nchw"), "data_type_is_unknown");
    refused(plait_memory_desc_init_by_tag(&out, 4, four, PLAIT_F32, "nChw16"), "tag_block_is_malformed: column 5");
    refused(plait_memory_desc_init_by_tag(&out, 4, four, PLAIT_F32, ""), "tag_is_empty");
    refused(plait_memory_desc_init_by_tag(&out, 4, four, PLAIT_F32, std::string(5000, 'a').c_str()), "tag_");
    refused(plait_memory_desc_init_by_tag_and_strides(&out, 4, four, PLAIT_F32, "nchw", nullptr), "strides is null");
    const plait_dim_t huge[] = {INT64_MAX, 2};
    refused(plait_memory_desc_init_by_tag(&out, 2, huge, PLAIT_F32, "ab"), "size_overflows");
    const plait_dim_t half[] = {INT64_MAX / 4, 1};
    refused(plait_memory_desc_init_by_tag(&out, 2, half, PLAIT_F64, "ab"), "size_overflows");

    refused(plait_memory_desc_reshape(nullptr, &d, 4, four), "out is null");
    refused(plait_memory_desc_reshape(&out, nullptr, 4, four), "in is null");
    refused(plait_memory_desc_reshape(&out, &d, 4, nullptr), "new_dims is null");
    refused(plait_memory_desc_reshape(&out, &d, 0, four), "layout_is_undefined");
    refused(plait_memory_desc_reshape(&out, &d, 13, thirteen), "ndims_is_out_of_range");
    refused(plait_memory_desc_extended_reshape(&out, &d, 4, four, 4), "reshape_flag_is_unknown");
    refused(plait_memory_desc_permute_axes(&out, &d, nullptr), "perm is null");
    refused(plait_memory_desc_rename_axes(&out, &d, nullptr), "renamed_axes is null");
    const char* const names[] = {"g", nullptr};
    const char* const split = "n (g c) h w -> n g h w c";
    refused(plait_memory_desc_rearrange(&out, &d, nullptr, 0, nullptr, nullptr), "pattern is null");
    refused(plait_memory_desc_rearrange(&out, &d, "n c -> n", 0, nullptr, nullptr), "column 3");
    refused(plait_memory_desc_rearrange(&out, &d, std::string(5000, 'a').c_str(), 0, nullptr, nullptr),
            "pattern_is_too_long");
    refused(plait_memory_desc_rearrange(&out, &d, split, 0, nullptr, nullptr), "pattern_extent_is_missing");
    refused(plait_memory_desc_rearrange(&out, &d, split, 1, nullptr, four), "names is null");
    refused(plait_memory_desc_rearrange(&out, &d, split, 1, names, nullptr), "extents is null");
    refused(plait_memory_desc_rearrange(&out, &d, split, 2, names, four), "names[1] is null");
    refused(plait_memory_desc_rearrange(&out, &d, split, 13, names, thirteen), "extents would have 13 numbers");
    refused(plait_memory_desc_rearrange(&out, &d, split, -1, names, four), "extents would have -1 numbers");
    plait_memory_desc_t result = out;
    refused(plait_memory_desc_rearrange_copy(nullptr, &result, &d, split, 1, names, four), "to is null");
    refused(plait_memory_desc_rearrange_copy(&out, nullptr, &d, split, 1, names, four), "result is null");
    refused(plait_memory_desc_rearrange_copy(&out, &result, nullptr, split, 1, names, four), "in is null");
    refused(plait_memory_desc_rearrange_copy(&out, &result, &d, nullptr, 0, nullptr, nullptr), "pattern is null");
    refused(plait_memory_desc_rearrange_copy(&out, &result, &d, split, 1, nullptr, four), "names is null");
    refused(plait_memory_desc_submemory(&out, &d, nullptr, four), "dims is null");
    refused(plait_memory_desc_submemory(&out, &d, four, nullptr), "offsets is null");
    refused(plait_memory_desc_strided_slice(nullptr, &d, 0, 0, 1, 1), "out is null");
    refused(plait_memory_desc_strided_slice(&out, nullptr, 0, 0, 1, 1), "in is null");
    refused(plait_memory_desc_of_size(nullptr, &d, 8), "out is null");
    refused(plait_memory_desc_of_size(&out, nullptr, 8), "in is null");
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{3}, std::size_t{32}, SIZE_MAX})
        refused(plait_memory_desc_of_size(&out, &d, bytes), "element_size_is_unknown: elements of");
    CHECK(plait_memory_desc_equal(nullptr, &d) == 0);
    CHECK(plait_memory_desc_equal(&d, nullptr) == 0);
    CHECK(plait_memory_desc_matches_tag(&d, nullptr, nullptr) == 0);
    CHECK(plait_memory_desc_matches_tag(nullptr, "ab", nullptr) == 0);
    CHECK(plait_memory_desc_get_size(nullptr) == 0);
    refused(plait_memory_desc_format_name(&d, nullptr, 100), "text is null");
    refused(plait_memory_desc_check(nullptr), "desc is null");

    alignas(8) unsigned char bytes[sizeof d + 4];
    std::memcpy(bytes + 4, &d, sizeof d);
    const auto* misaligned = reinterpret_cast<const plait_memory_desc_t*>(bytes + 4);
    refused(plait_memory_desc_check(misaligned), "4 bytes behind a multiple of 8");
    const auto* numbers = reinterpret_cast<const plait_dim_t*>(bytes + 4);
    refused(plait_memory_desc_reshape(&out, &d, 4, numbers), "pointer_is_misaligned: new_dims");
}

TEST_CASE("C strings: every status and data type has a name, and so has a number that is neither") {
    CHECK(std::string(plait_version()) == PLAIT_VERSION);
    CHECK(std::string(plait_status_string(PLAIT_SUCCESS)) == "success");
    CHECK(std::string(plait_status_string(PLAIT_OUT_OF_MEMORY)) == "out_of_memory");
    CHECK(std::string(plait_status_string(PLAIT_INVALID_ARGUMENTS)) == "invalid_arguments");
    CHECK(std::string(plait_status_string(PLAIT_UNIMPLEMENTED)) == "unimplemented");
    CHECK(std::string(plait_status_string(4)) == "unknown status");
    // C and C++ give each number the same name.
    for (int number = -1; number <= 10; ++number) {
        CHECK(std::string(plait_status_string(number)) == plait::to_string(static_cast<plait::status>(number)));
        CHECK(std::string(plait_data_type_string(number)) == plait::to_string(static_cast<plait::data_type>(number)));
    }
    CHECK(std::string(plait_status_string(-1)) == "unknown status");
    CHECK(std::string(plait_data_type_string(PLAIT_U8)) == "u8");
    CHECK(std::string(plait_data_type_string(PLAIT_F8_E4M3)) == "f8_e4m3");
    CHECK(std::string(plait_data_type_string(21)) == "unknown data type");
}

TEST_CASE("C refusals: each thread has its own last refusal, which success does not change") {
    CHECK(plait_memory_desc_check(nullptr) == PLAIT_INVALID_ARGUMENTS);
    const plait_memory_desc_t d = blocked();
    CHECK(plait_memory_desc_check(&d) == PLAIT_SUCCESS);
    CHECK(says("desc is null"));
    std::string other = "?", after = "?";
    std::thread([&] {
        other = plait_last_refusal();
        static_cast<void>(plait_memory_desc_get_size(nullptr));
        after = plait_last_refusal();
    }).join();
    CHECK(other == "");
    CHECK(after == "pointer_is_null: desc is null");
    CHECK(says("desc is null"));
}

}  // namespace test_c_api_refusals
