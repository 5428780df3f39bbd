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
        return std::string(name(src_type)) + " " + to_string(src) + " -> " + name(dst_type) + " " + to_string(dst);
    }
    /// The kernel that an instruction set gets for it; the numbers are those that its table is searched for.
    kernel_key kernel(isa which) const {
        const auto plan = make_plan(src, dst, sizes, which);
        return plan ? key_of_path(src_type, dst_type) | key_of(plan->pattern) : 0;
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
        CHECK(tiles->kernel != nullptr);
        const tile_pattern& pattern = tiles->plan.pattern;
        CHECK((key_of_path(l.src_type, l.dst_type) | key_of(pattern)) == l.kernel(widest));
        // More than one element at a time, or the line says nothing.
        CHECK(key_of(pattern) != key_of(tile_pattern{}));
    }
}

// So no line is there twice, either.
TEST_CASE("known_reorders: no two lines get the same kernel on every instruction set") {
    for (std::size_t i = 0; i < lines().size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
            bool same = true;
            for (const isa which : {isa::avx512, isa::avx2, isa::neon})
                same = same && lines()[i].kernel(which) == lines()[k].kernel(which);
            INFO(lines()[i].text(), " has the kernels of ", lines()[k].text());
            CHECK_FALSE(same);
        }
}
