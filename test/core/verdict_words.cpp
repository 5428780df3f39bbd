#include <plait/core/layout.hpp>
#include <plait/core/verdict_words.hpp>

#include "support/static_check.hpp"

#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/bridge/axis_map_of.hpp>
#include <plait/contract/check_reorder.hpp>
#include <plait/distribution/sharded.hpp>
#include <plait/io/dtensor.hpp>
#include <plait/io/gspmd.hpp>
#include <plait/io/linalg_pack.hpp>
#include <plait/io/tvm_layout.hpp>
#include <plait/packed/record_operations.hpp>

#include <set>
#include <string_view>

namespace test_core_verdict_words {

using namespace plait;

TEST_CASE("counted: each thing has a name of its own, and a verdict keeps both") {
    std::set<std::string_view> names;
    const auto last = static_cast<int>(detail::counted::framework);
    for (int i = 0; i <= last; ++i) {
        const auto thing = static_cast<detail::counted>(i);
        CHECK(names.insert(to_string(thing)).second);
        for (int k = 0; k <= last; ++k) {
            const verdict why = detail::ranks_differ(thing, 4, static_cast<detail::counted>(k), 3);
            CHECK(detail::first_counted(why) == thing);
            CHECK(detail::second_counted(why) == static_cast<detail::counted>(k));
        }
    }
}

TEST_CASE("rank_differs: the sentence names what has how many axes; two verdicts are equal without it") {
    const auto says = [](const verdict& why, std::string_view text) {
        CHECK(why == verdict{reason::rank_differs, -1, why.first, why.second});
        CHECK(std::string_view(describe(why).c_str()) == text);
    };
    const layout l({2, 3}, "ab");
    says(check_layout({2, 17, 5}, "nchw"), "rank_differs: the format tag has 4 axes, but the extents have 3");
    says(check_layout({2, 3}, strides{1}), "rank_differs: there are strides for 1 axes, but the extents have 2");
    says(check_permute_axes(l, {0}), "rank_differs: the permutation has 1 axes, but the layout has 2");
    says(check_submemory(l, {2}, {0, 0}), "rank_differs: the extents of the part have 1 axes, but the parent has 2");
    says(check_submemory(l, {2, 2}, {0}), "rank_differs: the offset of the part has 1 axes, but the parent has 2");
    says(check_reorder(l, layout({2}, "a")), "rank_differs: the source has 2 axes, but the destination has 1");
    says(check_block_cyclic(dims{100, 60}, dims{8, 16}, mesh{4}),
         "rank_differs: the mesh has 1 axes, but the extents have 2");
    says(check_block_cyclic(dims{100, 60}, dims{8}, mesh{2, 2}),
         "rank_differs: there are blocks for 1 axes, but the extents have 2");
    says(try_record("nk: w:u4 nk", {4}).error(), "rank_differs: the extents have 1 axes, but the record's tag has 2");
    says(check_reshape(record("nk: w:u4 nk", {2, 4}), {}),
         "rank_differs: the extents have 0 axes, but the record has 2");
    says(parse_tvm_layout("NC", {1}, "NC").error(),
         "rank_differs: the letters of the text name 2 axes, but the extents have 1");
    says(parse_linalg_pack("inner_dims_pos = [0] inner_tiles = [4, 4]", {8, 8}).error(),
         "rank_differs: there are tiles for 2 axes, but inner_dims_pos has 1");
    says(parse_dtensor("[Shard(0)]", {8, 8}, mesh{2, 2}).error(),
         "rank_differs: there are placements for 1 axes, but the mesh has 2");
    says(parse_gspmd("{devices=[4]0,1,2,3}", {8, 8}, 4).error(),
         "rank_differs: the list of devices has 1 axes, but the extents have 2");
    says(try_axis_map_of("nchw", "nhc").error(),
         "rank_differs: the library's letters name 4 axes, but the framework's letters name 3");
    says({reason::rank_differs, -1, 3, 2}, "rank_differs: 3 axes were given, but 2 are needed");
}

}  // namespace test_core_verdict_words
