#pragma once

#include <plait/descriptor/descriptor.hpp>

namespace plait {

/// How an operation treats extra. Masks name axes, and the place of each sum follows from the digits of these axes
/// and the span: an operation that changes these refuses a tensor that has any, because its result would be wrong.
enum class extra_rule { refuse, keep, drop };

/// A descriptor of what an operation made of d.layout: what lift does behind it.
///
/// Pre:     check_descriptor(d).ok()
constexpr expected<descriptor> with_made_layout(const descriptor& d, extra_rule rule, const expected<layout>& attempt) {
    if (!attempt.why.ok()) return {{}, attempt.why};  // first: it says more about the operation's arguments
    if (rule == extra_rule::refuse && !d.extra.empty()) return {{}, {reason::descriptor_has_extra}};
    expected<descriptor> out;
    out.made.type = d.type;
    out.made.layout = attempt.made;
    if (rule == extra_rule::keep) out.made.extra = d.extra;
    out.why = check_sizes_fit(out.made);
    return out;
}

/// An operation on layouts, done to a descriptor: the type stays as it is, and extra as the rule says.
///
/// Every operation on descriptors is this with the layout's own operation, which has the rules.
///
/// Refused: as check_descriptor; descriptor_has_extra; what `make` refuses; size_overflows (in bytes)
/// Pre:     make(d.layout) is an expected<layout>, and what it makes is a layout by check_layout
/// Post:    result->layout == *make(d.layout), result->type == d.type; result->extra is d.extra where the rule is keep,
///          else empty
/// Cost:    that of check_descriptor and of `make`
/// Source:  seeds rfc-memory-descriptor, 4; spec semantics 5, 6 and 8
/// Example: lift(d, extra_rule::refuse, [&](const layout& l) { return try_reshape(l, to); })
template <class Make>
constexpr expected<descriptor> lift(const descriptor& d, extra_rule rule, Make make) {
    if (const verdict why = check_descriptor(d); !why.ok()) return {{}, why};
    return with_made_layout(d, rule, make(d.layout));
}

/// The descriptor of an attempt, refused where it is refused; or stored where there is one. An operation hands the
/// attempt on as it is (try_NAME), or ends with one of these two.
constexpr descriptor made_of(const expected<descriptor>& attempt) {
    require(attempt.why);
    return attempt.made;
}
/// Puts what an operation made into out; the verdict.
///
/// Post:    out is as it was if the attempt was refused; it may be what the attempt was made from
constexpr verdict store(descriptor& out, const expected<descriptor>& attempt) {
    if (attempt.why.ok()) out = attempt.made;
    return attempt.why;
}

}  // namespace plait
