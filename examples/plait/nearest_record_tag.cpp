#include "nearest_record_tag.hpp"

#include <plait/packed/record_grammar.hpp>

#include <algorithm>
#include <cctype>

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

/// Returns a tag without the cause of a refusal; empty if it is no cause of those that can be removed.
std::string mended(const std::string& text, const plait::verdict& why) {
    if (why.first < 1) return "";
    const auto at = static_cast<std::size_t>(why.first - 1);
    if (why.reason == reason::record_type_has_a_sign)
        return with_word(text, at, "u" + std::to_string(why.second) + '^' + std::to_string(why.third));
    if (why.reason == reason::record_type_is_unknown && why.third != 0) return with_word(text, at, name_of(why.second));
    if (why.reason != reason::share_is_missing) return "";
    const std::size_t end = std::min(text.find_first_of(",)", at), text.size());
    const char letter = static_cast<char>('a' + (why.third >> 56 & 31));
    return std::string(text).insert(end, " /" + std::to_string(why.second) + letter);
}

}  // namespace

std::string nearest_record_tag(const std::string& text) {
    constexpr int most = 2 * plait::detail::max_record_pieces;  // a type and a share of each field
    std::string out = text;
    for (int i = 0; i < most; ++i) {
        const plait::verdict why = plait::parse_record_tag(out).error();
        if (why.ok()) return i == 0 ? "" : out;
        out = mended(out, why);
        if (out.empty()) break;
    }
    return "";
}

}  // namespace tool
