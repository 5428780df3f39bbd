// C descriptors with wrong fields: each function that reads a descriptor refuses them, and writes nothing.

#include "c_api/c_descriptors.hpp"
#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace test_c_api_refusals_of_descriptors { namespace {

using namespace plait;
using namespace plait_test;

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

}}  // namespace test_c_api_refusals_of_descriptors
