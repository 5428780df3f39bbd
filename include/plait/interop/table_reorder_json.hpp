#pragma once
// A reorder through tables as JSON, for programs that move the bytes by other means: any transport, any language.

// As in plait.hpp: GCC looks up names of constructors and lambdas in the global namespace too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <plait/algebra/copy_walk.hpp>
#include <plait/core/element_types.hpp>
#include <plait/interop/json_text.hpp>
#include <plait/reorder/table_reorder.hpp>
#include <plait/support/number_hash.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns a number that tells layouts apart: equal for layouts that put each element, and all padding, at the same
/// place, however their digits are written. It is the same in every run and on every machine; it may change between
/// versions of plait.
///
/// Pre:     check_static_layout(l).ok()
/// Post:    layouts with equal dims, padding and places have the same digest
/// Cost:    O(ndims + blocks) steps
/// Source:  plait's own
/// Example: digest_of(to.layout) is "digest" of "to" in table_reorder_json(from, to, ...)
[[nodiscard]] constexpr std::uint64_t digest_of(const layout& l) {
    detail::number_hash hash;
    hash.add(l.ndims());
    for (int a = 0; a < l.ndims(); ++a) {
        for (const dim_t n : {l.dims[a], l.padded_dims[a], l.padded_offsets[a]}) hash.add(n);
        const detail::axis_places places = detail::places_of(l, a, l.padded_dims[a]);
        hash.add(places.jumps.size());
        for (const detail::jump& j : places.jumps) {
            hash.add(j.border);
            hash.add(j.by);
        }
    }
    hash.add(l.offset0);
    return hash.value();
}

namespace detail {
/// Writes the JSON of a call of a planned reorder through tables.
class table_reorder_text {
public:
    /// The most moves and loop nests of a plan; a longer text would take seconds to write.
    static constexpr dim_t most = dim_t{1} << 22;

    explicit table_reorder_text(const planned_table_reorder& planned) : planned_(planned) {
        for (const bool source : {true, false}) {
            const layout& l = (source ? planned_.src_ : planned_.dst_).layout;
            begin_[source ? 0 : 1] = smaller_of(l.span_begin(), 0);
        }
    }
    expected<std::string> write(const planned_table_reorder::tables& given) {
        const axis_table from = planned_.indices_of(given.source, planned_.tables_.source_table, planned_.src_, given),
                         to = planned_.indices_of(given.destination, planned_.tables_.destination_table, planned_.dst_,
                                                  given);
        if (const verdict why = planned_.check(from, to); !why.ok()) return why;
        const int axis = planned_.axis_;
        if (!add_moves(from, to)) return too_long(to.extent());
        std::string units;
        for (int k = 0; k < planned_.units_.size(); ++k) {
            if (!add_unit(units, k)) return too_long(to.extent());
        }
        std::string zeros;
        visit_axis_gaps(planned_.dst_.layout, axis, to,
                        [&](const auto& box) { return add_box(zeros, box, begin_[1], "\n    "); });
        if (written_ > most) return too_long(to.extent());
        return "{\n  \"plait_table_reorder\": 1,\n  \"from\": " + side(true) + ",\n  \"to\": " + side(false) +
               ",\n  \"units\": [" + units + "],\n  \"moves\": [" + moves_ + "],\n  \"zeros\": [" + zeros + "]\n}\n";
    }

private:
    verdict too_long(dim_t extent) const { return {reason::size_overflows, planned_.axis_, extent, most}; }
    std::string side(bool source) const {
        const descriptor& d = source ? planned_.src_ : planned_.dst_;
        const auto span = static_cast<dim_t>(d.layout.element_span());
        const dim_t places = span == 0 ? 0 : span + d.layout.span_begin() - begin_[source ? 0 : 1];
        return "{\"digest\": \"" + json_digest(digest_of(d.layout)) + "\", \"type\": \"" + to_string(d.type) +
               "\", \"dims\": " + json_list(d.dims()) + ", \"places\": " + std::to_string(places) + "}";
    }
    /// Adds where each unit is read and written; false if there are too many.
    bool add_moves(const axis_table& from, const axis_table& to) {
        const table_side source(planned_.src_.layout, planned_.axis_, from),
            destination(planned_.dst_.layout, planned_.axis_, to);
        // Part by part, so that a plan that is too long is refused early.
        const dim_t step = multiple_of_units(dim_t{1} << 16);
        for (dim_t first = 0, n = to.extent(); first < n;) {
            const dim_t last = n - first > step ? first + step : n;
            visit_units(source, destination, planned_.units_, first, last, [&](const moved_unit& unit) {
                is_used_[static_cast<std::size_t>(unit.size)] = true;
                moves_ +=
                    (moves_.empty() ? "\n    " : ",\n    ") +
                    json_list(std::array{dim_t{unit.size}, unit.from_place - begin_[0], unit.to_place - begin_[1]});
                ++written_;
            });
            if (written_ > most) return false;
            first = last;
        }
        return true;
    }
    dim_t multiple_of_units(dim_t indices) const {
        const dim_t unit = planned_.units_.size() == 0 ? 1 : planned_.units_[0];
        return indices > unit ? indices / unit * unit : unit;
    }
    /// Adds the loop nests that move one unit, and those that zero its padding; false if there are too many.
    bool add_unit(std::string& out, int k) {
        const layout src = unit_layout(planned_.src_.layout, planned_.axis_, planned_.units_[k]),
                     dst = unit_layout(planned_.dst_.layout, planned_.axis_, planned_.units_[k]);
        std::string parts, zeros;
        if (is_used_[static_cast<std::size_t>(k)] && has_elements(dst.dims)) {
            for (copy_walk walk(src, dst); written_ <= most && walk.next();)
                for (const copy_piece& piece : walk.found.pieces) {
                    add_piece(parts, walk.found, piece, src.offset0, dst.offset0);
                    ++written_;
                }
            visit_unit_padding(dst, [&](const auto& box) { return add_box(zeros, box, dst.offset0, "\n      "); });
        }
        out += (out.empty() ? "" : ",") + std::string("\n    {\"parts\": [") + parts + "], \"zeros\": [" + zeros + "]}";
        return written_ <= most;
    }
    static void add_piece(std::string& out, const copy_rows& found, const copy_piece& piece, dim_t src, dim_t dst) {
        out += (out.empty() ? "" : ",") + std::string("\n      {\"dims\": ") +
               json_list(std::array{found.rows.count, piece.runs.count, piece.length}) + ", \"from\": " +
               json_place(found.src + piece.src - src, std::array{found.rows.src, piece.runs.src, dim_t{1}}) +
               ", \"to\": " +
               json_place(found.dst + piece.dst - dst, std::array{found.rows.dst, piece.runs.dst, dim_t{1}}) + "}";
    }
    /// Adds a box of places that are zeroed; false if there are too many.
    bool add_box(std::string& out, const auto& box, dim_t begin, const char* line) {
        std::vector<dim_t> extents, strides;
        for (const auto& loop : box.loops) {
            extents.push_back(loop.count);
            strides.push_back(loop.stride);
        }
        out += (out.empty() ? "" : ",") + std::string(line) + "{\"dims\": " + json_list(extents) +
               ", \"to\": " + json_place(box.begin - begin, strides) + "}";
        return ++written_ <= most;
    }

