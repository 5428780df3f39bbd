#include "nearest_text.hpp"

#include <plait/core/format_tag.hpp>

#include <algorithm>
#include <cctype>

namespace tool {

namespace {

bool is_tag(const std::string& text) { return plait::parse_format_tag(text).has_value(); }

/// Returns the letter in the other case.
char other_case(char c) {
    if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string nearest_tag(const std::string& text) {
    constexpr std::size_t longest = 64;  // longer texts are not tags that somebody typed
    if (text.empty() || text.size() > longest) return "";
    // Letters of the text come first, because a block usually belongs to an axis of the text.
    std::string letters;
    for (const char c : text + "whdcnoigtlxabefjk")
        if (std::isalpha(static_cast<unsigned char>(c)) != 0 &&
            letters.find(plait::axis_family::lower(c)) == letters.npos)
            letters += plait::axis_family::lower(c);
    std::stable_sort(letters.begin(), letters.end(), [&](char a, char b) {
        // An upper-case axis lacks its block.
        return text.find(other_case(a)) != text.npos && text.find(other_case(b)) == text.npos;
    });
    std::vector<std::string> ways;
    std::string small;  // for NCHW, as other programs write it
    for (const char c : text) small += plait::axis_family::lower(c);
    if (text.find_first_of("0123456789") == text.npos) ways.push_back(small);
    // For NCHW16c and OIHW4i16o4i: small letters, except of axes that have a block.
    std::string blocked = small;
    const std::size_t first_number = text.find_first_of("0123456789");
    for (std::size_t at = 0; first_number != text.npos && at < first_number; ++at)
        if (small.find(small[at], first_number) != small.npos) blocked[at] = other_case(small[at]);
    ways.push_back(blocked);
    for (std::size_t at = text.size(); at-- > 0;) {
        std::string turned = text;
        turned[at] = other_case(text[at]);
        ways.push_back(turned);
    }
    for (const char letter : letters) ways.push_back(text + letter);
    for (std::size_t at = text.size(); at-- > 0;)
        for (const char letter : letters) ways.push_back(text.substr(0, at) + letter + text.substr(at + 1));
    for (std::size_t at = text.size(); at-- > 0;) ways.push_back(text.substr(0, at) + text.substr(at + 1));
    for (std::size_t at = text.size(); at-- > 0;)
        for (const char letter : letters) ways.push_back(text.substr(0, at) + letter + text.substr(at));
    const auto found = std::find_if(ways.begin(), ways.end(), [&](const std::string& way) { return is_tag(way); });
    return found == ways.end() ? "" : *found;
}

namespace {

/// Counts the insertions, deletions, replacements and exchanges of neighbours that turn one word into the other.
std::size_t typing_errors(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const std::size_t same = a[i - 1] == b[j - 1] ? 0 : 1;
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + same});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[a.size()][b.size()];
}

}  // namespace

std::string nearest_of(const std::string& text, const std::vector<std::string>& known) {
    std::string best;
    std::size_t least = text.size() > 32 ? 0 : (text.size() + 2) / 3 + 1;
    for (const std::string& word : known)
        if (const std::size_t errors = typing_errors(text.substr(0, 33), word); errors < least)
            least = errors, best = word;
    return best;
}

}  // namespace tool
