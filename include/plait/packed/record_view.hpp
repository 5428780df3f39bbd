#pragma once
// The values of a record in memory, read and written by the name of their field and their index; and its blocks: the
// values inside the loops that are written as letters, if they are adjacent.

#include <plait/core/check_buffer.hpp>
#include <plait/packed/record_constant.hpp>
#include <plait/support/owning_temporary.hpp>

#include <bit>
#include <span>

static_assert(std::endian::native == std::endian::little,
              "plait: records store little-endian numbers, and are not supported on big-endian machines");

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the bits of a value, the others being 0.
template <class T>
constexpr std::uint64_t bits_of(T value) {
    if constexpr (std::is_integral_v<T>) return static_cast<std::make_unsigned_t<T>>(value);
    else if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(value);
    else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(value);
    else return value.bits;
}
/// Returns the value that has these bits.
template <class T>
constexpr T value_of(std::uint64_t bits) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(bits));
    else if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
    else return T::from_bits(static_cast<decltype(T::bits)>(bits));
}

/// True for the integers that C++ lacks, which have limits.
template <class T>
concept has_limits = requires {
    T::lowest, T::largest;
};
template <class T>
inline constexpr bool is_signed_small = false;
template <has_limits T>
inline constexpr bool is_signed_small<T> = T::lowest < 0;

/// The values of the field Name of a record type: their C++ type, and the bits of the whole values.
///
/// The type is that of the tag. Pieces that have parts of the values, and types that the library lacks, as u6, are
/// std::uint8_t, or std::uint16_t, ... if they have more than 8 bits.
template <class R, fixed_string Name>
class field_values_of {
    static constexpr field_pieces pieces = field_index<R, Name>::pieces;
    static constexpr const record_field& piece(int i) {
        return R::shape.field_of(R::shape.pieces.values[pieces.values[i]]);
    }
    static constexpr bool same_types() {
        for (int i = 0; i < pieces.count; ++i)
            if (piece(i).type != piece(0).type || piece(i).width != piece(0).width || piece(i).low != 0) return false;
        return true;
    }
    static constexpr int count_bits() {
        int most = 0;
        for (int i = 0; i < pieces.count; ++i)
            if (piece(i).low + piece(i).width > most) most = piece(i).low + piece(i).width;
        return most;
    }
    static constexpr auto holder() {
        if constexpr (pieces.count == 0) return std::uint8_t{};
        else if constexpr (is_whole && piece(0).type != data_type::undef) return element_type_of<piece(0).type>{};
        else if constexpr (bits <= 8) return std::uint8_t{};
        else if constexpr (bits <= 16) return std::uint16_t{};
        else if constexpr (bits <= 32) return std::uint32_t{};
        else return std::uint64_t{};
    }

public:
    static constexpr int bits = count_bits();
    static constexpr bool is_whole = same_types();  // each value lies in one piece
    using type = decltype(holder());

    /// True if the values are numbers between `low` and `high`.
    static constexpr bool are_integers = std::is_integral_v<type> || has_limits<type>;
    static constexpr bool are_signed = is_whole && (std::is_signed_v<type> || is_signed_small<type>);
    static constexpr std::int64_t low = are_signed ? -(std::int64_t{1} << (bits > 0 ? bits - 1 : 0)) : 0;
    static constexpr std::uint64_t high = ~std::uint64_t{0} >> (bits > 0 ? 64 - bits + are_signed : 0);
};

template <class T>
inline constexpr bool has_factor =
    std::is_same_v<T, float> || std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
/// Multiplies or divides a value by the factor that the tag has; the product is rounded once.
template <class T>
[[gnu::always_inline]] constexpr T times(T value, double factor) {
    if constexpr (has_factor<T>) return factor == 1 ? value : static_cast<T>(static_cast<double>(value) * factor);
    else return value;
}
template <class T>
[[gnu::always_inline]] constexpr T divided(T value, double factor) {
    if constexpr (has_factor<T>) return factor == 1 ? value : static_cast<T>(static_cast<double>(value) / factor);
    else return value;
}

