#pragma once
// Reorders of descriptors of which one axis is read through a table: planned once, with the tables as arguments of each
// call.

#include <plait/reorder/make_reorder.hpp>
#include <plait/reorder/table_moves.hpp>
#include <plait/reorder/table_values.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// An axis that is read through a table, and how many indices each entry of the table has.
///
/// Example: {.axis = 0, .block = 16}
struct table_axis {
    int axis = -1;         ///< -1: the tensor has no table
    dim_t block = 1;       ///< indices in a page; what each group is padded to
    bool grouped = false;  ///< the table has the n + 1 offsets of groups, and not the numbers of pages
};

/// The tables of a reorder, and its attributes.
///
/// Example: make_reorder(from, to, {.destination_table = {.axis = 0, .block = 16}})
struct reorder_tables {
    // The members have initializers although they have defaults: GCC warns if a designated initializer omits them.
    table_axis source_table = {};
    table_axis destination_table = {};
    reorder_attributes attributes = {};
};

namespace detail {
/// The table of one side of a call: numbers of pages, offsets of groups, or a list of sequences in pages.
class table_argument {
public:
    constexpr table_argument() = default;
    template <class Range>
        requires(std::convertible_to<Range&&, table_numbers>)
    constexpr table_argument(Range&& numbers) : numbers_(numbers) {}
    template <class Range>
        requires(std::convertible_to<Range&&, std::span<const page_sequence>> && !owning_temporary<Range>)
    constexpr table_argument(Range&& sequences) : sequences_(sequences), has_sequences_(true) {}

    constexpr const table_numbers& numbers() const { return numbers_; }
    constexpr std::span<const page_sequence> sequences() const { return sequences_; }
    constexpr bool has_sequences() const { return has_sequences_; }

private:
    table_numbers numbers_;
    std::span<const page_sequence> sequences_;
    bool has_sequences_ = false;
};
class table_reorder_text;
}  // namespace detail

/// A planned reorder between tensors of which one axis is read through tables. Copyable, without memory of its own.
/// Threads may share one.
class planned_table_reorder {
public:
    /// The tables of one call.
    ///
    /// Example: plan(in, out, {.destination = table})
    struct tables {
        detail::table_argument source = {};
        detail::table_argument destination = {};
        /// The number of indices along the axis. If it is negative: those of the tensor without a table; if both have
        /// one, those of the sequences or groups, otherwise all that the source's table has.
        dim_t extent = -1;
    };

    /// Plans what make_reorder with tables returns.
    static expected<planned_table_reorder> make(const descriptor& src, const descriptor& dst,
                                                const reorder_tables& tables);
    /// Creates a reorder that is not planned.
    planned_table_reorder() noexcept {}

