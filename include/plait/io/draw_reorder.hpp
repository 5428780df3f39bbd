#pragma once
// A reorder as a picture: the memory of both sides, with the shuffle network of the tile between them.

#include <plait/io/draw.hpp>
#include <plait/io/explain.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// One element of the first tile: its offsets in source and destination, and its index. There is no index if the tile
/// extends beyond the end of an axis.
struct drawn_element {
    dim_t src = 0, dst = 0;
    std::optional<position> index;
};

/// Returns the elements of the first tile of a plan, by their number in the tile. Bit b of the number is bit b of the
/// plan; for elements that alternate in memory, the higher bits count the alternatives.
///
/// Pre:     make_plan made the plan for src and dst
/// Post:    src.offset(*index) is the element's src, and dst.offset(*index) its dst
inline std::vector<drawn_element> first_tile(const layout& src, const layout& dst, const engine::reorder_plan& plan) {
    const place_finder places(dst);
    const int alternating = plan.pattern.interleave == 0 ? 1 : plan.pattern.interleave;
    std::vector<drawn_element> out;
    for (int q = 0; q < alternating; ++q)
        for (unsigned number = 0; number >> plan.bits.size() == 0; ++number) {
            drawn_element one{
                plan.src_offset + q * plan.interleaved.src, plan.dst_offset + q * plan.interleaved.dst, {}};
            for (int b = 0; b < plan.bits.size(); ++b)
                if ((number >> b & 1u) != 0) one.src += plan.bits[b].src, one.dst += plan.bits[b].dst;
            if (const memory_place place = places.at(one.dst); place.is_element())
                if (const position at = index_in_tensor(dst, place.first); src.offset(at) == one.src) one.index = at;
            out.push_back(one);
        }
    return out;
}

/// Draws the registers of a tile: as loaded, after each step of the network, and as stored.
class network_picture {
public:
    network_picture(picture& into, const engine::reorder_plan& planned, isa instructions,
                    const std::vector<drawn_element>& moved, const block_colours& colours)
        : picture_(into), plan_(planned), instructions_(instructions), tile_(moved), colours_(colours) {
        for (const drawn_element& one : moved)
            cell_ = (std::max)(cell_, text_width(std::to_string(one.src), text_style::offset) + 8);
    }
    int add(int y, int width) {
        width_ = width, x_ = picture::margin, y_ = bottom_ = y;
        const tile_instructions tile(plan_, instructions_);
        if (plan_.pattern.interleave != 0) add_interleave(tile);
        else {
            engine::bit_positions places(plan_.pattern);
            add_stage(places, "as loaded: " + count_of(tile.loads, "segment"));
            for (const engine::shuffle_step& step : tile.network.steps) {
                places.apply(step);
                add_stage(places, describe(step.rule, plan_) + ", register bit " + std::to_string(step.register_bit));
            }
            if (tile.network.steps.empty()) add_note("no network: lanes stay where they are");
        }
        add_note("stored as " + count_of(tile.stores, "segment") + "; " + count_of(tile.shuffles, "shuffle") + ", " +
                 tile.for_an_element() + " instructions an element");
        return bottom_;
    }

private:
    static constexpr int most_registers = 16, most_lanes = 16, row_height = 18;
    picture& picture_;
    const engine::reorder_plan& plan_;
    isa instructions_;
    const std::vector<drawn_element>& tile_;
    const block_colours& colours_;
    int cell_ = 26, width_ = 0, x_ = 0, y_ = 0, bottom_ = 0, last_right_ = 0, last_middle_ = 0, number_ = 0;

