#include "layout_text.hpp"

#include "nearest_text.hpp"

#include <plait/algebra/same_memory.hpp>
#include <plait/io/cute_layout.hpp>
#include <plait/io/parse_dims.hpp>

#include <sstream>

namespace tool {

plait::format_tag read_tag(const std::string& text) {
    const auto tag = plait::parse_format_tag(text);
    if (tag) return *tag;
    std::vector<std::string> below;
    if (const std::string near = nearest_tag(text); !near.empty()) below.push_back(line("nearest", near));
    throw failure("format '" + text + "': " + plait::describe(plait::check_format_tag(text)).c_str(), below);
}

plait::dims read_dims(const std::string& text) {
    const auto read = plait::parse_dims(text);
    if (read && text.find('?') == std::string::npos) return *read;
    if (read.error().reason == plait::reason::too_many_axes)
        throw failure("dims '" + text + "': a layout has at most 12 axes");
    const auto column = read ? text.find('?') : static_cast<std::size_t>(read.error().first) - 1;
    const std::string place = "dims '" + text + "': column " + std::to_string(column + 1);
    // If a number begins here, the error is that it is too large; after a number an 'x' is expected.
    const bool starts = column == 0 || text[column - 1] == 'x' || text[column - 1] == ',';
    if (starts && column < text.size() && text[column] == '-')
        throw failure(place + " is negative, which no extent, stride or offset is here");
    throw failure(
        place + (starts ? " is no number of 63 bits; write them as 2x17x5x4" : " is not 'x'; write them as 2x17x5x4"));
}

words::words(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
        std::istringstream in(argument);
        for (std::string word; in >> word;) words_.push_back(word);
    }
}
std::string words::take(const std::string& what) {
    if (done()) throw wrong_usage(what + " is missing");
    return words_[at_++];
}
void words::end() const {
    if (!done()) throw wrong_usage("'" + words_[at_] + "' is one word too many");
}

namespace {

bool begins_with_digit(const std::string& text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }

/// Cuts `text` at a character; returns the text after it. If there is none, returns "", and found is false.
std::string cut(std::string& text, char at, bool& found) {
    const std::size_t place = text.find(at);
    found = place != std::string::npos;
    if (!found) return "";
    const std::string behind = text.substr(place + 1);
    text.resize(place);
    return behind;
}

/// Returns the name of a layout given by dims, "ab 3x4": a format with as many axes, and the dims as typed.
std::string plain_name(int ndims, const std::string& text) {
    const std::string letters(plait::axis_families[0].letters, static_cast<std::size_t>(ndims));
    return letters + ' ' + text.substr(text.find(' ') + 1);
}

/// Reads strides, some of which may be negative.
plait::strides read_strides(const std::string& text) {
    std::string numbers;
    std::vector<int> backwards;  // by place: the stride is negative
    for (std::size_t i = 0, place = 0; i < text.size(); ++i) {
        const bool separates = text[i] == 'x' || text[i] == ',',
                   begins = i == 0 || text[i - 1] == 'x' || text[i - 1] == ',';
        place += separates;
        if (text[i] == '-' && begins && i + 1 < text.size()) backwards.push_back(static_cast<int>(place));
        else numbers += text[i];
    }
    auto out = read_numbers<plait::strides>(numbers);
    for (const int place : backwards)
        if (place < out.size()) out[place] = -out[place];
    return out;
}

named_layout made(const std::string& text, const std::string& tag, const plait::expected<plait::layout>& attempt,
                  const std::string& offset) {
    if (!attempt) throw failure("layout " + text + ": " + plait::describe(attempt.error()).c_str());
    named_layout out{*attempt, tag, text};
    if (!offset.empty()) out.layout.offset0 = read_dims(offset)[0];
    if (const plait::verdict why = plait::check_layout(out.layout); !why.ok())
        throw failure("layout " + text + ": " + plait::describe(why).c_str());
    return out;
}

/// Cuts off and returns the number after a '+', if it is one number.
std::string read_offset(std::string& text) {
    bool found = false;
    const std::string offset = cut(text, '+', found);
    if (found && read_dims(offset).size() != 1)
        throw failure("offset '+" + offset + "' is not one number of elements; write it as +5");
    return offset;
}

named_layout from_parts(std::string tag, std::string dims) {
    const std::string text = tag.empty() ? dims : tag + ' ' + dims;
    const std::string offset = read_offset(dims);
    bool at_tag = false, at_dims = false;
    std::string steps = cut(tag, ':', at_tag);
    const std::string behind = cut(dims, ':', at_dims);
    if (at_tag && at_dims) throw failure("layout " + text + ": strides are said twice, at the format and at the dims");
    if (at_dims) steps = behind;
    const plait::dims extents = read_dims(dims);
    const bool strided = at_tag || at_dims;
    const plait::format_tag read = tag.empty() ? plait::detail::plain_tag(extents.size()) : read_tag(tag);
    if (read.kind == plait::format_kind::blocked && read.ndims() != extents.size())
        throw failure(
            "layout " + text + ": rank_differs: format " + tag + " has " + std::to_string(read.ndims()) +
                " axes, dims " + plait::to_string(extents) + " have " + std::to_string(extents.size()),
            strided ? std::vector<std::string>{} : std::vector{line("nearest", plain_name(extents.size(), text))});
    return made(text, tag,
                strided ? plait::try_layout(extents, read, read_strides(steps)) : plait::try_layout(extents, read),
                offset);
}

bool is_number(const std::string& word) { return !word.empty() && word.find_first_not_of("0123456789") == word.npos; }

/// Rejects "nchw 2 3 4 5", because dims are one word; otherwise only the 2 would be read.
void refuse_dims_in_words(const std::string& tag, const std::string& first, int axes, words from) {
    if (axes < 2 || !is_number(first) || !is_number(from.peek())) return;
    std::string said = first, meant = first;
    for (int axis = 1; axis < axes && is_number(from.peek()); ++axis) {
        said += ' ' + from.peek();
        meant += 'x' + from.take("");
    }
    throw failure("layout " + tag + ' ' + said + ": dims are one word, with x between the numbers",
                  {line("nearest", tag + ' ' + meant)});
}

}  // namespace

