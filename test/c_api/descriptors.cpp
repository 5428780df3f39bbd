// Each C operation on descriptors equals the C++ operation on random layouts, out of place and in place.

#include "c_api/c_descriptors.hpp"
#include "laws/random_layouts.hpp"
#include "support/pattern_cases.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace test_c_api_descriptors { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Returns dims near those of l: some axes are joined, split, added or left out. Some results do not fit.
dims near(const dims& old, random_source& random) {
    dims out;
    for (dim_t extent : old) {
        const dim_t how = random.between(0, 7);
        if (how == 0 && extent == 1) continue;
        if (how < 3 && !out.empty()) out[out.size() - 1] *= extent;
        else if (how < 5 && extent % 2 == 0) out.push_back(extent / 2), out.push_back(2);
        else out.push_back(extent);
        if (how == 7) out.push_back(random.once_in(4) ? 2 : 1);
    }
    return out;
}

permutation some_order(int n, random_source& random) {
    permutation p = random.order(n);
    if (random.once_in(8)) p[0] = random.between(-1, n);
    return p;
}

TEST_CASE("C descriptors: every operation equals that of the C++ descriptor") {
    random_source random(71);
    int allowed = 0, refused = 0;
    for (int i = 0; i < 4000; ++i) {
        const descriptor d(data_type::f32, random.small_layout());
        const plait_memory_desc_t in = to_c(d);
        REQUIRE(plait_memory_desc_check(&in) == PLAIT_SUCCESS);
        std::string wrong;
        plait::expected<plait::descriptor> expected;
        const auto compare = [&](const plait::expected<plait::descriptor>& attempt, const auto& call) {
            expected = attempt;
            wrong = compare_calls(in, attempt, call);
        };
        const dims to = near(d.dims(), random);
        switch (i % 6) {
            case 0:
                compare(try_reshape(d, to), [&](auto* out, const auto* from) {
                    return plait_memory_desc_reshape(out, from, to.size(), to.values);
                });
                break;
            case 1:
                compare(try_view(d, to), [&](auto* out, const auto* from) {
                    return plait_memory_desc_view(out, from, to.size(), to.values);
                });
                break;
            case 2: {
                const auto flags = static_cast<unsigned>(random.between(0, 3));
                compare(try_extended_reshape(d, to, static_cast<reshape_flags>(flags)),
                        [&](auto* out, const auto* from) {
                            return plait_memory_desc_extended_reshape(out, from, to.size(), to.values, flags);
                        });
                break;
            }
            case 3: {
                dims part;
                position begin;
                for (dim_t extent : d.dims()) {
                    begin.push_back(random.between(0, extent));
                    part.push_back(random.between(0, extent - begin[begin.size() - 1] + (random.once_in(20) ? 1 : 0)));
                }
                compare(try_submemory(d, part, begin), [&](auto* out, const auto* from) {
                    return plait_memory_desc_submemory(out, from, part.values, begin.values);
                });
                break;
            }
            default: {
                const permutation p = some_order(d.ndims(), random);
                int numbers[max_ndims] = {};
                for (int a = 0; a < p.size(); ++a) numbers[a] = static_cast<int>(p[a]);
                if (i % 6 == 4)
                    compare(try_permute_axes(d, p), [&](auto* out, const auto* from) {
                        return plait_memory_desc_permute_axes(out, from, numbers);
                    });
                else
                    compare(try_rename_axes(d, p), [&](auto* out, const auto* from) {
                        return plait_memory_desc_rename_axes(out, from, numbers);
                    });
            }
        }
        INFO("operation " << i % 6 << ", layout " << to_string(d.layout) << ", to " << to_string(to) << ", "
                          << plait_last_refusal());
        CHECK(wrong == "");
        ++(expected.has_value() ? allowed : refused);
    }
    CHECK(allowed > 1000);
    CHECK(refused > 400);
}

TEST_CASE("C rearrange: equals that of the C++ descriptor") {
    random_source random(75);
    int allowed = 0, refused = 0, copied = 0;
    for (int i = 0; i < 2000; ++i) {
        const descriptor d(data_type::f16, random.small_layout());
        const pattern_case asked = random_pattern(random, d.dims());
        std::vector<named_extent> given;
        for (const auto& [name, extent] : asked.given) given.push_back({name, extent});
        if (random.once_in(10)) given.push_back({random.once_in(2) ? "n" : "unknown", random.between(-1, 3)});
        std::vector<const char*> names;
        std::vector<plait_dim_t> extents;
        for (const named_extent& e : given) {
            names.push_back(e.name.data());  // the name of a std::string or a literal ends with a 0
            extents.push_back(e.extent);
        }
        const std::string text = random.once_in(30) ? asked.text + " (" : asked.text;
        const plait::expected<axis_pattern> pattern = parse_axis_pattern(text);
        plait::expected<descriptor> expected{{}, pattern.error()};
        if (pattern) expected = try_rearrange(d, *pattern, {given.data(), given.size()});
        INFO(to_string(d.layout), "  ", text, "  ", plait_last_refusal());
        CHECK(compare_calls(to_c(d), expected, [&](auto* out, const auto* from) {
                  return plait_memory_desc_rearrange(out, from, text.c_str(), static_cast<int>(given.size()),
                                                     names.data(), extents.data());
              }) == "");
        ++(expected ? allowed : refused);
        // If only a copy can make the result, the refusal names the function that makes it.
        const bool copies = pattern && rearrange_needs_copy(d.layout, *pattern, {given.data(), given.size()});
        plait_memory_desc_t in = to_c(d), to = in, result = in;
        if (!expected) {
            static_cast<void>(plait_memory_desc_rearrange(&to, &in, text.c_str(), static_cast<int>(given.size()),
                                                          names.data(), extents.data()));
            CHECK(says("does it: rearrange_copy") == copies);
        }
        const plait_status_t status = plait_memory_desc_rearrange_copy(
            &to, &result, &in, text.c_str(), static_cast<int>(given.size()), names.data(), extents.data());
        if (!copies) continue;
        ++copied;
        REQUIRE(status == PLAIT_SUCCESS);
        const rearranged_copy copy = rearrange_copy(d.layout, *pattern, {given.data(), given.size()});
        CHECK(same_bytes(to, to_c(descriptor(data_type::f16, copy.to))));
        CHECK(same_bytes(result, to_c(descriptor(data_type::f16, copy.result))));
    }
    CHECK(allowed > 500);
    CHECK(refused > 200);
    CHECK(copied > 20);
}

}}  // namespace test_c_api_descriptors
