// The cases of oneDNN's own tests about descriptors. plait gives oneDNN's result, or differs by a rule of the semantics
// that is named here. A rule decides from the arguments alone which cases it claims. The cases about reorders are in
// onednn_test_reorders.cpp.

#include "data/test_cases.hpp"

#include <plait/algebra/inverse.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/reshape.hpp>
#include <plait/algebra/submemory.hpp>

namespace test_data_onednn_test_cases { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::described, plait_test::has, plait_test::name_of, plait_test::recorded_case, plait_test::rule;
using plait_test::same_fields, plait_test::size_in_bytes, plait_test::test_cases;

/// True if plait gives the result that oneDNN's test expects and that oneDNN 3.8 returned when the case was recorded.
bool same_answer(const verdict& why, const expected<layout>& out, const recorded_case& recorded) {
    if (out.has_value() != why.ok()) return false;
    for (const char* key : {"expect.status", "onednn_v3_8_result.status"})
        if (recorded.has(key) && recorded.word(key) != name_of(why.status())) return false;
    if (!out) return true;
    if (recorded.has("expect.md_equal_to.dims") && *out != *described(recorded, "expect.md_equal_to")) return false;
    // Strides of axes with one place are not compared (section 9).
    return *out == recorded.descriptor("onednn_v3_8_result.md") && check_layout(*out).ok();
}

dim_t element_size(const recorded_case& recorded) { return recorded.word("input.dtype") == "u8" ? 1 : 4; }

TEST_CASE("oneDNN's tests: reshape gives the same results, except for two rules") {
    rule dynamic_kept("semantics 5: a dynamic extent in a group of one axis is kept");
    rule empty_joined("semantics 5: a tensor without elements is reshaped to any dims without elements");
    test_cases cases("reshape");
    const int count = cases.for_each([&](const recorded_case& recorded) {
        const expected<layout> l = described(recorded, "input");
        const auto to = recorded.list<dims>("args.new_dims");
        CHECK(l.has_value());
        const expected<layout> out = try_reshape(*l, to);
        const bool same = same_answer(check_reshape(*l, to), out, recorded);
        const bool ours = has(l->dims, dynamic) && l->dims == to;
        if (ours) dynamic_kept.claims(!same);
        // A tensor without elements can be reshaped to any dims without elements.
        const bool is_empty = has(l->dims, 0) && has(to, 0) && !same;
        if (is_empty) empty_joined.claims(!same);
        if (ours ? out != *l : is_empty ? !out || out->dims != to : !same) FAIL_CHECK(recorded.line());
    });
    CHECK(count == 60);
}

TEST_CASE("oneDNN's tests: permute_axes gives the same results, and permutes dynamic extents too") {
    rule dynamic_kept("semantics 6: dynamic extents may be permuted");
    test_cases cases("permute_axes");
    const int count = cases.for_each([&](const recorded_case& recorded) {
        const expected<layout> l = described(recorded, "input");
        const auto p = recorded.list<permutation>("args.perm");
        CHECK(l.has_value());
        const expected<layout> out = try_permute_axes(*l, p);
        const bool same = same_answer(check_permute_axes(*l, p), out, recorded);
        const bool ours = has(l->dims, dynamic);
        if (ours) dynamic_kept.claims(!same);
        if (ours ? !out || permute_axes(*out, inverse(p)) != *l : !same) FAIL_CHECK(recorded.line());
    });
    CHECK(count == 23);
}

TEST_CASE("oneDNN's tests: submemory gives the same results") {
    test_cases cases("submemory");
    const int count = cases.for_each([](const recorded_case& recorded) {
        const expected<layout> l = described(recorded, "input");
        const auto extents = recorded.list<dims>("args.dims");
        const auto offsets = recorded.list<position>("args.offsets");
        if (!l || !same_answer(check_submemory(*l, extents, offsets), try_submemory(*l, extents, offsets), recorded))
            FAIL_CHECK(recorded.line());
    });
    CHECK(count == 1);
}

TEST_CASE("oneDNN's tests: equal strides give the offsets that oneDNN reads") {
    test_cases cases("init_by_strides");
    const int count = cases.for_each([](const recorded_case& recorded) {
        const expected<layout> l = described(recorded, "input");
        CHECK(name_of(l.error().status()) == recorded.word("expect.status"));
        // The case's remark: {1..6} is read as the rows 1, 1, 1 and 4, 4, 4.
        REQUIRE(l->volume() == 6);
        for (dim_t row : {0, 1})
            for (dim_t column : {0, 1, 2}) CHECK(1 + l->offset(row, column) == (row == 0 ? 1 : 4));
    });
    CHECK(count == 1);
}

TEST_CASE("oneDNN's tests: descriptors are equal if oneDNN's are") {
    test_cases cases("equal");
    const int count = cases.for_each([&](const recorded_case& recorded) {
        if (recorded.has("lhs.encoding")) return cases.leave_out(recorded, "sparse tensors");
        const expected<layout> a = described(recorded, "lhs"), b = described(recorded, "rhs");
        if (!a || !b || (*a == *b) != recorded.flag("expect.equal") || (*b == *a) != recorded.flag("expect.equal"))
            FAIL_CHECK(recorded.line());
    });
    CHECK(count == 13);
    CHECK(cases.run() == 9);
}

TEST_CASE("oneDNN's tests: sizes in bytes equal those of oneDNN") {
    test_cases cases("get_size");
    const int count = cases.for_each([](const recorded_case& recorded) {
        const expected<layout> l = described(recorded, "input");
        const dim_t size = size_in_bytes(*l, 4);
        const bool same = size == dynamic ? recorded.word("expect.bytes") == "RUNTIME_SIZE"
                                          : recorded.word("expect.bytes") == std::to_string(size);
        if (!l || !same) FAIL_CHECK(recorded.line());
        // All bytes that are read lie within the size. If an extent is dynamic, the size is unknown.
        if (size == dynamic) CHECK(check_static(*l).reason == reason::dim_is_dynamic);
        else CHECK(static_cast<dim_t>(l->element_span()) * 4 <= size);
    });
    CHECK(count == 5);
    test_cases sparse("get_size_indexed");
    CHECK(sparse.for_each([&](const recorded_case& r) { sparse.leave_out(r, "sparse tensors"); }) == 3);
}

TEST_CASE("oneDNN's tests: queries return oneDNN's values") {
    test_cases cases("query");
    const int count = cases.for_each([](const recorded_case& recorded) {
        const expected<layout> attempt = described(recorded, "input");
        const layout& l = *attempt;
        const bool empty = recorded.flag("expect.is_zero");
        const auto kind = empty ? format_kind::undef : format_kind::blocked;
        CHECK(recorded.word("expect.format_kind") == (empty ? "undef" : "blocked"));
        CHECK(attempt.has_value());
        CHECK(l.kind == kind);
        CHECK((l == layout()) == empty);
        CHECK(std::to_string(l.ndims()) == recorded.word("expect.ndims"));
        CHECK(std::to_string(size_in_bytes(l, 4)) == recorded.word("expect.bytes"));
        CHECK(std::to_string(l.offset0) == recorded.word("expect.submemory_offset"));
        CHECK(l.dims == recorded.list<dims>("expect.dims"));
        CHECK(l.padded_dims == recorded.list<dims>("expect.padded_dims"));
        CHECK(l.padded_offsets == recorded.list<position>("expect.padded_offsets"));
        CHECK(l.strides() == recorded.list<strides>("expect.strides"));
        dims sizes, axes;
        for (const inner_block& block : l.inner_blocks()) sizes.push_back(block.size), axes.push_back(block.axis);
        CHECK(std::to_string(sizes.size()) == recorded.word("expect.inner_nblks"));
        CHECK(sizes == recorded.list<dims>("expect.inner_blks"));
        CHECK(axes == recorded.list<dims>("expect.inner_idxs"));
    });
    CHECK(count == 2);
}

TEST_CASE("oneDNN's tests: memory can be created for the same descriptors") {
    test_cases cases("memory_create");
    const int count = cases.for_each([&](const recorded_case& recorded) {
        const expected<layout> attempt = described(recorded, "input");
        const layout& l = *attempt;
        if (recorded.word("expect.status") == "invalid_arguments") {
            // If the descriptor can be made, its memory cannot, because its places are not known.
            const verdict why = attempt.has_value() ? check_static(l) : attempt.error();
            if (why.status() != status::invalid_arguments) FAIL_CHECK(recorded.line());
            if (recorded.has("onednn_v3_8_result.desc_status") &&
                recorded.word("onednn_v3_8_result.desc_status") != name_of(attempt.error().status()))
                FAIL_CHECK(recorded.line());
            return;
        }
        // oneDNN runs out of memory in one case. Here only the descriptor is made and nothing is allocated.
        if (!attempt || !check_static(l).ok()) FAIL_CHECK(recorded.line());
        if (recorded.has("expect.inner_blks"))
            CHECK(l.inner_blocks()[0].size == recorded.list<dims>("expect.inner_blks")[0]);
        CHECK(size_in_bytes(l, element_size(recorded)) >=
              static_cast<dim_t>(l.element_span()) * element_size(recorded));
        if (!recorded.has("onednn_v3_8_result.bytes")) return;
        if (!same_fields(l, recorded, "onednn_v3_8_result.md") ||
            std::to_string(size_in_bytes(l, 4)) != recorded.word("onednn_v3_8_result.bytes"))
            FAIL_CHECK(recorded.line());
        const std::string name = format_name(l).c_str();
        if (name != recorded.word("onednn_v3_8_result.tag_str")) FAIL_CHECK(recorded.line());
    });
    CHECK(count == 73);
    test_cases maps("memory_map");
    CHECK(maps.for_each([&](const recorded_case& r) { maps.leave_out(r, "memory objects"); }) == 1);
}

}}  // namespace test_data_onednn_test_cases