named_layout read_layout(words& from) {
    std::string first = from.take("a layout, as nChw16c 2x17x5x4,");
    if (first[0] == '(') {
        const std::string text = first, offset = read_offset(first);
        return made(text, "", plait::parse_cute_layout(first), offset);
    }
    if (begins_with_digit(first)) return from_parts("", first);
    const std::string tag = first.substr(0, first.find(':'));
    const int axes = read_tag(tag).ndims();  // errors in the tag are reported before missing dims
    const std::string dims = from.take("the dims behind the format '" + first + "', as 2x17x5x4,");
    refuse_dims_in_words(first, dims, axes, from);
    return from_parts(first, dims);
}

named_layout read_layout(const std::string& tag, const std::string& dims) { return from_parts(tag, dims); }

std::pair<named_layout, named_layout> read_two_layouts(const std::vector<std::string>& arguments) {
    words in(arguments), by_format(arguments);
    const std::string from = by_format.take("the format that is read");
    const std::string to = by_format.peek();
    const bool says_dims = from[0] == '(' || begins_with_digit(from) || begins_with_digit(to);
    if (!says_dims) {
        read_tag(from.substr(0, from.find(':')));  // errors in the tag are reported before a missing one
        by_format.take("the format that is written");
        read_tag(to.substr(0, to.find(':')));
        const std::string dims = by_format.take("the dims, as 1x64x56x56,");
        by_format.end();
        return {read_layout(from, dims), read_layout(to, dims)};
    }
    named_layout src = read_layout(in), dst = read_layout(in);
    in.end();
    return {std::move(src), std::move(dst)};
}

std::string letters_of(const std::string& tag, int ndims) {
    for (const plait::axis_family& family : plait::axis_families) {
        const auto read = plait::detail::read_tag_in(family, tag.data(), static_cast<int>(tag.size()));
        if (!read.why.ok() || read.tag.ndims() != ndims) continue;
        std::string out(static_cast<std::size_t>(ndims), '?');
        for (int place = 0; place < ndims; ++place)
            out[static_cast<std::size_t>(read.tag.axes[place])] =
                plait::axis_family::lower(tag[static_cast<std::size_t>(place)]);
        return out;
    }
    return std::string(plait::axis_families[0].letters, static_cast<std::size_t>(ndims));
}

std::string write_layout(const plait::layout& l, const std::string& like) {
    if (l.kind != plait::format_kind::blocked) return plait::to_string(l);
    const std::string offset = l.offset0 == 0 ? "" : "+" + std::to_string(l.offset0);
    const std::string letters = letters_of(like, l.ndims());
    const plait::axis_family family{letters.c_str(), l.ndims()};
    std::vector<std::string> ways;
    if (!like.empty())
        if (const auto name = plait::alias_name(l, family))
            ways.push_back(std::string(name->c_str()) + ' ' + plait::to_string(l.dims) + offset);
    const std::string plain = plait::to_string(l) + offset;
    ways.push_back(plain);
    plait::layout from_zero = l;
    from_zero.offset0 = 0;
    if (const auto cute = plait::format_cute_layout(from_zero)) ways.push_back(cute->c_str() + offset);
    for (const std::string& way : ways) {
        try {
            words in({way});
            if (plait::same_memory(read_layout(in).layout, l)) return way;
        } catch (const std::exception&) {  // text that cannot be read again is not written
        }
    }
    return plain;
}

}  // namespace tool
