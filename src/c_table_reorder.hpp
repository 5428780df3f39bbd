#pragma once
// The reorder through tables that a handle points to: both descriptors, the attributes, and the plan of a block.

#include "c_descriptor.hpp"
#include "c_reorder.hpp"
#include "data_span.hpp"
#include "held_attributes.hpp"

#include <plait/interop/table_reorder_json.hpp>
#include <plait/reorder/table_reorder.hpp>

#include <cstring>
#include <memory>

/// The object that plait_table_reorder_create makes. Nothing changes it afterwards.
struct plait_planned_table_reorder {
    plait::descriptor src, dst;
    plait::c::held_attributes held;
    plait::reorder_tables tables;
    plait::planned_table_reorder plan;
};

namespace plait::c {

/// Reads which axis has a table. Null stands for none.
inline outcome read_table_axis(table_axis& out, const plait_table_axis_t* from, const char* name) {
    if (from == nullptr) return {};
    if (const outcome step = check_pointer(from, name); !step) return step;
    if (!all_zero(from->reserved))
        return refuse(PLAIT_INVALID_ARGUMENTS, "reserved_is_not_zero: %s has numbers in reserved", name);
    if (from->axis < 0 || from->axis >= max_ndims)
        return answer({reason::axis_is_out_of_range, -1, from->axis, max_ndims}, name);
    out = {.axis = from->axis, .block = from->block, .grouped = from->grouped != 0};
    return {};
}

/// Reads the arguments and plans, or refuses; `out` is then unusable.
///
/// Pre:     out is default-constructed
inline outcome make_table_reorder(plait_planned_table_reorder& out, const plait_memory_desc_t* src,
                                  const plait_memory_desc_t* dst, const plait_table_axis_t* src_table,
                                  const plait_table_axis_t* dst_table, const plait_reorder_attributes_t* attributes) {
    if (const outcome step = read_descriptor(out.src, src, "src"); !step) return step;
    if (const outcome step = read_descriptor(out.dst, dst, "dst"); !step) return step;
    if (const outcome step = read_table_axis(out.tables.source_table, src_table, "src_table"); !step) return step;
    if (const outcome step = read_table_axis(out.tables.destination_table, dst_table, "dst_table"); !step) return step;
    // Checked before the attributes are read, because their counts depend on the extents.
    if (const outcome step = answer(check_reorder(out.src, out.dst, out.tables)); !step) return step;
    if (const outcome step = read_attributes(out.held, attributes, out.src.dims(), out.dst.dims()); !step) return step;
    out.tables.attributes = out.held.attributes;
    // Offsets count from the lowest place of each tensor, so that two parts of one buffer have different pointers.
    descriptor from = out.src, to = out.dst;
    for (descriptor* d : {&from, &to}) d->layout.offset0 -= first_place(*d);
    const expected<planned_table_reorder> plan = planned_table_reorder::make(from, to, out.tables);
    if (const outcome step = answer(plan.error()); !step) return step;
    out.plan = *plan;
    return {};
}

/// The tables of one side of a call, as sequences or as the offsets of groups.
struct read_tables {
    std::unique_ptr<page_sequence[]> sequences;
    detail::table_argument argument;
    dim_t extent = -1;
};

/// Reads `count` tables of one side. A side without a table has none.
inline outcome read_side(read_tables& out, const table_axis& axis, const plait_table_t* tables, int count,
                         const char* name) {
    if (axis.axis < 0) {
        if (count == 0) return {};
        return refuse(PLAIT_INVALID_ARGUMENTS, "table_is_not_expected: %s has %d tables, but the plan has none there",
                      name, count);
    }
    if (count < 1 || (axis.grouped && count != 1))
        return refuse(PLAIT_INVALID_ARGUMENTS, "table_is_missing: %s has %d tables, but the plan needs %s", name, count,
                      axis.grouped ? "one, the offsets of the groups" : "one for each sequence");
    if (const outcome step = check_pointer(tables, name); !step) return step;
    const auto tables_of_side = static_cast<std::size_t>(count);
    out.sequences.reset(new (std::nothrow) page_sequence[tables_of_side]);
    if (out.sequences == nullptr) return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: for %d tables of %s", count, name);
    detail::checked_integer sum;
    for (int k = 0; k < count; ++k) {
        const plait_table_t& from = tables[k];
        if (!all_zero(from.reserved))
            return refuse(PLAIT_INVALID_ARGUMENTS, "reserved_is_not_zero: table %d of %s has numbers in reserved", k,
                          name);
        if (from.bits != 32 && from.bits != 64)
            return refuse(PLAIT_INVALID_ARGUMENTS,
                          "table_type_is_unknown: table %d of %s has entries of %d bits; they have 32 or 64", k, name,
                          from.bits);
        if (from.count != 0 && from.entries == nullptr)
            return refuse(PLAIT_INVALID_ARGUMENTS, "pointer_is_null: the entries of table %d of %s", k, name);
        if (reinterpret_cast<std::uintptr_t>(from.entries) % static_cast<std::size_t>(from.bits / 8) != 0)
            return refuse(PLAIT_INVALID_ARGUMENTS, "pointer_is_misaligned: the entries of table %d of %s", k, name);
        const auto size = static_cast<std::size_t>(from.count);
        const detail::table_numbers numbers =
            from.bits == 32 ? detail::table_numbers(static_cast<const std::int32_t*>(from.entries), size)
                            : detail::table_numbers(static_cast<const std::int64_t*>(from.entries), size);
        if (axis.grouped) {
            out.argument = numbers;
            out.extent = detail::axis_table::groups(1, numbers).extent();
            return {};
        }
        out.sequences[static_cast<std::size_t>(k)] = {numbers, from.extent, from.first};
        sum += from.extent;
    }
    out.argument = detail::table_argument(std::span<const page_sequence>(out.sequences.get(), tables_of_side));
    out.extent = sum.ok() ? sum.value : -1;
    return {};
}

/// The tables of a call, of both sides.
struct call_tables {
    const plait_table_t* src;
    int src_count;
    const plait_table_t* dst;
    int dst_count;
};

/// The tables of a call as plait takes them. What `given` refers to is in `from`, `to` and the arrays of the caller.
struct read_call {
    read_tables from, to;
    planned_table_reorder::tables given;
};

inline outcome read_both_sides(read_call& out, const plait_planned_table_reorder& r, const call_tables& tables) {
    if (const outcome step = read_side(out.from, r.tables.source_table, tables.src, tables.src_count, "src_tables");
        !step)
        return step;
    if (const outcome step = read_side(out.to, r.tables.destination_table, tables.dst, tables.dst_count, "dst_tables");
        !step)
        return step;
    const dim_t extent = r.tables.destination_table.axis >= 0 ? out.to.extent : out.from.extent;
    out.given = {out.from.argument, out.to.argument, extent};
    return {};
}

/// Moves the data, or refuses before any byte is written.
inline outcome run_table_reorder(const plait_planned_table_reorder& r, const both_data& data,
                                 const call_tables& tables) {
    read_call call;
    if (const outcome step = read_both_sides(call, r, tables); !step) return step;
    data_span read, written;
    if (const outcome step = check_both_data(read, written, r.src, r.dst, data); !step) return step;
    // Pages of a pool may be copied to other pages of it; the call checks that no page is both read and written.
    const bool is_one_pool = data.src == data.dst && r.src == r.dst;
    if (!is_one_pool)
        if (const outcome step = check_apart(read, written); !step) return step;
    const void* const in = read.empty() ? nullptr : beginning_of(data.src, r.src);
    void* const out = written.empty() ? nullptr : beginning_of(data.dst, r.dst);
    return answer(r.plan.attempt(in, out, call.given).error());
}

/// Writes what a call would move as JSON, and the bytes of the text; or refuses before anything is written.
inline outcome write_table_reorder_json(const plait_planned_table_reorder& r, const call_tables& tables, char* text,
                                        std::size_t size, std::size_t* needed) {
    if (const outcome step = check_pointer(needed, "needed"); !step) return step;
    if (size != 0)
        if (const outcome step = check_pointer(text, "text"); !step) return step;
    if (!detail::is_trivial(r.tables.attributes))
        return refuse(PLAIT_UNIMPLEMENTED,
                      "plan_has_attributes: the reorder has scales, zero points or beta, which its JSON cannot state");
    read_call call;
    if (const outcome step = read_both_sides(call, r, tables); !step) return step;
    // Planned again, because the places in the text count from offset 0 of the descriptors, as buffers do.
    const expected<std::string> json =
        try_table_reorder_json(r.src, r.dst, r.tables.source_table, r.tables.destination_table, call.given);
    if (!json) return answer(json.error());
    const std::size_t bytes = json->size() + 1;
    if (size != 0) {
        if (size < bytes)
            return refuse(PLAIT_INVALID_ARGUMENTS, "buffer_is_too_small: text has %zu bytes, but the plan needs %zu",
                          size, bytes);
        std::memcpy(text, json->c_str(), bytes);
    }
    *needed = bytes;
    return {};
}

}  // namespace plait::c
