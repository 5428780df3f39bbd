// The boundary of the C interface: any argument gives a status. A refused call writes nothing and does not crash.
// Each function that reads a descriptor refuses wrong fields, and writes nothing.

#include "c_api/c_descriptors.hpp"

#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <thread>

namespace test_c_api_refusals { namespace {

using namespace plait_test;
using namespace plait;

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

/// Checks that each function that reads a descriptor refuses `bad` with `part` in its sentence, and writes nothing.
void refused_everywhere(const plait_memory_desc_t& bad, const char* part,
                        plait_status_t expected = PLAIT_INVALID_ARGUMENTS) {
    std::string said;
    INFO("expected: " << std::string(part) << ", said: " << said);
    const plait_memory_desc_t good = blocked();
    const int order[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    plait_memory_desc_t out = pattern(), other = out;
    CHECK(plait_memory_desc_check(&bad) == expected);
    said = plait_last_refusal();
    CHECK(says(part));
    CHECK(plait_memory_desc_reshape(&out, &bad, 4, four) == expected);
    CHECK(plait_memory_desc_view(&out, &bad, 4, four) == expected);
    CHECK(plait_memory_desc_extended_reshape(&out, &bad, 4, four, 3) == expected);
    CHECK(plait_memory_desc_permute_axes(&out, &bad, order) == expected);
    CHECK(plait_memory_desc_rename_axes(&out, &bad, order) == expected);
    CHECK(plait_memory_desc_rearrange(&out, &bad, "a b -> b a", 0, nullptr, nullptr) == expected);
    CHECK(plait_memory_desc_rearrange_copy(&out, &other, &bad, "a b -> b a", 0, nullptr, nullptr) == expected);
    CHECK(plait_memory_desc_submemory(&out, &bad, four, four) == expected);
    CHECK(plait_memory_desc_strided_slice(&out, &bad, 0, 0, 1, 1) == expected);
    CHECK(plait_memory_desc_of_size(&out, &bad, 8) == expected);
    CHECK(plait_memory_desc_split_axis(&out, &bad, 0, 4, four) == expected);
    CHECK(plait_memory_desc_join_axes(&out, &bad, 0, 1) == expected);
    CHECK(plait_memory_desc_bind(&out, &bad, 0, four) == expected);
    CHECK(same_bytes(out, pattern()));
    out = bad;
    CHECK(plait_memory_desc_reshape(&out, &out, 4, four) == expected);
    CHECK(same_bytes(out, bad));
    CHECK(plait_memory_desc_equal(&bad, &bad) == 0);
    CHECK(plait_memory_desc_equal(&good, &bad) == 0);
    CHECK(plait_memory_desc_matches_tag(&bad, "nChw16c", nullptr) == 0);
    CHECK(plait_memory_desc_get_size(&bad) == 0);
    CHECK(plait_memory_desc_get_buffer_size(&bad) == 0);
    char text[4] = "...";
    CHECK(plait_memory_desc_format_name(&bad, text, sizeof text) == expected);
    CHECK(std::string(text) == "...");
    plait_dim_t offset = 7;
    CHECK(plait_memory_desc_get_offset(&offset, &bad, four) == expected);
    CHECK(offset == 7);
    std::int64_t data[2] = {3, 3};
    int answer = 7;
    plait_reorder_t* planned = nullptr;
    CHECK(plait_zero_pad(&bad, data, sizeof data) == expected);
    CHECK(plait_is_padding_zero(&bad, data, sizeof data, &answer) == expected);
    CHECK(plait_reorder_create(&planned, &good, &bad, nullptr) == expected);
    CHECK(plait_reorder_create(&planned, &bad, &good, nullptr) == expected);
    CHECK(plait_reorder(&bad, data, 8, &bad, data + 1, 8, nullptr) == expected);
    plait_reorder_t* open = nullptr;
    const plait_memory_desc_t any_batch = to_c(layout({dynamic, 17, 5, 4}, "nChw16c"));
    REQUIRE(plait_reorder_create(&open, &any_batch, &any_batch, nullptr) == PLAIT_SUCCESS);
    CHECK(plait_reorder_execute_bound(open, &bad, data, 8, &good, data + 1, 8, nullptr) == expected);
    CHECK(plait_reorder_execute_bound(open, &good, data, 8, &bad, data + 1, 8, nullptr) == expected);
    plait_reorder_destroy(open);
    CHECK(planned == nullptr);
    CHECK(answer == 7);
    CHECK(data[0] + data[1] == 6);
}

TEST_CASE("C descriptors: the fields are checked before anything is read") {
    const auto with = [](const auto& change, const char* part) {
        plait_memory_desc_t bad = blocked();
        change(bad);
        refused_everywhere(bad, part);
    };
    with([](auto& d) { d.version = 0; }, "version_is_unknown: desc has version 0, where this library reads 1");
    with([](auto& d) { d.version = 2; }, "version_is_unknown");
    with([](auto& d) { d.ndims = d.blocking.inner_nblks = 0; }, "layout_is_malformed");
    with([](auto& d) { d.ndims = 13; }, "13 axes, but a layout has at most 12");
    with([](auto& d) { d.ndims = -1; }, "ndims_is_out_of_range");
    with([](auto& d) { d.ndims = std::numeric_limits<int>::max(); }, "ndims_is_out_of_range");
    with([](auto& d) { d.data_type = 21; }, "data_type_is_unknown: desc has data type number 21");
    with([](auto& d) { d.data_type = -1; }, "data_type_is_unknown");
    with([](auto& d) { d.data_type = PLAIT_UNDEF; }, "data_type_is_unknown");
    with([](auto& d) { d.format_kind = 4; }, "format_kind_is_unknown: desc has format kind number 4");
    with([](auto& d) { d.format_kind = -1; }, "format_kind_is_unknown");
    with([](auto& d) { d.reserved[7] = 1; }, "reserved_is_not_zero");
    with([](auto& d) { d.extra.reserved[12] = 1; }, "reserved_is_not_zero");
    with([](auto& d) { d.extra.flags = 4; }, "extra_flag_is_unknown: desc has the extra flags 0x4, of which 0xb");
    with([](auto& d) { d.extra.flags = std::uint64_t{1} << 63; }, "extra_flag_is_unknown");
    with([](auto& d) { d.extra.flags = 1; }, "extra_needs_s8");
    with([](auto& d) { d.extra.compensation_mask = 1; }, "mask_has_no_compensation");
    with([](auto& d) { d.extra.scale_adjust = 0.5f; }, "scale_adjust_has_no_flag");
    with([](auto& d) { d.extra.scale_adjust = std::numeric_limits<float>::quiet_NaN(); }, "scale_adjust_has_no_flag");
    with([](auto& d) { d.blocking.inner_nblks = -1; }, "inner_nblks_is_out_of_range");
    with([](auto& d) { d.blocking.inner_nblks = 21; }, "21 inner blocks, but beside 4 axes there are at most 20");
    with([](auto& d) { d.ndims = 0, d.blocking.inner_nblks = 24; }, "inner_nblks_is_out_of_range");
    with([](auto& d) { d.ndims = 1, d.blocking.inner_nblks = 23; }, "layout_is_malformed");
    with([](auto& d) { d.blocking.inner_nblks = std::numeric_limits<int>::min(); }, "inner_nblks_is_out_of_range");
    with([](auto& d) { d.blocking.inner_idxs[0] = 4; }, "layout_is_malformed");
    with([](auto& d) { d.blocking.inner_idxs[0] = -1; }, "layout_is_malformed");
    with([](auto& d) { d.blocking.inner_blks[0] = 0; }, "layout_is_malformed");
    with([](auto& d) { d.blocking.inner_blks[0] = INT64_MIN; }, "layout_is_malformed");
    with([](auto& d) { d.blocking.inner_strides[0] = -1; }, "stride_is_negative");
    with([](auto& d) { d.blocking.strides[1] = -1; }, "stride_is_negative");
    with([](auto& d) { d.dims[1] = -17; }, "dim_is_negative");
    with([](auto& d) { d.dims[1] = 33; }, "padded_dim_does_not_fit");
    with([](auto& d) { d.padded_dims[1] = 31; }, "padded_dim_does_not_fit");
    with([](auto& d) { d.padded_dims[1] = INT64_MAX; }, "padded_dim_does_not_fit");
    with([](auto& d) { d.padded_offsets[1] = 16; }, "padded_dim_does_not_fit");
    with([](auto& d) { d.offset0 = -1; }, "layout_is_malformed");
    with([](auto& d) { d.offset0 = INT64_MAX; }, "size_overflows");
    with([](auto& d) { d.dims[0] = d.padded_dims[0] = INT64_MAX / 2; }, "size_overflows");
    with([](auto& d) { d.dims[0] = d.padded_dims[0] = INT64_MAX / 640; }, "size_overflows");
    with(
        [](auto& d) {
            // Offsets that fit in 63 bits, with sizes in bytes that do not.
            d.data_type = PLAIT_F64;
            d.blocking.strides[0] = INT64_MAX / 4;
        },
        "size_overflows");
    plait_memory_desc_t zero;
    std::memset(&zero, 0, sizeof zero);
    refused_everywhere(zero, "version_is_unknown");
    refused_everywhere(pattern(), "version_is_unknown");
    plait_memory_desc_t opaque = blocked();
    opaque.format_kind = PLAIT_FORMAT_KIND_OPAQUE;
    refused_everywhere(opaque, "layout_is_opaque", PLAIT_UNIMPLEMENTED);
}

TEST_CASE("C descriptors: one random byte is changed; the result is refused or a valid descriptor") {
    random_source random(74);
    for (int i = 0; i < 3000; ++i) {
        plait_memory_desc_t d = to_c(random.small_layout());
        const auto at = static_cast<std::size_t>(random.between(0, static_cast<dim_t>(sizeof d) - 1));
        reinterpret_cast<unsigned char*>(&d)[at] = static_cast<unsigned char>(random.between(0, 255));
        const int order[max_ndims] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        plait_memory_desc_t out = pattern();
        const plait_status_t status = plait_memory_desc_permute_axes(&out, &d, order);
        // The identity permutation is allowed exactly if plait_memory_desc_check allows the descriptor.
        const bool any = d.format_kind == PLAIT_FORMAT_KIND_UNDEF;
        if (!any) CHECK(status == plait_memory_desc_check(&d));
        CHECK((status == PLAIT_SUCCESS) != same_bytes(out, pattern()));
        if (status == PLAIT_SUCCESS) CHECK(plait_memory_desc_equal(&out, &d) == 1);
    }
}

}}  // namespace test_c_api_refusals
