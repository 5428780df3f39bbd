// Reorders through tables as JSON. The tests here execute the text; run_table_plans.py has run_plan.py do it.
#include <plait/interop/table_reorder_json.hpp>

#include "reorder/random_tables.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

namespace test_interop_table_reorder_json { namespace {

using namespace plait;
using namespace table_cases;

/// JSON with numbers, as a tree.
struct tree {
    std::vector<std::string> names;  // of the members; empty in a list
    std::vector<tree> members;
    std::string word;  // a number or a string

    const tree& operator[](const std::string& name) const {
        for (std::size_t k = 0; k < members.size(); ++k)
            if (names[k] == name) return members[k];
        FAIL("no member ", name);
        return *this;
    }
    dim_t number() const { return std::stoll(word); }
    std::vector<dim_t> numbers() const {
        std::vector<dim_t> out;
        for (const tree& value : members) out.push_back(value.number());
        return out;
    }
};
void skip(const char*& at, const char* characters) {
    while (*at != '\0' && std::strchr(characters, *at) != nullptr) ++at;
}
tree read_tree(const char*& at) {
    tree out;
    skip(at, " \n,");
    if (*at == '{' || *at == '[') {
        const bool named = *at++ == '{';
        for (skip(at, " \n,"); *at != '}' && *at != ']'; skip(at, " \n,")) {
            REQUIRE(*at != '\0');
            std::string name;
            if (named) {
                name = read_tree(at).word;
                REQUIRE(*at == ':');
                ++at;
            }
            out.names.push_back(name);
            out.members.push_back(read_tree(at));
        }
        ++at;
    } else if (*at == '"') {
        for (++at; *at != '"'; ++at) out.word += *at;
        ++at;
    } else {
        while (*at == '-' || (*at >= '0' && *at <= '9')) out.word += *at++;
        REQUIRE(!out.word.empty());
    }
    return out;
}

dim_t offset_of(const tree& place, const std::vector<dim_t>& at) {
    const std::vector<dim_t> strides = place["strides"].numbers();
    REQUIRE(strides.size() == at.size());
    return std::inner_product(at.begin(), at.end(), strides.begin(), place["offset"].number());
}

/// Executes a plan, element by element.
void execute(const std::string& text, const std::vector<std::byte>& in, std::vector<std::byte>& out, dim_t size) {
    const char* at = text.c_str();
    const tree plan = read_tree(at);
    CHECK(plan["plait_table_reorder"].number() == 1);
    const auto element = [size](auto& bytes, dim_t place) {
        REQUIRE(place >= 0);
        REQUIRE(static_cast<std::size_t>((place + 1) * size) <= bytes.size());
        return bytes.data() + place * size;
    };
    const auto zero = [&](const tree& boxes, dim_t begin) {
        for (const tree& box : boxes.members)
            for_each_index(box["dims"].numbers(), [&](const std::vector<dim_t>& index) {
                std::memset(element(out, begin + offset_of(box["to"], index)), 0, static_cast<std::size_t>(size));
            });
    };
    for (const tree& move : plan["moves"].members) {
        const std::vector<dim_t> numbers = move.numbers();
        const tree& unit = plan["units"].members.at(static_cast<std::size_t>(numbers.at(0)));
        for (const tree& part : unit["parts"].members)
            for_each_index(part["dims"].numbers(), [&](const std::vector<dim_t>& index) {
                std::memcpy(element(out, numbers.at(2) + offset_of(part["to"], index)),
                            element(in, numbers.at(1) + offset_of(part["from"], index)),
                            static_cast<std::size_t>(size));
            });
        zero(unit["zeros"], numbers.at(2));
    }
    zero(plan["zeros"], 0);
}

std::vector<std::byte> random_bytes(random_case& random, std::size_t size) {
    std::vector<std::byte> out(size);
    for (std::byte& b : out) b = static_cast<std::byte>(random.between(1, 255));
    return out;
}
void write(const std::string& name, const void* data, std::size_t size) {
    std::ofstream(name, std::ios::binary).write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
}

TEST_CASE("table_reorder_json: a program that executes the plan writes what the reorder writes") {
    const char* const folder = std::getenv("PLAIT_PLANS");  // for run_table_plans.py
    constexpr data_type types[] = {data_type::f32, data_type::bf16, data_type::u8, data_type::f64};
    int executed = 0;
    for (unsigned seed = 1; seed <= 1000; ++seed) {
        random_case random{std::mt19937(seed)};
        const int ndims = static_cast<int>(random.between(1, 3)), axis = static_cast<int>(random.below(ndims));
        std::vector<dim_t> extents;
        for (int a = 0; a < ndims; ++a) extents.push_back(random.between(1, 6));
        const dim_t n = random.one_in(12) ? 0 : random.between(1, 40);
        auto from_kind = static_cast<kind>(random.below(4)), to_kind = static_cast<kind>(random.below(4));
        if (from_kind == kind::none && to_kind == kind::none) to_kind = kind::pages;
        random_side from = make_side(random, from_kind, extents, axis, n, false),
                    to = make_side(random, to_kind, extents, axis, n, true);
        from.plain.tensor.type = to.plain.tensor.type = types[random.below(4)];
        const descriptor &src = from.plain.tensor, &dst = to.plain.tensor;
        INFO("seed ", seed);
        const auto plan = make_reorder(src, dst, {.source_table = from.table, .destination_table = to.table});
        const planned_table_reorder::tables tables{from.argument(), to.argument(), n};
        const expected<std::string> text = try_table_reorder_json(src, dst, from.table, to.table, tables);
        if (!plan) {
            CHECK(text.error() == plan.error());
            continue;
        }
        REQUIRE(text.has_value());
        const std::vector<std::byte> in = random_bytes(random, src.buffer_size_in_bytes()),
                                     before = random_bytes(random, dst.buffer_size_in_bytes());
        std::vector<std::byte> wanted = before, out = before;
        REQUIRE(plan->attempt(in.data(), wanted.data(), tables).error() == verdict{});
        execute(*text, in, out, size_in_bytes(src.type));
        CHECK(out == wanted);
        ++executed;
        if (folder == nullptr || executed > 60) continue;
        const std::string name = std::string(folder) + "/" + std::to_string(executed);
        write(name + ".json", text->data(), text->size());
        write(name + ".in", in.data(), in.size());
        write(name + ".out", before.data(), before.size());
        write(name + ".wanted", wanted.data(), wanted.size());
    }
    CHECK(executed > 500);
}

TEST_CASE("table_reorder_json: what it has of two pages") {
    const descriptor tokens(data_type::f16, layout({3, 2}, "ab")), pages(data_type::f16, layout({8, 2}, "Ab2a"));
    const std::vector<int> table{3, 1};
    const std::string text = table_reorder_json(tokens, pages, {}, {.axis = 0, .block = 2}, {.destination = table});
    for (const char* part : {"\"plait_table_reorder\": 1,", "\"type\": \"f16\", \"dims\": [3, 2], \"places\": 6}",
                             "\"type\": \"f16\", \"dims\": [8, 2], \"places\": 16}", "[0, 0, 12]", "[1, 4, 4]"})
        CHECK_MESSAGE(text.find(part) != std::string::npos, part, " is not in ", text);
}

TEST_CASE("table_reorder_json: what is refused") {
    const descriptor tokens(data_type::f16, layout({3, 2}, "ab")), pages(data_type::f16, layout({8, 2}, "ab"));
    const table_axis axis{.axis = 0, .block = 2};
    const std::vector<int> shared{3, 3}, outside{0, 4}, right{0, 1};
    const auto reason_of = [&](const std::vector<int>& table, dim_t extent) {
        return try_table_reorder_json(tokens, pages, {}, axis, {.destination = table, .extent = extent}).error().reason;
    };
    CHECK(reason_of(shared, 3) == reason::table_entries_repeat);
    CHECK(reason_of(outside, 3) == reason::table_entry_is_out_of_range);
    CHECK(reason_of(right, 4) == reason::part_is_outside_parent);
    CHECK(try_table_reorder_json(tokens, pages, {}, {}, {}).error().reason == reason::axis_is_out_of_range);
    CHECK_THROWS_AS(static_cast<void>(table_reorder_json(tokens, pages, {}, axis, {.destination = shared})), rejection);
    // 2^40 moves: refused before they are written.
    constexpr dim_t many = dim_t{1} << 40;
    const std::vector<dim_t> offsets{0, many};
    const descriptor rows(data_type::u8, layout({many}, "a"));
    CHECK(try_table_reorder_json(rows, rows, {}, {.axis = 0, .block = 1, .grouped = true}, {.destination = offsets})
              .error() == verdict{reason::size_overflows, 0, many, dim_t{1} << 22});
}

TEST_CASE("digest_of a layout: equal for equal places") {
    CHECK(digest_of(layout({17, 4}, "Ab16a")) == digest_of(layout({17, 4}, "Ab4a4a")));
    CHECK(digest_of(layout({17, 4}, "Ab16a")) != digest_of(layout({18, 4}, "Ab16a")));
    CHECK(digest_of(layout({17, 4}, "Ab16a")) != digest_of(layout({17, 4}, "Ab32a")));
    CHECK(digest_of(layout({4, 4}, "ab")) != digest_of(layout({4, 4}, "ba")));
    CHECK(digest_of(layout({4, 4}, "ab")) == digest_of(layout({4, 4}, strides{4, 1})));
}

}}  // namespace test_interop_table_reorder_json
