#include <plait/view/for_each_block.hpp>

#include "view/view_cases.hpp"

#include <algorithm>
#include <set>

namespace test_view_for_each_block { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// True if the blocks visited are those of block(), each once, in ascending order along ascending strides, with the
/// valid part of each, and if together they are the whole tensor.
template <padding Pads, class View>
bool visits_blocks(const View& v) {
    const layout l = v.plain_layout();
    bool right = true;
    dim_t valid_elements = 0, blocks = 0, last = -1;
    for_each_block<Pads>(v, [&](const position& at, auto elements, const dims& valid) {
        const dim_t offset = elements.data() - v.data();
        right = right && offset == l.block_offset(at) && static_cast<dim_t>(elements.size()) == inner_volume(l);
        if (steps_over_the_inside(l) && !runs_backwards(l)) right = right && offset > last;
        last = offset;
        dim_t product = 1;
        for (int a = 0; a < l.ndims(); ++a) {
            right = right && valid[a] == v.valid(a, at[a]);
            product *= valid[a];
        }
        if (Pads == padding::left_out) right = right && product > 0;
        valid_elements += product;
        ++blocks;
    });
    const bool padding_only = Pads == padding::included && l.padded_volume() > 0;
    return right && valid_elements == l.volume() && (!padding_only || blocks == l.padded_volume() / inner_volume(l));
}

template <layout L>
bool visits_static_layouts() {
    if constexpr (!has_dense_blocks(L)) return true;
    else {
        constexpr layout l = L;
        std::vector<char> data = numbered<char>(l);
        data.push_back(0);
        const tensor_view known(data.data(), layout_constant<L>());
        const tensor_view bound(data.data(), bind(layout_constant<L>()));
        return visits_blocks<padding::left_out>(known) && visits_blocks<padding::included>(known) &&
               visits_blocks<padding::left_out>(bound) && visits_blocks<padding::included>(bound);
    }
}

template <class View>
concept has_blocks = requires(View v) {
    for_each_block(v, [](const auto&...) {});
};

TEST_CASE("law: for_each_block visits each block once, with its position and its valid part") {
    CHECK(cases_that_fail([]<layout L>() { return visits_static_layouts<L>(); }) == none_of_them);
    // Whole blocks of padding, before and after the elements.
    CHECK(visits_static_layouts<by_hand({2, 5}, {4, 32}, {64, 8}, {{1, 8}}, {1, 10}, 5)>());
}

TEST_CASE("for_each_block: 17 channels have blocks of 16 valid channels and blocks of one") {
    std::vector<float> data(nChw16c<1, 17, 2, 2>::value.element_span());
    std::vector<dim_t> channels;
    for_each_block(tensor_view(data.data(), nChw16c<1, 17, 2, 2>()),
                   [&](const position&, std::span<float, 16>, const dims& valid) { channels.push_back(valid[1]); });
    CHECK(channels == std::vector<dim_t>{16, 16, 16, 16, 1, 1, 1, 1});
}

TEST_CASE("for_each_block: exists only for views whose type has the length of blocks") {
    STATIC_CHECK(has_blocks<tensor_view<float, nChw16c<1, 17, 2, 2>>>);
    STATIC_CHECK(!has_blocks<tensor_view<float, layout>>);
}

}}  // namespace test_view_for_each_block
