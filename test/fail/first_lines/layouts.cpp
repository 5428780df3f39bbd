// Mistakes with layouts, tags and their operations.
#include <plait/plait.hpp>

#include <string>

// GCC: axis_is_out_of_range: there is no axis 2 in a layout of 2 axes
// CLANG: &axis_is_out_of_range.numbers[2][2]
#ifdef FIXED
constexpr plait::distribution rows = plait::sharded(plait::dims{100, 60}, plait::mesh{4}, {plait::shard(1, 0)});
#else
constexpr plait::distribution rows = plait::sharded(plait::dims{100, 60}, plait::mesh{4}, {plait::shard(2, 0)});
#endif

// GCC: axis_is_out_of_range: there is no axis 4 in a layout of 4 axes
// CLANG: &axis_is_out_of_range.numbers[4][4]
constexpr plait::layout image({2, 3, 8, 6}, "nchw");
constexpr plait::layout channel = plait::slice(image, 4, 0);
// FIXED: constexpr plait::layout channel = plait::slice(image, 3, 0);

// GCC: dim_is_negative: the extent of axis 1 is 0, but must be at least 1
// CLANG: &dim_is_negative.axis_and_numbers[1][0][1]
#ifdef FIXED
constexpr plait::distribution dealt = plait::block_cyclic(plait::dims{100, 60}, plait::dims{8, 8}, plait::mesh{2, 2});
#else
constexpr plait::distribution dealt = plait::block_cyclic(plait::dims{100, 60}, plait::dims{8, 0}, plait::mesh{2, 2});
#endif

// GCC: position_is_out_of_range: index 2 of axis 1 is outside its extent 2
// CLANG: &position_is_out_of_range.axis_and_numbers[1][2][2]
constexpr plait::layout image({1, 32, 8, 6}, "nChw16c");
constexpr plait::dim_t place = image.block_offset(0, 2);
// FIXED: constexpr plait::dim_t place = image.block_offset(0, 1);

// GCC: tag_block_is_malformed: column 5 of the format tag
// CLANG: &tag_block_is_malformed.numbers[5]
constexpr plait::layout image({2, 17, 5, 4}, "nChw16");
// FIXED: constexpr plait::layout image({2, 17, 5, 4}, "nChw16c");

// GCC: bound_values_do_not_match: 2 values were bound, but the layout has 1 dynamic extents
// CLANG: &bound_values_do_not_match, plait::rejected::no_axis, plait::rejected::numbers<2, 1>
// ERRORS: any
auto two = plait::bind(plait::nchw<plait::dynamic, 3, 8, 6>(), 2, 3);
// FIXED: auto two = plait::bind(plait::nchw<plait::dynamic, 3, 8, 6>(), 2);

// GCC: bound_values_do_not_match: 2 values were bound, but the layout has 1 dynamic extents
// CLANG: &bound_values_do_not_match.numbers[2][1]
constexpr plait::layout images({plait::dynamic, 3, 8, 6}, "nchw");
constexpr plait::layout two = plait::bind(images, {2, 3});
// FIXED: constexpr plait::layout two = plait::bind(images, {2});

// GCC: axis_is_
// CLANG: &axis_is_
constexpr plait::layout joined = plait::join_axes(plait::layout({1, 17, 8, 6}, "nChw16c"), 1, 2);
// FIXED: constexpr plait::layout joined = plait::join_axes(plait::layout({1, 17, 8, 6}, "nchw"), 1, 2);

// GCC: dim_is_negative: the extent of axis 1 is -3, but must be at least 0
// CLANG: &dim_is_negative.axis_and_negative[1][3][0]
constexpr plait::layout image({2, -3, 8, 6}, "nchw");
// FIXED: constexpr plait::layout image({2, 3, 8, 6}, "nchw");

// GCC: position_is_out_of_range: index 2 of axis 0 is outside its extent 2
// CLANG: &position_is_out_of_range.axis_and_numbers[0][2][2]
constexpr plait::layout image({2, 3, 8, 6}, "nchw");
constexpr plait::dim_t place = image.linear_offset(288);
// FIXED: constexpr plait::dim_t place = image.linear_offset(287);

