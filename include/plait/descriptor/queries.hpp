#pragma once
// Queries on descriptors that forward to their layouts. To compare descriptors, use ==.

#include <plait/algebra/format_name.hpp>
#include <plait/algebra/hash.hpp>
#include <plait/algebra/matches_tag.hpp>
#include <plait/descriptor/lift.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns descriptor(of, where, besides), or the failure of check_descriptor.
///
/// Pre:     none; any type, layout and extra
/// Post:    if it succeeds, *try_descriptor(of, where, besides) == descriptor(of, where, besides)
/// Cost:    one check_descriptor
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

/// True if the layout has the inner blocks and strides of the tag, or the strides given; false if d is invalid.
///
/// Pre:     none; any descriptor
/// Post:    matches_tag(d, ...) == matches_tag(d.layout, ...); type and extra are ignored
/// Cost:    the operation on layouts
/// Source:  spec semantics 9
/// Example: s8 in layout({17, 5}, "Ab16a") matches "Ab16a", also with {-1, 16}; not "ab", nor "Ab16a" with {-1, 17}
[[nodiscard]] constexpr bool matches_tag(const descriptor& d, const format_tag& tag) {
    return check_descriptor(d).ok() && matches_tag(d.layout, tag);
}
[[nodiscard]] constexpr bool matches_tag(const descriptor& d, const format_tag& tag, const strides& steps) {
    return check_descriptor(d).ok() && matches_tag(d.layout, tag, steps);
}

/// Returns the name of the layout.
///
/// Pre:     check_descriptor(d).ok()
/// Post:    format_name(d) == format_name(d.layout)
/// Cost:    check_descriptor and format_name of the layout; no allocation
/// Source:  spec semantics 10
/// Example: format_name(descriptor(data_type::s8, layout({17, 5}, "Ab16a"))) == "Ab16a"
[[nodiscard]] constexpr layout_name format_name(const descriptor& d) {
    require(check_descriptor(d));
    return format_name(d.layout);
}

/// Returns a hash of everything that == compares.
///
/// Pre:     check_descriptor(d).ok()
/// Post:    a == b implies hash_of(a) == hash_of(b)
/// Cost:    the operation on layouts
/// Source:  as hash_of of layouts
/// Example: layouts of dims {1, 3} hash equally if the stride of axis 0 is 9 or 3, because == ignores that stride
[[nodiscard]] constexpr std::size_t hash_of(const descriptor& d) {
    // Each step is a bijection of the added number, so a single difference always changes the hash.
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

/// Makes descriptors usable as keys of std::unordered_map.
template <>
struct std::hash<plait::descriptor> {
    constexpr std::size_t operator()(const plait::descriptor& hashed) const noexcept { return plait::hash_of(hashed); }
};
