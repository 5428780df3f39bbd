#pragma once
// The kernels that run plans known only at run time: a table for each instruction set, generated from the list of known
// reorders.

#include <plait/runtime/known_reorders.hpp>

namespace plait {

/// What tells kernels apart: the path of an element, and the pattern. Where elements are only moved their size is the
/// path, else both types.
using kernel_key = std::uint64_t;
constexpr kernel_key key_of_moves(int bytes) { return static_cast<kernel_key>(bytes) << 40; }
constexpr kernel_key key_of_path(data_type src, data_type dst) {
    return src == dst ? key_of_moves(size_in_bytes(src))
                      : (static_cast<kernel_key>(src) << 4 | static_cast<kernel_key>(dst)) << 44;
}

constexpr kernel_key path_of_key(kernel_key key) { return key >> 40 << 40; }

/// Whether an instruction set has a kernel for a known reorder. CPUs that have none but the plainest of their
/// architecture move single elements; those before AVX2, of before 2013, convert apart from moving.
template <class Known, isa Isa>
inline constexpr bool is_served =
    Isa == isa::portable ? !is_of_this_architecture(isa::sse41) && !is_of_this_architecture(isa::neon)
                         : Isa != isa::sse41 || Known::src_type == Known::dst_type;

/// The plan of a known reorder, of which its kernel is made.
template <class Known, isa Isa>
constexpr reorder_plan plan_of_known() {
    if constexpr (is_served<Known, Isa>) return open_form(*make_plan(Known::src, Known::dst, Known::path::sizes, Isa));
    else return {};
}
template <class Known, isa Isa>
inline constexpr tile_pattern pattern_of_known = open_pattern(plan_of_known<Known, Isa>().pattern);
template <class Known, isa Isa>
inline constexpr settled_axis axis_of_known = find_settled_axis(plan_of_known<Known, Isa>());

/// The kernel of a path, a pattern and a settled axis, for one instruction set.
template <isa Isa, class Path, tile_pattern Pattern, settled_axis Axis = settled_axis{}>
constexpr const open_kernel* open_kernel_with() {
#if defined(__x86_64__)
    if constexpr (Isa == isa::avx512) return &simd::avx512::open_kernel_for<Path, Pattern, Axis>;
    if constexpr (Isa == isa::avx2) return &simd::avx2::open_kernel_for<Path, Pattern, Axis>;
    // Of before 2013: less of a kernel will do.
    if constexpr (Isa == isa::sse41) return &simd::sse41::plain_kernel_for<Path, Pattern, false>;
#elif defined(__aarch64__)
    if constexpr (Isa == isa::neon) return &simd::neon::open_kernel_for<Path, Pattern, Axis>;
#endif
    if constexpr (Isa == isa::portable) return &simd::portable::plain_kernel_for<Path, Pattern, false>;
}

/// A kernel, and what it is found by; 0 where there is none.
struct known_kernel {
    kernel_key key = 0;
    const open_kernel* kernel = nullptr;
    const open_kernel* settled = nullptr;  ///< the same with code for an axis; null where there is none
};
/// That of a known reorder.
template <isa Isa, class Known>
constexpr known_kernel kernel_of_known() {
    if constexpr (!is_served<Known, Isa>) {
        return {};
    } else {
        using path = typename Known::path;
        constexpr tile_pattern pattern = pattern_of_known<Known, Isa>;
        constexpr settled_axis axis = axis_of_known<Known, Isa>;
        known_kernel out{key_of_path(Known::src_type, Known::dst_type) | key_of(pattern),
                         open_kernel_with<Isa, path, pattern>()};
        if constexpr (axis.exists()) out.settled = open_kernel_with<Isa, path, pattern, axis>();
        return out;
    }
}
/// That of elements that are moved one by one.
template <int Bytes>
constexpr known_kernel kernel_of_elements() {
    return {key_of_moves(Bytes) | key_of({}),
            open_kernel_with<isa::portable, simd::moved_elements<Bytes>, tile_pattern{}>()};
}

/// A run of the table: the kernels of one path of elements, and which tiles they are for.
struct kernels_of_path {
    kernel_key path = 0;
    int first = 0, count = 0;
    tile_shapes shapes;
};

/// All kernels. Those of one path are a run; of equal keys the first stays the first.
template <int Count>
struct kernel_table {
    known_kernel known[static_cast<std::size_t>(Count)];
    inline_list<kernels_of_path, Count> paths;

    constexpr kernel_table by_path() const {
        kernel_table out = *this;
        for (int k = 1; k < Count; ++k)
            for (int at = k; at > 0 && out.known[at].key < out.known[at - 1].key; --at) {
                const known_kernel smaller = out.known[at];
                out.known[at] = out.known[at - 1];
                out.known[at - 1] = smaller;
            }
        for (int k = 0; k < Count; ++k) {
            const kernel_key key = out.known[k].key, path = path_of_key(key);
            if (out.paths.empty() || out.paths.back().path != path) out.paths.push_back({path, k, 0, {}});
            kernels_of_path& run = out.paths[out.paths.size() - 1];
            ++run.count;
            if (key != 0) add_shape_of(key, run.shapes);
        }
        return out;
    }
    /// Null where the table has no kernel for a path.
    const kernels_of_path* of_path(kernel_key path) const {
        for (const kernels_of_path& run : paths)
            if (run.path == path) return &run;
        return nullptr;
    }
    const open_kernel* find(const kernels_of_path& among, kernel_key key) const {
        for (int k = among.first; k < among.first + among.count; ++k)
            if (known[k].key == key) return known[k].kernel;
        return nullptr;
    }
    /// The one of these that knows a settled axis; null where there is none.
    const open_kernel* find(const kernels_of_path& among, kernel_key key, const settled_axis& axis) const {
        for (int k = among.first; k < among.first + among.count; ++k)
            if (known[k].key == key && known[k].settled != nullptr && known[k].settled->axis == axis)
                return known[k].settled;
        return nullptr;
    }
};

/// The table of an instruction set, of a list of known reorders, and of elements that are moved one by one. Several
/// known reorders may have one kernel.
template <isa Isa, class List>
struct kernels_for;
template <isa Isa, class... Known>
struct kernels_for<Isa, boost::hana::tuple<Known...>> {
    static constexpr auto value = kernel_table<static_cast<int>(sizeof...(Known)) + 4>{
        {kernel_of_known<Isa, Known>()..., kernel_of_elements<1>(), kernel_of_elements<2>(), kernel_of_elements<4>(),
         kernel_of_elements<8>()},
        {}}.by_path();
};

/// The kernels of an instruction set. All that is compiled for run-time layouts hangs on it.
template <isa Isa>
const auto& tile_kernels() {
    return kernels_for<Isa, known_reorders>::value;
}

}  // namespace plait
