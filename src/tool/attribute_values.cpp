#include "attribute_values.hpp"

#include "npy.hpp"

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tool {

namespace {

template <class Number>
Number at(std::span<const std::byte> data, std::size_t index) {
    Number out;
    std::memcpy(&out, data.data() + index * sizeof(Number), sizeof(Number));
    return out;
}

/// Returns an integer of 32 bits; otherwise throws failure, which names the option.
std::int32_t narrow(const std::string& what, long long number) {
    if (number < INT32_MIN || number > INT32_MAX) throw failure(what + ": " + std::to_string(number) + " is no s32");
    return static_cast<std::int32_t>(number);
}

/// Rejects zero, infinity and NaN, if values are divided by the scale.
void check_scale(const std::string& what, const std::string& option, float scale) {
    if (option != "--dst-scale" || (scale != 0 && std::isfinite(scale) && std::isfinite(1 / scale))) return;
    char number[32];
    std::snprintf(number, sizeof(number), "%g", static_cast<double>(scale));
    throw failure(
        what + " has the scale " + number + ", but the numbers are divided by it, so it must be finite and not 0",
        {line("nearest", "1, which keeps a channel 0 whose numbers are all 0")});
}

/// Returns the f32 that is nearest to a scale of NumPy's own type, as one in the command line is read.
float nearest_float(const std::string& where, double scale) {
    const auto out = static_cast<float>(scale);
    if ((out != 0 || scale == 0) && std::isfinite(out) == std::isfinite(scale)) return out;
    char number[32];
    std::snprintf(number, sizeof(number), "%g", scale);
    throw failure(where + " has the scale " + number + ", which is no f32");
}

float read_float(const std::string& option, const std::string& text) {
    char* end = nullptr;
    errno = 0;
    const float out = std::strtof(text.c_str(), &end);
    if (text.empty() || *end != '\0')
        throw failure(option + ": '" + text + "' is neither a number nor a file with the ending .npy");
    if (errno == ERANGE && (out == 0 || !std::isfinite(out)))  // a subnormal number is one of f32
        throw failure(option + ": '" + text + "' is no f32");
    check_scale(option + ": '" + text + "'", option, out);
    return out;
}

std::int32_t read_integer(const std::string& option, const std::string& text) {
    char* end = nullptr;
    errno = 0;
    const long long out = std::strtoll(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0')
        throw failure(option + ": '" + text + "' is neither a whole number nor a file with the ending .npy");
    return narrow(option, errno == ERANGE ? LLONG_MAX : out);
}

}  // namespace

bool attribute_texts::any() const {
    for (const std::string* text : {&src_scale, &dst_scale, &src_zero_point, &dst_zero_point, &mask, &group})
        if (!text->empty()) return true;
    return false;
}

int read_mask(const std::string& text, const std::string& tag, int ndims) {
    const std::string letters = letters_of(tag, ndims);
    if (!text.empty() && text[0] >= '0' && text[0] <= '9') {
        const std::int32_t bits = read_integer("--mask", text);
        if (bits >> ndims != 0)
            throw failure("--mask " + text + ": has bits for more than the " + std::to_string(ndims) + " axes, '" +
                          letters + "'");
        return bits;
    }
    int mask = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t axis = letters.find(text[i]);
        if (axis == letters.npos)
            throw failure("--mask '" + text + "': column " + std::to_string(i + 1) + " is none of the axes '" +
                          letters + "'");
        mask |= 1 << axis;
    }
    return mask;
}

attribute_values::values attribute_values::read(const std::string& option, const std::string& text, bool is_scale,
                                                bool has_mask) {
    values out;
    if (text.empty()) return out;
    if (!text.ends_with(".npy")) {
        if (is_scale) out.scales.push_back(read_float(option, text));
        else out.zero_points.push_back(read_integer(option, text));
        return out;
    }
    const input_bytes file(text);
    const stored_array array = read_npy(text, file.bytes());
    out.by_index = !array.shape.empty();  // an array without axes is one number
    if (!has_mask && out.by_index)
        throw failure(
            option + ": '" + text + "' has a value for each index, but neither --mask nor --group says of which axes",
            {line("nearest", "--mask c, where the values are those of axis c")});
    const std::string& type = array.type.name;
    const bool fits =
        array.type.swapped == 0 && (is_scale ? type == "<f4" || type == "<f2" || type == "<f8"
                                             : type == "<i4" || type == "<i8" || type == "|i1" || type == "|u1");
    if (!fits)
        throw failure(option + ": '" + text + "' has the type '" + array.type.name + "'; " +
                      (is_scale ? "scales are '<f4', '<f2' or '<f8'" : "zero points are '<i4', '|i1' or '|u1'"));
    if (array.fortran_order && array.shape.size() > 1)
        throw failure(option + ": '" + text + "' is in Fortran order",
                      {line("nearest", "numpy.save(\"" + text + "\", numpy.ascontiguousarray(x))")});
    const held_bytes held = hold(array.data);
    const std::size_t count = held.bytes.size() / static_cast<std::size_t>(array.type.bytes);
    for (std::size_t i = 0; i < count; ++i) {
        if (is_scale) {
            const std::string where = option + ": '" + text + "', index " + std::to_string(i) + ",";
            out.scales.push_back(type == "<f2"   ? static_cast<float>(at<plait::float16>(held.bytes, i))
                                 : type == "<f8" ? nearest_float(where, at<double>(held.bytes, i))
                                                 : at<float>(held.bytes, i));
            check_scale(where, option, out.scales.back());
        } else if (type == "|i1") out.zero_points.push_back(at<std::int8_t>(held.bytes, i));
        else if (type == "|u1") out.zero_points.push_back(at<std::uint8_t>(held.bytes, i));
        else if (array.type.bytes == 4) out.zero_points.push_back(at<std::int32_t>(held.bytes, i));
        else out.zero_points.push_back(narrow(option, at<std::int64_t>(held.bytes, i)));
    }
    return out;
}

attribute_values::attribute_values(const attribute_texts& texts, const std::string& tag, int ndims)
    : mask_(read_mask(texts.mask, tag, ndims)) {
    if (!texts.group.empty()) group_ = read_dims(texts.group);
    if (!texts.group.empty() && !texts.mask.empty())
        throw failure("--group " + texts.group + ": --mask is given too, but one of them says who shares a value");
    if (!texts.group.empty() && group_.size() != ndims)
        throw failure("--group " + texts.group + ": has " + std::to_string(group_.size()) + " numbers, but the array " +
                      std::to_string(ndims) + " axes");
    const bool by_index = !texts.mask.empty() || !texts.group.empty();
    src_scale_ = read("--src-scale", texts.src_scale, true, by_index);
    dst_scale_ = read("--dst-scale", texts.dst_scale, true, by_index);
    src_zero_point_ = read("--src-zero-point", texts.src_zero_point, false, by_index);
    dst_zero_point_ = read("--dst-zero-point", texts.dst_zero_point, false, by_index);
    if (by_index && !src_scale_.by_index && !dst_scale_.by_index && !src_zero_point_.by_index &&
        !dst_zero_point_.by_index)
        throw failure((texts.mask.empty() ? "--group " + texts.group : "--mask " + texts.mask) +
                      ": there is no .npy file of scales or zero points that it is about");
}

plait::reorder_attributes::scale attribute_values::scale_of(const values& from, const plait::dims& extents) const {
    if (from.by_index && !group_.empty()) return plait::values_by_group(from.scales, extents, group_);
    if (from.by_index) return {std::span<const float>(from.scales), mask_};
    return from.scales.empty() ? 1.0f : from.scales[0];
}
plait::reorder_attributes::zero_point attribute_values::zero_point_of(const values& from,
                                                                      const plait::dims& extents) const {
    if (from.by_index && !group_.empty()) return plait::values_by_group(from.zero_points, extents, group_);
    if (from.by_index) return {std::span<const std::int32_t>(from.zero_points), mask_};
    return from.zero_points.empty() ? 0 : from.zero_points[0];
}

plait::reorder_attributes attribute_values::attributes(const plait::dims& extents) const {
    plait::reorder_attributes out;
    out.src_scale = scale_of(src_scale_, extents);
    out.dst_scale = scale_of(dst_scale_, extents);
    out.src_zero_point = zero_point_of(src_zero_point_, extents);
    out.dst_zero_point = zero_point_of(dst_zero_point_, extents);
    return out;
}

}  // namespace tool