    /// Moves the indices that the tables name. Pointers point to offset 0 of all pages. A rejection is thrown;
    /// attempt(...) takes the same arguments and returns it.
    ///
    /// Refused, before anything is written: reorder_is_not_planned; table_is_too_short, table_entry_is_out_of_range,
    /// table_entries_repeat (if they are written), offsets_do_not_rise, offsets_end_elsewhere, part_is_outside_parent,
    /// dims_differ, dim_is_negative, position_is_out_of_range; buffer_is_null, spans_overlap
    /// Pre:     in and out hold the tensors of the descriptors, all pages included; they do not overlap, or they are one
    ///          pool, and no page is both read and written
    /// Post:    as the reorder of views with these tables: element (i, ...) is written where its table says
    /// Cost:    nothing is planned: each block costs about 50 ns more than its move; the check of a table 1 ns for each
    ///          entry; no allocation
    /// Source:  spec semantics 22
    /// Example: test/northstar/17_tables.cpp
    void operator()(const void* in, void* out, const tables& given) const { require(attempt(in, out, given).error()); }
    expected<void> attempt(const void* in, void* out, const tables& given) const {
        return attempt(sequential, in, out, given);
    }
    /// Moves the indices on the threads of an executor: each has a part of them.
    template <executor E>
    void operator()(E&& threads, const void* in, void* out, const tables& given) const {
        require(attempt(threads, in, out, given).error());
    }
    template <executor E>
    expected<void> attempt(E&& threads, const void* in, void* out, const tables& given) const {
        if (axis_ < 0) return verdict{reason::reorder_is_not_planned};
        const detail::axis_table from = indices_of(given.source, tables_.source_table, src_, given),
                                 to = indices_of(given.destination, tables_.destination_table, dst_, given);
        if (const verdict why = check(from, to); !why.ok()) return why;
        const bool zeroes = to.kind() == detail::table_kind::none && dst_bytes_ != 0;
        if (to.extent() > 0 || zeroes) {
            const std::size_t read = to.extent() > 0 ? src_bytes_ : 0;
            if (const verdict why = detail::check_buffer(in, read, read, detail::buffer_role::source); !why.ok())
                return why;
            if (const verdict why = detail::check_buffer(out, dst_bytes_, dst_bytes_, detail::buffer_role::destination);
                !why.ok())
                return why;
            if (in == out && !(src_ == dst_ && from.shares_no_page(to, dst_.layout.padded_dims[axis_])))
                return detail::overlap_of(src_bytes_, dst_bytes_, 0);
        }
        if (values_differ_)
            if (const verdict why = values_.check_divisors(tables_.attributes, to, units_); !why.ok()) return why;
        if (out != nullptr) zero_gaps(out, to);
        run(threads, in, out, from, to);
        return {};
    }

private:
    friend class detail::table_reorder_text;

    const table_axis& tables_of(bool source) const { return source ? tables_.source_table : tables_.destination_table; }
    detail::axis_table indices_of(const detail::table_argument& one, const table_axis& table, const descriptor& d,
                                  const tables& all) const {
        if (table.axis < 0) return detail::axis_table::none(all.extent >= 0 ? all.extent : d.dims()[axis_]);
        if (table.grouped) return detail::axis_table::groups(table.block, one.numbers());
        if (one.has_sequences()) return detail::axis_table::pages(table.block, one.sequences());
        return detail::axis_table::pages(
            table.block, page_sequence{one.numbers(), all.extent >= 0 ? all.extent : extent_without(all), 0});
    }
    /// The number of indices of a table, if the call does not give it.
    dim_t extent_without(const tables& all) const {
        for (const bool source : {true, false})
            if (tables_of(source).axis < 0) return (source ? src_ : dst_).dims()[axis_];
        for (const bool source : {true, false}) {
            const detail::table_argument& one = source ? all.source : all.destination;
            if (tables_of(source).grouped) return detail::axis_table::groups(1, one.numbers()).extent();
            if (one.has_sequences()) return detail::axis_table::pages(1, one.sequences()).extent();
        }
        dim_t out = 0;
        const bool overflows = detail::multiply_overflows(static_cast<dim_t>(all.source.numbers().size()),
                                                          tables_.source_table.block, out);
        return overflows ? INT64_MAX : out;
    }
    /// Checks the tables of a call.
    verdict check(const detail::axis_table& from, const detail::axis_table& to) const {
        if (const verdict why = detail::check_tables(src_.layout, from, dst_.layout, to, axis_, values_differ_);
            !why.ok())
            return why;
        for (const bool source : {true, false}) {
            const descriptor& d = source ? src_ : dst_;
            const auto part = tables_of(source).axis < 0 ? d.dims()[axis_] : to.extent();
            if (to.extent() > part) return {reason::part_is_outside_parent, axis_, to.extent(), part};
        }
        return {};
    }
    void zero_gaps(void* out, const detail::axis_table& to) const {
        if (!detail::is_packed(dst_.type))
            return detail::zero_axis_gaps(dst_.layout, axis_, to, static_cast<unsigned char*>(out),
                                          size_in_bytes(dst_.type));
        detail::visit_axis_gaps(dst_.layout, axis_, to, [&](const engine::place_box& box) {
            engine::visit_places(
                box, [&](dim_t place) { detail::zero_element(dst_.type, static_cast<std::byte*>(out), place); });
            return true;
        });
    }
    template <class E>
    void run(E&& threads, const void* in, void* out, const detail::axis_table& from,
             const detail::axis_table& to) const {
        const detail::table_side source(src_.layout, axis_, from), destination(dst_.layout, axis_, to);
        const dim_t n = to.extent(), src_bits = size_in_bits(src_.type), dst_bits = size_in_bits(dst_.type);
        const auto part = [&](dim_t first, dim_t last) noexcept {
            const auto fit = [&](dim_t read, dim_t written, dim_t count) {
                return !values_differ_ || values_.fit(read, written, count);
            };
            detail::visit_units(source, destination, units_, first, last, fit, [&](const detail::moved_unit& unit) {
                const int k = unit.size;
                const std::byte* const read =
                    static_cast<const std::byte*>(in) + (unit.from_place - src_begin_[k]) * src_bits / 8;
                std::byte* const written =
                    static_cast<std::byte*>(out) + (unit.to_place - dst_begin_[k]) * dst_bits / 8;
                if (values_differ_)
                    plans_[k].run_with(read, written, values_.of_unit(tables_.attributes, k, unit.from, unit.to));
                else if (copied_[k] != 0) __builtin_memcpy(written, read, copied_[k]);
                else static_cast<void>(plans_[k].attempt(read, written));
            });
        };
        detail::run_in_chunks(threads, dst_.dims(), axis_, n, src_bits + dst_bits, units_.values[0], part);
    }

