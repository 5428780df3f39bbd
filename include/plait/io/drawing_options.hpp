#pragma once
// Options for drawing a layout, and the names of its axes, its digits and its positions.

#include <plait/algebra/format_name.hpp>
#include <plait/core/axis_letters.hpp>
#include <plait/core/layout_invariants.hpp>
#include <plait/io/place_finder.hpp>
#include <plait/io/print.hpp>

#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The title and axis names of a picture of a layout, and limits on how much of it is drawn.
///
/// Example: drawing_options::of("nChw8c 1x17x2x3") names the axes n, c, h, w
struct drawing_options {
    std::string title;            ///< the name of the layout; if empty, to_string of it
    detail::letter_list letters;  ///< the names of the axes; if empty, a, b, c, ...
    int width = 1080;             ///< the width in pixels at which rows of planes and of memory are broken
    dim_t most_planes = 36;
    dim_t most_rows = 12, most_columns = 16;  ///< limits for each plane
    dim_t most_cells = 384;                   ///< limit for all planes, and for the places of memory

    /// Returns options named by what a user typed: a tag, optionally followed by a space or a colon and more text.
    static drawing_options of(const std::string& typed) {
        drawing_options out;
        out.title = typed;
        const std::string tag = typed.substr(0, typed.find_first_of(": "));
        if (check_format_tag(tag).ok()) out.letters = detail::letters_of_tag(tag.data(), detail::tag_length(tag));
        return out;
    }
    char letter(int axis) const { return axis < letters.size() ? letters[axis] : axis_families[0].letters[axis]; }
};

/// Checks that a layout can be drawn: the place of each element must be known.
///
/// Refused: undefined, any and opaque layouts; dim_is_dynamic, stride_is_dynamic; as check_layout(l), for example for
/// negative and overlapping strides
constexpr verdict check_draw(const layout& l) {
    if (const verdict why = detail::check_static(l); !why.ok()) return why;
    return check_layout(l);
}

namespace detail {
/// Returns a number with its digits in groups of three: "37,632".
inline std::string grouped(dim_t number) {
    std::string out = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t at = out.size(); at > first + 3; at -= 3) out.insert(at - 3, 1, ',');
    return out;
}
/// Returns a number with a noun: "1 place", "3,136 places".
inline std::string grouped(dim_t number, const std::string& what) {
    return grouped(number) + ' ' + what + (number == 1 ? "" : "s");
}
/// Returns how many of all are shown: "all 24 planes", "36 of 3,136 planes".
inline std::string some_of(dim_t some, dim_t all, const std::string& what) {
    return some == all ? grouped(all, what) : grouped(some) + " of " + grouped(all, what);
}

/// Returns an index into the padded tensor, converted to an index of the tensor, as text: "0,16,1,2".
inline std::string index_text(const layout& l, const position& padded) {
    std::string out;
    for (int a = 0; a < l.ndims(); ++a) out += (a == 0 ? "" : ",") + std::to_string(padded[a] - l.padded_offsets[a]);
    return out;
}

/// Converts an index into the padded tensor to a position in the tensor; negative in padding in front of it.
inline position index_in_tensor(const layout& l, position padded) {
    for (int a = 0; a < l.ndims(); ++a) padded[a] -= l.padded_offsets[a];
    return padded;
}

/// Returns the digits in the order of memory: the outermost ones by stride, followed by the inner ones.
inline std::vector<int> digits_in_memory(const layout& l) {
    std::vector<int> out;
    for (const int a : memory_order(l)) out.push_back(a);
    for (int k = l.ndims(); k < l.digits.size(); ++k) out.push_back(k);
    return out;
}

/// Returns the name of a digit: "h", "c/8" for the block, "c%8" for the place in the block, "i/4%4" between the two.
inline std::string digit_name(const layout& l, int number, const drawing_options& options) {
    const digit& d = l.digits[number];
    const dim_t step = index_step_of(l, number);
    std::string out(1, options.letter(d.axis));
    if (step > 1) out += '/' + std::to_string(step);
    if (number >= l.ndims()) out += '%' + std::to_string(d.extent);
    return out;
}

/// Selects one of eight colours for an element: by its outer block or, if no axis is blocked, by its index along the
/// axis that counts planes, or along the rows of a matrix.
class block_colours {
public:
    static constexpr int count = 8;

    block_colours(const layout& l, const drawing_options& options) : l_(l) {
        for (int a = 0; a < l.ndims(); ++a)
            if (l.block_size(a) > 1 && l.digits[a].extent > 1) axes_.push_back(a);
        has_blocks_ = !axes_.empty();
        if (has_blocks_) {
            for (const int a : axes_) legend_ += (legend_.empty() ? "" : ", ") + digit_name(l, a, options);
        } else {
            int longer = 0, axis = 0;  // the third from last axis with more than one index, or the first such axis
            for (int a = 0; a < l.ndims(); ++a) longer += l.padded_dims[a] > 1;
            for (int a = 0, seen = 0; a < l.ndims(); ++a)
                if (l.padded_dims[a] > 1 && ++seen == (longer > 2 ? longer - 2 : 1)) axis = a;
            axes_.push_back(axis);
            legend_ = std::string(1, options.letter(axis));
        }
        dim_t all = 1;
        for (const int a : axes_) all *= values(a);
        legend_ = "one colour: the same " + legend_ + (all > count ? "; after 8 colours the first comes again" : "");
    }
    /// Returns the colour of an element, given its index in the tensor.
    int of(const position& index) const {
        dim_t number = 0;  // modulo the count, because the product may be large
        for (const int a : axes_)
            number = (number * (values(a) % count) + (index[a] + l_.padded_offsets[a]) / l_.block_size(a)) % count;
        return static_cast<int>(number);
    }
    const std::string& legend() const { return legend_; }
    bool has_blocks() const { return has_blocks_; }

private:
    const layout& l_;
    std::vector<int> axes_;
    bool has_blocks_ = false;
    std::string legend_;

    dim_t values(int a) const { return divide_up(l_.padded_dims[a], l_.block_size(a)); }
};

/// Returns a description of how much memory a layout takes.
inline std::string memory_text(const layout& l) {
    std::string out = grouped(l.volume(), "element");
    if (l.padded_volume() != l.volume()) out += ", with padding " + grouped(l.padded_volume());
    out += "; " + grouped(static_cast<dim_t>(l.element_span()), "place") + " of memory";
    if (l.span_begin() != 0) out += " from offset " + grouped(l.span_begin());
    return out + (l.is_dense() ? ", dense" : is_injective(l) ? ", with gaps" : ", which elements share");
}
}  // namespace detail
}  // namespace plait