// GCC: rank_differs: there are indices for 3 axes, but the layout has 4
// CLANG: &rank_differs.numbers[3][4]
constexpr plait::layout image({2, 3, 8, 6}, "nchw");
constexpr plait::dim_t place = image.offset(1, 2, 7);
// FIXED: constexpr plait::dim_t place = image.offset(1, 2, 7, 3);

// GCC: rank_differs: there are indices for 3 axes, but the layout has 4
// CLANG: &rank_differs.numbers[3][4]
constexpr auto images = plait::bind(plait::nchw<plait::dynamic, 3, 8, 6>(), 2);
constexpr plait::dim_t place = images.offset(1, 2, 7);
// FIXED: constexpr plait::dim_t place = images.offset(1, 2, 7, 3);

// GCC: rank_differs: there are indices for 3 axes, but the layout has 4
// CLANG: rank_differs
// CLANG: the::index
// CLANG: the::layout
// CLANG: numbers<3, 4>
// ERRORS: any
constexpr plait::dim_t place = plait::nchw<2, 3, 8, 6>::offset(1, 2, 7);
// FIXED: constexpr plait::dim_t place = plait::nchw<2, 3, 8, 6>::offset(1, 2, 7, 3);

// GCC: position_is_out_of_range: index 9 of axis 2 is outside its extent 8
// CLANG: &position_is_out_of_range.axis_and_numbers[2][9][8]
constexpr plait::layout image({2, 3, 8, 6}, "nchw");
constexpr plait::dim_t place = image.offset(1, 2, 9, 3);
// FIXED: constexpr plait::dim_t place = image.offset(1, 2, 7, 3);

// GCC: part_cuts_a_block: along axis 1 the part begins or ends at 8, inside a block of 16
// CLANG: &part_cuts_a_block.axis_and_numbers[1][8][16]
constexpr plait::layout image({1, 32, 8, 6}, "nChw16c");
constexpr plait::layout part = plait::submemory(image, {1, 16, 8, 6}, {0, 8, 0, 0});
// FIXED: constexpr plait::layout part = plait::submemory(image, {1, 16, 8, 6}, {0, 16, 0, 0});

// GCC: pattern_axis_is_on_one_side
// CLANG: &pattern_axis_is_on_one_side
// ERRORS: any
constexpr plait::layout image({2, 3, 8, 6}, "nchw");
constexpr plait::layout moved = plait::rearrange(image, "n c h w -> n h w k");
// FIXED: constexpr plait::layout moved = plait::rearrange(image, "n c h w -> n h w c");

// GCC: not_a_permutation: entry 2 of the permutation is 2, but each number below 3 must occur exactly once
// CLANG: &not_a_permutation.axis_and_numbers[2][2][3]
constexpr plait::layout image({3, 224, 224}, "abc");
constexpr plait::layout turned = plait::permute_axes(image, {2, 0, 2});
// FIXED: constexpr plait::layout turned = plait::permute_axes(image, {2, 0, 1});

// GCC: rank_differs: the format tag has 4 axes, but the extents have 3
// CLANG: rank_differs
// CLANG: the::format_tag
// CLANG: the::extents
// CLANG: numbers<4, 3>
constexpr plait::nChw16c<2, 64, 7> image;
// FIXED: constexpr plait::nChw16c<2, 64, 7, 7> image;

// GCC: rank_differs: the format tag has 4 axes, but the extents have 3
// CLANG: &rank_differs.numbers[4][3]
constexpr plait::layout image({2, 17, 5}, "nChw16c");
// FIXED: constexpr plait::layout image({2, 17, 5, 4}, "nChw16c");

// GCC: volumes_differ: 2352 elements cannot become 2350
// CLANG: &volumes_differ.numbers[2352][2350]
constexpr plait::layout image({3, 28, 28}, "abc");
constexpr plait::layout row = plait::reshape(image, {2350});
// FIXED: constexpr plait::layout row = plait::reshape(image, {2352});