    void add_note(const std::string& text) {
        bottom_ = picture_.add_text(picture::margin, bottom_ + 6, text_style::note, text);
    }
    void add_stage(const engine::bit_positions& places, const std::string& what) {
        const auto element_at = [&places](int r, int lane) {
            std::size_t number = 0;
            for (int b = 0; b < places.lanes.size(); ++b)
                number |= static_cast<std::size_t>(lane >> b & 1) << places.lanes[b];
            for (int b = 0; b < places.registers.size(); ++b)
                number |= static_cast<std::size_t>(r >> b & 1) << places.registers[b];
            return number;
        };
        add_registers(plan_.pattern.registers(), element_at, what);
    }
    /// Draws an interleave, in which tables select the elements that alternate on one side: the tile in both orders.
    void add_interleave(const tile_instructions& tile) {
        for (const engine::side of : {engine::side::source, engine::side::destination}) {
            std::vector<std::size_t> order(tile_.size());
            for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
            std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
                return of == engine::side::source ? tile_[one].src < tile_[other].src
                                                  : tile_[one].dst < tile_[other].dst;
            });
            const int lanes = plan_.pattern.lanes();
            add_registers(
                tile.registers, [&](int r, int lane) { return order[static_cast<std::size_t>(r * lanes + lane)]; },
                of == engine::side::source ? "in the order of the source"
                                           : "picked by tables, in the order of the destination");
        }
    }
    /// Adds a grid with a row for each register and a column for each lane.
    template <class ElementAt>
    void add_registers(int registers, ElementAt element_at, const std::string& what) {
        const int lanes = plan_.pattern.lanes();
        const int rows = (std::min)(registers, most_registers), columns = (std::min)(lanes, most_lanes);
        const std::string size = some_of(rows, registers, "register") + " of " + some_of(columns, lanes, "lane");
        const int heading = text_width("r15", text_style::note) + 4;
        const int needed = (std::max)(
            {heading + columns * cell_, text_width(what, text_style::caption), text_width(size, text_style::note)});
        const bool is_beside = number_ > 0 && x_ + needed <= width_;
        if (number_ > 0 && !is_beside) x_ = picture::margin, y_ = bottom_ + 26;
        int y = picture_.add_text(x_, y_, text_style::caption, what);
        y = picture_.add_text(x_, y, text_style::note, size) + 4;
        if (is_beside) picture_.add_arrow(last_right_ + 4, y + row_height, x_ - 4, y + row_height);
        else if (number_ > 0) picture_.add_arrow(last_middle_, bottom_ + 4, last_middle_, y_ - 4);
        for (int r = 0; r < rows; ++r, y += row_height) {
            picture_.add_text(x_, y, text_style::note, "r" + std::to_string(r));
            for (int lane = 0; lane < columns; ++lane)
                picture_.add(cell_of(tile_[element_at(r, lane)], x_ + heading + lane * cell_, y));
        }
        last_right_ = x_ + needed, last_middle_ = picture::margin + heading + columns * cell_ / 2;
        bottom_ = (std::max)(bottom_, y);
        x_ += needed + 40;
        ++number_;
    }
    picture_box cell_of(const drawn_element& one, int x, int y) const {
        if (!one.index) return {x, y, cell_, row_height, box_kind::padding, 0, false, {}};
        return {x, y, cell_, row_height, box_kind::element, colours_.of(*one.index), false, {std::to_string(one.src)}};
    }
};

/// Draws the memory of one side, with the elements of the first tile marked.
inline int add_side(picture& into, const layout& l, const drawing_options& options, const block_colours& colours,
                    const std::vector<drawn_element>& tile, engine::side of, int y) {
    std::set<dim_t> marked;
    for (const drawn_element& one : tile)
        if (one.index) marked.insert(of == engine::side::source ? one.src : one.dst);
    layout_picture memory(into, l, options, colours);
    const std::string name = options.title.empty() ? to_string(l) : options.title;
    y = memory.add_memory(y, (of == engine::side::source ? "from " : "to ") + name, marked);
    return memory.add_digits(y);
}

}  // namespace plait::detail

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Options for drawing a reorder: the names of both sides, and the types and the instruction set of the plan.
struct reorder_drawing_options {
    drawing_options src, dst;
    data_type from = data_type::f32, to = data_type::f32;
    isa instructions = isa::avx2;
};

