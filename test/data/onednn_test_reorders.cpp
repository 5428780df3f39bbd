// The reorders in oneDNN's own tests: each element keeps its position, and the padding is zero.

#include "data/test_cases.hpp"
#include "support/test_data.hpp"

#include <plait/algebra/bind.hpp>
#include <plait/reorder/layout_reorder.hpp>

#include <vector>

namespace test_data_onednn_test_reorders { namespace {

using namespace plait;
using plait_test::described, plait_test::name_of, plait_test::recorded_case, plait_test::rule, plait_test::test_cases;

std::size_t places(const layout& l) { return l.element_span() + static_cast<std::size_t>(l.offset0); }

/// Returns numbers that each type here represents exactly; none of them is 0.
template <class T>
T number(std::size_t i) {
    return convert<T>(static_cast<std::int32_t>(1 + i % 113));
}

/// Checks that the elements arrive at their positions and that nothing else is written. Large tensors are checked by
/// samples.
template <class T, class U>
bool moves(const layout& src, const layout& dst) {
    // The vectors end with the tensors, so that the address sanitizer detects each access outside.
    std::vector<T> in(places(src));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = number<T>(i);
    const U other = convert<U>(std::int32_t{127});
    std::vector<U> out(places(dst), other);
    reorder(src, in.data(), dst, out.data());
    const dim_t volume = src.volume(), step = 1 + volume / 4001;
    for (dim_t i = 0; i < volume; i += step) {
        const T from = in[static_cast<std::size_t>(src.linear_offset(i))];
        if (!(out[static_cast<std::size_t>(dst.linear_offset(i))] == convert<U>(from))) return false;
    }
    // Each place of these dense destinations is an element or zero padding.
    dim_t zeros = 0, untouched = 0;
    for (const U& x : out) zeros += x == U{}, untouched += x == other;
    return zeros == dst.padded_volume() - volume && untouched == 0;
}

struct element_types {
    template <class Visit>
    void for_each(const Visit& visit) const {
        visit(float16{}, "f16");
        visit(bfloat16{}, "bf16");
        visit(float{}, "f32");
        visit(std::int32_t{}, "s32");
        visit(std::int8_t{}, "s8");
        visit(std::uint8_t{}, "u8");
    }
};

TEST_CASE("oneDNN's tests: reorders give the same status and move each element") {
    test_cases cases("reorder");
    int moved = 0;
    const int count = cases.for_each([&](const recorded_case& recorded) {
        const bool one = recorded.has("input.dims");  // the source and destination are the same descriptor
        const expected<layout> src = described(recorded, one ? "input" : "src"),
                               dst = described(recorded, one ? "input" : "dst");
        const verdict why = !src ? src.error() : !dst ? dst.error() : check_reorder(*src, *dst);
        if (name_of(why.status()) != recorded.word("expect.status")) FAIL_CHECK(recorded.line());
        if (!why.ok()) return;
        const std::string types =
            one ? "f32 f32" : std::string(recorded.word("src.dtype")) + ' ' + std::string(recorded.word("dst.dtype"));
        bool same = false;
        if (types == "f32 f32") same = moves<float, float>(*src, *dst);
        else if (types == "f32 bf16") same = moves<float, bfloat16>(*src, *dst);
        else if (types == "s32 s32") same = moves<std::int32_t, std::int32_t>(*src, *dst);
        else if (types == "s8 s8") same = moves<std::int8_t, std::int8_t>(*src, *dst);
        moved += same;
        if (!same) FAIL_CHECK(recorded.line());
    });
    CHECK(count == 301);
    CHECK(moved == 298);
}

TEST_CASE("oneDNN's tests: a reorder of dynamic extents is refused until they are bound") {
    rule bound_first("semantics 12: a reorder needs its extents: bind them first");
    test_cases cases("reorder_pd_create");
    const int count = cases.for_each([&](const recorded_case& recorded) {
        const layout src = *described(recorded, "src"), dst = *described(recorded, "dst");
        bound_first.claims(check_reorder(src, dst).reason == reason::dim_is_dynamic);
        CHECK(recorded.word("expect.status") == "success");
        CHECK(moves<float, float>(bind(src, {3}), bind(dst, {3})));
    });
    CHECK(count == 1);
}

TEST_CASE("oneDNN's tests: reorders from abcd to every tag of four axes and back, in every pair of types") {
    test_cases cases("reorder_sweep");
    const int count = cases.for_each([&](const recorded_case& recorded) {
        const auto extents = recorded.list<dims>("args.dims");
        const layout plain(extents, "abcd");
        std::ifstream file(plait_test::data_folder() + "/format_tags.csv");
        std::string line;
        std::getline(file, line);
        int tags = 0;
        while (std::getline(file, line)) {
            const expected<format_tag> tag = parse_format_tag(line.substr(0, line.find(',')));
            if (line.find_first_not_of("\r", line.find(',') + 1) != line.npos || tag->ndims() != 4) continue;
            ++tags;
            const layout other(extents, *tag);
            element_types().for_each([&](auto from, const char* from_name) {
                element_types().for_each([&](auto to, const char* to_name) {
                    const std::string types = std::string(from_name) + ',' + to_name;
                    CAPTURE(types);
                    if (!moves<decltype(from), decltype(to)>(plain, other)) FAIL_CHECK(line);
                    if (!moves<decltype(from), decltype(to)>(other, plain)) FAIL_CHECK(line);
                });
            });
        }
        MESSAGE("test:reorder_sweep: ", tags, " tags, without its compensation buffers: the library has none");
        CHECK(tags > 100);
    });
    CHECK(count == 1);
}

}}  // namespace test_data_onednn_test_reorders
