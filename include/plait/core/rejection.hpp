#pragma once
// How a failed check ends: in a constant expression, as a compile error with the sentence, or with the reason and the
// numbers; at run time, as an exception.

#include <plait/core/check_buffer.hpp>
#include <plait/core/digit.hpp>
#include <plait/core/element_types.hpp>
#include <plait/core/reasons.hpp>
#include <plait/support/inline_text.hpp>

#include <exception>
#include <type_traits>

#if !defined(__cpp_exceptions)
#include <cstdio>   // std::fputs
#include <cstdlib>  // std::abort
#endif

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The text of an error sentence.
using sentence = inline_text<240>;

/// Returns the verdict as one sentence: the rule, the axis, the numbers.
///
/// Pre:     none
/// Post:    begins with the name of the reason and a colon
/// Cost:    O(length) steps; no allocation
/// Source:  core/reasons.hpp, which has the sentences
/// Example: examples/02_refusals.cpp
constexpr sentence describe(const verdict& why);

/// The exception thrown if an operation fails at run time.
class rejection : public std::exception {
public:
    explicit rejection(const plait::verdict& why) : why_(why), text_(describe(why)) {}
    const plait::verdict& verdict() const noexcept { return why_; }
    const char* what() const noexcept override { return text_.c_str(); }

private:
    plait::verdict why_;
    sentence text_;
};

inline void rejected::stop(const verdict& why) {
#if defined(__cpp_exceptions)
    throw rejection(why);
#else
    std::fputs(describe(why).c_str(), stderr);
    std::fputs("\n", stderr);
    std::abort();
#endif
}

constexpr sentence describe(const verdict& why) {
    const detail::reason_entry& entry = detail::entry_of(why.reason);
    sentence out;
    out += entry.name;
    out += ": ";
    const auto number = [&out](dim_t n) {
        if (n == dynamic) out += "?";
        else if (detail::is_outside(n)) (out += "directly outside axis ") += static_cast<dim_t>(detail::axis_inside(n));
        else out += n;
    };
    const auto role = [&out, &why] {
        const bool source = why.third == static_cast<dim_t>(detail::buffer_role::source);
        const bool destination = why.third == static_cast<dim_t>(detail::buffer_role::destination);
        out += source ? "source" : destination ? "destination" : "buffer";
    };
    const auto special_float = [&out, &why] {
        const auto bits = static_cast<std::uint32_t>(why.first);
        const std::uint32_t magnitude = bits << 1, infinity = 0xffu << 24;
        if (magnitude <= infinity && bits >> 31 != 0) out += '-';
        out += magnitude == 0 ? "0" : magnitude == infinity ? "infinity" : "NaN";
    };
    const auto type = [&out](dim_t n) { out += to_string(static_cast<data_type>(n)); };
    // The first letters of a field's name, as detail::short_name packs them.
    const auto name = [&out](dim_t letters) {
        for (int shift = 49; shift >= 0; shift -= 7)
            if ((letters >> shift & 127) != 0) out += static_cast<char>(letters >> shift & 127);
    };
    for (const char* c = entry.text; *c != 0; ++c) {
        if (*c == '[' && why.axis < 0)
            while (*c != ']') ++c;
        if (*c == '{' && why.third == 0)
            while (*c != '}') ++c;
        if (*c == '[' || *c == ']' || *c == '{' || *c == '}') continue;
        if (*c != '%') out += *c;
        else if (*++c == 'a') out += static_cast<dim_t>(why.axis);
        else if (*c == 'r') role();
        else if (*c == 'f') special_float();
        else if (*c == 'p') out += to_string(static_cast<descriptor_part>(why.third));
        else if (*c >= 'x' && *c <= 'z') type(*c == 'x' ? why.first : *c == 'y' ? why.second : why.third);
        else if (*c == 'n' || *c == 'm') name(*c == 'n' ? why.first : why.second);
        else if (*c == 'b') out += static_cast<char>(why.first);
        else if (*c == 'c') out += static_cast<char>(why.second);
        else number(*c == '1' ? why.first : *c == '2' ? why.second : why.third);
    }
    return out;
}

#if defined(__clang__)
namespace detail {
/// Causes an error in a constant expression. Clang prints the pointer, which names the reason, the axis and the
/// numbers.
template <class Place>
constexpr void plait_refuses(const Place* because) {
    delete[] because;  // plait refuses this: the pointer names the reason, then the axis, then the numbers
}
/// Ends a constant expression with an error that names the reason, the axis, and the numbers that can be indices.
constexpr void refuse_value(const verdict& why) {
    const rejected::because& said = *entry_of(why.reason).reject.object;
    constexpr dim_t limit = rejected::because::limit;
    const bool has_axis = why.axis >= 0 && why.axis <= max_ndims;
    const bool negative = why.first < 0 && why.first > -limit && why.second >= 0 && why.second < limit;
    const auto fits = [](dim_t n) { return n >= 0 && n < limit; };
    const bool positive = fits(why.first) && fits(why.second) && fits(why.third);
    if (negative && has_axis) plait_refuses(&said.axis_and_negative[why.axis][-why.first][why.second]);
    if (negative) plait_refuses(&said.negative[-why.first][why.second]);
    if (!positive || (why.first == 0 && why.second == 0)) {
        if (has_axis) plait_refuses(&said.axis[why.axis]);
        plait_refuses(&said);
    }
    if (why.third != 0) {
        if (has_axis) plait_refuses(&said.axis_and_numbers[why.axis][why.first][why.second][why.third]);
        plait_refuses(&said.numbers[why.first][why.second][why.third]);
    }
    if (has_axis) plait_refuses(&said.axis_and_numbers[why.axis][why.first][why.second]);
    plait_refuses(&said.numbers[why.first][why.second]);
}
}  // namespace detail
#else
namespace detail {
/// Not usable in a constant expression, so a call with it is an error.
inline int plait_refuses = 0;
}  // namespace detail
#endif

/// Fails the operation if the verdict is not ok. Every operation on values calls it with its check.
///
/// Pre:     why.ok()
/// Post:    if not, at run time throws `rejection`, or without exceptions prints the sentence and aborts; in a constant
///          expression the compiler's error has the reason, the axis and the numbers
/// Cost:    one comparison if the verdict is ok
/// Source:  plait's own
/// Example: require(check_reshape(l, to)): does nothing if ok, else throws a rejection with that verdict()
constexpr void require(verdict why) {
    if (why.ok()) return;
    if (std::is_constant_evaluated()) {
#if defined(__clang__)
        detail::refuse_value(why);
#else
        // GCC prints the text that a C function is called with. In a separate function it would come a line later.
        const sentence said = describe(why);
        char text[sizeof said.characters]{};
        for (int i = 0; i < said.size(); ++i) text[i] = said[i];
        if (__builtin_strchr(text, detail::plait_refuses) == nullptr) return;
#endif
    }
    rejected::stop(why);
}

}  // namespace plait