/// Returns the picture of a reorder.
///
/// Refused: as check_reorder(src, dst), and as check_draw of both
inline picture picture_of(const layout& src, const layout& dst, const reorder_drawing_options& options) {
    require(check_draw(src));
    require(check_draw(dst));
    require(check_reorder(src, dst));
    const detail::block_colours of_src(src, options.src), of_dst(dst, options.dst);
    const detail::block_colours& colours = of_src.has_blocks() && !of_dst.has_blocks() ? of_src : of_dst;
    const auto name = [](const drawing_options& o, const layout& l) {
        return o.title.empty() ? to_string(l) : o.title;
    };
    picture out;
    out.title = name(options.src, src) + " to " + name(options.dst, dst);
    out.begin("title");
    int y = out.add_text(picture::margin, picture::margin, text_style::heading, out.title);
    const auto note = [&](const std::string& text) { y = out.add_text(picture::margin, y, text_style::note, text); };
    const std::string from = to_string(options.from), to = to_string(options.to);
    note((from == to ? from : from + " to " + to) + ", " + plait::to_string(options.instructions) + "; " +
         detail::grouped(dst.volume(), "element") + "; " + colours.legend());
    const bool is_packed = detail::is_packed(options.from) || detail::is_packed(options.to);
    const auto plan =
        detail::has_elements(dst.dims) && !is_packed
            ? engine::make_plan(src, dst, detail::sizes_between(options.from, options.to), options.instructions)
            : std::nullopt;
    std::vector<detail::drawn_element> first;
    if (plan) first = detail::first_tile(src, dst, *plan);
    const bool has_tile = plan && (plan->pattern.lane_bits > 0 || plan->pattern.register_bits > 0);
    if (is_packed) note("several elements share a byte; the cells are elements, and no tile is shown");
    else if (!plan) note("moved element by element: there is no tile");
    else if (!has_tile) note("moved one element at a time");
    else
        note("a tile has " + detail::grouped(static_cast<dim_t>(first.size()), "element") +
             "; the elements of the first one have a thick border, in registers their offset in the source");
    y = detail::add_side(out, src, options.src, colours, first, engine::side::source, y + 12);
    if (has_tile) {
        out.begin("network");
        out.add_arrow(picture::margin + 60, y - 8, picture::margin + 60, y + 14);
        y = detail::network_picture(out, *plan, options.instructions, first, colours).add(y + 20, options.src.width);
    }
    out.begin("arrow");
    out.add_arrow(picture::margin + 60, y + 6, picture::margin + 60, y + 28);
    detail::add_side(out, dst, options.dst, colours, first, engine::side::destination, y + 34);
    return out;
}

/// Returns a reorder as an SVG document: the memory of both sides with the elements of the first tile marked, and
/// between them the registers of the tile after each step of its network.
///
/// Refused: as check_reorder(src, dst), and as check_draw of each
/// Pre:     both layouts have known extents; fails as check_draw otherwise
/// Post:    each element of the first tile has one marked place in the destination; the same arguments give the same
///          text
/// Cost:    as make_plan, and O(options.most_cells) of each side; allocates
/// Source:  plait's own: the plan that explain prints
/// Example: draw_reorder(layout({1, 17, 2, 3}, "nchw"), layout({1, 17, 2, 3}, "nChw8c"))
inline std::string draw_reorder(const layout& src, const layout& dst, const reorder_drawing_options& options = {}) {
    return svg_of(picture_of(src, dst, options));
}

/// Returns a reorder as a tikzpicture for LaTeX.
///
/// Pre:     as draw_reorder
/// Post:    the boxes, texts and arrows of draw_reorder
/// Cost:    as draw_reorder
/// Source:  plait's own
/// Example: draw_reorder_tikz(layout({1, 17, 2, 3}, "nchw"), layout({1, 17, 2, 3}, "nChw8c"))
inline std::string draw_reorder_tikz(const layout& src, const layout& dst,
                                     const reorder_drawing_options& options = {}) {
    return tikz_of(picture_of(src, dst, options));
}

}  // namespace plait
