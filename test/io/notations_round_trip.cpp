// Random layouts, written in the notations of other projects and read back.

#include "laws/random_layouts.hpp"

#include <plait/algebra/same_memory.hpp>
#include <plait/io/cute_layout.hpp>
#include <plait/io/linalg_pack.hpp>
#include <plait/io/onednn_format.hpp>
#include <plait/io/tvm_layout.hpp>
#include <plait/io/xla_layout.hpp>

#include <string>
#include <string_view>

namespace test_io_notations_round_trip { namespace {

using namespace plait;
using namespace plait::detail;

constexpr std::string_view twelve = "ABCDEFGHIJKL";
constexpr std::string_view letters(const layout& l) { return twelve.substr(0, static_cast<std::size_t>(l.ndims())); }
constexpr std::string_view text_of(const expected<layout_name>& made) {
    return {made->data(), static_cast<std::size_t>(made->size())};
}

TEST_CASE("notations: each layout that a notation can write is read back as the same memory") {
    plait_test::random_source random(20261124);
    int said[6]{}, refused[6]{};
    const auto check = [&](int which, const layout& l, const expected<layout_name>& text, const auto& parse) {
        if (!text) {
            ++refused[which];
            return;
        }
        ++said[which];
        INFO(to_string(l), "  ", std::string(text->c_str()));
        const expected<layout> read = parse(text_of(text));
        REQUIRE(read.has_value());
        REQUIRE(read->dims == l.dims);
        REQUIRE(same_memory(*read, l));
    };
    for (int round = 0; round < 4000; ++round) {
        layout l = random.small_layout();
        if (round % 2 == 0) {
            const format_tag tag = random.tag(l.ndims(), 3, 5);
            dims extents = l.dims;
            // In every second tag, extents are multiples of the blocks, so that several blocks of an axis have an
            // index.
            for (int a = 0; round % 4 == 0 && a < l.ndims(); ++a) extents[a] = tag.block_size(a) * random.between(1, 3);
            l = layout(extents, tag);
        }
        check(0, l, format_tvm_layout(l, letters(l)),
              [&](std::string_view text) { return parse_tvm_layout(text, l.dims, letters(l)); });
        check(1, l, format_xla_layout(l), [&](std::string_view text) { return parse_xla_layout(text, l.dims); });
        check(2, l, format_cute_layout(l), [](std::string_view text) { return parse_cute_layout(text); });
        check(3, l, format_linalg_pack(l), [&](std::string_view text) { return parse_linalg_pack(text, l.dims); });
        for (const onednn_version version : {onednn_version::v2, onednn_version::v3})
            check(version == onednn_version::v2 ? 4 : 5, l, format_onednn_format(data_type::f32, l, version),
                  [&](std::string_view text) -> expected<layout> {
                      const expected<onednn_format> read = parse_onednn_format(text, l.dims);
                      return {read->layout, read.error()};
                  });
        if (round % 2 != 0) continue;
        // TVM, XLA and oneDNN can write every tag, linalg.pack those with one block per axis, CuTe those without
        // padding.
        INFO(to_string(l));
        REQUIRE(format_xla_layout(l).has_value());
        REQUIRE(format_onednn_format(data_type::f32, l, onednn_version::v2).has_value());
        REQUIRE(format_tvm_layout(l, letters(l)).has_value());
        if (check_block_count(l, 1).ok()) REQUIRE(format_linalg_pack(l).has_value());
        if (!l.is_padded()) REQUIRE(format_cute_layout(l).has_value());
    }
    for (int which = 0; which < 6; ++which) {
        INFO(which);
        CHECK(said[which] > 1000);
        CHECK(refused[which] > 200);
    }
}

}}  // namespace test_io_notations_round_trip
