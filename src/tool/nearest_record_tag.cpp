#include "nearest_record_tag.hpp"

#include <plait/packed/record_grammar.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace tool {

namespace {

using plait::dim_t, plait::reason;

/// Replaces the word that begins at a place.
std::string with_word(std::string text, std::size_t at, const std::string& word) {
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    return text.replace(at, end - at, word);
}

std::string name_of(dim_t letters) {
    std::string out;
    for (int shift = 49; shift >= 0; shift -= 7)
        if (const dim_t letter = letters >> shift & 127; letter != 0) out += static_cast<char>(letter);
    return out;
}

/// Returns a tag with a share at the end of the field that has a place.
std::string with_share(std::string text, std::size_t field, dim_t extent, char letter) {
    int inside = 0;  // of a sum or of a range, which have signs of their own
    std::size_t end = field;
    for (; end < text.size(); ++end) {
        if (text[end] == '(' || text[end] == '[') ++inside;
        else if (inside > 0 && (text[end] == ')' || text[end] == ']')) --inside;
        else if (inside == 0 && (text[end] == ',' || text[end] == ')')) break;
    }
    return text.insert(end, " /" + std::to_string(extent) + letter);
}

/// Returns a tag without the cause of a refusal; empty if it is no cause of those that can be removed.
std::string mended(const std::string& text, const plait::verdict& why) {
    if (why.first < 1) return "";
    const auto at = static_cast<std::size_t>(why.first - 1);
    if (why.reason == reason::record_type_has_a_sign)
        return with_word(text, at, "u" + std::to_string(why.second) + '^' + std::to_string(why.third));
    if (why.reason == reason::record_type_is_unknown && why.third != 0) return with_word(text, at, name_of(why.second));
    if (why.reason != reason::share_is_missing) return "";
    return with_share(text, at, why.second, static_cast<char>('a' + (why.third >> 56 & 31)));
}

/// Returns a tag with a share of an axis in one of its fields, so that its blocks are as large as those of other
/// fields; empty if none is valid.
std::string with_one_share(const std::string& text, const plait::verdict& why) {
    if (why.first < 1) return "";
    // The verdict has the column of the loop or of the digit, and how far its digits reach in one field.
    std::size_t at = static_cast<std::size_t>(why.first - 1);
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
    if (at >= text.size()) return "";
    const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
    dim_t larger = std::max(why.second, why.third), smaller = std::min(why.second, why.third);
    if (why.reason == reason::step_is_not_reached && at + 2 < text.size() && text[at + 1] == '@')
        larger = std::strtoll(text.c_str() + at + 2, nullptr, 10), smaller = why.second;
    else if (why.reason != reason::loops_differ) return "";
    if (smaller < 1 || larger % smaller != 0 || larger == smaller) return "";
    for (std::size_t colon = text.find(':'); (colon = text.find(':', colon + 1)) != std::string::npos;) {
        const std::string out = with_share(text, colon, larger / smaller, letter);
        if (plait::parse_record_tag(out).has_value()) return out;
    }
    return "";
}

}  // namespace

std::string nearest_record_tag(const std::string& text) {
    constexpr int most = 2 * plait::detail::max_record_pieces;  // a type and a share of each field
    std::string out = text;
    for (int i = 0; i < most; ++i) {
        const plait::verdict why = plait::parse_record_tag(out).error();
        if (why.ok()) return i == 0 ? "" : out;
        const std::string before = out;
        out = mended(before, why);
        if (out.empty()) return with_one_share(before, why);
    }
    return "";
}

}  // namespace tool
