// Tests of the notations of other projects: examples from their documentation, and refusals.

#include "support/small_layouts.hpp"

#include <plait/algebra/submemory.hpp>
#include <plait/io/cute_layout.hpp>
#include <plait/io/linalg_pack.hpp>
#include <plait/io/onednn_format.hpp>
#include <plait/io/tvm_layout.hpp>
#include <plait/io/xla_layout.hpp>

#include <string_view>

namespace test_io_notations { namespace {

using namespace plait;
using namespace plait::detail;

constexpr bool says(const expected<layout_name>& made, const char* text) { return made.has_value() && *made == text; }

TEST_CASE("notations: reads, writes and refuses TVM's layouts") {
    constexpr dims d{1, 32, 8, 8};
    STATIC_CHECK(*parse_tvm_layout("NCHW", d, "NCHW") == layout(d, "nchw"));
    STATIC_CHECK(*parse_tvm_layout("NHWC", d, "NCHW") == layout(d, "nhwc"));
    STATIC_CHECK(*parse_tvm_layout("NCHW16c", d, "NCHW") == layout(d, "nChw16c"));
    STATIC_CHECK(*parse_tvm_layout("OIHW4o4i", {8, 8, 3, 3}, "OIHW") == layout({8, 8, 3, 3}, "ABcd4a4b"));
    STATIC_CHECK(*parse_tvm_layout("OIHW[4o4i]", {8, 8, 3, 3}, "OIHW") == layout({8, 8, 3, 3}, "ABcd4a4b"));
    STATIC_CHECK(*parse_tvm_layout("OIHW4i4o", {8, 8, 3, 3}, "OIHW") == layout({8, 8, 3, 3}, "ABcd4b4a"));
    STATIC_CHECK(says(format_tvm_layout(layout(d, "nChw16c"), "NCHW"), "NCHW16c"));
    // A block may be anywhere, for example 16 channels around each row.
    constexpr layout around = *parse_tvm_layout("NC16cHW", d, "NCHW");
    STATIC_CHECK(around.offset({0, 17, 2, 3}) == 1024 + 64 + 2 * 8 + 3);
    STATIC_CHECK(says(format_tvm_layout(around, "NCHW"), "NC16cHW"));
    // A block may even be outside its axis.
    STATIC_CHECK(parse_tvm_layout("4aAB", {8, 3}, "AB")->offset({5, 2}) == 1 * 6 + 1 * 3 + 2);
    STATIC_CHECK(says(format_tvm_layout(*parse_tvm_layout("4aAB", {8, 3}, "AB"), "AB"), "4aAB"));

    // An axis may have several blocks: with index 9 = 2 * 4 + 1, the first 4i has 2 and the last 4i has 1.
    STATIC_CHECK(*parse_tvm_layout("OIHW4i16o4i", {64, 64, 3, 3}, "OIHW") == layout({64, 64, 3, 3}, "OIhw4i16o4i"));
    STATIC_CHECK(*parse_tvm_layout("OHWI16i64o2i", {64, 48, 3, 3}, "OIHW") == layout({64, 48, 3, 3}, "AcdB16b64a2b"));
    STATIC_CHECK(*parse_tvm_layout("NCHW16c4c", d, "NCHW") == layout(d, "nChw16c4c"));
    STATIC_CHECK(says(format_tvm_layout(layout({64, 64, 3}, "ABc4b16a4b"), "OIW"), "OIW4i16o4i"));
    // The block of 2 is less significant than the block of 4, but is outside it in memory. Letters in the order of
    // memory would mean the reverse.
    constexpr layout turned = *parse_cute_layout("(3,(2,4,2)):(16,(4,1,8))");
    STATIC_CHECK(turned.offset({1, 11}) == 16 + 4 + 1 + 8);
    STATIC_CHECK(format_tvm_layout(turned, "NC").error() == verdict{reason::notation_has_no_strides, 1, 1, 4});
    // A block outside its own axis can be written.
    STATIC_CHECK(says(format_tvm_layout(*parse_cute_layout("(3,(2,4)):(8,(4,1))"), "NC"), "N2cC"));

    const auto refused = [](std::string_view text, const verdict& why) {
        return parse_tvm_layout(text, {1, 32, 8, 8}, "NCHW").error() == why;
    };
    STATIC_CHECK(refused("NCHW4294967296c4294967296c", {reason::size_overflows, 1, 32, 0}));
    STATIC_CHECK(refused("NCH", {reason::notation_is_malformed, -1, 4}));
    STATIC_CHECK(refused("NCHC", {reason::notation_is_malformed, -1, 4}));
    STATIC_CHECK(refused("NCHWc", {reason::notation_is_malformed, -1, 5}));
    STATIC_CHECK(refused("NCHW16C", {reason::notation_is_malformed, -1, 7}));
    STATIC_CHECK(refused("NCHW0c", {reason::notation_is_malformed, -1, 6}));
    STATIC_CHECK(refused("NCHW[16c", {reason::notation_is_malformed, -1, 9}));
    STATIC_CHECK(refused("NCxW", {reason::notation_is_malformed, -1, 3}));
    STATIC_CHECK(parse_tvm_layout("NC", {1}, "NC").error() == verdict{reason::rank_differs, -1, 2, 1});
    STATIC_CHECK(format_tvm_layout(layout({2, 3}, strides{8, 1}), "AB").error() ==
                 verdict{reason::notation_has_no_strides, 0, 3, 8});
}

TEST_CASE("notations: reads, writes and refuses XLA's layouts") {
    // Figure 1 of its documentation: in F32[3,5]{1,0:T(2,2)}, element (2,3) is at 17.
    constexpr layout figure = *parse_xla_layout("{1,0:T(2,2)}", {3, 5});
    STATIC_CHECK(figure == layout({3, 5}, "AB2a2b") && figure.offset({2, 3}) == 17);
    STATIC_CHECK(*parse_xla_layout("{0,1}", {3, 5}) == layout({3, 5}, "ba"));
    STATIC_CHECK(*parse_xla_layout("{1,0:T(8,128)}", {16, 200}) == layout({16, 200}, "AB8a128b"));
    // A tile of bf16 has pairs of rows.
    STATIC_CHECK(*parse_xla_layout("{1,0:T(8,128)(2,1)}", {16, 256}) == layout({16, 256}, "AB4a128b2a"));
    STATIC_CHECK(*parse_xla_layout("{2,1,0:T(4)}", {2, 3, 8}) == layout({2, 3, 8}, "abC4c"));
    // Figure 2: in F32[4,8]{1,0:T(2,4)(2,1)}, element (1,2) of a tile is at 2 * 2 + 1.
    STATIC_CHECK(parse_xla_layout("{1,0:T(2,4)(2,1)}", {4, 8})->offset({1, 2}) == 5);
    // A tile with more extents than the one before splits the number of tiles. The split part is more significant, but
    // inside in memory: with 2 tiles of 4, the elements of both tiles alternate.
    constexpr layout alternating = *parse_xla_layout("{0:T(4)(2,1)}", {8});
    STATIC_CHECK(alternating.offset(1) == 2 && alternating.offset(4) == 1 && alternating.offset(7) == 7);
    STATIC_CHECK(says(format_xla_layout(alternating), "{0:T(4)(2,1)}"));
    // TPUs have this layout for vectors of bf16. Padding is at the end of the axis.
    constexpr layout vector = *parse_xla_layout("{0:T(1024)(128)(2,1)}", {3000});
    STATIC_CHECK(vector.padded_dims == dims{3072} && vector.offset(128) == 1 && vector.offset(257) == 258);
    STATIC_CHECK(says(format_xla_layout(vector), "{0:T(1024)(128)(2,1)}"));
    // A single tile may be padded by the next, because no other follows it.
    STATIC_CHECK(parse_xla_layout("{0:T(8)(3)}", {8})->padded_dims == dims{9});
    STATIC_CHECK(parse_xla_layout("{0:T(8)(3)}", {9}).error() == verdict{reason::extents_do_not_divide, 0, 8, 3, 2});
    STATIC_CHECK(parse_xla_layout("{0:T(4611686018427387904)(2,1)}", {8}).error() ==
                 verdict{reason::size_overflows, 0, 4611686018427387904, 2});
    STATIC_CHECK(says(format_xla_layout(layout({16, 256}, "AB4a128b2a")), "{1,0:T(8,128)(2,1)}"));
    STATIC_CHECK(says(format_xla_layout(layout({1, 32, 8, 8}, "nChw16c")), "{3,2,1,0:T(16,1,1)}"));
    STATIC_CHECK(says(format_xla_layout(layout({1, 32, 8, 8}, "nhwc")), "{1,3,2,0}"));

    const auto refused = [](std::string_view text, const verdict& why) {
        return parse_xla_layout(text, {16, 256}).error() == why;
    };
    STATIC_CHECK(refused("1,0", {reason::notation_is_malformed, -1, 1}));
    STATIC_CHECK(refused("{1,0", {reason::notation_is_malformed, -1, 5}));
    STATIC_CHECK(refused("{1;0}", {reason::notation_is_malformed, -1, 3}));
    STATIC_CHECK(refused("{1,0:T(2,2,2)}", {reason::notation_is_malformed, -1, 7}));
    STATIC_CHECK(refused("{1,0:T(0,2)}", {reason::notation_is_malformed, -1, 8}));
    STATIC_CHECK(refused("{1,0}x", {reason::notation_is_malformed, -1, 6}));
    STATIC_CHECK(refused("{1,0:T(8,128)S(1)}", {reason::notation_says_more, -1, 14}));
    STATIC_CHECK(refused("{1,0:S(1)}", {reason::notation_says_more, -1, 6}));
    STATIC_CHECK(refused("{1,0:T(*,128)}", {reason::notation_says_more, -1, 8}));
    STATIC_CHECK(refused("{1,1}", {reason::not_a_permutation, 1, 1, 2}));
    STATIC_CHECK(refused("{0}", {reason::rank_differs, -1, 1, 2}));
    STATIC_CHECK(refused("{1,0:T(8,128)(3,1)}", {reason::extents_do_not_divide, 0, 8, 3, 2}));
    STATIC_CHECK(format_xla_layout(layout({2, 3}, strides{8, 1})).error() ==
                 verdict{reason::notation_has_no_strides, 0, 3, 8});
    STATIC_CHECK(format_xla_layout(submemory(layout({4, 4}, "ab"), {2, 4}, {1, 0})).error() ==
                 verdict{reason::notation_has_no_offset, -1, 4});
    STATIC_CHECK(format_xla_layout(plait_test::by_hand({5}, {6}, {1})).has_value());  // padding without offsets
    STATIC_CHECK(format_xla_layout(layout({2, dynamic}, "ab")).error() == verdict{reason::dim_is_dynamic, 1});
}

TEST_CASE("notations: reads, writes and refuses CuTe's layouts") {
    STATIC_CHECK(*parse_cute_layout("(_4,_8):(_8,_1)") == layout({4, 8}, "ab"));
    STATIC_CHECK(*parse_cute_layout("8:2") == layout({8}, strides{2}));
    // From its documentation: ((2,2),2):((4,1),2) is 0 2 / 4 6 / 1 3 / 5 7.
    constexpr layout nested = *parse_cute_layout("((2,2),2):((4,1),2)");
    STATIC_CHECK(nested.offset({1, 0}) == 4 && nested.offset({2, 1}) == 3 && nested.offset({3, 1}) == 7);
    STATIC_CHECK(parse_cute_layout("((2,(2,2)),3) : ((1,(6,12)),2)")->offset({5, 2}) == 1 + 12 + 4);
    STATIC_CHECK(
        says(format_cute_layout(*parse_cute_layout("((2,(2,2)),3):((1,(6,12)),2)")), "((2,2,2),3):((1,6,12),2)"));
    STATIC_CHECK(parse_cute_layout("(4,2):(0,1)")->offset({3, 1}) == 1);
    STATIC_CHECK(says(format_cute_layout(layout({4, 32}, "Ba16b")), "(4,(16,2)):(16,(1,64))"));
    STATIC_CHECK(says(format_cute_layout(layout({8}, strides{2})), "8:2"));
    // ((4,2)) is one mode with two parts; (4,2) would be two modes.
    STATIC_CHECK(says(format_cute_layout(*parse_cute_layout("((4,2)):((1,6))")), "((4,2)):((1,6))"));
    // Padding in the outermost digit is not written, because no index reaches it.
    STATIC_CHECK(says(format_cute_layout(layout({2, 17}, "aB16b")), "(2,17):(32,1)"));
    STATIC_CHECK(says(format_cute_layout(nested), "((2,2),2):((4,1),2)"));

    const auto refused = [](std::string_view text, const verdict& why) {
        return parse_cute_layout(text).error() == why;
    };
    STATIC_CHECK(refused("(4,2)", {reason::notation_is_malformed, -1, 6}));
    STATIC_CHECK(refused("(4,2):(1,4", {reason::notation_is_malformed, -1, 11}));
    STATIC_CHECK(refused("((2,2),2):(4,1,2)", {reason::notation_is_malformed, -1, 11}));
    STATIC_CHECK(refused("(4,x):(1,4)", {reason::notation_is_malformed, -1, 4}));
    STATIC_CHECK(refused("(4,2):(1,4)+1", {reason::notation_is_malformed, -1, 12}));
    STATIC_CHECK(refused("Sw<3,4,3> o smem_ptr o (8,8):(8,1)", {reason::notation_says_more, -1, 1}));
    STATIC_CHECK(refused("(4,2):(1@0,1@1)", {reason::notation_says_more, -1, 9}));
    STATIC_CHECK(refused("(4,?):(1,4)", {reason::notation_says_more, -1, 4}));
    STATIC_CHECK(refused("(4,2):(-1,4)", {reason::notation_says_more, -1, 8}));
    STATIC_CHECK(*parse_cute_layout("(4,4):(1,1)") == layout({4, 4}, strides{1, 1}));
    STATIC_CHECK(*parse_cute_layout("(2,3):(5,2)") == layout({2, 3}, strides{5, 2}));
    STATIC_CHECK(format_cute_layout(layout({2, 17, 3}, "aBc16b")).error() ==
                 verdict{reason::notation_has_no_padding, 1, 32, 17});
}

TEST_CASE("notations: reads, writes and refuses the attributes of linalg.pack") {
    // KC to KCck and KC to CKkc are from its documentation; KCRS to KCRSsr is from its tests.
    constexpr dims d{128, 256};
    STATIC_CHECK(*parse_linalg_pack("inner_dims_pos = [1, 0] inner_tiles = [16, 32]", d) == layout(d, "AB16b32a"));
    STATIC_CHECK(*parse_linalg_pack("outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32]", d) ==
                 layout(d, "BA8a32b"));
    STATIC_CHECK(*parse_linalg_pack("inner_dims_pos=[3,2] inner_tiles=[8,32]", {1, 1, 32, 8}) ==
                 layout({1, 1, 32, 8}, "abCD8d32c"));
    STATIC_CHECK(*parse_linalg_pack("outer_dims_perm = [2, 0, 1] inner_dims_pos = [0, 1] inner_tiles = [16, 2]",
                                    {29241, 128, 64}) == layout({29241, 128, 64}, "cAB16a2b"));
    STATIC_CHECK(says(format_linalg_pack(layout(d, "BA8a32b")),
                      "outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32]"));
    STATIC_CHECK(says(format_linalg_pack(layout(d, "ab")), "inner_dims_pos = [] inner_tiles = []"));

    const auto refused = [](std::string_view text, const verdict& why) {
        return parse_linalg_pack(text, {128, 256}).error() == why;
    };
    STATIC_CHECK(refused("inner_dims = [1]", {reason::notation_is_malformed, -1, 1}));
    STATIC_CHECK(refused("inner_tiles = 4", {reason::notation_is_malformed, -1, 15}));
    STATIC_CHECK(refused("inner_tiles = [4] inner_tiles = [4]", {reason::notation_is_malformed, -1, 19}));
    STATIC_CHECK(refused("inner_dims_pos = [0] inner_tiles = [%n]", {reason::notation_says_more, -1, 37}));
    STATIC_CHECK(refused("inner_dims_pos = [0] inner_tiles = [4, 4]", {reason::rank_differs, -1, 2, 1}));
    STATIC_CHECK(refused("inner_dims_pos = [2] inner_tiles = [4]", {reason::axis_is_out_of_range, -1, 2, 2}));
    STATIC_CHECK(refused("outer_dims_perm = [0, 0]", {reason::not_a_permutation, 1, 0, 2}));
    STATIC_CHECK(parse_linalg_pack("inner_dims_pos = [0, 0] inner_tiles = [4, 4]", d).error().reason ==
                 reason::notation_is_malformed);
    STATIC_CHECK(format_linalg_pack(layout({64, 64, 3}, "ABc4b16a4b")).error() ==
                 verdict{reason::notation_has_no_blocks, 1, 2, 1});
}

TEST_CASE("notations: reads, writes and refuses oneDNN's format strings") {
    constexpr dims d{2, 17, 5, 4};
    STATIC_CHECK(parse_onednn_format("f32:p:blocked:aBcd16b:f0", d)->layout == layout(d, "nChw16c"));
    STATIC_CHECK(parse_onednn_format("f32:p:blocked:aBcd16b::f0", d)->layout == layout(d, "nChw16c"));
    STATIC_CHECK(parse_onednn_format("s8::blocked:acdb::f0", d)->type == data_type::s8);
    STATIC_CHECK(parse_onednn_format("f32:a:blocked:ab:8x1:f0", {2, 3})->layout == layout({2, 3}, strides{8, 1}));
    STATIC_CHECK(says(format_onednn_format(data_type::f32, layout(d, "nChw8c")), "f32:p:blocked:aBcd8b::f0"));
    STATIC_CHECK(
        says(format_onednn_format(data_type::bf16, layout(d, "nhwc"), onednn_version::v2), "bf16::blocked:acdb:f0"));
    STATIC_CHECK(says(format_onednn_format(data_type::f32, layout({2, 3}, strides{8, 1})), "f32::blocked:ab:8x1:f0"));

    const auto refused = [](std::string_view text, const verdict& why) {
        return parse_onednn_format(text, {2, 17, 5, 4}).error() == why;
    };
    STATIC_CHECK(refused("x32::blocked:abcd::f0", {reason::notation_is_malformed, -1, 1}));
    STATIC_CHECK(refused("f32", {reason::notation_is_malformed, -1, 4}));
    STATIC_CHECK(refused("f32:", {reason::notation_is_malformed, -1, 5}));
    STATIC_CHECK(refused("f32:po:blocked:abcd::f0", {reason::notation_says_more, -1, 6}));
    STATIC_CHECK(refused("f32:0:blocked:abcd::f0", {reason::notation_says_more, -1, 5}));
    STATIC_CHECK(refused("f32::wino:abcd::f0", {reason::notation_says_more, -1, 6}));
    STATIC_CHECK(refused("f32::blocked:abxd::f0", {reason::tag_character_is_unknown, -1, 16}));
    STATIC_CHECK(refused("s8::blocked:abcd::f1", {reason::notation_says_more, -1, 19}));
    STATIC_CHECK(refused("f32::blocked:abcd:1x:f0", {reason::notation_is_malformed, -1, 21}));
    STATIC_CHECK(refused("f32::blocked:*::f0", {reason::notation_says_more, -1, 14}));
    STATIC_CHECK(refused("f32::blocked:abcd:*x20x4x1:f0", {reason::notation_says_more, -1, 19}));
    STATIC_CHECK(refused("f32::blocked:abcd:340x*x4x1:f0", {reason::notation_says_more, -1, 23}));
    STATIC_CHECK(refused("f32:a:any:any::f0", {reason::notation_says_more, -1, 7}));
    STATIC_CHECK(refused("f32::blocked:abcd::f0:", {reason::notation_is_malformed, -1, 22}));
    // The p of a tag without blocks means more padding than whole blocks need, but the string does not have its size.
    STATIC_CHECK(refused("f32:p:blocked:abcd::f0", {reason::notation_says_more, -1, 5}));
    STATIC_CHECK(refused("f32::blocked:aBcd16b::f0", {reason::notation_says_more, -1, 5}));
    STATIC_CHECK(format_onednn_format(data_type::f32, layout({2, 3}, strides{8, 1}), onednn_version::v2).error() ==
                 verdict{reason::notation_has_no_strides, 0, 3, 8});
    STATIC_CHECK(format_onednn_format(data_type::f32, *parse_tvm_layout("4aAB", {8, 3}, "AB")).error().reason ==
                 reason::notation_has_no_blocks);
}

}}  // namespace test_io_notations
