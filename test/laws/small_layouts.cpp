// The laws for every small layout of a kind. The compiler checks some of them; it takes a thousand times as long as a
// program.

#include "laws/layout_laws.hpp"

namespace test_laws_small_layouts {

using namespace plait;
using namespace plait_test;

namespace {

struct shape {
    dims extents;
    inline_list<inner_block, max_inner_blocks> blocks;
};

constexpr shape plain(const dims& extents) { return {extents, {}}; }
constexpr shape blocked(const dims& extents, std::initializer_list<inner_block> blocks) {
    shape out{extents, {}};
    for (const inner_block& block : blocks) out.blocks.push_back(block);
    return out;
}

/// True if a law holds for the dense layouts of a shape in all orders of its axes.
template <class Law>
constexpr bool in_all_orders(const shape& s, const Law& law) {
    permutation order = identity_permutation(s.extents.size());
    for (int i = 0; i < factorial(s.extents.size()); ++i, order = next(order)) {
        format_tag tag = plain_order(order);
        tag.blocks = s.blocks;
        if (!law(layout(s.extents, tag))) return false;
    }
    return true;
}

template <class Law>
constexpr bool in_all_permutations(const layout& l, const Law& law) {
    permutation p = identity_permutation(l.ndims());
    for (int i = 0; i < factorial(l.ndims()); ++i, p = next(p))
        if (!law(l, p)) return false;
    return true;
}

template <class Law>
constexpr bool for_varied(const Law& law) {
    for (const layout& l : varied_layouts)
        if (!law(l)) return false;
    return true;
}

}  // namespace

#define CHECK_DENSE(law)                                                  \
    STATIC_CHECK(in_all_orders(plain({3, 2}), law));                      \
    STATIC_CHECK(in_all_orders(blocked({5}, {{0, 2}}), law));             \
    CHECK(in_all_orders(plain({3}), law));                                \
    CHECK(in_all_orders(plain({2, 1, 3}), law));                          \
    CHECK(in_all_orders(plain({2, 0, 3}), law));                          \
    CHECK(in_all_orders(plain({2, 1, 3, 2}), law));                       \
    CHECK(in_all_orders(blocked({5}, {{0, 3}, {0, 2}}), law));            \
    CHECK(in_all_orders(blocked({2, 5}, {{1, 4}}), law));                 \
    CHECK(in_all_orders(blocked({3, 3}, {{0, 2}, {1, 2}}), law));         \
    CHECK(in_all_orders(blocked({3, 5}, {{1, 2}, {0, 2}, {1, 2}}), law)); \
    CHECK(in_all_orders(blocked({2, 3, 2}, {{1, 2}}), law));              \
    CHECK(in_all_orders(blocked({1, 3, 3}, {{2, 2}, {1, 2}}), law))

TEST_CASE("law: dense layouts fill memory, each place once") { CHECK_DENSE(fills_memory); }

TEST_CASE("law: element_span, is_injective and is_dense agree with the set of all offsets") {
    CHECK_DENSE(spans_what_it_touches);
    CHECK(for_varied(spans_what_it_touches));
    for (const layout& l : broadcast_layouts) CHECK(spans_what_it_touches(l));
}

TEST_CASE("law: position_of inverts offset") {
    CHECK_DENSE(position_of_inverts_offset);
    CHECK(for_varied(position_of_inverts_offset));
}

TEST_CASE("law: linear offsets count the positions in row-major order") {
    CHECK_DENSE(linear_offsets_count_positions);
    CHECK(for_varied(linear_offsets_count_positions));
}

TEST_CASE("law: blocks begin at their first element") {
    CHECK_DENSE(blocks_begin_at_their_first_element);
    CHECK(for_varied(blocks_begin_at_their_first_element));
}

TEST_CASE("law: the name of a dense layout is a tag of the same offsets") {
    constexpr auto law = [](const layout& l) { return name_round_trips(l, same_offsets_everywhere); };
    CHECK_DENSE(law);
}

TEST_CASE("law: permuting axes keeps the data and the invariants") {
    constexpr auto law = [](const layout& l) { return in_all_permutations(l, permuting_keeps_the_data); };
    STATIC_CHECK(in_all_orders(plain({3, 2}), law));
    STATIC_CHECK(in_all_orders(blocked({3, 3}, {{1, 2}, {0, 2}}), law));
    STATIC_CHECK(law(layout({2, 1, 3}, "cab")));
    CHECK(law(layout({2, 3, 2}, "aBc2b", strides{20, 8, 3})));
    STATIC_CHECK(law(by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5)));
    CHECK(for_varied([](const layout& l) { return in_all_permutations(l, permuting_keeps_the_invariants); }));
}

TEST_CASE("law: permutations of axes are a group, and renaming is the inverse") {
    CHECK(for_varied([](const layout& l) { return in_all_permutations(l, permuting_back_is_identity); }));
    CHECK(for_varied([](const layout& l) { return in_all_permutations(l, renaming_is_permuting_by_the_inverse); }));
    constexpr auto composes = [](const layout& l) {
        return in_all_permutations(l, [](const layout& k, const permutation& p) {
            return in_all_permutations(
                k, [&p](const layout& m, const permutation& q) { return permuting_composes(m, p, q); });
        });
    };
    CHECK(composes(layout({2, 3, 4}, "cab")));
    CHECK(composes(layout({5, dynamic, 3}, "bCa4c")));
    STATIC_CHECK(composes(layout({2, 3, 4}, "any")));
}

TEST_CASE("law: binding restores dynamic extents") {
    STATIC_CHECK([] {
        permutation order = identity_permutation(3);
        for (int i = 0; i < 6; ++i, order = next(order))
            for (unsigned axes = 0; axes < 8; ++axes) {
                if (!binding_restores({2, 0, 5}, plain_order(order), axes)) return false;
                if (!binding_restores({2, 3, 5}, blocked_by(plain_order(order), {{1, 2}, {0, 4}}), axes)) return false;
            }
        return true;
    }());
}

}  // namespace test_laws_small_layouts