// GCC: volumes_differ: 8 elements cannot become 6
// CLANG: &volumes_differ.axis_and_numbers[2][8][6]
constexpr plait::layout image({2, 3, 8, 6}, "nchw");
constexpr plait::layout split = plait::split_axis(image, 2, {2, 3});
// FIXED: constexpr plait::layout split = plait::split_axis(image, 2, {2, 4});

// GCC: stride_is_negative: axis 1 has stride -1
// CLANG: &stride_is_negative.axis_and_negative[1][1][0]
constexpr plait::layout matrix = plait::with_strides(plait::layout({4, 8}, "ab"), plait::strides{8, -1});
// FIXED: constexpr plait::layout matrix = plait::with_strides(plait::layout({4, 8}, "ab"), plait::strides{8, 1});

// BOTH: plait::parse_format_tag(text)
bool is_blocked(const plait::layout& l, const std::string& text) {
    return matches_tag(l, text);
    // FIXED: const auto tag = plait::parse_format_tag(text);
    // FIXED: return tag && matches_tag(l, *tag);
}

// GCC: tag_character_is_unknown: column 5 of the format tag
// CLANG: tag_character_is_unknown
// CLANG: numbers<5, 0>
bool is_known(const plait::layout& l) {
    return plait::with_format<"nChw16c", "nhwcx">(l, [](auto) {});
    // FIXED: return plait::with_format<"nChw16c", "nhwc">(l, [](auto) {});
}

// GCC: tag_character_is_unknown: column 4 of the format tag
// CLANG: &tag_character_is_unknown.numbers[4]
constexpr plait::layout image({2, 17, 5, 4}, "nChv16c");
// FIXED: constexpr plait::layout image({2, 17, 5, 4}, "nChw16c");

// GCC: tag_character_is_unknown: column 7 of the format tag
// CLANG: tag_character_is_unknown
// CLANG: numbers<7, 0>
constexpr plait::layout plain({1, 5, 4, 17}, "abcd");
void to_blocks(const float* in, float* out) {
    plait::permute_with_reorder<plain, plait::permutation{0, 2, 3, 1}, "nChw16q">(in, out);
    // FIXED: plait::permute_with_reorder<plain, plait::permutation{0, 2, 3, 1}, "nChw16c">(in, out);
}

// GCC: tag_character_is_unknown: column 3 of the format tag
// CLANG: tag_character_is_unknown
// CLANG: numbers<3, 0>
void weights(plait::tensor_view<float, plait::oihw<64, 64, 3, 3>> v) {
    plait::require_axes<"oi1w">(v);
    // FIXED: plait::require_axes<"oihw">(v);
}

// GCC: no match for call to ‘(const plait::u_0::operation<same>)
// CLANG: no known conversion from 'const char[2]' to 'int' for 2nd argument
// ERRORS: any
struct same {
    static constexpr plait::expected<plait::layout> attempt(const plait::layout& l, int) { return l; }
};
constexpr plait::operation<same> op;
constexpr plait::layout image({1, 64, 8, 8}, "nchw");
constexpr plait::layout result = op(image, "c");
// FIXED: constexpr plait::layout result = op(image, 1);

// GCC: mesh_axis_is_out_of_range: mesh axis 1 is named, but the mesh has 1 axes
// CLANG: mesh_axis_is_out_of_range.axis_and_numbers[0][1][1]
constexpr plait::dims matrix{100, 60};
constexpr plait::distribution rows = plait::sharded(matrix, plait::mesh{4}, {plait::shard(0, 1)});
// FIXED: constexpr plait::distribution rows = plait::sharded(matrix, plait::mesh{4}, {plait::shard(0, 0)});

// GCC: mesh_axis_is_doubled: mesh axis 0 is named twice, the second time for axis 1
// CLANG: mesh_axis_is_doubled.axis[1]
constexpr plait::distribution tiles =
    plait::sharded(plait::dims{100, 60}, plait::mesh{2, 2}, {plait::shard(0, 0), plait::shard(1, 0)});
// FIXED: plait::sharded(plait::dims{100, 60}, plait::mesh{2, 2}, {plait::shard(0, 0), plait::shard(1, 1)});
