#pragma once
// Layouts on the command line, written alike in every command: "nChw16c 2x17x5x4", "abc:64x8x1 2x3x4+5",
// "2x3:3x1", "(4,(16,2)):(16,(1,64))".

#include "errors.hpp"

#include <plait/algebra/alias_names.hpp>
#include <plait/core/layout.hpp>
#include <plait/io/print.hpp>

#include <utility>

namespace tool {

/// Reads a tag from the command line; throws failure with the reason, the column and the nearest tag.
plait::format_tag read_tag(const std::string& text);
/// Reads dims, "2x17x5x4", or with commas; throws failure with the column.
plait::dims read_dims(const std::string& text);
/// Reads numbers in the notation of dims with another meaning: strides, position, permutation.
template <class Meaning>
Meaning read_numbers(const std::string& text) {
    Meaning out;
    for (const plait::dim_t number : read_dims(text)) out.push_back(number);
    return out;
}

/// The words of a command, from left to right. Blanks separate words, also inside quotes.
class words {
public:
    explicit words(const std::vector<std::string>& arguments);
    bool done() const { return at_ == words_.size(); }
    /// Returns the next word without consuming it; "" after the last one.
    std::string peek() const { return done() ? "" : words_[at_]; }
    /// Consumes and returns the next word; if there is none, throws wrong_usage, which names what is missing.
    std::string take(const std::string& what);
    /// Throws wrong_usage if a word is left.
    void end() const;

private:
    std::vector<std::string> words_;
    std::size_t at_ = 0;
};

/// A layout, and the words that describe it.
struct named_layout {
    plait::layout layout;
    std::string tag;   ///< as typed, without strides; empty if only dims and strides were given
    std::string text;  ///< all words of the layout
};

/// Reads TAG[:STRIDES] DIMS[:STRIDES][+OFFSET], DIMS[:STRIDES][+OFFSET] (plain), or CuTe's SHAPE:STRIDE[+OFFSET].
///
/// Throws failure with the words if the layout is rejected; wrong_usage if DIMS are missing.
named_layout read_layout(words& from);
/// Reads a layout whose dims are given separately: for "nchw" or "nchw:340x20x4x1".
named_layout read_layout(const std::string& tag, const std::string& dims);
/// Reads FROM TO DIMS, or two layouts with their own dims: "nchw nChw16c 2x17x5x4", "ab 2x3 2x3:1x2".
std::pair<named_layout, named_layout> read_two_layouts(const std::vector<std::string>& arguments);

/// Returns a layout in words that read_layout accepts. Axes have the letters of `like` if it has as many, else a, b, c.
/// If no tag describes the layout, it is in CuTe's notation; if that does not either, as digits, which cannot be read.
///
/// Post:    read again it describes the same memory, unless the first word has a '*'
std::string write_layout(const plait::layout& l, const std::string& like = "");

/// Returns the letters of the axes in a tag, in logical order: "nchw" for nhwc. "abcd" if the tag is empty.
std::string letters_of(const std::string& tag, int ndims);

}  // namespace tool
