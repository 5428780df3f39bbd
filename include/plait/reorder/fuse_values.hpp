#pragma once
// Joins what two reorders do to a value into what one does, or finds why no single one does that bit for bit.

#include <plait/contract/value_set.hpp>
#include <plait/reorder/reorder_step.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The effect of attributes that do not round: (x - zero_point) * scale + moved. `scale` is the product of both scales.
struct exact_attributes {
    bool known = false;  ///< false if a scale is not a power of two, or there are values by index
    double scale = 1;
    std::int64_t zero_point = 0, moved = 0;
    double src_scale = 1, dst_factor = 1;  ///< the two factors of scale

    constexpr bool change_nothing() const { return scale == 1 && zero_point == 0 && moved == 0; }
};

/// True if an attribute is one value for the tensor.
template <class Attribute>
constexpr bool is_for_tensor(const Attribute& a) {
    return a.is_one_value();
}

/// Returns the effect of attributes if no step of their arithmetic rounds: if each is one value for the tensor, and
/// both scales are powers of two.
///
/// Pre:     attributes.beta == 0
/// Post:    if known, (x - zero_point) * scale + moved is ((x - src_zero_point) * src_scale) * (1 / dst_scale) +
///          dst_zero_point for every number x
/// Cost:    O(1) steps
/// Source:  spec semantics 17
/// Example: {.src_scale = 0.5f, .dst_zero_point = 3}: known, scale is 0.5, zero_point is 0, moved is 3
constexpr exact_attributes exact_attributes_of(const reorder_attributes& attributes) {
    const auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = attributes;
    if (!is_for_tensor(src_scale) || !is_for_tensor(dst_scale) || !is_for_tensor(src_zero_point) ||
        !is_for_tensor(dst_zero_point))
        return {};
    const float from = value_for_tensor(src_scale), to = value_for_tensor(dst_scale);
    if (!is_power_of_two(from) || !is_power_of_two(to)) return {};
    const double factor = 1.0 / static_cast<double>(to);
    return {true,
            static_cast<double>(from) * factor,
            value_for_tensor(src_zero_point),
            value_for_tensor(dst_zero_point),
            static_cast<double>(from),
            factor};
}

/// Returns the type in which attributes are computed, as arithmetic_type does.
constexpr data_type arithmetic_of(data_type from, data_type to) {
    return from == data_type::f64 || to == data_type::f64 ? data_type::f64 : data_type::f32;
}

/// Checks that the type in which attributes are computed represents an integer exactly. f32 rounds 2^24 + 1, and a zero
/// point is rounded before it is subtracted.
constexpr bool holds_integer(data_type number, std::int64_t x) {
    return number == data_type::f64 || static_cast<double>(static_cast<float>(x)) == static_cast<double>(x);
}

/// Returns the set of numbers that a step computes before they are converted to the destination type.
///
/// Refused: attributes_round_between, if a step of the arithmetic or a zero point is rounded
constexpr expected<value_set> numbers_after(const exact_attributes& how, data_type from, data_type number) {
    value_set values = values_of(from);
    const auto fits = [&values, number](const value_set& next) {
        values = next;
        return loss_in(values, number) == type_loss::none;
    };
    if (!holds_integer(number, how.zero_point) || !holds_integer(number, how.moved) || !fits(values) ||
        !fits(minus_integer(values, how.zero_point)) || !fits(times_power_of_two(values, how.src_scale)) ||
        !fits(times_power_of_two(values, how.dst_factor)) || !fits(minus_integer(values, -how.moved)))
        return verdict{reason::attributes_round_between};
    return {values, {}};
}

/// True if converting the same number from either of two types gives the same bits.
///
/// Counterexamples: s32 becomes bf16 through f32, which rounds once more than from f64. A number too large for s32
/// becomes 2147483647 from f64, and 2147483520 from a smaller floating-point type.
///
/// Pre:     loss_in(values, a) and loss_in(values, b) are none
constexpr bool converts_alike(const value_set& values, data_type a, data_type b, data_type to) {
    if (a == b) return true;
    if (to == data_type::s32) {
        const auto limit = [](data_type from) {
            const bool is_exact = from == data_type::f64 || values_of(from).is_integer;
            return is_exact ? 2147483647.0 : 2147483520.0;
        };
        const bool reaches = values.has_infinity || values.high > 2147483520.0;
        return !reaches || limit(a) == limit(b);
    }
    if (loss_in(values, data_type::f32) == type_loss::none || to == data_type::f32 || to == data_type::f64) return true;
    const value_set result = values_of(to), through = values_of(data_type::f32);
    // Numbers that f32 rounds have more than 24 digits, so that integers among them are at least 2^24.
    const bool beyond = values.last_digit >= 0 && exponent_of(result.high) < through.digits;
    return result.is_integer || beyond || (a == data_type::f64) == (b == data_type::f64);
}

/// Returns the verdict for a loss between a type and the middle type that should hold its numbers.
constexpr verdict verdict_of(type_loss loss, data_type from, data_type middle) {
    const auto first = static_cast<dim_t>(from), second = static_cast<dim_t>(middle);
    if (loss == type_loss::rounds) return {reason::middle_type_rounds, -1, first, second, values_of(middle).digits};
    if (loss == type_loss::saturates) return {reason::middle_type_saturates, -1, first, second};
    return {};
}

/// Returns a verdict whose three numbers are the types of two consecutive steps.
constexpr verdict refuse_types(reason why, const reorder_step& a, const reorder_step& b) {
    return {why, -1, static_cast<dim_t>(a.src_type), static_cast<dim_t>(b.src_type), static_cast<dim_t>(b.dst_type)};
}

