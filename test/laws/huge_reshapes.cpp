// Reshape and related operations on large layouts: 12 axes, extents near 2^40, random places; no loop over elements.

#include "laws/random_layouts.hpp"

#include "laws/reshape_laws.hpp"

#include <vector>

namespace test_laws_huge_reshapes { namespace {

using namespace plait;
using namespace plait_test;

/// Returns a dense layout of 12 axes, one of them long: half of the time row-major, else in a random order.
layout make_huge(random_source& random, int blocks) {
    for (;;) {
        dims extents;
        for (int a = 0; a < max_ndims; ++a) extents.push_back(random.between(1, 4));
        extents[static_cast<int>(random.between(0, 11))] = (dim_t{1} << 40) + random.between(-1000, 1000) * 16;
        format_tag tag = random.tag(max_ndims, blocks, 4);
        if (random.once_in(2))
            for (int a = 0; a < max_ndims; ++a) tag.axes[a] = a;
        if (const expected<layout> l = try_layout(extents, tag)) return *l;
    }
}

/// Returns the prime factors below 100, followed by the remaining factor.
std::vector<dim_t> factors_of(dim_t n) {
    std::vector<dim_t> out;
    for (dim_t p = 2; p < 100; ++p)
        for (; n % p == 0; n /= p) out.push_back(p);
    if (n > 1) out.push_back(n);
    return out;
}

/// Returns random dims with the number of elements of l: the factors of its axes, in order, in up to 12 new axes.
dims random_shape(const layout& l, random_source& random) {
    dims out{1};
    for (int a = 0; a < l.ndims(); ++a) {
        if (l.dims[a] == 1) continue;
        const bool whole = random.once_in(3);
        if (!out.full() && random.once_in(2)) out.push_back(1);
        if (whole) {
            out[out.size() - 1] *= l.dims[a];
            continue;
        }
        for (const dim_t factor : factors_of(l.dims[a])) {
            if (!out.full() && random.once_in(3)) out.push_back(1);
            out[out.size() - 1] *= factor;
        }
    }
    return out;
}

bool keeps_sampled_elements(const layout& l, const layout& out, random_source& random) {
    if (!check_layout(out).ok() || out.volume() != l.volume()) return false;
    for (int i = 0; i < 20; ++i) {
        const dim_t number = random.between(0, l.volume() - 1);
        if (out.linear_offset(number) != l.linear_offset(number)) return false;
    }
    const dim_t last = l.volume() - 1;
    return out.linear_offset(0) == l.linear_offset(0) && out.linear_offset(last) == l.linear_offset(last);
}

template <class Law>
void check_law(std::uint64_t seed, int blocks, int least, const Law& law) {
    random_source random(seed);
    int succeeded = 0;
    for (int i = 0; i < 4000; ++i) {
        const layout l = make_huge(random, blocks);
        const dims to = random_shape(l, random);
        const std::optional<bool> held = law(l, to, random);
        succeeded += held.has_value();
        if (held == false) FAIL_CHECK(explain(l) << " as " << to_string(layout(to, "any")));
    }
    CHECK(succeeded > least);
}

TEST_CASE("law at size: reshape and view keep the elements, and can be reversed") {
    check_law(61, 0, 500, [](const layout& l, const dims& to, random_source& random) -> std::optional<bool> {
        const expected<layout> out = try_reshape(l, to);
        if (!out) return std::nullopt;
        return keeps_sampled_elements(l, *out, random) && try_view(l, to) == out && try_reshape(*out, l.dims) == l;
    });
    check_law(62, 6, 300, [](const layout& l, const dims& to, random_source& random) -> std::optional<bool> {
        const expected<layout> out = try_view(l, to);
        if (!out) return std::nullopt;
        const expected<layout> back = try_view(*out, l.dims);
        return keeps_sampled_elements(l, *out, random) && back && keeps_sampled_elements(l, *back, random);
    });
}

TEST_CASE("law at size: joined axes can be split again") {
    check_law(63, 3, 500, [](const layout& l, const dims&, random_source& random) -> std::optional<bool> {
        const auto first = static_cast<int>(random.between(0, 10)), last = static_cast<int>(random.between(first, 11));
        const expected<layout> joined = try_join_axes(l, first, last);
        if (!joined) return std::nullopt;
        dims old;
        for (int a = first; a <= last; ++a) old.push_back(l.dims[a]);
        return keeps_sampled_elements(l, *joined, random) && try_flatten(l, first, last) == joined &&
               (has_blocked_unit(l) || try_split_axis(*joined, first, old) == l);
    });
}

TEST_CASE("law at size: with allow_order_mismatch, a dense layout is one chunk") {
    using enum reshape_flags;
    check_law(64, 8, 500, [](const layout& l, const dims& to, random_source&) -> std::optional<bool> {
        if (l.is_padded()) return std::nullopt;
        const expected<layout> flat = try_extended_reshape(l, {l.volume()}, allow_order_mismatch);
        return flat == layout({l.volume()}, "a") &&
               try_extended_reshape(*flat, to, none) == layout(to, plain_order(identity_permutation(to.size())));
    });
    check_law(65, 8, 500, [](const layout& l, const dims&, random_source&) -> std::optional<bool> {
        if (!l.is_padded() || has_blocked_unit(l)) return std::nullopt;
        const dims all{l.padded_volume()};
        return check_extended_reshape(l, all, allow_order_mismatch).reason != reason::none &&
               try_extended_reshape(l, all, allow_order_mismatch | allow_padding_mismatch) == layout(all, "a");
    });
}

TEST_CASE("law at size: a refused view has the nearest extent that is accepted") {
    random_source random(66);
    int refused = 0;
    for (int i = 0; i < 4000; ++i) {
        // One long axis with three digits that cannot be merged.
        layout l = by_hand({1}, {1}, {1}, {{0, random.between(2, 1 << 14)}, {0, random.between(2, 1 << 20)}});
        const dim_t inner = l.digits[2].extent, middle = l.digits[1].extent, outer = random.between(2, 64);
        l.digits[2].stride = 3, l.digits[1].stride = 5 * inner, l.digits[0] = {0, outer, 7 * inner * middle};
        l.dims[0] = l.padded_dims[0] = outer * middle * inner;
        const std::vector<dim_t> factors = factors_of(l.dims[0]);
        dim_t wanted = 1;
        for (const dim_t factor : factors)
            if (random.once_in(2)) wanted *= factor;
        const verdict why = check_view(l, {l.dims[0] / wanted, wanted});
        if (why.ok()) continue;
        ++refused;
        if (why.reason != reason::extents_do_not_divide || why.second != wanted || l.dims[0] % why.third != 0 ||
            !check_view(l, {l.dims[0] / why.third, why.third}).ok())
            FAIL_CHECK(explain(l) << describe(why).c_str());
    }
    CHECK(refused > 500);
}

}}  // namespace test_laws_huge_reshapes
