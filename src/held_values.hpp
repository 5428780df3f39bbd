#pragma once
// Values of attributes with a type, groups or a layout, as C passes them: checked and copied.

#include "c_descriptor.hpp"
#include "data_span.hpp"

#include <plait/contract/check_attributes.hpp>

#include <cstring>
#include <memory>

namespace plait::c {

/// The memory of one attribute: the array, and the layout, which the attribute points to. Moving it moves neither.
struct held_values {
    std::unique_ptr<std::byte[]> bytes;
    std::unique_ptr<layout> where;
};

/// Copies an array of `size` bytes, of which there is at least one.
inline outcome copy_values(held_values& held, const void* values, std::size_t size, const char* name) {
    held.bytes.reset(new (std::nothrow) std::byte[size]);
    if (held.bytes == nullptr) return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: %s has %zu bytes", name, size);
    std::memcpy(held.bytes.get(), values, size);
    return {};
}

/// Refuses values that are described in two ways, and the unused numbers of the struct.
inline outcome check_values(const plait_values_t& from, const char* name) {
    if (!all_zero(from.reserved))
        return refuse(PLAIT_INVALID_ARGUMENTS, "reserved_is_not_zero: the values of %s have numbers in reserved", name);
    const int ways = (from.mask != 0 ? 1 : 0) + (from.group != nullptr ? 1 : 0) + (from.layout != nullptr ? 1 : 0);
    if (ways > 1)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "values_are_given_twice: %s has more than one of a mask, a group and a layout", name);
    if (from.data_type <= PLAIT_UNDEF || from.data_type >= detail::element_type_count)
        return refuse(PLAIT_INVALID_ARGUMENTS, "data_type_is_unknown: the values of %s have data type number %d", name,
                      from.data_type);
    return {};
}

/// The number of values in the array; the last byte of packed ones may have bits of none.
///
/// Pre:     check_values and check_array are ok
inline std::size_t count_values(const plait_values_t& from) {
    const int bits = size_in_bits(static_cast<data_type>(from.data_type));
    return static_cast<std::size_t>(from.size) * 8 / static_cast<std::size_t>(bits);
}

/// Checks the array of values: its alignment, and that it ends with a whole element.
inline outcome check_array(const plait_values_t& from, const char* name) {
    const auto type = static_cast<data_type>(from.data_type);
    const std::size_t element = alignment_of(type);
    if (from.size > SIZE_MAX / 8)
        return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: the values of %s have %llu bytes", name,
                      static_cast<unsigned long long>(from.size));
    const auto rest = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(from.data) % element);
    if (rest != 0)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "pointer_is_misaligned: the values of %s lie %zu bytes behind a multiple of %zu, which it has to "
                      "be",
                      name, rest, element);
    if (from.size % element != 0)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "values_end_inside_an_element: %s has %llu bytes of values, but %s has %zu bytes", name,
                      static_cast<unsigned long long>(from.size), to_string(type), element);
    return {};
}

/// Reads the groups: one number per axis. Positions along axes whose group is the whole extent share a value.
template <class Value>
outcome read_groups(detail::values_of_attribute<Value>& out, const plait_dim_t* group, const dims& extents,
                    const char* name) {
    if (const outcome step = check_pointer(group, name); !step) return step;
    out.extents = extents;
    for (int a = 0; a < extents.size(); ++a) {
        out.group.push_back(group[a]);
        if (extents[a] == dynamic || group[a] < extents[a]) out.mask |= 1 << a;
    }
    // An empty group of a tensor without axes would be one value without groups, which it is.
    return extents.size() == 0 ? outcome{} : answer(detail::check_groups(out, extents), name);
}

/// Reads the layout of values, whose type must be theirs.
template <class Value>
outcome read_layout(detail::values_of_attribute<Value>& out, held_values& held, const plait_memory_desc_t* layout_of,
                    const char* name) {
    descriptor d;
    if (const outcome step = read_descriptor(d, layout_of, name); !step) return step;
    if (!d.extra.empty()) return answer({reason::descriptor_has_extra, -1}, name);
    if (d.type != out.type)
        return answer({reason::data_types_differ, -1, static_cast<dim_t>(d.type), static_cast<dim_t>(out.type)}, name);
    held.where.reset(new (std::nothrow) layout(d.layout));
    if (held.where == nullptr) return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: the layout of %s", name);
    out.where = held.where.get();
    return {};
}

/// Reads values with a type. Every refusal of check_attributes is one here, except those of the numbers themselves.
///
/// Pre:     from.data is not null
template <class Value>
outcome read_values(detail::values_of_attribute<Value>& out, held_values& held, const plait_values_t& from,
                    const dims& extents, const char* name) {
    if (const outcome step = check_values(from, name); !step) return step;
    if (const outcome step = check_array(from, name); !step) return step;
    const auto type = static_cast<data_type>(from.data_type);
    if (const outcome step = answer(detail::check_value_type<Value>(type), name); !step) return step;
    detail::values_of_attribute<Value> made(Value{});
    made.type = type;
    made.count = count_values(from);
    made.mask = from.mask;
    if (from.group != nullptr)
        if (const outcome step = read_groups(made, from.group, extents, name); !step) return step;
    if (from.layout != nullptr)
        if (const outcome step = read_layout(made, held, from.layout, name); !step) return step;
    // Checked with the pointer of the caller, so that nothing is copied that is refused.
    made.bytes = static_cast<const std::byte*>(from.data);
    if (const outcome step = answer(made.where != nullptr ? detail::check_value_layout(made, extents)
                                                          : detail::check_value_count(made, extents),
                                    name);
        !step)
        return step;
    made.bytes = nullptr;
    if (from.size != 0) {
        if (const outcome step = copy_values(held, from.data, static_cast<std::size_t>(from.size), name); !step)
            return step;
        if (made.is_of_other_type()) made.bytes = held.bytes.get();
        else made.values = reinterpret_cast<const Value*>(held.bytes.get());
    }
    out = made;
    return {};
}

/// True if held values equal the given ones: type, groups or layout, and each byte.
template <class Value>
bool are_held_values(const detail::values_of_attribute<Value>& held, const plait_values_t& from) {
    if (!check_values(from, "values") || !check_array(from, "values")) return false;
    const auto type = static_cast<data_type>(from.data_type);
    const bool is_by_mask = from.group == nullptr && from.layout == nullptr;
    if (held.type != type || (is_by_mask && held.mask != from.mask)) return false;
    if (held.group.empty() != (from.group == nullptr) || (held.where == nullptr) != (from.layout == nullptr))
        return false;
    if (from.group != nullptr && !check_pointer(from.group, "values")) return false;
    for (int a = 0; a < held.group.size(); ++a)
        if (held.group[a] != from.group[a]) return false;
    if (from.layout != nullptr) {
        descriptor d;
        if (!read_descriptor(d, from.layout, "values") || d.type != type || d.layout != *held.where) return false;
    }
    const auto* const bytes = held.bytes != nullptr ? held.bytes : reinterpret_cast<const std::byte*>(held.values);
    const std::size_t count = count_values(from);
    return count == held.count && (count == 0 || (bytes != nullptr && std::memcmp(bytes, from.data, from.size) == 0));
}

}  // namespace plait::c
