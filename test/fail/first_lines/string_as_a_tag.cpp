// BOTH: plait::parse_format_tag(text)

#include <plait/plait.hpp>

#include <string>

bool is_blocked(const plait::layout& l, const std::string& text) {
#ifdef FIXED
    const auto tag = plait::parse_format_tag(text);
    return tag && matches_tag(l, *tag);
#else
    return matches_tag(l, text);
#endif
}
