#include <plait/algebra/compose.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/bridge/axis_map_of.hpp>

#include "support/small_layouts.hpp"

namespace test_bridge_axis_map_of { namespace {

using namespace plait;
using namespace plait::detail;

constexpr bool refused(const letter_list& library, const letter_list& framework, const verdict& why) {
    return check_axis_map_of(library, framework) == why && !try_axis_map_of(library, framework).has_value();
}

/// Letters that may repeat a name, which is an error in a literal.
constexpr letter_list by_hand(char first, char second) {
    letter_list out;
    out.push_back(first);
    out.push_back(second);
    return out;
}

TEST_CASE("axis_map_of: framework[result[i]] is library[i]") {
    STATIC_CHECK(axis_map_of("nchw", "nhwc") == axis_map{0, 3, 1, 2});
    STATIC_CHECK(axis_map_of("oihw", "hwio") == axis_map{3, 2, 0, 1});
    STATIC_CHECK(axis_map_of("goihw", "hwigo") == axis_map{3, 4, 2, 0, 1});
    constexpr letter_list lists[] = {"nchw", "nhwc", "hwcn", "chwn", "wnch"};
    STATIC_CHECK([&] {
        for (const letter_list& library : lists)
            for (const letter_list& framework : lists) {
                const axis_map made = axis_map_of(library, framework);
                for (int i = 0; i < library.size(); ++i)
                    if (framework[static_cast<int>(made[i])] != library[i]) return false;
                if (made != inverse(axis_map_of(framework, library))) return false;
                for (const letter_list& other : lists)
                    if (compose(axis_map_of(library, framework), axis_map_of(other, library)) !=
                        axis_map_of(other, framework))
                        return false;
            }
        return true;
    }());
    STATIC_CHECK(try_axis_map_of("ab", "ba") == axis_map{1, 0});
    STATIC_CHECK(axis_map_of("", "") == axis_map());
    STATIC_CHECK(identity_axis_map(3) == axis_map{0, 1, 2} && identity_axis_map(0) == axis_map());
}

TEST_CASE("axis_map_of: names in the type give a constant axis map") {
    STATIC_CHECK(std::is_same_v<decltype(axis_map_of<"oihw", "hwio">()), axis_map_constant<axis_map{3, 2, 0, 1}>>);
    STATIC_CHECK(axis_map_of<"nchw", "nhwc">().value == axis_map_of("nchw", "nhwc"));
}

TEST_CASE("axis_map_of: refuses other ranks, missing names and repeated names, with the reason") {
    STATIC_CHECK(refused("nchw", "nhc", {reason::rank_differs, -1, 4, 3}));
    STATIC_CHECK(refused("nchw", "nhwo", {reason::axis_name_is_missing, 1, 0, 'c'}));
    STATIC_CHECK(refused(by_hand('n', 'n'), "nc", {reason::not_a_permutation, 1, 0, 2}));
    STATIC_CHECK(describe(check_axis_map_of("nchw", "hwio")) ==
                 "axis_name_is_missing: axis 0 is called 'n' in the library's order, and no axis in the "
                 "framework's is");
    using plait_test::refusal_of;
    CHECK((refusal_of([] { return axis_map_of("oi", "oh"); }) == verdict{reason::axis_name_is_missing, 1, 0, 'i'}));
    CHECK((refusal_of([] { return identity_axis_map(13); }) == verdict{reason::too_many_axes, -1, 13, 12}));
}

}}  // namespace test_bridge_axis_map_of
