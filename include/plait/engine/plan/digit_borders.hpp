#pragma once
// The indices at which the digits of an axis begin, in one layout and in two. The common refinement is made from them.
//
// Example: c of nchw and of nChw16c, 17 channels of 56 x 56. In nchw a digit begins at 1, with stride 3136. In nChw16c
// digits begin at 1, with stride 1, and at 16, with stride 50176. Their common borders are 1 and 16.

#include <plait/core/layout.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/support/checked_arithmetic.hpp>
#include <plait/support/scratch_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The indices at which the digits of one axis begin: 1, and the products of its inner digits, in rising order.
struct digit_borders {
    scratch_list<dim_t, max_digits> index_steps;
    scratch_list<dim_t, max_digits> stride;  ///< stride of the digit that begins there

    constexpr digit_borders(const layout& l, int axis) {
        dim_t index_step = 1;
        for (int k = l.digits.size() - 1; k >= l.ndims(); --k) {
            if (l.digits[k].axis != axis) continue;
            index_steps.push_back(index_step);
            stride.push_back(l.digits[k].stride);
            index_step *= l.digits[k].extent;
        }
        index_steps.push_back(index_step);
        stride.push_back(l.digits[axis].stride);
    }
    /// Leaves out each border at which the digit below goes on: the two digits are one in memory.
    ///
    /// Example: borders 1 and 3 with strides 1 and 3: border 1 alone; stride_at(7) is then 7
    constexpr void join() {
        int kept = 0;
        for (int k = 1; k < index_steps.size(); ++k) {
            if (stride[k] == wrapping_multiply(stride[kept], index_steps[k] / index_steps[kept])) continue;
            ++kept;
            index_steps[kept] = index_steps[k];
            stride[kept] = stride[k];
        }
        while (index_steps.size() > kept + 1)
            index_steps.erase(index_steps.size() - 1), stride.erase(stride.size() - 1);
    }
    /// Returns the stride of steps of `index_step` indices, which is a multiple of the border below it.
    constexpr dim_t stride_at(dim_t index_step) const {
        int k = 0;
        while (k + 1 < index_steps.size() && index_steps[k + 1] <= index_step) ++k;
        return index_steps[k] == index_step ? stride[k] : stride[k] * (index_step / index_steps[k]);
    }
};

/// The indices at which the nodes of an axis begin: the borders of both layouts in rising order, each a multiple of the
/// one before. If a border is not such a multiple, the last one is the greatest common divisor of it and all above.
struct common_borders {
    scratch_list<dim_t, 2 * max_digits> index_steps;
    bool is_uneven = false;

    constexpr common_borders(const digit_borders& from, const digit_borders& to, dim_t stored) {
        scratch_list<dim_t, 2 * max_digits> all;
        for (int i = 0, j = 0; i < from.index_steps.size() || j < to.index_steps.size();) {
            const bool take_from =
                j == to.index_steps.size() || (i < from.index_steps.size() && from.index_steps[i] <= to.index_steps[j]);
            const dim_t border = take_from ? from.index_steps[i++] : to.index_steps[j++];
            if (border > 1 && border >= stored) continue;  // no index reaches this border
            if (all.empty() || border != all.back()) all.push_back(border);
        }
        for (int k = 0; k < all.size(); ++k) {
            if (k == 0 || all[k] % index_steps.back() == 0) {
                index_steps.push_back(all[k]);
                continue;
            }
            is_uneven = true;
            dim_t common = index_steps.back();
            for (int above = k; above < all.size(); ++above) common = greatest_common_divisor(common, all[above]);
            while (!index_steps.empty() && (index_steps.back() >= common || common % index_steps.back() != 0)) {
                common = greatest_common_divisor(common, index_steps.back());
                index_steps.erase(index_steps.size() - 1);
            }
            index_steps.push_back(common);
            break;
        }
    }
};

}  // namespace plait::engine
