#pragma once
// How a failed check ends: in a constant expression, as a compile error with the sentence, or with the reason and the
// numbers; at run time, as an exception.

#include <plait/core/check_buffer.hpp>
#include <plait/core/digit.hpp>
#include <plait/core/element_types.hpp>
#include <plait/core/reasons.hpp>
#include <plait/support/inline_text.hpp>

#include <bit>
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

namespace detail {
/// Appends the f32 with these bits: as a decimal number of up to six places after the point, or the bits themselves if
/// it is too large or too small for that.
constexpr void append_float(sentence& out, std::uint32_t bits) {
    const float number = std::bit_cast<float>(bits);
    const double size = number < 0 ? -static_cast<double>(number) : static_cast<double>(number);
    if (number == number && (size == 0 || (size >= 1e-3 && size < 1e9))) {
        auto millionths = static_cast<std::int64_t>(size * 1e6 + 0.5);
        if (number < 0) out += '-';
        out += millionths / 1000000;
        if (millionths %= 1000000; millionths != 0) out += '.';
        for (; millionths != 0; millionths = millionths % 100000 * 10)
            out += static_cast<char>('0' + millionths / 100000);
    } else {
        out += "the f32 with the bits ";
        out += static_cast<std::int64_t>(bits);
    }
}
}  // namespace detail

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
    const auto number_of_argument = [&](dim_t n) {
        const auto argument = static_cast<rank_argument>(why.axis);
        if (detail::is_data_type(argument)) type(n);
        else if (detail::is_float(argument)) detail::append_float(out, static_cast<std::uint32_t>(n));
        else number(n);
    };
    const auto without_sign = [&out](dim_t n) {
        const auto value = static_cast<std::uint64_t>(n);
        if (value >= 10) out += static_cast<dim_t>(value / 10);
        out += static_cast<char>('0' + value % 10);
    };
    const auto hexadecimal = [&out](dim_t n) {
        out += "0x";
        for (int shift = 60; shift >= 0; shift -= 4)
            out += "0123456789abcdef"[static_cast<std::uint64_t>(n) >> shift & 15];
    };
    const auto field_type = [&out, &type](dim_t n) {
        const dim_t plain = n % detail::mapped_bits;
        if (plain >= detail::untyped_bits) (out += 'u') += plain - detail::untyped_bits;
        else type(plain);
        if (n >= detail::mapped_bits) out += " with inverted bits or in parts";
    };
    // The first letters of a field's name, as detail::short_name packs them.
    const auto name = [&out](dim_t letters) {
        for (int shift = 49; shift >= 0; shift -= 7)
            if ((letters >> shift & 127) != 0) out += static_cast<char>(letters >> shift & 127);
    };
    const bool is_counted = why.reason == reason::rank_differs && why.counted != 0;
    const bool is_damage = why.reason == reason::record_is_damaged;
    const char* const text = is_counted  ? "%s %1 axes, but %t %2"
                             : is_damage ? detail::sentence_of(detail::damage(why.third))
                                         : entry.text;
    for (const char* c = text; *c != 0; ++c) {
        if (*c == '[' && why.axis < 0)
            while (*c != ']' && *c != '|') ++c;
        else if (*c == '|')
            while (*c != ']') ++c;
        if (*c == '{' && why.third == 0)
            while (*c != '}') ++c;
        if (*c == '[' || *c == '|' || *c == ']' || *c == '{' || *c == '}') continue;
        if (*c != '%') out += *c;
        else if (*++c == 'a') out += static_cast<dim_t>(why.axis);
        else if (*c == 'r') role();
        else if (*c == 'f') special_float();
        else if (*c == 'g') out += to_string(static_cast<rank_argument>(why.axis));
        else if (*c == 'u' || *c == 'v') number_of_argument(*c == 'u' ? why.second : why.third);
        else if (*c == 'p') out += to_string(static_cast<descriptor_part>(why.third));
        else if (*c == 's') out += to_string(detail::first_counted(why));
        else if (*c == 't') out += to_string(detail::second_counted(why));
        else if (*c >= 'x' && *c <= 'z') type(*c == 'x' ? why.first : *c == 'y' ? why.second : why.third);
        else if (*c == 'd') without_sign(why.first);
        else if (*c == 'h' || *c == 'i') hexadecimal(*c == 'h' ? why.first : why.second);
        else if (*c == 'q' || *c == 'w') field_type(*c == 'q' ? why.second : why.third);
        else if (*c == 'n' || *c == 'm' || *c == 'k') name(*c == 'n' ? why.first : *c == 'm' ? why.second : why.third);
        else if (*c == 'l') out += static_cast<char>('a' + (why.third >> 56 & 31));
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
    const rejected::because& said = *entry_of(why.reason).object;
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
