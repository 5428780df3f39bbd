#pragma once
// Questions about descriptors that layouts answer; equality is ==.

#include <plait/algebra/format_name.hpp>
#include <plait/algebra/hash.hpp>
#include <plait/algebra/matches_tag.hpp>
#include <plait/descriptor/lift.hpp>

namespace plait {

/// descriptor(of, where, besides), or what check_descriptor says against it.
///
/// Pre:     none; any type, layout and extra
/// Post:    *try_descriptor(of, where, besides) == descriptor(of, where, besides), where that is not refused
/// Cost:    that of check_descriptor
/// Source:  seeds rfc-memory-descriptor, 4
/// Example: try_descriptor(data_type::undef, layout({2, 3}, "ab")).error().reason == reason::data_type_is_unknown
[[nodiscard]] constexpr expected<descriptor> try_descriptor(data_type of, const layout& where,
                                                            const extra& besides = {}) {
    descriptor d;
    d.type = of;
    d.layout = where;
    d.extra = besides;
    return {d, check_descriptor(d)};
}

/// Whether the layout has the inner blocks and the strides of the tag, or the strides given; false if d is none.
///
/// Pre:     none; any descriptor
/// Post:    matches_tag(d, ...) == matches_tag(d.layout, ...); type and extra do not count
/// Cost:    that of the operation on layouts
/// Source:  spec semantics 9
/// Example: of s8 in layout({17, 5}, "Ab16a"): "Ab16a", and "Ab16a" with {-1, 16}; not "ab", nor "Ab16a" with {-1, 17}
[[nodiscard]] constexpr bool matches_tag(const descriptor& d, const format_tag& tag) {
    return check_descriptor(d).ok() && matches_tag(d.layout, tag);
}
[[nodiscard]] constexpr bool matches_tag(const descriptor& d, const format_tag& tag, const strides& steps) {
    return check_descriptor(d).ok() && matches_tag(d.layout, tag, steps);
}

/// The name of the layout.
///
/// Pre:     check_descriptor(d).ok()
/// Post:    format_name(d) == format_name(d.layout)
/// Cost:    that of check_descriptor and of format_name of layouts; no allocation
/// Source:  spec semantics 10
/// Example: format_name(descriptor(data_type::s8, layout({17, 5}, "Ab16a"))) == "Ab16a"
[[nodiscard]] constexpr layout_name format_name(const descriptor& d) {
    require(check_descriptor(d));
    return format_name(d.layout);
}

/// A hash of all that == compares.
///
/// Pre:     check_descriptor(d).ok()
/// Post:    a == b implies hash_of(a) == hash_of(b)
/// Cost:    that of the operation on layouts
/// Source:  as hash_of of layouts
/// Example: of layouts {1, 3} one number whether the stride of axis 0 is 9 or 3, which == does not compare
[[nodiscard]] constexpr std::size_t hash_of(const descriptor& d) {
    // Each step is one to one in the new number, so that a single difference always counts.
    std::uint64_t state = hash_of(d.layout);
    const auto add = [&state](std::uint64_t number) {
        state = (state ^ number) * 0x9e3779b97f4a7c15U;
        state ^= state >> 32;
    };
    add(static_cast<std::uint64_t>(d.type));
    add(static_cast<std::uint64_t>(d.extra.s8s8_compensation) |
        static_cast<std::uint64_t>(d.extra.asymmetric_source_compensation) << 1);
    add(static_cast<std::uint64_t>(d.extra.s8s8_mask) | static_cast<std::uint64_t>(d.extra.asymmetric_source_mask)
                                                            << 32);
    add(std::bit_cast<std::uint32_t>(d.extra.scale_adjust));
    return static_cast<std::size_t>(state);
}

}  // namespace plait

/// So that descriptors can be keys of std::unordered_map.
template <>
struct std::hash<plait::descriptor> {
    constexpr std::size_t operator()(const plait::descriptor& hashed) const noexcept { return plait::hash_of(hashed); }
};
