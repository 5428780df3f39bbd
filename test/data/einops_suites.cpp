// The patterns in einops' test suite: on tensors with the strides from einops, and on tensors in blocks of 4.

#include "data/suite_rows.hpp"
#include "laws/random_layouts.hpp"
#include "support/test_data.hpp"

#include <plait/layouts.hpp>

namespace test_data_einops_suites { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::suite_value;

/// A pattern, with the extents that are given for its names.
struct question {
    axis_pattern pattern;
    std::vector<named_extent> lengths;
    explicit question(const suite_value& row) : pattern(*parse_axis_pattern(row["pattern"].text)) {
        for (const auto& [name, extent] : row["lengths"].fields) lengths.push_back({name, extent.number()});
    }
    named_extents extents() const { return {lengths.data(), lengths.size()}; }
};

/// Returns the offsets of a layout in row-major order, relative to `begin`, as 32-bit little-endian numbers.
std::vector<unsigned char> bytes_of_offsets(const layout& l, dim_t begin) {
    std::vector<unsigned char> out;
    for (dim_t i = 0; i < l.volume(); ++i)
        for (int shift = 0; shift < 32; shift += 8)
            out.push_back(static_cast<unsigned char>((l.linear_offset(i) - begin) >> shift));
    return out;
}
/// Checks that l has the extents and offsets of the row. The row's offsets are relative to `begin`, the offset of index
/// 0 of the pattern's source.
bool is_right(const layout& l, const suite_value& row, dim_t begin = 0) {
    if (l.dims != row["result"].numbers<dims>()) return false;
    if (row.has("sha1"))
        return plait_test::sha1(bytes_of_offsets(l, begin)).substr(0, row["sha1"].text.size()) == row["sha1"].text;
    for (dim_t i = 0; i < l.volume(); ++i)
        if (l.linear_offset(i) - begin != row["offsets"].list.at(static_cast<std::size_t>(i)).number()) return false;
    return l.volume() == static_cast<dim_t>(row["offsets"].list.size());
}
/// Checks that rearrange_copy returns the refused layout as its source, and a dense result with the row's extents.
bool names_the_copy(const layout& l, const question& asked, const suite_value& row) {
    const auto copy = try_rearrange_copy(l, asked.pattern, asked.extents());
    return copy && copy->from == l && copy->result.dims == row["result"].numbers<dims>() && copy->result.is_dense();
}
/// Returns the layout without padding at the same places if plait has the operation. Otherwise it is refused as padded.
template <class Layout>
expected<layout> without_padding(const Layout& l, int axis) {
    if constexpr (requires { try_forget_padding(l, axis); }) return try_forget_padding(l, axis);
    else if constexpr (requires { try_forget_padding(l); }) return try_forget_padding(l);
    else return {{}, {reason::axis_is_padded, axis}};
}

void print(const std::string& name, const std::map<std::string, int>& kinds) {
    std::string text = name + ":";
    for (const auto& [kind, count] : kinds) text += "\n  " + std::to_string(count) + " " + kind;
    MESSAGE(text);
}

TEST_CASE("suites: einops' patterns give views with the strides of einops") {
    std::map<std::string, int> kinds;
    int backwards = 0;
    for (const suite_value& row : plait_test::suite_rows(plait_test::data_folder(), "einops")) {
        INFO(row["pattern"].text);
        if (row.has("raises")) {
            const auto read = parse_axis_pattern(row["pattern"].text);
            const dims shape = row["shape"].numbers<dims>();
            const bool is_refused = !read || !try_rearrange(layout(shape, plain_tag(shape.size())),
                                                            question(row).pattern, question(row).extents());
            CHECK(is_refused);
            ++kinds["refused, as by einops"];
            continue;
        }
        const question asked(row);
        const dims shape = row["shape"].numbers<dims>();
        const expected<layout> l = row.has("strides") ? try_layout(shape, row["strides"].numbers<strides>())
                                                      : try_layout(shape, plain_tag(shape.size()));
        REQUIRE(l);
        backwards += runs_backwards(*l);
        const expected<layout> made = try_rearrange(*l, asked.pattern, asked.extents());
        if (made) {
            CHECK(is_right(*made, row, l->offset0));
            ++kinds["right"];
            continue;
        }
        if (shape.empty()) {
            CHECK(made.error().reason == reason::layout_is_undefined);
            ++kinds["refused: no axes"];
            continue;
        }
        // Axes that do not follow each other in memory have no common stride, so einops copies them.
        CHECK(made.error().reason == reason::extents_do_not_divide);
        CHECK(names_the_copy(*l, asked, row));
        ++kinds["refused, with the copy"];
    }
    print("einops", kinds);
    CHECK(kinds["right"] >= 60);
    CHECK(backwards >= 7);
}

TEST_CASE("suites: einops' patterns on an axis in blocks of 4 are right, or refused because of padding") {
    std::map<std::string, int> kinds;
    for (const suite_value& row : plait_test::suite_rows(plait_test::data_folder(), "einops_blocked")) {
        INFO(row["pattern"].text << " of " << row["tag"].text);
        const question asked(row);
        const layout l(row["shape"].numbers<dims>(), row["tag"].text);
        const int axis = static_cast<int>(row["axis"].number());
        const expected<layout> made = try_rearrange(l, asked.pattern, asked.extents());
        if (made) {
            CHECK(row.is("is_layout"));
            CHECK(is_right(*made, row));
            ++kinds["right"];
            continue;
        }
        CHECK(names_the_copy(l, asked, row));
        if (!row.is("is_layout")) {
            ++kinds["refused: no layout, with the copy"];
            continue;
        }
        // The padding would lie inside the axes of the result. Without padding, the result is a layout.
        CHECK(row.is("padded"));
        CHECK((made.error().reason == reason::axis_is_padded || made.error().reason == reason::unit_axis_is_padded));
        const expected<layout> bare = without_padding(l, axis);
        if (!bare) {
            ++kinds["refused: padded, with the copy"];
            continue;
        }
        const expected<layout> again = try_rearrange(*bare, asked.pattern, asked.extents());
        if (!again) {
            // 6 elements in blocks of 4 are not whole digits: the result would need parts of both blocks.
            CHECK(l.dims[axis] % row["block"].number() != 0);
            CHECK(l.dims[axis] > row["block"].number());
            ++kinds["refused: a last block that is not full, with the copy"];
            continue;
        }
        CHECK(is_right(*again, row));
        ++kinds["right without the padding"];
    }
    print("einops_blocked", kinds);
    CHECK(kinds["right"] >= 120);
}

}}  // namespace test_data_einops_suites