/// The bytes of a block, and the digit of the piece that each number of a block moves.
struct block_shape {
    verdict why;
    std::size_t bytes = 0;
    int piece = 0, count = 0;
    int digits[max_ndims]{};
    dim_t behind = 0;  // the first byte of a block, from the place where no digit runs backwards
};

/// Returns true if a field has a loop over the blocks of an axis, and not one value for all of it.
constexpr bool has_letter_loop(const record& r, int field, int axis) {
    bool inside = false;
    for (const record_node& n : r.tag.nodes) {
        if (n.part == record_part::field) inside = n.field == field;
        if (inside && n.part == record_part::shared && n.extent == 0 && n.axis == axis) return false;
    }
    return true;
}

/// Returns the shape of the blocks of a field, which are numbered by `numbers` numbers.
///
/// Refused: field_is_missing, field_is_in_pieces (the pieces); rank_differs; group_is_not_contiguous (strides in bits);
///          chunk_ends_inside_a_byte
constexpr block_shape shape_of_block(const record& r, std::string_view name, int numbers) {
    block_shape out;
    const dim_t called = short_name(field_name_of(name));
    const field_pieces pieces = pieces_of(r, name);
    const auto refuse = [&out](const verdict& why) { return out.why = why, out; };
    if (r.ndims() == 0) return out;  // the tag was refused
    if (pieces.count == 0) return refuse({reason::field_is_missing, -1, called});
    if (pieces.count > 1) return refuse({reason::field_is_in_pieces, -1, called, pieces.count});
    out.piece = pieces.values[0];
    const record_piece& piece = r.pieces[out.piece];
    bool is_number[max_piece_digits]{};
    for (int axis = 0; axis < r.ndims(); ++axis)
        if (has_letter_loop(r, piece.field, axis)) {
            const int d = outermost_digit(piece, axis);
            is_number[d] = true;
            out.digits[out.count++] = d;
        }
    if (numbers != out.count)
        return refuse(detail::ranks_differ(detail::counted::index, numbers, detail::counted::field_blocks, out.count));
    dim_t bits = r.field_of(piece).width, first = piece.at;
    for (int d = 0; d < piece.digits.size(); ++d) {
        const piece_digit& digit = piece.digits[d];
        const bool backwards = digit.stride < 0;
        if (is_number[d]) {
            if (digit.stride % 8 != 0)
                return refuse({reason::chunk_ends_inside_a_byte, -1, called, backwards ? -digit.stride : digit.stride});
            continue;
        }
        if (digit.stride != bits && -digit.stride != bits)
            return refuse({reason::group_is_not_contiguous, digit.axis, digit.stride, bits});
        if (backwards) first += (digit.extent - 1) * digit.stride;
        bits *= digit.extent;
    }
    if (bits % 8 != 0 || first % 8 != 0)
        return refuse({reason::chunk_ends_inside_a_byte, -1, called, bits % 8 != 0 ? bits : first});
    out.behind = first / 8 - (piece.at >> 3);
    out.bytes = static_cast<std::size_t>(bits / 8);
    return out;
}

/// Computes where the blocks of a record type R begin.
template <class R, block_shape Shape>
struct block_index {
    /// Returns the first byte of the block with these numbers.
    [[gnu::always_inline]] static constexpr std::uint64_t first_byte(const R& r, const std::uint64_t* numbers) {
        return first_byte(r, numbers, std::make_integer_sequence<int, Shape.count>());
    }

private:
    static constexpr block_shape shape = Shape;  // Clang 14 needs this copy to index digits
    template <int... Index>
    [[gnu::always_inline]] static constexpr std::uint64_t first_byte(const R& r,
                                                                     [[maybe_unused]] const std::uint64_t* numbers,
                                                                     std::integer_sequence<int, Index...>) {
        const dim_t first = r.template first_byte<Shape.piece>() + Shape.behind;
        return (static_cast<std::uint64_t>(first) + ... +
                (numbers[Index] *
                 static_cast<std::uint64_t>(r.template bytes_of_step<Shape.piece, shape.digits[Index]>())));
    }
};

}  // namespace plait::detail

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
            constexpr T limit = T(1ULL << 62);
            if (is_low || is_high)
                refuse_value<Name>(value > -limit && value < limit ? static_cast<dim_t>(value) : dynamic, is_low);
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
