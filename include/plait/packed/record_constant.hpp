#pragma once
// Records as types: the text of the tag and the numbers are in the type, so places are arithmetic on constants.

#include <plait/packed/bound_record.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
template <fixed_string Text, dim_t... Dims>
struct record_for {
    using type = static_record<Text, Dims...>;
};
template <fixed_string Text, dim_t... Dims>
    requires(Text.size() > 0 && ((Dims == dynamic) || ...))
struct record_for<Text, Dims...> {
    using type = bound_record<Text, Dims...>;
};
/// The tag is read only if the type is used, so that formats of an included list cost nothing.
template <fixed_string Text, dim_t... Dims>
struct record_spelled {
    using type = typename record_for<canonical_text<Text>(), Dims...>::type;
};
}  // namespace detail

/// The record of a tag for given extents, as a type. `value` is the record, bit_offset<"q">(n, k) a place in it.
///
/// An extent may be `dynamic`: then the type has no value, and its constructor takes the numbers, as plait::dims.
///
/// Refused: (by the compiler) as parse_record_tag(Text) and try_record(tag, dims)
/// Post:    record_constant<t, d...>::value == record(t, {d...}); two spellings of a tag give one type
/// Cost:    some 7 ms to compile a record; bit_offset costs the arithmetic written by hand, and checks its indices only
///          in constant expressions
/// Source:  docs/packed.md
/// Example: record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>::bit_offset<"q">(1, 16) == 196
template <fixed_string Text, dim_t... Dims>
using record_constant = typename detail::record_spelled<Text, Dims...>::type;

/// A type that contains a record: a record_constant, or a type derived from one.
template <class R>
concept record_type = std::derived_from<R, detail::record_in_type>;

/// A record type with this tag, for any extents. A kernel says with it what it reads.
template <class R, fixed_string Tag>
concept reads = record_type<R> && detail::view_of(R::text)
== detail::view_of(detail::canonical_text<Tag>());

}  // namespace plait
