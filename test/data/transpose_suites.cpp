// The transposes in XLA's test suite, some from or into tiles, and in HPTT's benchmark. Each written byte is compared.

#include "data/suite_rows.hpp"
#include "support/test_data.hpp"

#include <plait/io/xla_layout.hpp>
#include <plait/reorder/layout_reorder.hpp>

#include <doctest/doctest.h>

#include <cstring>

namespace test_data_transpose_suites { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::suite_value;

/// The order in which elements are numbered: row-major, or as they follow each other in memory.
enum class counted { row_major, in_memory };

/// Returns the first 16 digits of the hash of a reorder's result. Element i has the lowest bytes of i * 2654435761 +
/// 97.
template <class T>
std::string hash_of(const layout& src, const layout& dst, counted how) {
    std::vector<T> in(src.element_span()), out(dst.element_span());
    std::memset(in.data(), 0xff, in.size() * sizeof(T));  // the content of the padding
    std::memset(out.data(), 0x5a, out.size() * sizeof(T));
    position at;
    for (int a = 0; a < src.ndims(); ++a) at.push_back(0);
    for (dim_t i = 0; i < src.volume(); ++i) {
        const dim_t place = evaluate_digits(src, at), number = how == counted::in_memory ? place : i;
        const std::uint64_t value = static_cast<std::uint64_t>(number) * 2654435761u + 97;
        std::memcpy(&in[static_cast<std::size_t>(place)], &value, sizeof(T));  // little-endian
        for (int a = src.ndims() - 1; a >= 0 && ++at[a] == src.dims[a]; --a) at[a] = 0;
    }
    reorder(src, in.data(), dst, out.data());
    const auto* const bytes = reinterpret_cast<const unsigned char*>(out.data());
    return plait_test::sha1(std::vector<unsigned char>(bytes, bytes + out.size() * sizeof(T))).substr(0, 16);
}
std::string hash_of(int bytes, const layout& src, const layout& dst, counted how) {
    return bytes == 1   ? hash_of<std::uint8_t>(src, dst, how)
           : bytes == 2 ? hash_of<float16>(src, dst, how)
           : bytes == 4 ? hash_of<std::int32_t>(src, dst, how)
                        : hash_of<double>(src, dst, how);
}

/// Returns the text of a layout whose elements are two halves: it has one more axis of extent 2, in front of the others
/// and in each tile.
std::string of_halves(const std::string& text, int axes) {
    std::string out = "{" + std::to_string(axes) + ",";
    for (const char c : text.substr(1)) out += c == ')' ? std::string(",2)") : std::string(1, c);
    return out;
}

TEST_CASE("suites: XLA's transposes write the right bytes, also with tiles") {
    int compared = 0, large = 0;
    for (const suite_value& row : plait_test::suite_rows(plait_test::data_folder(), "xla_transpose")) {
        const dims extents = row["dims"].numbers<dims>();
        const std::string from = row["layouts"].list.at(0).text, to = row["layouts"].list.at(1).text;
        INFO(from << " -> " << to);
        const expected<layout> src = parse_xla_layout(from, extents), dst = parse_xla_layout(to, extents);
        REQUIRE(src.has_value());
        REQUIRE(dst.has_value());
        // The tensor has 19 million elements, so one type is enough.
        const bool is_large = src->volume() > 1'000'000;
        large += is_large;
        for (const auto& field : row["sha1"].fields) {
            const std::string& bytes = field.first;
            if (bytes == "16" || (is_large && bytes != "1")) continue;
            INFO(bytes);
            CHECK(hash_of(std::stoi(bytes), *src, *dst, counted::row_major) == field.second.text);
            ++compared;
        }
        if (is_large) continue;
        dims halves = extents;
        halves.push_back(2);
        const expected<layout> src2 = parse_xla_layout(of_halves(from, extents.size()), halves),
                               dst2 = parse_xla_layout(of_halves(to, extents.size()), halves);
        REQUIRE(src2.has_value());
        REQUIRE(dst2.has_value());
        CHECK(hash_of<double>(*src2, *dst2, counted::row_major) == row["sha1"]["16"].text);
        ++compared;
    }
    MESSAGE("xla: " << compared << " right; of " << large << " large tensors bytes alone");
    CHECK(compared == 18 * 5 + 1);
}

TEST_CASE("suites: HPTT's permutations write the right bytes, with either the first or the last index fastest") {
    int compared = 0;
    for (const suite_value& row : plait_test::suite_rows(plait_test::data_folder(), "hptt")) {
        const dims extents = row["sizes"].numbers<dims>();
        const permutation order = row["perm"].numbers<permutation>();
        format_tag from = plain_tag(extents.size()), to = from;
        const int n = extents.size();
        for (const bool first : {true, false}) {
            for (int a = 0; a < n; ++a) {
                from.axes[a] = first ? n - 1 - a : a;
                to.axes[a] = static_cast<int>(order[first ? n - 1 - a : a]);
            }
            for (const int bytes : {1, 2, 4, 8}) {
                const std::string name = (first ? "F" : "C") + std::to_string(bytes);
                INFO(name);
                CHECK(hash_of(bytes, layout(extents, from), layout(extents, to), counted::in_memory) ==
                      row["sha1"][name].text);
                ++compared;
            }
        }
    }
    MESSAGE("hptt: " << compared << " right");
}

}}  // namespace test_data_transpose_suites
