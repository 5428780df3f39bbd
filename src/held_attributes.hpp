#pragma once
// Attributes as C passes them, checked and copied, so that a planned reorder keeps no pointer of the user.

#include "held_values.hpp"

namespace plait::c {

// On 64-bit machines, `values` takes the place of a number that was reserved, and had to be zero, in version 0.1.
static_assert(sizeof(void*) != 8 || sizeof(plait_reorder_attributes_t) == 8 + 4 * 24 + 32);

/// Reorder attributes with the arrays that they point to.
struct held_attributes {
    reorder_attributes attributes;
    held_values src_scales, dst_scales, src_zero_points, dst_zero_points;
};

/// Reads one scale or zero point. If an extent of the mask is dynamic, any number of values is accepted.
///
/// Pre:     check_layout of a layout with these extents is ok
/// Refused: as in check_attributes, more or fewer values than the mask requires; misaligned arrays
template <class Attribute, class Given>
outcome read_attribute(Attribute& out, held_values& held, const Given& from, const dims& extents, const char* name) {
    using Value = std::remove_const_t<std::remove_pointer_t<decltype(from.values)>>;
    if (from.mask < 0 || from.mask >> extents.size() != 0)
        return answer({reason::mask_is_out_of_range, -1, from.mask, extents.size()}, name);
    const dim_t volume = mask_volume(extents, from.mask);
    const dim_t given = from.count < INT64_MAX ? static_cast<dim_t>(from.count) : INT64_MAX;
    const dim_t needed = volume == dynamic ? given : volume;
    if (from.values == nullptr) {
        if (from.count != 0 || (from.mask != 0 && needed != 0))
            return answer({reason::mask_has_no_values, -1, from.mask, needed}, name);
        out = Attribute(from.value);
        if (from.mask != 0) out = Attribute({}, from.mask);
        return {};
    }
    if (const outcome step = check_pointer(from.values, name); !step) return step;
    if (from.count != static_cast<std::uint64_t>(needed))
        return answer({reason::mask_has_other_values, -1, from.mask, needed, given}, name);
    if (needed == 0) {
        out = Attribute({}, from.mask);
        return {};
    }
    if (static_cast<std::uint64_t>(needed) > SIZE_MAX / sizeof(Value))
        return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: %s", name);
    const auto count = static_cast<std::size_t>(needed);
    if (const outcome step = copy_values(held, from.values, count * sizeof(Value), name); !step) return step;
    out = Attribute({reinterpret_cast<const Value*>(held.bytes.get()), count}, from.mask);
    return {};
}

/// True if a scale or zero point is as plait_reorder_attributes_init leaves it: `neutral` for the whole tensor.
template <class Given>
bool is_neutral(const Given& from, decltype(from.value) neutral) {
    return from.values == nullptr && from.count == 0 && from.mask == 0 && from.value == neutral;
}

/// The values of attributes that are given in plait_attribute_values_t, or none of them.
inline outcome read_attribute_values(plait_attribute_values_t& out, const plait_attribute_values_t* pointer) {
    out = {};
    if (pointer == nullptr) return {};
    if (const outcome step = check_pointer(pointer, "values"); !step) return step;
    out = *pointer;
    if (all_zero(out.reserved)) return {};
    return refuse(PLAIT_INVALID_ARGUMENTS, "reserved_is_not_zero: the values of attributes have numbers in reserved");
}

/// Reads all attributes of tensors with these extents. Null stands for attributes that change nothing.
inline outcome read_attributes(held_attributes& out, const plait_reorder_attributes_t* pointer, const dims& of_source,
                               const dims& of_destination) {
    if (pointer == nullptr) return {};
    if (const outcome step = check_pointer(pointer, "attributes"); !step) return step;
    const plait_reorder_attributes_t from = *pointer;
    if (from.version != PLAIT_REORDER_ATTRIBUTES_VERSION)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "version_is_unknown: attributes have version %d, where this library reads %d", from.version,
                      PLAIT_REORDER_ATTRIBUTES_VERSION);
    if (!all_zero(from.reserved))
        return refuse(PLAIT_INVALID_ARGUMENTS, "reserved_is_not_zero: attributes have numbers in reserved");
    plait_attribute_values_t values;
    if (const outcome step = read_attribute_values(values, from.values); !step) return step;
    out.attributes.beta = from.beta;
    const auto read = [](auto& to, auto& held, const auto& given, const plait_values_t& of_any_type, auto neutral,
                         const dims& extents, const char* name) {
        if (of_any_type.data == nullptr) return read_attribute(to, held, given, extents, name);
        if (is_neutral(given, neutral)) return read_values(to, held, of_any_type, extents, name);
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "values_are_given_twice: %s is given in the attributes, and in their values", name);
    };
    reorder_attributes& to = out.attributes;
    if (const outcome step =
            read(to.src_scale, out.src_scales, from.src_scale, values.src_scale, 1.0f, of_source, "src_scale");
        !step)
        return step;
    if (const outcome step =
            read(to.dst_scale, out.dst_scales, from.dst_scale, values.dst_scale, 1.0f, of_destination, "dst_scale");
        !step)
        return step;
    if (const outcome step = read(to.src_zero_point, out.src_zero_points, from.src_zero_point, values.src_zero_point,
                                  std::int32_t{0}, of_source, "src_zero_point");
        !step)
        return step;
    return read(to.dst_zero_point, out.dst_zero_points, from.dst_zero_point, values.dst_zero_point, std::int32_t{0},
                of_destination, "dst_zero_point");
}
/// Reads all attributes of tensors that have the same extents.
inline outcome read_attributes(held_attributes& out, const plait_reorder_attributes_t* pointer, const dims& extents) {
    return read_attributes(out, pointer, extents, extents);
}

/// True if a held scale or zero point equals the given one, value for value.
template <class Attribute, class Given>
bool is_held(const Attribute& held, const Given& from, const plait_values_t& of_any_type,
             decltype(from.value) neutral) {
    if (of_any_type.data != nullptr) return is_neutral(from, neutral) && are_held_values(held, of_any_type);
    if (held.mask != from.mask || held.is_of_other_type() || held.where != nullptr || !held.group.empty()) return false;
    if (from.values == nullptr)
        return held.values == nullptr && from.count == 0 && (from.mask != 0 || held.value == from.value);
    const bool aligned = reinterpret_cast<std::uintptr_t>(from.values) % alignof(decltype(*from.values)) == 0;
    return held.values != nullptr && aligned && from.count == held.count &&
           std::memcmp(held.values, from.values, held.count * sizeof(*held.values)) == 0;
}

/// True if all held attributes equal the given ones, so that reading them again would change nothing.
inline bool are_held(const reorder_attributes& held, const plait_reorder_attributes_t* pointer) {
    if (reinterpret_cast<std::uintptr_t>(pointer) % alignof(plait_reorder_attributes_t) != 0) return false;
    const plait_reorder_attributes_t from = *pointer;
    // All members are listed, so that adding one breaks the build here.
    const auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = held;
    if (from.version != PLAIT_REORDER_ATTRIBUTES_VERSION || from.beta != beta) return false;
    plait_attribute_values_t values;
    if (!all_zero(from.reserved) || !read_attribute_values(values, from.values)) return false;
    return is_held(src_scale, from.src_scale, values.src_scale, 1.0f) &&
           is_held(dst_scale, from.dst_scale, values.dst_scale, 1.0f) &&
           is_held(src_zero_point, from.src_zero_point, values.src_zero_point, 0) &&
           is_held(dst_zero_point, from.dst_zero_point, values.dst_zero_point, 0);
}

}  // namespace plait::c
