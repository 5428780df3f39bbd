#include "algebra_commands.hpp"
#include <plait/algebra/inverse.hpp>

#include "layout_json.hpp"
#include "nearest_layout.hpp"

#include <plait/algebra/matches_tag.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>

#include <iostream>

namespace tool {

namespace {

/// Prints the result in the tool's own words, then as plait::explain does, whose first line repeats its name.
void print(const algebra_options& options, const named_layout& from, const plait::layout& result,
           const std::string& like = "") {
    if (options.json) {
        std::cout << json_of(from, result);
        return;
    }
    const std::string all = plait::explain(result);
    std::cout << line("from", from.text) << '\n'
              << line("result", write_layout(result, like)) << '\n'
              << all.substr(all.find('\n') + 1);
}

std::string sentence(const std::string& what, const plait::verdict& why) {
    return what + ": " + plait::describe(why).c_str();
}

void regroup(const algebra_options& options, bool is_view) {
    words in(options.arguments);
    const named_layout from = read_layout(in);
    const plait::dims to = read_dims(in.take("the new dims, as 6x4x5,"));
    in.end();
    const auto made = is_view ? plait::try_view(from.layout, to) : plait::try_reshape(from.layout, to);
    if (!made)
        throw failure(sentence(std::string(is_view ? "view " : "reshape ") + from.text + " to " + plait::to_string(to),
                               made.error()),
                      nearest_reshape(from, to, made.error(), is_view));
    print(options, from, *made);
}

/// Reads a permutation from letters, e.g. "nhwc" for axes called n, c, h, w: the new place of each axis.
plait::permutation read_letters(const std::string& text, const std::string& letters) {
    plait::permutation out;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (letters.find(text[i]) == letters.npos || text.find(text[i]) != i || text.size() != letters.size())
            throw failure("permutation '" + text + "': column " + std::to_string(i + 1) + ": the axes are called '" +
                          letters + "', and each must occur exactly once");
    for (const char letter : letters) out.push_back(static_cast<plait::dim_t>(text.find(letter)));
    return out;
}

/// Returns why a layout does not match, axis by axis; empty if it does.
std::string difference(const plait::layout& l, const plait::layout& wanted, const std::string& format) {
    const auto blocks = [](const plait::layout& of) {
        std::string out;
        for (const plait::inner_block& block : of.inner_blocks())
            out += std::to_string(block.size) + static_cast<char>('a' + block.axis);
        return out.empty() ? std::string("no inner blocks") : "the inner blocks " + out;
    };
    if (!plait::is_blocking(l)) return "its inner blocks are not dense, as those of a format are";
    if (!plait::detail::has_blocks_of(l, wanted))
        return "it has " + blocks(l) + ", " + format + " has " + blocks(wanted);
    for (int a = 0; a < l.ndims(); ++a)
        if (plait::detail::stride_counts(l, a) && l.digits[a].stride != wanted.digits[a].stride)
            return "axis " + std::to_string(a) + " has the stride " + std::to_string(l.digits[a].stride) + ", in " +
                   format + " it has " + std::to_string(wanted.digits[a].stride);
    return "";
}

}  // namespace

void reshape(const algebra_options& options) { regroup(options, false); }
void view(const algebra_options& options) { regroup(options, true); }

void permute(const algebra_options& options) {
    words in(options.arguments);
    const named_layout from = read_layout(in);
    const std::string text = in.take("the permutation, as 0,2,3,1 or nhwc,");
    in.end();
    const std::string letters = letters_of(from.tag, from.layout.ndims());
    const bool in_numbers = text[0] >= '0' && text[0] <= '9';
    const plait::permutation p = in_numbers ? read_numbers<plait::permutation>(text) : read_letters(text, letters);
    const auto made = plait::try_permute_axes(from.layout, p);
    if (!made) {
        std::vector<std::string> below = both_sides(from, text);
        for (const std::string& near : nearest_permutation(p, from.layout.ndims())) below.push_back(near);
        throw failure(sentence("permute " + from.text + " by " + text, made.error()), below);
    }
    print(options, from, *made);
    if (options.json) return;
    const plait::permutation back = plait::inverse(p);
    std::string order, moves;
    for (int a = 0; a < p.size(); ++a) {
        order += letters[static_cast<std::size_t>(back[a])];
        moves += (a == 0 ? "" : ", ") + std::to_string(a) + " to " + std::to_string(p[a]);
    }
    std::cout << line("axes", order + ": " + moves) << '\n';
}

void submemory(const algebra_options& options) {
    words in(options.arguments);
    const named_layout from = read_layout(in);
    const plait::dims extents = read_dims(in.take("the dims of the part, as 2x16x3x6,"));
    const auto offsets = read_numbers<plait::position>(in.take("where the part begins, as 0,16,2,0,"));
    in.end();
    const auto made = plait::try_submemory(from.layout, extents, offsets);
    if (!made) throw failure(sentence("submemory of " + from.text, made.error()), nearest_part(from, extents, offsets));
    print(options, from, *made, from.tag);
}

void match(const algebra_options& options) {
    words in(options.arguments);
    const named_layout from = read_layout(in);
    const std::string format = in.take("the format to match, as nhwc,");
    in.end();
    const named_layout wanted = read_layout(format, plait::to_string(from.layout.dims));
    for (const named_layout* one : {&from, &wanted})
        if (const plait::verdict why = plait::detail::check_static_layout(one->layout); !why.ok())
            throw failure(sentence("match: " + one->text, why));
    const std::string why = difference(from.layout, wanted.layout, format);
    if (options.json) std::cout << json_of_match(from, format, why);
    if (!why.empty())
        throw failure("match: " + from.text + " is not " + format + ": " + why,
                      {line("layout", write_layout(from.layout, from.tag)),
                       line(format.size() < 9 ? format : "format", write_layout(wanted.layout, wanted.tag)),
                       line("nearest", write_layout(from.layout, format))});
    if (!options.json) std::cout << from.text << " matches " << format << '\n';
}

}  // namespace tool
