// Every list of digits, refinement, split, join and recast of a small world, as plait's headers compute it: one line
// for each. proofs/compare.ml compares them with functions that Coq has proved to be right.
#include <plait/algebra/recast.hpp>
#include <plait/algebra/refine.hpp>
#include <plait/algebra/view.hpp>
#include <plait/core/layout_invariants.hpp>

#include <cstdio>
#include <vector>

namespace {

using plait::dim_t;
using plait::detail::axis_places;

void print(dim_t number) { std::printf(" %lld", static_cast<long long>(number)); }
template <class Jumps>
void print(const Jumps& jumps, dim_t unit) {
    print(jumps.size());
    for (const auto& j : jumps) {
        print(unit == 0 ? j.border : unit);
        print(j.by);
    }
}
void print(const axis_places& p) { print(p.jumps, 0); }

/// One axis: its digits from the innermost to the outermost, and how many indices it has.
struct small_axis {
    std::vector<plait::digit> digits;
    dim_t indices = 1;

    axis_places places() const {
        axis_places out;
        dim_t step = 1;
        for (std::size_t k = 0; k < digits.size(); ++k) {
            const bool last = k + 1 == digits.size();
            out.add_digit(step, last ? 0 : digits[k].extent, digits[k].stride, indices);
            step *= digits[k].extent;
        }
        return out;
    }
};

/// All axes of up to three digits with extents from 2 to 4 and these strides.
std::vector<small_axis> axes_of(const std::vector<dim_t>& strides, std::size_t most_digits) {
    std::vector<small_axis> all{{}}, out;
    for (std::size_t first = 0, count = 0; count < most_digits; ++count) {
        const std::size_t end = all.size();
        for (; first < end; ++first)
            for (dim_t extent = 2; extent <= 4; ++extent)
                for (const dim_t stride : strides) {
                    small_axis longer = all[first];
                    longer.digits.push_back({0, extent, stride});
                    longer.indices *= extent;
                    all.push_back(longer);
                }
    }
    out.assign(all.begin() + 1, all.end());
    return out;
}

/// A layout of one or two axes; the first is the outer one. No offset, no padding.
plait::layout layout_of(const std::vector<small_axis>& axes) {
    plait::layout out;
    out.kind = plait::format_kind::blocked;
    for (const small_axis& a : axes) {
        plait::digit outermost = a.digits.back();
        outermost.axis = out.dims.size();
        out.digits.push_back(outermost);
        out.dims.push_back(a.indices);
        out.padded_dims.push_back(a.indices);
        out.padded_offsets.push_back(0);
    }
    for (std::size_t n = 0; n < axes.size(); ++n)
        for (std::size_t k = axes[n].digits.size() - 1; k-- > 0;) {
            plait::digit inner = axes[n].digits[k];
            inner.axis = static_cast<int>(n);
            out.digits.push_back(inner);
        }
    return out;
}
axis_places places_of(const plait::layout& l, int axis) { return plait::detail::places_of(l, axis, l.dims[axis]); }

void digits_and_origins(const std::vector<small_axis>& axes) {
    for (const small_axis& a : axes) {
        std::printf("digits");
        print(a.indices);
        print(static_cast<dim_t>(a.digits.size()));
        dim_t step = 1;
        for (std::size_t k = 0; k < a.digits.size(); ++k) {
            print(step);
            print(k + 1 == a.digits.size() ? 0 : a.digits[k].extent);
            print(a.digits[k].stride);
            step *= a.digits[k].extent;
        }
        print(a.places());
        std::puts("");
        for (dim_t origin = 0; origin < a.indices; ++origin) {
            std::printf("origin");
            print(origin);
            print(a.indices - origin);
            print(a.places());
            axis_places moved;
            if (plait::detail::places_from(moved, a.places(), origin, a.indices - origin)) print(moved);
            else print(-1);
            std::puts("");
        }
    }
}

/// Pairs of places over the shorter one's indices; their blocks need not divide each other.
void refinements(const std::vector<small_axis>& axes) {
    for (const small_axis& a : axes)
        for (const small_axis& b : axes) {
            const dim_t extent = a.indices < b.indices ? a.indices : b.indices;
            const auto within = [&](const axis_places& p) {
                axis_places out;
                for (const auto& j : p.jumps)
                    if (j.border < extent) out.add(j.border, j.by);
                return out;
            };
            const axis_places both[] = {within(a.places()), within(b.places())};
            plait::detail::axis_loops<2> loops;
            plait::detail::refine_axis<2>(loops, both, extent);
            std::printf("refinement");
            print(extent);
            print(2);
            for (const axis_places& p : both) print(p);
            print(loops.loops.size());
            for (const auto& loop : loops.loops) {
                print(loop.step);
                for (const dim_t by : loop.by) print(by);
            }
            for (int p = 0; p < 2; ++p) {
                axis_places left;
                for (const auto& j : loops.jumps)
                    if (j.place == p) left.add(j.period, j.by);
                print(left);
            }
            std::puts("");
        }
}

void splits(const std::vector<small_axis>& axes) {
    for (const small_axis& a : axes)
        for (dim_t inner = 2; inner < a.indices; ++inner) {
            if (a.indices % inner != 0) continue;
            const plait::layout l = layout_of({a});
            if (!plait::check_layout(l).ok()) continue;
            std::printf("split");
            print(inner);
            print(places_of(l, 0));
            const auto made = plait::try_view(l, plait::dims{a.indices / inner, inner});
            if (!made) print(-1);
            else
                for (const int axis : {0, 1}) print(places_of(*made, axis));
            std::puts("");
        }
}

void joins(const std::vector<small_axis>& axes) {
    for (const small_axis& a : axes)
        for (const small_axis& b : axes) {
            const plait::layout l = layout_of({a, b});
            if (!plait::check_layout(l).ok()) continue;
            std::printf("join");
            print(b.indices);
            for (const int axis : {0, 1}) print(places_of(l, axis));
            const auto made = plait::try_view(l, plait::dims{a.indices * b.indices});
            if (!made) print(-1);
            else print(places_of(*made, 0));
            std::puts("");
        }
}

void recasts(const std::vector<small_axis>& axes) {
    constexpr plait::data_type wider[] = {plait::data_type::u8, plait::data_type::u8, plait::data_type::f16,
                                          plait::data_type::u8, plait::data_type::f32};
    for (const small_axis& a : axes)
        for (const dim_t units : {2, 4}) {
            // The theorem is about two elements or more.
            if (a.indices % units != 0 || a.indices / units < 2) continue;
            const plait::layout l = layout_of({a});
            if (!plait::check_layout(l).ok()) continue;
            std::printf("recast");
            print(units);
            print(places_of(l, 0));
            const auto made = plait::try_recast(l, plait::data_type::u8, wider[units]);
            if (!made) print(-1);
            else print(places_of(*made, 0));
            std::puts("");
        }
}

}  // namespace

int main() {
    const std::vector<small_axis> all = axes_of({-6, 0, 1, 2, 4, 8, 12}, 3), few = axes_of({0, 1, 3, 4, 8}, 2);
    digits_and_origins(all);
    refinements(few);
    splits(all);
    joins(few);
    recasts(all);
}
