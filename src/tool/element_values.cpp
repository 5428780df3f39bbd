#include "element_values.hpp"

#include "python_text.hpp"

#include <plait/core/packed_elements.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace tool {

namespace {

element_kind kind_of(const array_type& type) {
    if (type.type != plait::data_type::undef) {
        const char letter = plait::to_string(type.type)[0];
        return letter == 's' || type.type == plait::data_type::boolean ||
                       (letter == 'u' && type.type != plait::data_type::ue4m3)
                   ? element_kind::integer
                   : element_kind::real;
    }
    // Types of safetensors that only have the bits of NumPy's: F8_E4M3FNUZ is |u1.
    if (type.name.size() < 2 || (!type.safetensors.empty() && type.name == "|u1")) return element_kind::other_bytes;
    switch (type.name[1]) {
        case 'i':
        case 'u': return element_kind::integer;
        case 'f': return element_kind::other_bytes;  // longdouble: its bits are those of the machine that wrote it
        case 'c': return type.bytes <= 16 ? element_kind::complex : element_kind::other_bytes;
        case 'S':
        case 'a':
        case 'U': return element_kind::text;
        case 'M':
        case 'm': return element_kind::time;
        default: return element_kind::bytes;
    }
}

template <class Number>
Number load(const std::byte* from) {
    Number out;
    std::memcpy(&out, from, sizeof(Number));
    return out;
}

/// Returns the shortest text that is read as the same number.
template <class Float>
std::string shortest(Float number) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

bool is_zero(std::byte byte) { return byte == std::byte{0}; }

std::string text_of_string(const array_type& type, std::span<const std::byte> bytes) {
    std::string out = "'";
    const std::size_t step = type.name[1] == 'U' ? 4 : 1;
    while (!bytes.empty() && std::all_of(bytes.end() - static_cast<std::ptrdiff_t>(step), bytes.end(), is_zero))
        bytes = bytes.first(bytes.size() - step);
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        const std::uint32_t letter =
            step == 4 ? load<std::uint32_t>(bytes.data() + at) : std::to_integer<std::uint32_t>(bytes[at]);
        if (letter < 0x110000) append_utf8(out, letter);
        else out += '?';
    }
    return out + "'";
}

std::string text_of_bytes(std::span<const std::byte> bytes) {
    constexpr std::size_t most = 16;
    std::string out = "0x";
    for (const std::byte byte : bytes.first(std::min(bytes.size(), most))) {
        out += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> 4];
        out += "0123456789abcdef"[std::to_integer<unsigned>(byte) & 15];
    }
    return out + (bytes.size() > most ? "..." : "");
}

}  // namespace

std::string comparable_name(const array_type& type) {
    if (type.type != plait::data_type::undef) return plait::to_string(type.type);
    return type.name.empty() || type.name == "|u1" ? type.safetensors : type.name;
}

element_values::element_values(const stored_array& array) : type_(array.type), kind_(kind_of(array.type)) {
    is_signed_ = type_.type == plait::data_type::undef && type_.name.size() > 1 && type_.name[1] == 'i';
    if (!array.fortran_order && type_.swapped == 0) {
        held_ = hold(array.data);
        return;
    }
    const std::shared_ptr<buffer> copy = plain_copy(array);
    held_ = {{copy->data(), copy->size()}, copy};
}

bool element_values::is_comparable_with(const element_values& other) const {
    if (is_number() && other.is_number()) return true;
    if (kind_ != other.kind_ || is_number() || kind_ == element_kind::other_bytes) return false;
    return type_.name == other.type_.name || (kind_ == element_kind::text && type_.name[1] == other.type_.name[1]);
}

std::span<const std::byte> element_values::bytes_of(std::uint64_t begin, std::uint64_t end) const {
    const std::uint64_t bits =
        type_.bytes == 0 ? static_cast<std::uint64_t>(type_.bits) : 8 * static_cast<std::uint64_t>(type_.bytes);
    const std::uint64_t first = begin * bits / 8, last = (end * bits + 7) / 8;
    return held_.bytes.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
}

std::span<const std::byte> element_values::element(std::uint64_t place) const {
    const auto size = static_cast<std::size_t>(type_.bytes);
    return held_.bytes.subspan(static_cast<std::size_t>(place) * size, size);
}

/// Returns an integer that is no type of plait; one without sign has the same bits.
std::int64_t element_values::integer(std::uint64_t place) const {
    const std::byte* const from = element(place).data();
    switch (type_.bytes) {
        case 2: return is_signed_ ? load<std::int16_t>(from) : load<std::uint16_t>(from);
        case 4: return is_signed_ ? load<std::int32_t>(from) : load<std::uint32_t>(from);
        default: return load<std::int64_t>(from);
    }
}

exact_number element_values::number(std::uint64_t place) const {
    if (type_.type != plait::data_type::undef)
        return {plait::detail::load_number(type_.type, held_.bytes.data(), static_cast<plait::dim_t>(place)), 0};
    if (kind_ == element_kind::integer) {
        const std::int64_t number = integer(place);
        return {is_signed_ ? static_cast<long double>(number)
                           : static_cast<long double>(static_cast<std::uint64_t>(number)),
                0};
    }
    const std::byte* const from = element(place).data();
    if (type_.bytes == 8) return {load<float>(from), load<float>(from + 4)};
    return {load<double>(from), load<double>(from + 8)};
}

bool element_values::is_same(std::uint64_t place, const element_values& other) const {
    const auto a = element(place), b = other.element(place);
    const std::size_t common = std::min(a.size(), b.size());
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin()) &&
           std::all_of(a.begin() + static_cast<std::ptrdiff_t>(common), a.end(), is_zero) &&
           std::all_of(b.begin() + static_cast<std::ptrdiff_t>(common), b.end(), is_zero);
}

std::string element_values::text(std::uint64_t place) const {
    switch (kind_) {
        case element_kind::integer:
            if (type_.type != plait::data_type::undef)
                return std::to_string(static_cast<std::int64_t>(number(place).real));
            return is_signed_ ? std::to_string(integer(place))
                              : std::to_string(static_cast<std::uint64_t>(integer(place)));
        case element_kind::real: {
            const auto number = static_cast<double>(this->number(place).real);
            return type_.type == plait::data_type::f64 ? shortest(number) : shortest(static_cast<float>(number));
        }
        case element_kind::complex: {
            const exact_number z = number(place);
            const auto part = [&](long double of) {
                return type_.bytes == 8 ? shortest(static_cast<float>(of)) : shortest(static_cast<double>(of));
            };
            const std::string imaginary = part(z.imaginary);
            return part(z.real) + (imaginary[0] == '-' ? "" : "+") + imaginary + "j";
        }
        case element_kind::text: return text_of_string(type_, element(place));
        case element_kind::time: {
            const auto count = load<std::int64_t>(element(place).data());
            return count == std::numeric_limits<std::int64_t>::min() ? "NaT" : std::to_string(count);
        }
        default: return text_of_bytes(element(place));
    }
}

}  // namespace tool
