#pragma once
// How a layout is drawn, and in which words: the names of its axes, of its digits, of a position.

#include <plait/algebra/format_name.hpp>
#include <plait/core/axis_letters.hpp>
#include <plait/core/layout_invariants.hpp>
#include <plait/io/place_finder.hpp>
#include <plait/io/print.hpp>

#include <vector>

namespace plait {

/// What a picture of a layout is called, and how much of it is drawn.
///
/// Example: drawing_options::of("nChw8c 1x17x2x3") names the axes n, c, h, w
struct drawing_options {
    std::string title;            ///< what the layout is called; empty: to_string of it
    detail::letter_list letters;  ///< the names of the axes; without any, a, b, c, ...
    int width = 1080;             ///< what rows of planes and of memory are broken at, in pixels
    dim_t most_planes = 36;
    dim_t most_rows = 12, most_columns = 16;  ///< of a plane
    dim_t most_cells = 384;                   ///< in all planes, and as many places of memory

    /// Named by what was typed: a tag, and what may follow it behind a space or a colon.
    static drawing_options of(const std::string& typed) {
        drawing_options out;
        out.title = typed;
        const std::string tag = typed.substr(0, typed.find_first_of(": "));
        if (check_format_tag(tag).ok()) out.letters = detail::letters_of_tag(tag.data(), detail::tag_length(tag));
        return out;
    }
    char letter(int axis) const { return axis < letters.size() ? letters[axis] : axis_families[0].letters[axis]; }
};

/// Whether a layout can be drawn: where each element lies is known.
///
/// Refused: undefined, any and opaque layouts; dim_is_dynamic, stride_is_dynamic; what check_layout(l) refuses, such as
/// negative and overlapping strides
constexpr verdict check_draw(const layout& l) {
    if (const verdict why = detail::check_static(l); !why.ok()) return why;
    return check_layout(l);
}

namespace detail {
/// "37,632": a number in groups of three digits.
inline std::string grouped(dim_t number) {
    std::string out = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t at = out.size(); at > first + 3; at -= 3) out.insert(at - 3, 1, ',');
    return out;
}
/// "1 place", "3,136 places".
inline std::string grouped(dim_t number, const std::string& what) {
    return grouped(number) + ' ' + what + (number == 1 ? "" : "s");
}
/// "all 24 planes", "36 of 3,136 planes".
inline std::string some_of(dim_t some, dim_t all, const std::string& what) {
    return some == all ? grouped(all, what) : grouped(some) + " of " + grouped(all, what);
}

/// An index into the padded tensor as the tensor counts it: "0,16,1,2".
inline std::string index_text(const layout& l, const position& padded) {
    std::string out;
    for (int a = 0; a < l.ndims(); ++a) out += (a == 0 ? "" : ",") + std::to_string(padded[a] - l.padded_offsets[a]);
    return out;
}

/// The same index as a position in the tensor; negative where there is padding in front of it.
inline position index_in_tensor(const layout& l, position padded) {
    for (int a = 0; a < l.ndims(); ++a) padded[a] -= l.padded_offsets[a];
    return padded;
}

/// The digits in the order of memory: the outermost blocks by stride, then the inner ones.
inline std::vector<int> digits_in_memory(const layout& l) {
    std::vector<int> out;
    for (const int a : memory_order(l)) out.push_back(a);
    for (int k = l.ndims(); k < l.digits.size(); ++k) out.push_back(k);
    return out;
}

/// What a digit is of its index: "h", "c/8" for the block, "c%8" for the place in it, "i/4%4" between the two.
inline std::string digit_name(const layout& l, int number, const drawing_options& options) {
    const digit& d = l.digits[number];
    const dim_t step = index_step_of(l, number);
    std::string out(1, options.letter(d.axis));
    if (step > 1) out += '/' + std::to_string(step);
    if (number >= l.ndims()) out += '%' + std::to_string(d.extent);
    return out;
}

/// Which of eight colours an element has: that of its outer block; where nothing is blocked, that of its index along
/// the axis that counts planes, or the rows of a matrix.
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
            int longer = 0, axis = 0;  // the last but two of the axes with more than one index, or the first of them
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
    /// Of an element, by its index in the tensor.
    int of(const position& index) const {
        dim_t number = 0;  // modulo the count, for the product may be large
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

/// How much memory a layout takes, in words.
inline std::string memory_text(const layout& l) {
    std::string out = grouped(l.volume(), "element");
    if (l.padded_volume() != l.volume()) out += ", with padding " + grouped(l.padded_volume());
    out += "; " + grouped(static_cast<dim_t>(l.element_span()), "place") + " of memory";
    if (l.span_begin() != 0) out += " from offset " + grouped(l.span_begin());
    return out + (l.is_dense() ? ", dense" : is_injective(l) ? ", with gaps" : ", which elements share");
}
}  // namespace detail
}  // namespace plait
