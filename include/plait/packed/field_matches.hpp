#pragma once
// Which fields two records have in common: what a repack needs, as far as no plan has to be made for it.

#include <plait/packed/repack_plan.hpp>

#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Checks that two records have the same index space.
///
/// Refused: rank_differs, dims_differ
constexpr verdict check_same_indices(const record& from, const record& to) {
    if (from.ndims() != to.ndims())
        return detail::ranks_differ(detail::counted::source, from.ndims(), detail::counted::destination, to.ndims());
    for (int a = 0; a < to.ndims(); ++a)
        if (from.dims[a] != to.dims[a]) return {reason::dims_differ, a, from.dims[a], to.dims[a]};
    return {};
}

/// Checks that each field of the source has a place in the destination, or is dropped by name.
///
/// Refused: field_is_dropped
constexpr verdict check_dropped(const record& from, const record& to, std::span<const std::string_view> dropped) {
    for (const record_field& field : from.tag.fields) {
        bool kept = false;
        for (const record_field& other : to.tag.fields) kept = kept || other.name == field.name;
        for (const std::string_view name : dropped) kept = kept || has_name(field.name, name);
        if (!kept) return {reason::field_is_dropped, -1, short_name(field.name)};
    }
    return {};
}

/// Checks that a record can be repacked into another without any options, as far as names and extents decide it.
///
/// Refused: rank_differs, dims_differ, field_is_dropped, field_is_missing, parameter_is_missing
constexpr verdict check_matching_fields(const record& from, const record& to) {
    if (const verdict why = check_same_indices(from, to); !why.ok()) return why;
    if (const verdict why = check_dropped(from, to, {}); !why.ok()) return why;
    for (const record_field& field : to.tag.fields) {
        bool found = false;
        for (const record_field& other : from.tag.fields) found = found || other.name == field.name;
        if (field.content.kind == field_content::sum && field.content.parameter.size() > 0)
            return {reason::parameter_is_missing, -1, short_name(field.content.parameter)};
        if (field.content.kind != field_content::sum && !found)
            return {reason::field_is_missing, -1, short_name(field.name)};
    }
    return {};
}

}  // namespace plait::detail
