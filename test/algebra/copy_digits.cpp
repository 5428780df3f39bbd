#include <plait/algebra/copy_digits.hpp>

#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"

#include <plait/algebra/is_injective.hpp>

namespace test_algebra_copy_digits {

using namespace plait;

namespace {

/// True if the digits lead to the places of each element, on both sides.
bool lead_to_all_places(const layout& src, const layout& dst) {
    const detail::copy_digits both(src, dst);
    position at = plait_test::origin(dst.ndims());
    do {
        dim_t from = both.src, to = both.dst;
        for (int a = 0; a < dst.ndims(); ++a) {
            const detail::copy_axis& axis = both.axes[a];
            const dim_t unit = at[a] / axis.unit;
            for (int k = axis.first_digit; k < axis.last_digit; ++k) {
                const detail::copy_digit& d = both.digits[k];
                if (d.axis != a) return false;
                if (d.has_jumps) continue;
                const bool outermost = k + 1 == axis.last_digit;
                const dim_t value = outermost ? at[a] / d.step : at[a] / d.step % d.extent;
                if (value >= d.extent) return false;
                from += value * d.src;
                to += value * d.dst;
            }
            if (axis.is_even()) continue;
            from += both.src_of(axis, unit) - both.src_of(axis, 0);
            to += both.dst_of(axis, unit) - both.dst_of(axis, 0);
        }
        if (from != src.offset(at) || to != dst.offset(at)) return false;
    } while (plait_test::advance(at, dst.dims));
    return true;
}

}  // namespace

TEST_CASE("copy_digits: both sides' places of each element") {
    const std::vector<layout> all = plait_test::many_layouts({5, 6});
    int pairs = 0, uneven = 0;
    for (std::size_t i = 0; i < all.size(); i += 11)
        for (std::size_t j = 0; j < all.size(); j += 13) {
            if (!is_injective(all[j])) continue;
            ++pairs;
            for (const detail::copy_axis& axis : detail::copy_digits(all[i], all[j]).axes) uneven += !axis.is_even();
            if (!lead_to_all_places(all[i], all[j])) FAIL_CHECK(explain(all[i]) << explain(all[j]));
        }
    CHECK((pairs > 300 && uneven > 30));
}

TEST_CASE("copy_digits: blocks of 16 and 24 have units of 8") {
    STATIC_CHECK([] {
        const detail::copy_digits both(layout({96, 2}, "Ab16a"), layout({96, 2}, "Ab24a"));
        const detail::copy_digit inner = both.digits[0], outer = both.digits[1];
        return both.axes[0].unit == 8 && !both.axes[0].is_even() && both.axes[1].is_even() && inner.extent == 8 &&
               inner.src == 1 && inner.dst == 1 && outer.extent == 3 && outer.dst == 8 && outer.has_jumps;
    }());
}

}  // namespace test_algebra_copy_digits
