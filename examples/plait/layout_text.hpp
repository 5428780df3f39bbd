#pragma once
// Layouts as the command line says them, the same in every command: "nChw16c 2x17x5x4", "abc:64x8x1 2x3x4+5",
// "2x3:3x1", "(4,(16,2)):(16,(1,64))".

#include "errors.hpp"

#include <plait/algebra/alias_names.hpp>
#include <plait/core/layout.hpp>
#include <plait/io/print.hpp>

#include <utility>

namespace tool {

/// A tag from the command line; throws failure with the reason, the column and the nearest tag.
plait::format_tag read_tag(const std::string& text);
/// "2x17x5x4", or with commas; throws failure with the column.
plait::dims read_dims(const std::string& text);
/// The same numbers with another meaning: strides, position, permutation.
template <class Meaning>
Meaning read_numbers(const std::string& text) {
    Meaning out;
    for (const plait::dim_t number : read_dims(text)) out.push_back(number);
    return out;
}

/// The words of a command, from left to right. Blanks separate words, in quotes or not.
class words {
public:
    explicit words(const std::vector<std::string>& arguments);
    bool done() const { return at_ == words_.size(); }
    /// The next word, which stays; "" behind the last one.
    std::string peek() const { return done() ? "" : words_[at_]; }
    /// The next word; throws wrong_usage, which names what is missing, where there is none.
    std::string take(const std::string& what);
    /// Throws wrong_usage where a word is left.
    void end() const;

private:
    std::vector<std::string> words_;
    std::size_t at_ = 0;
};

/// A layout, and the words that said it.
struct named_layout {
    plait::layout layout;
    std::string tag;   ///< as it was typed, without strides; empty where dims and strides said all
    std::string text;  ///< all of its words
};

/// TAG[:STRIDES] DIMS[:STRIDES][+OFFSET], DIMS[:STRIDES][+OFFSET] (plain), or CuTe's SHAPE:STRIDE[+OFFSET].
///
/// Throws failure for what is refused, with the words; wrong_usage where DIMS are missing.
named_layout read_layout(words& from);
/// The same where the dims are said: of "nchw" or "nchw:340x20x4x1".
named_layout read_layout(const std::string& tag, const std::string& dims);
/// FROM TO DIMS, or two layouts with dims of their own: "nchw nChw16c 2x17x5x4", "ab 2x3 2x3:1x2".
std::pair<named_layout, named_layout> read_two_layouts(const std::vector<std::string>& arguments);

/// The layout in words that read_layout takes: in the letters of `like` where they name as many axes, else in a, b, c;
/// as CuTe has it where no tag says it. The digits, which it does not take, where nothing else says all of it.
///
/// Post:    read again it is the same memory, unless the first word has a '*'
std::string write_layout(const plait::layout& l, const std::string& like = "");

/// The letters of the axes as the tag names them, axis by axis: "nchw" for nhwc. "abcd" where the tag is empty.
std::string letters_of(const std::string& tag, int ndims);

}  // namespace tool