    /// Plans units of a size with values that differ along the axis. Their numbers are not read.
    void plan_with_values(int k, const descriptor& from, const descriptor& to) {
        const reorder_attributes own = values_.of_unit(tables_.attributes, k, 0, 0);
        engine::compiled_once::plan(plans_[k], from, to, own, detail::measure_reorder(from, to, {}).ends);
    }

    planned_reorder plans_[3];
    detail::table_attributes values_;
    descriptor src_, dst_;
    reorder_tables tables_;
    detail::table_units units_;
    dim_t src_begin_[3]{}, dst_begin_[3]{};
    std::size_t copied_[3]{};  // the bytes of a unit that is copied, or 0
    std::size_t src_bytes_ = 0, dst_bytes_ = 0;
    int axis_ = -1;
    bool values_differ_ = false;
};

/// Checks a reorder of descriptors of which one axis is read through tables.
///
/// Refused: what check_descriptor refuses; descriptor_has_extra, of either; axis_is_out_of_range, if neither has a table
///          or the axes differ; of the axis, blocks_do_not_align, axis_is_padded, layout_is_not_injective;
///          rank_differs, dims_differ (of other axes), destination_is_not_injective; undefined, any, opaque and dynamic
///          layouts; what check_attributes refuses, for the extents of the tensor that the values belong to, pages
///          that no table names included; steps_are_not_whole_bytes, if elements are smaller than a byte and steps
///          along the axis are not whole bytes
/// Pre:     none; any descriptors
/// Post:    if ok, make_reorder(src, dst, tables) succeeds
/// Cost:    as check_reorder of the descriptors
/// Source:  spec semantics 22
constexpr verdict check_reorder(const descriptor& src, const descriptor& dst, const reorder_tables& tables) {
    const int axis = tables.destination_table.axis >= 0 ? tables.destination_table.axis : tables.source_table.axis;
    for (const bool source : {true, false}) {
        const descriptor& d = source ? src : dst;
        const table_axis& table = source ? tables.source_table : tables.destination_table;
        if (const verdict why = check_descriptor(d); !why.ok()) return why;
        if (const verdict why = detail::check_static(d.layout); !why.ok()) return why;
        if (d.type == data_type::undef) return {reason::data_type_is_unknown, -1, 0, 0};
        if (!d.extra.empty()) return {reason::descriptor_has_extra};
        if (axis < 0 || axis >= d.ndims() || (table.axis >= 0 && table.axis != axis))
            return {reason::axis_is_out_of_range, -1, table.axis, d.ndims()};
        const verdict why = table.axis < 0  ? verdict{}
                            : table.grouped ? detail::check_group_axis(d.layout, axis, table.block)
                                            : detail::check_table_axis(d.layout, axis, table.block);
        if (!why.ok()) return why;
    }
    if (const verdict why = detail::check_table_pair(src.layout, dst.layout, axis); !why.ok()) return why;
    for (const descriptor* d : {&src, &dst})
        if (detail::is_packed(d->type))
            if (const verdict why = detail::check_whole_bytes(d->layout, axis, d->type); !why.ok()) return why;
    return detail::check_table_attributes(tables.attributes, src.layout, dst.layout, axis);
}

