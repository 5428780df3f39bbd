#include "record_fields.hpp"

#include "blob_file.hpp"

#include <plait/core/packed_elements.hpp>
#include <plait/io/print.hpp>
#include <plait/packed/pack.hpp>
#include <plait/packed/verify.hpp>

#include <algorithm>

namespace tool {

namespace {

using plait::data_type, plait::dim_t;
using extent_list = std::vector<std::int64_t>;

bool is_floating(data_type type) {
    const char letter = plait::to_string(type)[0];
    return letter == 'f' || letter == 'e' || type == data_type::bf16 || type == data_type::ue4m3;
}

extent_list shape_of(const plait::dims& extents) { return {extents.begin(), extents.end()}; }

int bits_of(data_type type) { return plait::size_in_bits(type); }

bool is_bytes(const array_type& type) { return type.type == data_type::u8 || (type.bytes == 1 && type.name == "|u1"); }

/// Returns the shape that the array of a field has; empty if its values cannot be packed.
extent_list shape_needed(const field_array& a) {
    const extent_list values = shape_of(a.field.extents);
    return a.is_packed ? shape_in_bytes(values, a.field.type) : values;
}
/// Returns a shape without the axes of one element.
extent_list without_ones(extent_list shape) {
    shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
    return shape;
}
bool has_words(const field_array& a) { return is_words(a.array.type, a.field.type); }
bool fits(const field_array& a) {
    if (has_words(a)) return a.words && joins_axes(a.words->shape, a.array.shape);
    const extent_list needed = shape_needed(a);
    if (a.is_packed) return !needed.empty() && a.array.shape == needed;
    return a.array.shape == needed || a.array.shape == without_ones(needed);
}

/// True if a byte is one value of a field that is smaller than a byte.
bool is_one_value(std::byte byte, const plait::detail::plain_field& field) {
    const auto number = std::to_integer<unsigned>(byte);
    return field.type == data_type::s4 ? number < 8 || number >= 248 : number >> field.bits == 0;
}
/// True if an array can only be values that are packed in bytes: it has the shape of these bytes, and a byte that is no
/// single value. If all bytes could be single values, the user has to say that they are packed.
bool can_only_be_packed(const field_array& a) {
    if (!is_bytes(a.array.type) || a.array.unreadable) return false;
    const extent_list bytes = shape_in_bytes(shape_of(a.field.extents), a.field.type);
    if (bytes.empty() || a.array.shape != bytes) return false;
    const held_bytes held = hold(a.array.data);
    return !std::all_of(held.bytes.begin(), held.bytes.end(),
                        [&a](std::byte byte) { return is_one_value(byte, a.field); });
}

/// True if the elements are the bits of a type that the file cannot name: bf16 in <u2, f8 in |u1.
bool is_bits(const array_type& type, data_type wanted) {
    const int bits = bits_of(wanted);
    const bool has_no_name = wanted == data_type::bf16 || (is_floating(wanted) && bits == 8);
    return has_no_name && type.bytes * 8 == bits && (is_bytes(type) || type.name == "<u2");
}

std::string type_name(const array_type& type) { return type.safetensors.empty() ? type.name : type.safetensors; }

/// Returns the arrays with the extents that they have in a record; empty if the record is refused.
std::vector<field_array> in_record(const plait::record_tag& tag, const extent_list& extents,
                                   const std::vector<field_array>& arrays) {
    plait::dims dims;
    for (const std::int64_t extent : extents) dims.push_back(extent);
    const plait::expected<plait::record> r = plait::try_record(tag, dims);
    if (!r.has_value()) return {};
    std::vector<field_array> out = arrays;
    place_in_record(*r, out);
    return out;
}

/// Packs one value of each byte into `bits` bits.
std::shared_ptr<buffer> pack_bits(const field_array& a, const buffer& values) {
    const int bits = a.field.bits, width = bits_of(a.field.type);
    const bool is_signed = a.field.type == data_type::s4;
    auto out = std::make_shared<buffer>((values.size() * static_cast<std::size_t>(width) + 7) / 8);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto byte = std::to_integer<unsigned>(values.data()[i]);
        if (!is_one_value(values.data()[i], a.field))
            throw failure(
                a.where + ": value " + std::to_string(i) + " is " +
                std::to_string(is_signed ? static_cast<int>(static_cast<signed char>(byte)) : static_cast<int>(byte)) +
                ", but field '" + a.field.name.c_str() + "' has " + std::to_string(bits) + " bits");
        plait::detail::write_bits(out->data(), static_cast<dim_t>(i) * width, width, byte);
    }
    return out;
}

/// Reads the values of words as the tensor of a field.
plain_tensor values_of_words(const field_array& a) {
    const plait::layout plain =
        *plait::detail::make_layout(a.field.extents, plait::detail::plain_tag(a.field.extents.size()));
    const plait::descriptor what(a.field.type, plain);
    const std::shared_ptr<buffer> words = plain_copy(a.array);
    const std::span<const std::byte> bytes(words->data(), words->size());
    const plait::record& stored = a.words->record;
    // Bits that are no values are refused, because they would get lost.
    require_ok(plait::verify(stored, bytes), a.where);
    auto memory = std::make_shared<buffer>(what.buffer_size_in_bytes());
    const plait::field_target target{a.field.name.c_str(), what, {memory->data(), memory->size()}};
    require_ok(plait::try_unpack(stored, bytes, {&target, 1}).error(), a.where);
    return {what, memory};
}

}  // namespace

