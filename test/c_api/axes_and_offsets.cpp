// C functions that split an axis, join axes and compute offsets. Each gives the result of the C++ function on random
// layouts. Each refusal is also returned in fields.

#include "c_api/c_descriptors.hpp"
#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

namespace test_c_api_axes_and_offsets { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Checks that the fields of the last refusal equal those of the verdict.
void same_fields(const verdict& why) {
    plait_refusal_t fields;
    REQUIRE(plait_get_last_refusal(&fields) == PLAIT_SUCCESS);
    CHECK(std::string(fields.reason) == to_string(why.reason));
    CHECK(fields.axis == why.axis);
    CHECK(fields.numbers[0] == why.first);
    CHECK(fields.numbers[1] == why.second);
    CHECK(fields.numbers[2] == why.third);
    CHECK(fields.reserved == 0);
}

TEST_CASE("C axes: split_axis and join_axes equal those of the C++ descriptor; a refusal has its numbers in fields") {
    random_source random(76);
    int allowed = 0, refused = 0;
    for (int i = 0; i < 2000; ++i) {
        const descriptor d(data_type::f32, random.small_layout());
        const plait_memory_desc_t in = to_c(d);
        const int axis = static_cast<int>(random.between(random.once_in(10) ? -1 : 0, d.ndims() - 1));
        const int last = axis + static_cast<int>(random.between(random.once_in(10) ? -1 : 0, 2));
        const dim_t factor = random.between(1, 3);
        dims parts{factor};
        if (axis >= 0 && d.dims()[axis] % factor == 0) parts.push_back(d.dims()[axis] / factor);
        const bool splits = i % 2 == 0;
        const expected<descriptor> made = splits ? try_split_axis(d, axis, parts) : try_join_axes(d, axis, last);
        INFO(to_string(d.layout) << ", axis " << axis << " to " << last << ", parts " << to_string(parts));
        CHECK(compare_calls(in, made, [&](auto* out, const auto* from) {
                  return splits ? plait_memory_desc_split_axis(out, from, axis, parts.size(), parts.values)
                                : plait_memory_desc_join_axes(out, from, axis, last);
              }) == "");
        if (!made) same_fields(made.error());
        ++(made.has_value() ? allowed : refused);
    }
    CHECK(allowed > 500);
    CHECK(refused > 200);
}

TEST_CASE("C offsets: equal the offset of the layout; a position out of range is refused and nothing is written") {
    random_source random(77);
    for (int i = 0; i < 2000; ++i) {
        const descriptor d(data_type::u8, random.small_layout());
        const plait_memory_desc_t in = to_c(d);
        position at;
        for (dim_t extent : d.dims()) at.push_back(random.between(random.once_in(20) ? -1 : 0, extent));
        const verdict why = check_position(d.layout, d.dims(), at);
        plait_dim_t offset = -7;
        const plait_status_t status = plait_memory_desc_get_offset(&offset, &in, at.values);
        CHECK(status == to_c(why.status()));
        CHECK(offset == (why.ok() ? d.layout.offset(at) : -7));
        if (!why.ok()) same_fields(why);
    }
}

TEST_CASE("C refusals: a null descriptor has fields too; null arguments and too many parts are refused") {
    plait_refusal_t fields;
    CHECK(plait_memory_desc_check(nullptr) == PLAIT_INVALID_ARGUMENTS);
    REQUIRE(plait_get_last_refusal(&fields) == PLAIT_SUCCESS);
    CHECK(std::string(fields.reason) == "pointer_is_null");
    CHECK(fields.axis == -1);
    CHECK(fields.numbers[0] == 0);
    // A refused call of plait_get_last_refusal keeps the fields of the refusal before it, except the numbers.
    const plait_memory_desc_t d = to_c(layout({2, 17}, "nc"));
    const plait_dim_t outside[] = {0, 17};
    plait_dim_t offset = 0;
    CHECK(plait_memory_desc_get_offset(&offset, &d, outside) == PLAIT_INVALID_ARGUMENTS);
    same_fields({reason::position_is_out_of_range, 1, 17, 17});
    CHECK(plait_get_last_refusal(nullptr) == PLAIT_INVALID_ARGUMENTS);
    REQUIRE(plait_get_last_refusal(&fields) == PLAIT_SUCCESS);
    CHECK(std::string(fields.reason) == "pointer_is_null");
    CHECK(fields.numbers[0] == 0);

    CHECK(plait_memory_desc_get_offset(nullptr, &d, outside) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("out is null"));
    CHECK(plait_memory_desc_get_offset(&offset, &d, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("position is null"));
    plait_memory_desc_t out = pattern();
    CHECK(plait_memory_desc_split_axis(&out, &d, 1, 2, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("new_dims is null"));
    CHECK(plait_memory_desc_split_axis(&out, &d, 1, 13, outside) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_memory_desc_join_axes(nullptr, &d, 0, 1) == PLAIT_INVALID_ARGUMENTS);
    CHECK(same_bytes(out, pattern()));
}

TEST_CASE("C forget_padding: equals that of the C++ descriptor, and the axes can be joined afterwards") {
    plait_memory_desc_t padded, out = pattern();
    const plait_dim_t extents[] = {3, 4}, all[] = {12};
    CHECK(plait_memory_desc_init_by_tag(&padded, 2, extents, PLAIT_F32, "Ab4a") == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_view(&out, &padded, 1, all) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("axis_is_padded"));
    CHECK(plait_memory_desc_forget_padding(&out, &padded) == PLAIT_SUCCESS);
    CHECK(out.padded_dims[0] == 3);
    CHECK(plait_memory_desc_view(&out, &out, 1, all) == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_forget_padding(nullptr, &padded) == PLAIT_INVALID_ARGUMENTS);
}

TEST_CASE("C refusals: the name of every reason fits into the field") {
    constexpr int count = sizeof(reasons) / sizeof(reasons[0]);
    for (const reason_entry& entry : reasons) CHECK(std::string(entry.name).size() < sizeof(plait_refusal_t::reason));
    CHECK(count > 100);
}

}}  // namespace test_c_api_axes_and_offsets
