// "Tensor representation now and then, here and there", sentence by sentence: docs/design/bridge.md has the table.
// test/bridge/article_buffers.cpp has the sentences about buffers in memory.

#include <plait/algebra/compose.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/bridge/shaped_reshape.hpp>
#include <plait/typed/formats.hpp>

#include "bridge/shaped_cases.hpp"

namespace test_bridge_article { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// One line of a table of the article: the meaning of an axis, its number in the library, and its index in the shape.
struct line {
    char meaning;
    int library_axis;
    int shape_index;
};

/// Checks the names of an operand and its map against the table.
template <std::size_t Lines>
constexpr bool is_the_table(const letter_list& library, const letter_list& framework, const axis_map& m,
                            const line (&table)[Lines]) {
    if (axis_map_of(library, framework) != m || m.size() != static_cast<int>(Lines)) return false;
    for (const line& row : table)
        if (library[row.library_axis] != row.meaning || framework[row.shape_index] != row.meaning ||
            m[row.library_axis] != row.shape_index)
            return false;
    return true;
}

constexpr axis_map activations{0, 3, 1, 2}, weights{3, 2, 0, 1};
// The result of conv1, as three libraries could have written it: in the framework's order, in another plain order, and
// in blocks.
constexpr shaped_layout results[] = {{layout({2, 5, 3, 4}, "nhwc"), activations},
                                     {layout({2, 5, 3, 4}, "nchw"), activations},
                                     {layout({2, 5, 3, 4}, "nChw8c"), activations}};

TEST_CASE("bridge: 'The activations assumed to use NHWC axes order and weights to use HWIO axes order'") {
    // The shape of conv1's result in NHWC order, and of weights for it in HWIO order: 3 channels in, 5 out.
    STATIC_CHECK(shaped_layout(layout({2, 5, 3, 4}, "nChw8c"), axis_map_of("nchw", "nhwc")).shape() ==
                 dims{2, 3, 4, 5});
    STATIC_CHECK(shaped_layout(layout({5, 3, 7, 9}, "OIhw8i8o"), axis_map_of("oihw", "hwio")).shape() ==
                 dims{7, 9, 3, 5});
}

TEST_CASE(
    "bridge: 1 'No matter what the physical representation is, the tensor as a mathematical object is the same'") {
    for (const shaped_layout& s : results) {
        CHECK(s.shape() == dims{2, 3, 4, 5});
        CHECK(as_operand(s, weights).dims == dims{5, 4, 2, 3});
    }
    // "or if physical representation is unspecified completely in case of memory format any"
    STATIC_CHECK(shaped_layout(layout({2, 5, 3, 4}, "any"), activations).shape() == dims{2, 3, 4, 5});
    STATIC_CHECK(as_operand({layout({2, 5, 3, 4}, "any"), activations}, weights) == layout({5, 4, 2, 3}, "any"));
}

TEST_CASE("bridge: 1 'the same memory can be passed as source of the convolution and as the weights'") {
    for (const shaped_layout& s : results) {
        // Dim 0 of the activations is the batch, 2. Dim 0 of the weights in that memory is the output channels, 5.
        const layout source = as_operand(s, activations), filter = as_operand(s, weights);
        CHECK((source.dims[0] == 2 && filter.dims[0] == 5));
        // The element at (b, h, w, c) = (1, 2, 3, 4) has height 1, width 2, input 3 and output 4 in the weights.
        CHECK(source.offset(1, 4, 2, 3) == s.offset({1, 2, 3, 4}));
        CHECK(filter.offset(4, 3, 1, 2) == s.offset({1, 2, 3, 4}));
    }
}

TEST_CASE("bridge: 1 'The logical description and blocking structure were indistinguishable' for nchw and oihw") {
    STATIC_CHECK(layout({2, 5, 3, 4}, "nchw") == layout({2, 5, 3, 4}, "oihw"));
    // The types differ in the names of the axes, which are not part of the layout.
    STATIC_CHECK(nchw<2, 5, 3, 4>::value == oihw<2, 5, 3, 4>::value);
    STATIC_CHECK(with_axes<nchw<2, 5, 3, 4>, "nchw"> && !with_axes<nchw<2, 5, 3, 4>, "oihw">);
}

TEST_CASE("bridge: 2 'assuming the memory format is always abcd...': the identity and a plain layout") {
    constexpr shaped_layout theirs(layout({2, 3, 4, 5}, "abcd"), identity_axis_map(4));
    STATIC_CHECK(theirs.shape() == theirs.layout.dims && framework_layout(theirs) == theirs.layout);
    STATIC_CHECK(theirs.offset({1, 2, 3, 4}) == 119);
    STATIC_CHECK(same_memory(theirs, results[0]) && !same_memory(theirs, results[1]));
}

TEST_CASE("bridge: 2 'expect different logical axis order': {batch, channels, height, width}") {
    // The library has {batch, channels, height, width}; the framework has {batch, height, width, channels}.
    STATIC_CHECK(results[2].layout.dims == dims{2, 5, 3, 4} && results[2].shape() == dims{2, 3, 4, 5});
}

TEST_CASE("bridge: 3 'the logical re-mapping of axes in buf happened between conv1 and conv2'") {
    // Batch | Height; Height | Width; Width | Input Channels; Output Channels | Output Channels
    constexpr letter_list conv1("nhwc"), conv2("hwio");
    constexpr axis_map from = axis_map_of("nchw", conv1), to = axis_map_of("oihw", conv2);
    constexpr permutation p = axis_permutation(from, to);
    constexpr letter_list library1("nchw"), library2("oihw");
    STATIC_CHECK([&] {
        for (int index = 0; index < 4; ++index) {
            // The axis with conv1's name for this index becomes the axis with conv2's name for it.
            const int axis1 = library1.find(conv1[index]), axis2 = library2.find(conv2[index]);
            if (p[axis1] != axis2) return false;
        }
        return true;
    }());
    constexpr char table[4][2] = {{'n', 'h'}, {'h', 'w'}, {'w', 'i'}, {'c', 'o'}};
    for (const auto& [before, after] : table) CHECK(p[library1.find(before)] == library2.find(after));
}

TEST_CASE("bridge: 3 the first table: activations in conv1, 'The permutation is (0123)->(0312)'") {
    // Batch | 0 | 0; Channels | 1 | 3; Height | 2 | 1; Width | 3 | 2
    STATIC_CHECK(is_the_table("nchw", "nhwc", activations, {{'n', 0, 0}, {'c', 1, 3}, {'h', 2, 1}, {'w', 3, 2}}));
    STATIC_CHECK(activations == axis_map{0, 3, 1, 2});
}

TEST_CASE("bridge: 3 the second table: weights in conv2, 'The permutation is (0123)->(3201)'") {
    // Output Channels | 0 | 3; Input Channels | 1 | 2; Height | 2 | 0; Width | 3 | 1
    STATIC_CHECK(is_the_table("oihw", "hwio", weights, {{'o', 0, 3}, {'i', 1, 2}, {'h', 2, 0}, {'w', 3, 1}}));
    STATIC_CHECK(weights == axis_map{3, 2, 0, 1});
}

TEST_CASE("bridge: 3 'perm = perm1 * perm2^-1 = (0123)->(2031)'") {
    constexpr permutation p = axis_permutation(activations, weights);
    STATIC_CHECK(p == permutation{2, 0, 3, 1});
    // perm1, followed by the inverse of perm2.
    STATIC_CHECK(compose(inverse(weights), activations) == axis_map{2, 0, 3, 1});
    for (const shaped_layout& s : results) CHECK(as_operand(s, weights) == permute_axes(s.layout, p));
}

TEST_CASE("bridge: 3 'bringing the necessary changes to the blocking structure'") {
    STATIC_CHECK(as_operand(results[0], weights) == layout({5, 4, 2, 3}, "hwio"));
    STATIC_CHECK(as_operand(results[1], weights) == layout({5, 4, 2, 3}, "cadb"));
    STATIC_CHECK(as_operand(results[2], weights) == layout({5, 4, 2, 3}, "cAdb8a"));
}

TEST_CASE("bridge: 3 'compare the DNNL-to-TF permutations, and if necessary make an axes-permutation'") {
    for (const shaped_layout& s : results) {
        CHECK(as_operand(s, activations) == s.layout);  // no permutation is necessary
        CHECK(as_operand(s, weights) != s.layout);
    }
}

TEST_CASE("bridge: 4 operations that 'do not imply any meaning' keep the place of each element") {
    for (const shaped_layout& s : results) {
        // Height and width are joined and split again, and the tensor is transposed twice.
        CHECK(same_memory(reshape(reshape(s, {2, 12, 5}), {2, 3, 4, 5}), s));
        CHECK(transpose(transpose(s)) == s);
        // as_operand after them returns the same weights.
        CHECK(as_operand(reshape(reshape(s, {2, 12, 5}), {2, 3, 4, 5}), weights) == as_operand(s, weights));
    }
}

TEST_CASE("bridge: 4.1 'Option 1. W/o transposition': the permutation is set to (01)") {
    // "assuming buf2 has underlying DNNL memory in ab format and DNNL-to-TF permutation (10)"
    constexpr shaped_layout buf2(layout({2, 3}, "ab"), {1, 0});
    STATIC_CHECK(buf2.shape() == dims{3, 2});
    constexpr shaped_layout buf2t = transpose(buf2);
    STATIC_CHECK(buf2t.map == axis_map{0, 1} && buf2t.shape() == dims{2, 3});  // changed!
    STATIC_CHECK(buf2t.layout.dims == dims{buf2.layout.dims[0], buf2.layout.dims[1]});
    // The format is kept too. The article changes it to ba and makes a copy. A copy by a reorder may have any format,
    // but the same bytes in ba are another tensor.
    STATIC_CHECK(buf2t.layout == layout({2, 3}, "ab"));
    constexpr shaped_layout same_bytes(layout({2, 3}, "ba"), {0, 1});
    STATIC_CHECK(buf2t.offset({0, 1}) == buf2.offset({1, 0}) && same_bytes.offset({0, 1}) != buf2.offset({1, 0}));
}

TEST_CASE("bridge: 4.1 'Option 2. W/ transposition on': the permutation (10) is kept, the dims change") {
    constexpr shaped_layout buf2(layout({2, 3}, "ab"), {1, 0});
    // The operand of the transposed tensor for the permutation (10), and its copy in the format that is kept.
    constexpr layout from = as_operand(transpose(buf2), buf2.map);
    STATIC_CHECK(from.dims == dims{buf2.layout.dims[1], buf2.layout.dims[0]});  // change here
    STATIC_CHECK(from == layout({3, 2}, "ba"));
    constexpr shaped_layout buf2t(layout(from.dims, "ab"), buf2.map);
    STATIC_CHECK(buf2t.shape() == dims{2, 3});
    // The reorder from ba to ab moves data; it is a transposition.
    STATIC_CHECK(from != buf2t.layout && !same_memory(transpose(buf2), buf2t));
}

TEST_CASE("bridge: 4.2 'NumPy Reshape': without a copy if that is provable, else refused") {
    STATIC_CHECK(reshape(results[0], {2, 60}).layout == layout({2, 60}, "ab"));
    // In nchw, the axis of 60 has one digit each for 3 rows, 4 columns and 5 channels. It is a layout without a tag.
    STATIC_CHECK(check_reshape(results[1], {2, 60}).ok() && !is_blocking(reshape(results[1], {2, 60}).layout));
    STATIC_CHECK(reshape(results[1], {2, 60}).offset({1, 59}) == 119);
    // The reshape fails because 5 channels are padded to 8. After a reorder it succeeds.
    STATIC_CHECK(check_reshape(results[2], {2, 60}) == verdict{reason::axis_is_padded, 3, 8, 5});
    STATIC_CHECK(reshape_needs_copy(results[2], {2, 60}));
    for (const shaped_layout& s : results) CHECK(reshape_copy(s, {2, 60}).result.layout == layout({2, 60}, "ab"));
}

}}  // namespace test_bridge_article