void place_in_record(const plait::record& r, std::vector<field_array>& arrays) {
    const auto fields = plait::detail::plain_fields_of(r);
    for (field_array& a : arrays) {
        for (const plait::detail::plain_field& field : fields)
            if (field.name == a.field.name) a.field = field;
        a.is_packed = a.is_packed || can_only_be_packed(a);
        a.words.reset();
        if (has_words(a)) a.words = stored_field_of(r, a.field.name, static_cast<int>(8 * a.array.type.bytes));
    }
}

std::vector<std::int64_t> shape_in_bytes(std::vector<std::int64_t> values, data_type type) {
    const int bits = bits_of(type);
    if (values.empty() || bits >= 8 || values.back() * bits % 8 != 0) return {};
    values.back() = values.back() * bits / 8;
    return values;
}

void check_packed_names(const plait::record& r, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        bool is_there = false;
        for (const plait::detail::plain_field& field : plait::detail::plain_fields_of(r)) {
            if (field.name.c_str() != name) continue;
            is_there = true;
            if (bits_of(field.type) >= 8)
                throw failure("--packed " + name + ": the values of field '" + name + "' are " +
                              plait::to_string(field.type) + " in arrays, which is not smaller than a byte");
        }
        if (!is_there) throw failure("--packed " + name + ": the record has no field '" + name + "'");
    }
}

void spread_bits(std::span<const std::byte> packed, data_type type, std::size_t count, std::byte* to) {
    const int bits = bits_of(type);
    const unsigned sign = type == data_type::s4 ? 8 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t value = plait::detail::read_bits(packed.data(), static_cast<dim_t>(i) * bits, bits);
        to[i] = static_cast<std::byte>((value ^ sign) - sign);
    }
}

std::string as_dims(const extent_list& extents) {
    std::string out;
    for (const std::int64_t extent : extents) out += (out.empty() ? "" : "x") + std::to_string(extent);
    return out;
}