inline expected<planned_table_reorder> planned_table_reorder::make(const descriptor& src, const descriptor& dst,
                                                                   const reorder_tables& tables) {
    expected<planned_table_reorder> made;
    made.error() = check_reorder(src, dst, tables);
    if (!made) return made;
    planned_table_reorder& out = *made;
    out.src_ = src;
    out.dst_ = dst;
    out.tables_ = tables;
    const int axis = tables.destination_table.axis >= 0 ? tables.destination_table.axis : tables.source_table.axis;
    const dim_t src_length = src.layout.padded_dims[axis], dst_length = dst.layout.padded_dims[axis];
    const auto longest = [](const table_axis& table, dim_t length) {
        return table.axis < 0 ? length : detail::smaller_of(table.block, length);
    };
    dim_t most =
        detail::smaller_of(longest(tables.source_table, src_length), longest(tables.destination_table, dst_length));
    detail::axis_places borders = detail::places_of(src.layout, axis, src_length);
    out.values_differ_ = detail::differ_with_axis(tables.attributes, axis);
    if (out.values_differ_) {
        const bool is_one_type = src.type == dst.type;
        out.values_ = detail::table_attributes(tables.attributes, src.dims(), dst.dims(), axis, is_one_type, true);
        most = out.values_.limit_units(borders, most, is_one_type);
    }
    if (most > 0) out.units_ = detail::units_of(borders, detail::places_of(dst.layout, axis, dst_length), most);
    if (out.values_differ_) out.values_.take_units(out.units_);
    for (int k = 0; k < out.units_.size(); ++k) {
        descriptor from = src, to = dst;
        from.layout = detail::unit_layout(src.layout, axis, out.units_[k]);
        to.layout = detail::unit_layout(dst.layout, axis, out.units_[k]);
        out.src_begin_[k] = from.layout.offset0;
        out.dst_begin_[k] = to.layout.offset0;
        // The span of a unit that is copied begins at its offset 0.
        if (src.type == dst.type && detail::is_trivial(tables.attributes) &&
            detail::is_one_copy(from.layout, to.layout) && from.layout.volume() * size_in_bits(src.type) % 8 == 0)
            out.copied_[k] = static_cast<std::size_t>(from.layout.volume() * size_in_bits(src.type) / 8);
        if (out.values_differ_) {
            out.plan_with_values(k, from, to);
            continue;
        }
        const expected<planned_reorder> plan = make_reorder(from, to, tables.attributes);
        if (!plan) {
            made.error() = plan.error();
            return made;
        }
        out.plans_[k] = *plan;
    }
    out.src_bytes_ = src.buffer_size_in_bytes();
    out.dst_bytes_ = dst.buffer_size_in_bytes();
    out.axis_ = axis;
    return made;
}
/// Plans a reorder of descriptors of which one axis is read through tables: pages of a cache, or groups of experts. The
/// plan is for one block and for parts of one; the tables are arguments of each call.
///
/// Refused: what check_reorder(src, dst, tables) refuses
/// Pre:     as make_reorder without tables
/// Post:    (*result)(in, out, {.source = a, .destination = b}) writes what the reorder of views does
/// Cost:    up to three plans, as make_reorder; no allocation
/// Source:  spec semantics 22
/// Example: make_reorder(from, to, {.destination_table = {.axis = 0, .block = 16}})
template <int = 0>  // a template, so that {} as the third argument means reorder_attributes
expected<planned_table_reorder> make_reorder(const descriptor& src, const descriptor& dst,
                                             const reorder_tables& tables) {
    return planned_table_reorder::make(src, dst, tables);
}

}  // namespace plait
