#pragma once
// Attributes as C passes them, checked and copied, so that a planned reorder keeps no pointer of the user.

#include "refusal.hpp"

#include <plait/contract/attributes.hpp>

#include <cstring>
#include <memory>

namespace plait::c {

template <class Value>
using held_values = std::unique_ptr<Value[]>;

/// Reorder attributes with the arrays that they point to.
struct held_attributes {
    reorder_attributes attributes;
    held_values<float> src_scales, dst_scales;
    held_values<std::int32_t> src_zero_points, dst_zero_points;
};

/// Reads one scale or zero point. If an extent of the mask is dynamic, any number of values is accepted.
///
/// Pre:     check_layout of a layout with these extents is ok
/// Refused: as in check_attributes, more or fewer values than the mask requires; misaligned arrays
template <class Attribute, class Given, class Value>
outcome read_attribute(Attribute& out, held_values<Value>& held, const Given& from, const dims& extents,
                       const char* name) {
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
    held.reset(new (std::nothrow) Value[static_cast<std::size_t>(needed)]);
    if (held == nullptr)
        return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: %s has %lld values", name, static_cast<long long>(needed));
    std::memcpy(held.get(), from.values, static_cast<std::size_t>(needed) * sizeof(Value));
    out = Attribute({held.get(), static_cast<std::size_t>(needed)}, from.mask);
    return {};
}

/// Reads all attributes. Null stands for attributes that change nothing.
inline outcome read_attributes(held_attributes& out, const plait_reorder_attributes_t* pointer, const dims& extents) {
    if (pointer == nullptr) return {};
    if (const outcome step = check_pointer(pointer, "attributes"); !step) return step;
    const plait_reorder_attributes_t from = *pointer;
    if (from.version != PLAIT_REORDER_ATTRIBUTES_VERSION)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "version_is_unknown: attributes have version %d, where this library reads %d", from.version,
                      PLAIT_REORDER_ATTRIBUTES_VERSION);
    for (const std::int64_t number : from.reserved)
        if (number != 0)
            return refuse(PLAIT_INVALID_ARGUMENTS, "reserved_is_not_zero: attributes have numbers in reserved");
    out.attributes.beta = from.beta;
    const auto read = [&extents](auto& to, auto& held, const auto& given, const char* name) {
        return read_attribute(to, held, given, extents, name);
    };
    if (const outcome step = read(out.attributes.src_scale, out.src_scales, from.src_scale, "src_scale"); !step)
        return step;
    if (const outcome step = read(out.attributes.dst_scale, out.dst_scales, from.dst_scale, "dst_scale"); !step)
        return step;
    if (const outcome step =
            read(out.attributes.src_zero_point, out.src_zero_points, from.src_zero_point, "src_zero_point");
        !step)
        return step;
    return read(out.attributes.dst_zero_point, out.dst_zero_points, from.dst_zero_point, "dst_zero_point");
}

/// True if a held scale or zero point equals the given one, value for value.
template <class Attribute, class Given>
bool is_held(const Attribute& held, const Given& from) {
    if (held.mask != from.mask) return false;
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
    for (const std::int64_t number : from.reserved)
        if (number != 0) return false;
    return is_held(src_scale, from.src_scale) && is_held(dst_scale, from.dst_scale) &&
           is_held(src_zero_point, from.src_zero_point) && is_held(dst_zero_point, from.dst_zero_point);
}

}  // namespace plait::c
