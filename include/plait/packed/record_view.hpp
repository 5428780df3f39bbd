#pragma once
// The values of a record in memory, read and written by the name of their field and their index.

#include <plait/core/check_buffer.hpp>
#include <plait/packed/record_bits.hpp>
#include <plait/packed/record_block.hpp>
#include <plait/packed/record_constant.hpp>
#include <plait/support/owning_temporary.hpp>

#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
template <class Byte>
concept byte_type = std::is_same_v<std::remove_const_t<Byte>, std::byte>;

template <class T>
constexpr const T& last_of(const T& only) {
    return only;
}
template <class T, class... Rest>
constexpr const auto& last_of(const T&, const Rest&... rest) {
    return last_of(rest...);
}
/// Returns an argument as an index; one that is no integer, the value of `set`, is not used as one.
template <class T>
constexpr std::uint64_t as_index(const T& argument) {
    if constexpr (std::is_integral_v<T>) return static_cast<std::uint64_t>(argument);
    else return 0;
}
}  // namespace detail

// Names in errors: why a record_view is not made, or not written.
namespace rejected {
struct the_bytes_stay_the_callers_and_cannot_be_a_temporary_that_owns_them;
struct values_are_set_in_a_view_of_std_byte_which_is_not_const;
}  // namespace rejected

/// A buffer of bytes, and the record that it holds.
///
/// Indices are unchecked at run time, and checked in constant expressions. The view does not own the bytes; copies of a
/// view have the same bytes. Two threads may write values at a time that do not share a byte.
///
/// Pre:     each index is at least 0 and less than the extent of its axis
/// Refused: buffer_is_null, buffer_is_too_small; by the compiler: field_is_missing, rank_differs
/// Cost:    get: the arithmetic of one index, one load, a shift and a mask if values are smaller than a byte
/// Source:  docs/packed.md
/// Example: record_view{std::span(bytes), record_constant<"nk: NK(d:f16 8n /32k, q:s8 8n 32k)", 64, 256>()}
template <detail::byte_type Byte, record_type R>
class record_view {
public:
    /// The C++ type of the values of a field: element_type_of its type. Values of types that the library has no C++
    /// type for, as u6, and values that lie in several pieces, are std::uint8_t or std::uint16_t.
    template <fixed_string Name>
    using value_type = typename detail::field_values_of<R, Name>::type;

    constexpr explicit record_view(std::span<Byte> bytes, const R& record = R()) : record_(record) {
        require(detail::check_buffer(bytes.data(), bytes.size(), record.size_in_bytes(), detail::buffer_role::buffer));
        bytes_ = bytes.first(record.size_in_bytes());
    }
    /// Fails to compile: the view does not own the bytes.
    template <detail::owning_temporary Bytes,
              class Why = rejected::the_bytes_stay_the_callers_and_cannot_be_a_temporary_that_owns_them>
    explicit record_view(Bytes&&, const R& = R()) = delete;
    template <class Mutable>
        requires(std::is_same_v<const Mutable, Byte> && !std::is_same_v<Mutable, Byte>)
    constexpr record_view(const record_view<Mutable, R>& other) : bytes_(other.bytes()), record_(other.layout()) {}

    constexpr std::span<Byte> bytes() const { return bytes_; }
    /// Returns the record, an object of the type R.
    constexpr const R& layout() const { return record_; }
    static constexpr int ndims() { return R::shape.ndims(); }
    constexpr dim_t extent(int axis) const { return record_.extent(axis); }

    /// Returns the value of a field at these indices, one for each axis: the number that was packed, so what the tag
    /// does with it (`^8`, `*0.0625`) is undone.
    template <fixed_string Name, std::integral... Index>
    [[gnu::always_inline]] constexpr value_type<Name> get(Index... index) const {
        if constexpr (allowed<check<Name>(static_cast<int>(sizeof...(Index)))>) {
            const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
            check_in_constants(at);
            return get_at<Name>(at);
        } else {
            return {};
        }
    }

    /// Writes the value of a field: set<"q">(n, k, value). What shares its bytes is kept. Indices of one fibre, as the
    /// 32 k of a scale, have one value.
    ///
    /// Refused: value_does_not_fit (the value, the limit) if the field has integers of fewer bits: by the compiler in
    ///          constant expressions, at run time as a rejection. Floating numbers are rounded, as a conversion does
    /// Cost:    as get, and a comparison if the argument has a type of more bits than the field
    template <fixed_string Name, class... Arguments>
        requires(!std::is_const_v<Byte> && sizeof...(Arguments) > 0)
    [[gnu::always_inline]] constexpr void set(const Arguments&... index_and_value) const {
        if constexpr (allowed<check<Name>(static_cast<int>(sizeof...(Arguments)) - 1)>) {
            const std::uint64_t at[] = {detail::as_index(index_and_value)...};
            check_in_constants(at);
            check_value<Name>(detail::last_of(index_and_value...));
            set_at<Name>(at, static_cast<value_type<Name>>(detail::last_of(index_and_value...)));
        }
    }

    template <fixed_string Name, class... Arguments,
              class Why = rejected::values_are_set_in_a_view_of_std_byte_which_is_not_const>
        requires(std::is_const_v<Byte>)
    void set(const Arguments&...) const = delete;

