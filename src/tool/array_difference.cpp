#include "array_difference.hpp"

#include "element_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tool {

namespace {

/// Returns |a - b|: 0 for two NaN, and infinity if only one is NaN.
long double distance(long double a, long double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const long double out = std::fabs(a - b);
    return std::isnan(out) ? std::numeric_limits<long double>::infinity() : out;
}

long double length(long double x, long double y) { return y == 0 ? std::fabs(x) : std::hypot(x, y); }

/// How far a number is from another one, and which part of the other's size that is.
struct number_error {
    long double absolute = 0, relative = 0;
    bool is_finite = true;  ///< false if any tolerance is too small: one of the numbers is NaN or infinite
};
number_error error_of(const exact_number& a, const exact_number& b) {
    constexpr long double infinity = std::numeric_limits<long double>::infinity();
    const long double absolute = length(distance(a.real, b.real), distance(a.imaginary, b.imaginary)),
                      size = length(b.real, b.imaginary);
    if (absolute == 0) return {0, 0, true};
    const bool is_finite = std::isfinite(absolute) && std::isfinite(size);
    return {absolute, is_finite && size != 0 ? absolute / size : infinity, is_finite};
}

/// Checks that |a - b| <= absolute + relative * |b|.
bool is_within(const number_error& error, const exact_number& b, const tolerance& allowed) {
    return error.is_finite &&
           error.absolute <= static_cast<long double>(allowed.absolute) +
                                 static_cast<long double>(allowed.relative) * length(b.real, b.imaginary);
}

/// The first of some pairs, and those with the largest errors.
struct worst_pairs {
    std::uint64_t count = 0, first = 0, absolute = 0, relative = 0;  ///< places
    number_error largest{-1, -1, true};

    void add(std::uint64_t place, const number_error& error) {
        if (count++ == 0) first = place;
        if (error.absolute > largest.absolute) absolute = place, largest.absolute = error.absolute;
        if (error.relative > largest.relative) relative = place, largest.relative = error.relative;
    }
};

std::vector<std::int64_t> index_of(std::uint64_t place, const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> out(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        const auto extent = static_cast<std::uint64_t>(shape[axis]);
        out[axis] = static_cast<std::int64_t>(place % extent);
        place /= extent;
    }
    return out;
}

element_pair pair_at(const element_values& a, const element_values& b, std::uint64_t place,
                     const std::vector<std::int64_t>& shape) {
    element_pair out{index_of(place, shape), a.text(place), b.text(place), 0, 0};
    if (!a.is_number()) return out;
    const number_error error = error_of(a.number(place), b.number(place));
    out.absolute = static_cast<double>(error.absolute);
    out.relative = static_cast<double>(error.relative);
    return out;
}

bool has_same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

/// Compares elements one by one, except in runs with the same bytes: there they are equal, NaN included.
element_difference compare(const element_values& a, const element_values& b, bool is_one_type,
                           const std::vector<std::int64_t>& shape, std::uint64_t count, const tolerance& allowed) {
    worst_pairs within, beyond;
    const auto add = [&](std::uint64_t place) {
        if (!a.is_number()) {
            if (!a.is_same(place, b)) beyond.add(place, {});
            return;
        }
        const exact_number x = a.number(place), y = b.number(place);
        const number_error error = error_of(x, y);
        if (error.absolute != 0) (is_within(error, y, allowed) ? within : beyond).add(place, error);
    };
    constexpr std::uint64_t run = 1024;  // of whole bytes, also if several elements share a byte
    for (std::uint64_t begin = 0; begin < count; begin += run) {
        const std::uint64_t end = std::min(count, begin + run);
        if (is_one_type && has_same_bytes(a.bytes_of(begin, end), b.bytes_of(begin, end))) continue;
        for (std::uint64_t place = begin; place < end; ++place) add(place);
    }
    element_difference out;
    out.count = beyond.count;
    out.within = within.count;
    out.has_errors = a.is_number();
    const worst_pairs& shown = beyond.count != 0 ? beyond : within;
    if (shown.count == 0) return out;
    out.first = pair_at(a, b, shown.first, shape);
    out.absolute = pair_at(a, b, shown.absolute, shape);
    out.relative = pair_at(a, b, shown.relative, shape);
    return out;
}

}  // namespace

array_difference difference_of(const std::string& name, const std::string& where, const stored_array& first,
                               const stored_array& second, const tolerance& allowed) {
    array_difference out;
    out.name = name;
    out.types[0] = comparable_name(first.type);
    out.types[1] = comparable_name(second.type);
    out.shapes[0] = first.shape;
    out.shapes[1] = second.shape;
    out.has_other_shape = first.shape != second.shape;
    out.has_other_type = out.types[0] != out.types[1];
    if (out.has_other_shape) return out;
    out.elements = 1;
    for (const std::int64_t extent : first.shape) out.elements *= static_cast<std::uint64_t>(extent);
    const element_values a(first), b(second);
    if (!a.is_comparable_with(b)) {
        if (!out.has_other_type && has_same_bytes(a.bytes(), b.bytes())) return out;
        if (!out.has_other_type)
            throw failure(where + ": some bytes differ, but what elements of the type '" + out.types[0] +
                          "' mean is unknown");
        out.why_not_compared = "elements of " + out.types[0] + " and " + out.types[1] + " are not comparable";
        return out;
    }
    out.values = compare(a, b, !out.has_other_type, first.shape, out.elements, allowed);
    return out;
}

}  // namespace tool
