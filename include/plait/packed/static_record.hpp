#pragma once
// Records whose text and numbers are known at compile time.

#include <plait/packed/record_index.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The tag that a text spells, and its canonical text, each computed once.
template <fixed_string Text>
inline constexpr expected<record_tag> parsed_tag = parse_record_tag(view_of(Text));
template <fixed_string Text>
inline constexpr record_text written_tag = parsed_tag<Text>->text();

/// Returns the canonical text of a tag, or an empty one after the compile error that says why there is none.
template <fixed_string Text>
consteval auto canonical_text() {
    if constexpr (allowed<parsed_tag<Text>.error()>) {
        char out[written_tag<Text>.size() + 1]{};
        for (int i = 0; i < written_tag<Text>.size(); ++i) out[i] = written_tag<Text>.characters[i];
        return fixed_string<written_tag<Text>.size()>(out);
    } else {
        return fixed_string<0>("");
    }
}

template <fixed_string Text, dim_t... Dims>
inline constexpr expected<record> made_record = try_record(*parsed_tag<Text>, plait::dims{Dims...});

/// The base of all types that contain a record.
struct record_in_type {};

/// A record whose text and numbers are known at compile time. Text is canonical, so that equal records are one type.
template <fixed_string Text, dim_t... Dims>
class static_record : public record_in_type {
    static constexpr record make() {
        if constexpr (Text.size() == 0) return {};
        else return allowed<made_record<Text, Dims...>.error()> ? *made_record<Text, Dims...> : record();
    }

public:
    static constexpr record value = static_record::make();
    static constexpr const record& shape = value;  // what an index needs: see piece_index
    static constexpr auto text = Text;

    constexpr operator const record&() const { return value; }

    /// Returns the place of the lowest bit of the value of a field at these indices, in bits from the beginning.
    template <fixed_string Name, std::integral... Index>
    [[gnu::always_inline]] static constexpr dim_t bit_offset(Index... index) {
        if constexpr (allowed<check_access(shape, view_of(Name), static_cast<int>(sizeof...(Index)))>) {
            if (__builtin_is_constant_evaluated()) return value.bit_offset(view_of(Name), index...);
            const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
            return field_index<static_record, Name>::bit_offset(static_record(), at);
        } else {
            return 0;
        }
    }
    static constexpr dim_t extent(int axis) { return value.dims.values[axis]; }
    static constexpr std::size_t size_in_bytes() { return value.size_in_bytes(); }

    /// For piece_index.
    template <int P>
    static constexpr dim_t first_byte() {
        return value.pieces.values[P].at >> 3;
    }
    template <int P, int D>
    static constexpr dim_t bytes_of_step() {
        return value.pieces.values[P].digits.values[D].stride / 8;
    }
};
}  // namespace detail

}  // namespace plait