    /// Returns the bytes of one block: the values inside the loops that are written as letters, which are adjacent. The
    /// arguments are the numbers of the block along the axes whose letter the field has a loop of, in the order of the
    /// axes: block<"q">(panel, kb) for NK(q:u4 2k 8n 8k 2k@16), block<"bias">(panel) for N(bias:f32 8n /k).
    ///
    /// Pre:     0 <= number < the axis' extent, divided by its block and rounded up
    /// Refused: (by the compiler) field_is_missing; rank_differs; field_is_in_pieces; field_is_not_a_layout if the
    ///          values of a block are not adjacent whole bytes
    /// Post:    result.data() == bytes().data() + bit_offset / 8 of the value that is first in the block
    template <fixed_string Name, std::integral... Block>
    [[gnu::always_inline]] constexpr auto block(Block... number) const {
        constexpr auto count = static_cast<int>(sizeof...(Block));
        constexpr detail::block_shape shape = detail::shape_of_block(R::shape, detail::view_of(Name), count);
        using bytes = std::span<Byte, shape.bytes>;
        if constexpr (allowed<shape.why>) {
            const std::uint64_t at[sizeof...(Block) + 1] = {static_cast<std::uint64_t>(number)...};
            const auto place = detail::block_index<R, shape>::first_byte(record_, at);
            if (__builtin_is_constant_evaluated() && place + shape.bytes > bytes_.size())
                require({reason::position_is_out_of_range, 0, static_cast<dim_t>(at[0]), extent(0)});
            return bytes(bytes_.data() + place, shape.bytes);
        } else {
            return bytes(bytes_.data(), shape.bytes);
        }
    }

private:
    template <fixed_string Name>
    static constexpr verdict check(int indices) {
        return detail::check_access(R::shape, detail::view_of(Name), indices);
    }

    /// The bits of piece P in its bytes.
    template <class Piece>
    using bits_of = detail::bits_in_bytes<Piece::field.width, Piece::bits.least, Piece::bits.largest>;

    template <fixed_string Name>
    [[gnu::always_inline]] constexpr value_type<Name> get_at(const std::uint64_t* at) const {
        using values = detail::field_values_of<R, Name>;
        value_type<Name> out{};
        std::uint64_t parts = 0;
        detail::field_index<R, Name>::for_each_piece([&]<class Piece>(Piece) {
            if (!Piece::holds(at)) return;
            const detail::bit_place place = Piece::place(record_, at);
            const std::uint64_t bits =
                Piece::field.value_of(bits_of<Piece>::load(bytes_.data() + place.byte, place.bit));
            if constexpr (values::is_whole)
                out = detail::divided(detail::value_of<value_type<Name>>(bits), Piece::field.factor);
            else parts |= bits;
        });
        if constexpr (values::is_whole) return out;
        else return static_cast<value_type<Name>>(parts);
    }
    template <fixed_string Name>
    [[gnu::always_inline]] constexpr void set_at(const std::uint64_t* at, value_type<Name> value) const {
        detail::field_index<R, Name>::for_each_piece([&]<class Piece>(Piece) {
            if (!Piece::holds(at)) return;
            const detail::bit_place place = Piece::place(record_, at);
            const std::uint64_t bits = detail::bits_of(detail::times(value, Piece::field.factor));
            bits_of<Piece>::store(bytes_.data() + place.byte, place.bit, Piece::field.stored(bits));
        });
    }

    /// Refuses a number that the bits of a field do not hold, instead of storing another one.
    template <fixed_string Name, class T>
    [[gnu::always_inline]] static constexpr void check_value(const T& value) {
        using values = detail::field_values_of<R, Name>;
        if constexpr (!values::are_integers || std::is_same_v<T, bool>) return;
        else if constexpr (detail::has_limits<T>) {
            if constexpr (!std::is_same_v<T, value_type<Name>>) check_value<Name>(static_cast<int>(value));
        } else if constexpr (std::is_integral_v<T>) {
            const bool is_low = value < 0 && static_cast<std::int64_t>(value) < values::low;
            const bool is_high = value > 0 && static_cast<std::uint64_t>(value) > values::high;
            if (is_low || is_high) refuse_value<Name>(static_cast<dim_t>(value), is_low);
        } else if constexpr (std::is_floating_point_v<T>) {
            const bool is_high = !(value < static_cast<T>(values::high) + T(0.5));  // NaN, too
            const bool is_low = value < static_cast<T>(values::low) - T(0.5);
            constexpr T far = T(1ULL << 62);
            if (is_low || is_high)
                refuse_value<Name>(value > -far && value < far ? static_cast<dim_t>(value) : dynamic, is_low);
        }
    }
    static constexpr dim_t clipped(std::uint64_t number) {
        constexpr std::uint64_t most = ~std::uint64_t{0} >> 1;
        return static_cast<dim_t>(number < most ? number : most);
    }
    template <fixed_string Name>
    static constexpr void refuse_value(dim_t value, bool is_low) {
        using values = detail::field_values_of<R, Name>;
        require({reason::value_does_not_fit, -1, detail::short_name(detail::field_name_of(detail::view_of(Name))),
                 value, is_low ? values::low : clipped(values::high)});
    }

    constexpr void check_in_constants(const std::uint64_t* at) const {
        if (!__builtin_is_constant_evaluated()) return;
        for (int a = 0; a < ndims(); ++a)
            if (at[a] >= static_cast<std::uint64_t>(extent(a)))
                require({reason::position_is_out_of_range, a, static_cast<dim_t>(at[a]), extent(a)});
    }

    std::span<Byte> bytes_;
    [[no_unique_address]] R record_;
};
template <class Byte, std::size_t Bytes, record_type R>
record_view(std::span<Byte, Bytes>, const R&) -> record_view<Byte, R>;

}  // namespace plait