/// Returns the attributes of the second step, changed so that they also do what `first` does, with the same results.
///
/// Refused: attributes_round_between, if no attributes can express it
///
/// (x - z) * s + d, then (y - w) * t, is (x - (z + (w - d) / s)) * (s * t): one zero point, which must be an integer.
///
/// Pre:     first.known
constexpr expected<reorder_attributes> join_attributes(const exact_attributes& first, const reorder_attributes& second,
                                                       float scale_adjust) {
    if (first.change_nothing()) return {second, {}};
    const verdict rounds{reason::attributes_round_between};
    reorder_attributes out = second;
    if (!is_for_tensor(second.src_zero_point)) return rounds;
    const std::int64_t moved = value_for_tensor(second.src_zero_point) - first.moved;
    const double zero_point = static_cast<double>(first.zero_point) + static_cast<double>(moved) / first.scale;
    if (!(zero_point >= INT32_MIN && zero_point <= INT32_MAX)) return rounds;
    const auto whole = static_cast<std::int32_t>(zero_point);
    // Compared from both sides, because adding zero_point to a fraction may round the fraction away.
    if (static_cast<double>(whole) != zero_point ||
        static_cast<double>(whole - first.zero_point) * first.scale != static_cast<double>(moved))
        return rounds;
    out.src_zero_point = whole;
    if (first.scale == 1) return {out, {}};
    if (!is_for_tensor(second.src_scale)) return rounds;
    const float old = value_for_tensor(second.src_scale);
    constexpr double most = (std::numeric_limits<float>::max)();
    const double both = static_cast<double>(old) * first.scale;
    if (!(both <= most && both >= -most)) return rounds;
    const float scale = static_cast<float>(both);
    if (static_cast<double>(scale) != both) return rounds;
    // The scale is multiplied by scale_adjust, which rounds: to the same digits, if neither is too large or too small.
    const double adjusted = static_cast<double>(old) * static_cast<double>(scale_adjust);
    if (scale_adjust != 1 && adjusted != 0) {
        const auto fits = [](double x) { return (x < 0 ? -x : x) <= most / 2 && (x < 0 ? -x : x) >= 0x1p-125; };
        if (!fits(adjusted) || !fits(adjusted * first.scale)) return rounds;
    }
    out.src_scale = scale;
    return {out, {}};
}

/// Returns the attributes without those that have values by index.
constexpr reorder_attributes without_arrays(reorder_attributes attributes) {
    for_each_values(attributes, [](auto& attribute) {
        if (!attribute.is_one_value()) attribute = {};
    });
    return attributes;
}

/// Returns the attributes of one reorder that does to each value what a and then b do, or the reason why there is none.
///
/// Pre:     check_step is ok for both, their types are not undef, a.dst_type == b.src_type; scale_adjust is that of b's
///          destination
constexpr expected<reorder_attributes> fuse_values(const reorder_step& a, const reorder_step& b, float scale_adjust) {
    if (a.attributes.beta != 0)
        return verdict{reason::beta_reads_the_middle, -1, std::bit_cast<std::int32_t>(a.attributes.beta)};
    const bool computes = !is_trivial(b.attributes) || scale_adjust != 1;
    if (!computes && b.src_type == b.dst_type) return {a.attributes, {}};
    if (a.keeps_values()) return {b.attributes, {}};

    const data_type from = a.src_type, middle = b.src_type, to = b.dst_type;
    const exact_attributes first =
        is_trivial(a.attributes) ? exact_attributes{true} : exact_attributes_of(a.attributes);
    const verdict rounds = refuse_types(reason::attributes_round_between, a, b);
    expected<value_set> made{values_of(from), {}};
    if (!is_trivial(a.attributes))
        made = first.known ? numbers_after(first, from, arithmetic_of(from, middle)) : expected<value_set>{{}, rounds};
    if (const verdict why = verdict_of(loss_in(made.value_or(values_of(from)), middle), from, middle); !why.ok())
        return why;
    if (!made) return rounds;

    // `number`: the type in which one pass computes. `second`: the type in which b computes, or converts from.
    const data_type number = arithmetic_of(from, to);
    const data_type second = computes ? arithmetic_of(middle, to) : middle;
    if (computes && second != number) return refuse_types(reason::one_pass_differs, a, b);
    const expected<reorder_attributes> joined = join_attributes(first, b.attributes, scale_adjust);
    if (!joined) return rounds;
    const bool only_convert = is_trivial(*joined) && scale_adjust == 1;
    value_set numbers = *made;
    if (!first.change_nothing()) {
        const std::int64_t off = value_for_tensor(b.attributes.src_zero_point);
        const expected<value_set> by_one =
            numbers_after({true, first.scale, value_for_tensor(joined->src_zero_point), 0, first.scale}, from, number);
        const value_set by_two = minus_integer(*made, off);
        if (!by_one || !holds_integer(second, off) || loss_in(by_two, computes ? second : middle) != type_loss::none ||
            by_one->has_negative_zero != by_two.has_negative_zero)
            return rounds;
        numbers = *by_one;
    }
    if (only_convert) numbers = values_of(from);
    // A copy keeps all bits of a NaN, and of a truth value; a conversion to another type and back gives the NaN of
    // `convert`, and 1 for every byte that is true. One pass copies also if the values by index are neutral when it
    // runs.
    const bool may_copy = from == to && scale_adjust == 1 && is_trivial(without_arrays(*joined));
    const bool copies_bits = may_copy && (values_of(from).has_nan || from == data_type::boolean);
    const bool converts = !computes || only_convert;
    if (copies_bits || (converts && !converts_alike(numbers, second, only_convert ? from : number, to)))
        return refuse_types(reason::one_pass_differs, a, b);
    return {*joined, {}};
}

}  // namespace plait::detail
