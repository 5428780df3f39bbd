#include <plait/algebra/v0_blocking.hpp>

#include "laws/view_laws.hpp"

#include <cassert>
#include <cstddef>

namespace test_algebra_v0_blocking { namespace {

using namespace plait;
using plait_test::by_hand, plait_test::describes;

// What the article's program names, as version 0 had it.
using mkldnn_dims_t = dim_t[4];
enum mkldnn_data_type_t { mkldnn_f32 };
enum mkldnn_memory_format_t { mkldnn_nChw8c };
struct memory_desc_t {
    plait::dims dims;
    struct {
        v0_blocking blocking;
    } layout_desc;
};

constexpr int div_up(int n, int by) { return (n + by - 1) / by; }

constexpr void mkldnn_memory_desc_init(memory_desc_t* md, int ndims, const mkldnn_dims_t& extents, mkldnn_data_type_t,
                                       mkldnn_memory_format_t) {
    const layout l(plait::dims(extents, static_cast<std::size_t>(ndims)), "nChw8c");
    md->dims = l.dims;
    md->layout_desc.blocking = v0_blocking_of(l);
}

constexpr int N = 2, H = 5, W = 4;

// clang-format off
constexpr bool the_article_holds() {
    // Verbatim from here.
    const int C = 17;
    const int C_padded = div_up(17, 8) * 8; // 24

    // logical description, layout independent
    const int ndims    = 4;            // # of dimensions
    mkldnn_dims_t dims = {N, C, H, W}; // dimensions themselves

    memory_desc_t md;
    // initialize memory descriptor
    mkldnn_memory_desc_init(&md, ndims,
                                 dims,
                                 mkldnn_f32,   // single precision data type
                                 mkldnn_nChw8c // blocked layout
                                 );

    ptrdiff_t expect_stride_n = C_padded*H*W;   // note C_padded here, not C
    ptrdiff_t expect_stride_C =          H*W*8;
    ptrdiff_t expect_stride_h =            W*8;
    ptrdiff_t expect_stride_w =              8;
    ptrdiff_t expect_stride_8c =             1;

    bool expect_true = true
        && true // logical dims stay as is
        && md.dims[0] == N
        && md.dims[1] == C
        && md.dims[2] == H
        && md.dims[3] == W
        && true // padded dims are rounded accordingly
        && md.layout_desc.blocking.padding_dims[0] == N
        && md.layout_desc.blocking.padding_dims[1] == C_padded
        && md.layout_desc.blocking.padding_dims[2] == H
        && md.layout_desc.blocking.padding_dims[3] == W
        && true // strides correspond to the physcal layout
        && md.layout_desc.blocking.strides[0][0] == expect_stride_n
        && md.layout_desc.blocking.strides[0][1] == expect_stride_C
        && md.layout_desc.blocking.strides[0][2] == expect_stride_h
        && md.layout_desc.blocking.strides[0][3] == expect_stride_w
        && md.layout_desc.blocking.strides[1][1] == expect_stride_8c;

    assert(expect_true);
    // Verbatim up to here.
    return expect_true;
}
// clang-format on

constexpr bool is_described(const layout& l) { return describes(v0_blocking_of(l), l); }

constexpr bool refused(const layout& l, const verdict& why) {
    return check_v0_blocking_of(l) == why && !try_v0_blocking_of(l).has_value();
}

TEST_CASE("v0_blocking: the article's numbers for 17 channels in nChw8c") {
    STATIC_CHECK(the_article_holds());
    constexpr v0_blocking v = v0_blocking_of(layout({2, 16, 5, 4}, "nChw8c"));
    STATIC_CHECK(v.block_dims == dims{1, 8, 1, 1});
    STATIC_CHECK(v.strides[0] == strides{16 * 5 * 4, 5 * 4 * 8, 4 * 8, 8});
    STATIC_CHECK(v.strides[1] == strides{1, 1, 1, 1});
    STATIC_CHECK(v0_blocking_of(layout({32, 32}, "AB16b16a")).strides[1] == strides{1, 16});
}

TEST_CASE("v0_blocking: describes the offset of every element") {
    STATIC_CHECK(is_described(layout({2, 9, 3}, "aBc8b")));
    STATIC_CHECK(is_described(layout({17, 33}, "AB16b16a")));
    // Blocks of 4 in blocks of 2 are blocks of 8, if nothing is between them.
    STATIC_CHECK(v0_blocking_of(layout({3, 20}, "aB2b4b")) == v0_blocking_of(layout({3, 20}, "aB8b")));
    STATIC_CHECK(v0_blocking_of(layout({3, 20}, "AB2b4b2a")).block_dims == dims{2, 8});
    STATIC_CHECK(is_described(layout({3, 50}, "AB2b3b4b2a")));
    // The tensor begins within its padding, which does not begin at offset 0.
    constexpr layout shifted = by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5);
    STATIC_CHECK(v0_blocking_of(shifted).offset_padding_to_data == position{1, 2});
    STATIC_CHECK(v0_blocking_of(shifted).offset_padding == 5);
    for (const layout& l : plait_test::varied_layouts) {
        const expected<v0_blocking> v = try_v0_blocking_of(l);
        if (v) CHECK(describes(*v, l));
        else CHECK(check_v0_blocking_of(l).reason == reason::axis_has_blocks_in_blocks);
    }
    for (const layout& l : plait_test::broadcast_layouts) CHECK(is_described(l));
}

TEST_CASE("v0_blocking: nested blocks with something between them have no single stride") {
    STATIC_CHECK(refused(layout({64, 64}, "AB4b16a2b"), {reason::axis_has_blocks_in_blocks, 1, 2, 4}));
    STATIC_CHECK(refused(layout({64, 64}, "AB2b3b4a5b"), {reason::axis_has_blocks_in_blocks, 1, 5, 3}));
    STATIC_CHECK(refused(by_hand({3, 2, 2}, {3, 2, 2}, {64, 64, 128}, {{0, 2}, {1, 4}, {0, 4}}),
                         {reason::axis_has_blocks_in_blocks, 0, 4, 2}));
}

TEST_CASE("v0_blocking: version 0 had neither dynamic extents nor layouts without strides") {
    STATIC_CHECK(refused(layout(), {reason::layout_is_undefined}));
    STATIC_CHECK(refused(layout({2}, "any"), {reason::layout_is_any}));
    STATIC_CHECK(refused(plait_test::opaque_layout({2}), {reason::layout_is_opaque}));
    STATIC_CHECK(refused(layout({2, dynamic}, "ab"), {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(layout({2, 3}, strides{dynamic, 1}), {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(refused(by_hand({3}, {2}, {1}), {reason::padded_dim_does_not_fit, 0, 2, 3}));
    CHECK((plait_test::refusal_of([] { return v0_blocking_of(layout()); }).reason == reason::layout_is_undefined));
}

}}  // namespace test_algebra_v0_blocking