plait::dims dims_of_arrays(const plait::record_tag& tag, const std::vector<field_array>& arrays) {
    std::vector<extent_list> found;
    for (const field_array& each : arrays) {
        std::vector<extent_list> candidates{each.array.shape};
        if (each.is_packed || is_bytes(each.array.type)) {
            if (each.is_packed) candidates.clear();
            for (const int bits : {1, 2, 4, 6}) {
                if (each.array.shape.empty() || each.array.shape.back() * 8 % bits != 0) continue;
                candidates.push_back(each.array.shape);
                candidates.back().back() = candidates.back().back() * 8 / bits;
            }
        }
        for (const extent_list& extents : candidates) {
            if (static_cast<int>(extents.size()) != tag.ndims()) continue;
            bool fit = true;
            const std::vector<field_array> placed = in_record(tag, extents, arrays);
            for (const field_array& a : placed) fit = fit && fits(a);
            // Only a field that has a value for each index says the extents.
            bool says = false;
            for (const field_array& a : placed) says = says || shape_of(a.field.extents) == extents;
            if (fit && says && !placed.empty() && std::find(found.begin(), found.end(), extents) == found.end())
                found.push_back(extents);
        }
    }
    if (found.size() == 1) {
        plait::dims out;
        for (const std::int64_t extent : found[0]) out.push_back(extent);
        return out;
    }
    std::string shapes;
    for (const field_array& a : arrays)
        shapes += (shapes.empty() ? "" : ", ") + std::string(a.field.name.c_str()) + " " + as_text(a.array.shape);
    throw failure(arrays.front().where + ": " +
                      (found.empty() ? "no dims" : "the dims " + as_dims(found[0]) + " and " + as_dims(found[1])) +
                      " fit the arrays " + shapes,
                  {line("nearest", "--dims with the extents of the axes " + std::string(tag.axes.c_str()))});
}

void check_field_array(const field_array& a) {
    const std::string name = a.field.name.c_str();
    if (a.array.record) throw failure(a.where + ": is a structured array");
    if (a.array.unreadable) throw *a.array.unreadable;
    if (has_words(a)) {
        if (fits(a)) return;
        const std::string what = a.where + ": has the shape " + as_text(a.array.shape) + " of '" +
                                 type_name(a.array.type) + "', but field '" + name + "' ";
        throw failure(a.words ? what + "is stored in the words " + as_text(a.words->shape)
                              : what + "is not stored in such words: the innermost loops of the tag do not fill them");
    }
    const extent_list values = shape_of(a.field.extents), bytes = shape_in_bytes(values, a.field.type);
    if (a.is_packed && bytes.empty())
        throw failure(a.where + ": --packed " + name + ": the field has " + as_text(values) + " values of " +
                      std::to_string(bits_of(a.field.type)) + " bits, whose rows are no whole bytes");
    if (!fits(a)) {
        const std::string has = a.where + ": has the shape " + as_text(a.array.shape) + ", but field '" + name + "' ";
        if (a.is_packed) throw failure(has + "has " + as_text(bytes) + " bytes of packed values");
        const bool may_be_packed = !bytes.empty() && a.array.shape == bytes;
        throw failure(has + "has " + as_text(values),
                      may_be_packed ? std::vector{line("nearest", "--packed " + name + ", if each byte holds " +
                                                                      std::to_string(8 / bits_of(a.field.type)) +
                                                                      " values along the last axis")}
                                    : std::vector<std::string>{});
    }
    const data_type given = a.array.type.type, wanted = a.field.type;
    if (a.is_packed && !is_bytes(a.array.type) && given != wanted)
        throw failure(a.where + ": has the type '" + type_name(a.array.type) + "', but packed values are bytes of u1");
    const bool is_right = given == wanted || a.is_packed || is_bits(a.array.type, wanted) ||
                          (is_floating(given) && is_floating(wanted)) ||
                          (bits_of(wanted) < 8 && is_bytes(a.array.type)) ||
                          (wanted == data_type::s4 && given == data_type::s8);
    if (!is_right)
        throw failure(a.where + ": has the type '" + type_name(a.array.type) + "', but field '" + name + "' is " +
                      plait::to_string(wanted));
}

plain_tensor read_tensor(const field_array& a) {
    if (has_words(a)) return values_of_words(a);
    const plait::layout plain =
        *plait::detail::make_layout(a.field.extents, plait::detail::plain_tag(a.field.extents.size()));
    const data_type given = a.array.type.type, wanted = a.field.type;
    std::shared_ptr<buffer> memory = plain_copy(a.array);
    const bool converts = given != wanted && is_floating(given) && is_floating(wanted);
    const bool is_one_in_a_byte = a.field.bits < 8 && !a.is_packed && a.array.type.bytes == 1;
    if (is_one_in_a_byte) memory = pack_bits(a, *memory);
    return {plait::descriptor(converts ? given : wanted, plain), memory};
}

}  // namespace tool