    const planned_table_reorder& planned_;
    dim_t begin_[2]{};  // the first place of each side's memory, from its offset 0
    bool is_used_[3]{};
    dim_t written_ = 0;
    std::string moves_;
};
}  // namespace detail

/// Returns a reorder through tables as JSON: which elements of the source go where, and which places of the destination
/// become zero. A program without plait can execute it.
///
/// - "plait_table_reorder": 1, the version of what follows
/// - "from", "to": of each side "digest" (digest_of its layout, 16 hexadecimal digits), "type", "dims", and "places",
///   the number of elements that its memory has
/// - "units": what is moved for one entry of a table or a part of one: "parts", each a loop nest with "dims", and on
///   each side "offset" and "strides"; and "zeros", the padding, each a loop nest of the destination
/// - "moves": for each unit that is moved its number in "units", and where it begins in the source and in the
///   destination
/// - "zeros": further places of the destination that become zero
///
/// All places are in elements from the first one of a side's memory. What the plan does not name stays as it is.
///
/// Refused: as make_reorder with tables, and as its call; size_overflows (the axis, its extent, the most), if the plan
///          has over 2^22 moves and loop nests
/// Pre:     none
/// Post:    the moves write the bytes that make_reorder(src, dst, {source_table, destination_table}) writes in a call
///          with these tables, if the types are equal. Values are converted by the program that executes the plan
/// Cost:    O(moves), and those of planning; allocates
/// Source:  plait's own
/// Example: docs/how-to.md
[[nodiscard]] inline expected<std::string> try_table_reorder_json(const descriptor& src, const descriptor& dst,
                                                                  const table_axis& source_table,
                                                                  const table_axis& destination_table,
                                                                  const planned_table_reorder::tables& given) {
    const auto planned =
        planned_table_reorder::make(src, dst, {.source_table = source_table, .destination_table = destination_table});
    if (!planned) return planned.error();
    return detail::table_reorder_text(*planned).write(given);
}
/// Returns the reorder as JSON, as try_table_reorder_json does. A rejection is thrown.
///
/// Pre:     as try_table_reorder_json
/// Post:    as try_table_reorder_json
/// Cost:    that of try_table_reorder_json
/// Source:  plait's own
/// Example: table_reorder_json(tokens, pages, {}, {.axis = 0, .block = 16}, {.destination = table})
[[nodiscard]] inline std::string table_reorder_json(const descriptor& src, const descriptor& dst,
                                                    const table_axis& source_table, const table_axis& destination_table,
                                                    const planned_table_reorder::tables& given) {
    return try_table_reorder_json(src, dst, source_table, destination_table, given).value();
}

}  // namespace plait

#pragma GCC diagnostic pop
