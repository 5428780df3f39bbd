// Descriptors as records, and back: the same places, and the same bytes from a reorder and from packing.
#include <plait/packed.hpp>
#include <plait/plait.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

namespace {
using namespace plait;
using bytes = std::vector<std::byte>;

bytes patterned_bytes(std::size_t count) {
    bytes out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>(i * 37 % 251);
    return out;
}

TEST_CASE("a record of a descriptor packs to the bytes of a reorder to the descriptor") {
    const extra sums[] = {{},
                          {.s8s8_compensation = true, .s8s8_mask = 1},
                          {.s8s8_compensation = true, .s8s8_mask = 2},
                          {.s8s8_compensation = true,
                           .asymmetric_source_compensation = true,
                           .s8s8_mask = 2,
                           .asymmetric_source_mask = 2},
                          {.asymmetric_source_compensation = true, .asymmetric_source_mask = 3}};
    for (const char* tag : {"ab", "ba", "BA16a64b4a", "AB4b16a4b", "aB8b", "BA4b8a8b2a", "Ab16a"})
        for (const extra& e : sums)
            for (const dims& extents : {dims{37, 29}, dims{64, 64}, dims{1, 5}}) {
                CAPTURE(tag);
                const descriptor src(data_type::s8, layout(extents, "ab")),
                    dst(data_type::s8, layout(extents, *parse_format_tag(std::string_view(tag))), e);
                const bytes in = patterned_bytes(src.buffer_size_in_bytes());
                const expected<record> r = as_record(dst);
                REQUIRE(r.has_value());
                REQUIRE(r->size_in_bytes() == dst.buffer_size_in_bytes());
                CHECK(*as_descriptor(*r) == dst);
                bytes moved(dst.buffer_size_in_bytes(), std::byte{0}), from_record(moved.size(), std::byte{0x55});
                reorder(src, in.data(), dst, moved.data());
                const field_values values[] = {{"w", src, in}};
                pack(*r, values, from_record);
                CHECK(moved == from_record);
            }
}

TEST_CASE("what is no order of blocks, or has other fields, is refused") {
    CHECK(as_record({data_type::f32, layout({4, 4}, strides{8, 1})}).error().reason == reason::layout_is_not_dense);
    CHECK(as_record({data_type::s8, layout({4, 4}, "ab"), {.scale_adjust = 0.5f}}).error().reason ==
          reason::scale_adjust_is_invalid);
    CHECK(as_record({data_type::f32, layout({dynamic, 4}, "ab")}).error().reason == reason::dim_is_dynamic);
    CHECK(as_descriptor(*parse_record("nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)", {64, 256})).error().reason ==
          reason::record_tags_differ);
    CHECK(as_descriptor(*parse_record("ab: (w:s8 ab, sum:s32 b /a =sum(w)*-2)", {4, 4})).error().reason ==
          reason::record_tags_differ);
    CHECK(as_descriptor(*parse_record("ab: (w:s8 ab, sum:s32 b /a =sum(w-3)*-128)", {4, 4})).error().reason ==
          reason::record_tags_differ);
    CHECK(as_descriptor(*parse_record("ab: (w:s8 ab, _:64, sum:s32 b /a =sum(w)*-128)", {4, 4})).error().reason ==
          reason::record_tags_differ);
}
}  // namespace
