#pragma once
// The arguments of a redistribution that an error sentence can name.

#include <plait/unit_flags.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The argument that rank_arguments_differ is about, as its axis.
enum class rank_argument {
    from_type,
    from_extents,
    from_mesh,
    from_ranks,
    from_memory,
    to_type,
    to_extents,
    to_mesh,
    to_ranks,
    to_memory,
    src_scale_mask,
    src_scale_count,
    src_scale,
    dst_scale_mask,
    dst_scale_count,
    dst_scale,
    src_zero_point_mask,
    src_zero_point_count,
    src_zero_point,
    dst_zero_point_mask,
    dst_zero_point_count,
    dst_zero_point,
    beta
};

/// Returns the name of an argument, as it appears in the error sentence.
constexpr const char* to_string(rank_argument argument) {
    constexpr const char* names[] = {"the type of the source",
                                     "the number of axes, or an extent, of the source",
                                     "a number of the mesh of the source",
                                     "a number of the layout of ranks of the source",
                                     "a number of the layout in memory of the source",
                                     "the type of the destination",
                                     "the number of axes, or an extent, of the destination",
                                     "a number of the mesh of the destination",
                                     "a number of the layout of ranks of the destination",
                                     "a number of the layout in memory of the destination",
                                     "the mask of src_scale",
                                     "the number of values of src_scale",
                                     "a value of src_scale",
                                     "the mask of dst_scale",
                                     "the number of values of dst_scale",
                                     "a value of dst_scale",
                                     "the mask of src_zero_point",
                                     "the number of values of src_zero_point",
                                     "a value of src_zero_point",
                                     "the mask of dst_zero_point",
                                     "the number of values of dst_zero_point",
                                     "a value of dst_zero_point",
                                     "beta"};
    const auto number = static_cast<unsigned>(argument);
    return number < sizeof(names) / sizeof(names[0]) ? names[number] : "an argument";
}

namespace detail {
inline constexpr int rank_argument_count = static_cast<int>(rank_argument::beta) + 1;

/// Returns true if the numbers of an argument are enumerators of data_type.
constexpr bool is_data_type(rank_argument argument) {
    return argument == rank_argument::from_type || argument == rank_argument::to_type;
}
/// Returns true if the numbers of an argument are the bits of f32 values.
constexpr bool is_float(rank_argument argument) {
    return argument == rank_argument::src_scale || argument == rank_argument::dst_scale ||
           argument == rank_argument::beta;
}
}  // namespace detail

}  // namespace plait
