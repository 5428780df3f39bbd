#include <plait/io/print.hpp>
#include <plait/runtime/compiled.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

using namespace plait;

namespace {

/// A line of the list, as values: its plans are made at run time here, which is the same and costs nothing to compile.
struct line {
    layout src, dst;
    data_type src_type, dst_type;
    element_sizes sizes;

    std::string text() const {
        return std::string(to_string(src_type)) + " " + to_string(src) + " -> " + to_string(dst_type) + " " +
               to_string(dst);
    }
    struct made_kernel {
        kernel_key key = 0;  ///< what the table is searched for
        settled_axis axis;
    };
    /// The kernel that an instruction set gets for it.
    made_kernel kernel(isa which) const {
        const auto plan = make_plan(src, dst, sizes, which);
        if (!plan) return {};
        return {key_of_path(src_type, dst_type) | key_of(plan->pattern), find_settled_axis(open_form(*plan))};
    }
    /// Whether another line's kernels do for it on every instruction set: they have no axis less.
    bool is_served_by(const line& other) const {
        for (const isa which : {isa::avx512, isa::avx2, isa::neon}) {
            const made_kernel mine = kernel(which), others = other.kernel(which);
            if (mine.key != others.key || (mine.axis.exists() && mine.axis != others.axis)) return false;
        }
        return true;
    }
};

template <class... Known>
std::vector<line> lines_of(std::type_identity<boost::hana::tuple<Known...>>) {
    return {{Known::src, Known::dst, Known::src_type, Known::dst_type, Known::path::sizes}...};
}
const std::vector<line>& lines() {
    static const std::vector<line> all = lines_of(std::type_identity<known_reorders>{});
    return all;
}

isa widest_isa() {
    isa widest = isa::portable;
    for (const isa which : every_isa)
        if (is_of_this_architecture(which) && cpu_has(which)) widest = which;
    return widest;
}

}  // namespace

TEST_CASE("known_reorders: each line is planned with the kernel that it gets") {
    const isa widest = widest_isa();
    // Older CPUs have no kernels for lines with two types.
    if (widest != isa::avx512 && widest != isa::avx2 && widest != isa::neon) return;
    for (const line& l : lines()) {
        INFO(l.text());
        const auto planned = make_reorder({l.src_type, l.src}, {l.dst_type, l.dst});
        REQUIRE(planned.has_value());
        const planned_tiles* const tiles = planned->tiles();
        REQUIRE(tiles != nullptr);
        REQUIRE(tiles->kernel != nullptr);
        const tile_pattern& pattern = tiles->plan.pattern;
        CHECK((key_of_path(l.src_type, l.dst_type) | key_of(pattern)) == l.kernel(widest).key);
        if (l.kernel(widest).axis.exists() && pattern.interleave == 0)
            CHECK(tiles->kernel->axis == l.kernel(widest).axis);
        // More than one element at a time, or the line says nothing.
        CHECK(key_of(pattern) != key_of(tile_pattern{}));
    }
}

// So no line is there twice, either.
TEST_CASE("known_reorders: no line is served by the kernels of another on every instruction set") {
    for (const line& one : lines())
        for (const line& other : lines()) {
            if (&one == &other) continue;
            INFO(one.text(), " has the kernels of ", other.text());
            CHECK_FALSE(one.is_served_by(other));
        }
}
