#pragma once
// Scales and zero points of a reorder on the command line: a number, or a .npy file with one value for each index.

#include "layout_text.hpp"

#include <plait/contract/attributes.hpp>

namespace tool {

/// The texts of the options; empty if an option was not given.
struct attribute_texts {
    std::string src_scale, dst_scale, src_zero_point, dst_zero_point, mask, group;
    bool any() const;
};

/// The values of the attributes, and the arrays that the attributes point into.
class attribute_values {
public:
    /// Throws failure: text that is neither a number nor a file of numbers, a file without a mask or group, a mask with
    /// letters that are not axes, a group for another number of axes. The number of values is checked when the reorder
    /// is planned.
    attribute_values(const attribute_texts& texts, const std::string& tag, int ndims);

    /// Returns the attributes for a tensor of these extents. They point into this object.
    plait::reorder_attributes attributes(const plait::dims& extents) const;

private:
    struct values {
        bool by_index = false;
        std::vector<float> scales;
        std::vector<std::int32_t> zero_points;
    };
    int mask_ = 0;
    plait::dims group_;  ///< how many indices along each axis share a value; empty: by mask
    values src_scale_, dst_scale_, src_zero_point_, dst_zero_point_;

    static values read(const std::string& option, const std::string& text, bool is_scale, bool has_mask);
    plait::reorder_attributes::scale scale_of(const values& from, const plait::dims& extents) const;
    plait::reorder_attributes::zero_point zero_point_of(const values& from, const plait::dims& extents) const;
};

/// Reads a mask, as a number or as the letters of axes: "2" and "c" are the same for nchw.
int read_mask(const std::string& text, const std::string& tag, int ndims);

}  // namespace tool
