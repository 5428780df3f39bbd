#pragma once
// What anybody would write: nested loops in the order of the destination's memory.

#include <plait/contract/reference.hpp>

#include <algorithm>
#include <vector>

namespace bench {

using namespace plait;
using namespace plait::detail;

/// Loops over the digits of the padded destination, outermost first. The offset of an element is a sum over the axes;
/// tables of what each index adds take the place of divisions by block sizes.
template <element T, element U, bool Scaled>
class plain_loop {
public:
    plain_loop(const layout& src, const layout& dst, const reorder_attributes& attributes) {
        const position origin = unravel(dst.padded_dims, 0);
        for (int a = 0; a < dst.ndims(); ++a) {
            position at = origin;
            std::vector<dim_t>& table = tables_.emplace_back();
            for (dim_t index = -dst.padded_offsets[a]; index < dst.padded_dims[a] - dst.padded_offsets[a]; ++index) {
                at[a] = index + src.padded_offsets[a];
                table.push_back(index < 0 || index >= dst.dims[a] ? padding : evaluate_digits(src, at));
            }
            at_.push_back(0);
        }
        first_ = src.offset0;
        position weights;
        for (int a = 0; a < dst.ndims(); ++a) weights.push_back(1);
        const auto extents = reached_extents(dst);
        for (int k = dst.digits.size() - 1; k >= 0; --k) {
            const digit& d = dst.digits[k];
            if (extents[k] > 1) loops_.push_back({d.axis, extents[k], d.stride, weights[d.axis]});
            weights[d.axis] *= d.extent;
        }
        std::stable_sort(loops_.begin(), loops_.end(),
                         [](const loop& a, const loop& b) { return a.stride > b.stride; });
        while (loops_.size() < 2)
            loops_.insert(loops_.begin(), {loops_.empty() ? 0 : (loops_[0].axis + 1) % dst.ndims(), 1, 0, 0});
        dst_offset_ = dst.offset0;
        scales_.src_scale = attributes.src_scale.value;
        scales_.dst_scale = attributes.dst_scale.value;
    }

    void operator()(const T* in, U* out) { run(0, in, out + dst_offset_); }

private:
    static constexpr dim_t padding = INT64_MIN / 16;  // also when other axes are added
    struct loop {
        int axis;
        dim_t extent, stride, weight;
    };

    void run(std::size_t depth, const T* in, U* out) {
        if (depth + 2 == loops_.size()) return run_innermost(in, out);
        const loop l = loops_[depth];
        dim_t& index = at_[l.axis];
        for (dim_t i = 0; i < l.extent; ++i, index += l.weight) run(depth + 1, in, out + i * l.stride);
        index -= l.extent * l.weight;
    }

    void run_innermost(const T* in, U* out) {
        const loop around = loops_[loops_.size() - 2], inner = loops_.back();
        const bool same_axis = around.axis == inner.axis;
        dim_t base = first_;
        for (int a = 0; a < at_.size(); ++a)
            if (a != around.axis && a != inner.axis)
                base += tables_[static_cast<std::size_t>(a)][static_cast<std::size_t>(at_[a])];
        const dim_t* const outer_table = tables_[static_cast<std::size_t>(around.axis)].data() + at_[around.axis];
        const dim_t* const table = tables_[static_cast<std::size_t>(inner.axis)].data() + at_[inner.axis];
        for (dim_t j = 0; j < around.extent; ++j) {
            const dim_t from = base + (same_axis ? 0 : outer_table[j * around.weight]);
            const dim_t* const offsets = table + (same_axis ? j * around.weight : 0);
            U* const to = out + j * around.stride;
            for (dim_t i = 0; i < inner.extent; ++i) {
                const dim_t offset = from + offsets[i * inner.weight];
                to[i * inner.stride] = offset < 0 ? U{} : element_of(in[offset]);
            }
        }
    }

    U element_of(T x) const {
        if constexpr (Scaled) return convert_with<U>(x, U{}, scales_);
        else return convert<U>(x);
    }

    std::vector<std::vector<dim_t>> tables_;
    std::vector<loop> loops_;
    position at_;
    dim_t first_ = 0, dst_offset_ = 0;
    element_attributes scales_{};
};

}  // namespace bench
