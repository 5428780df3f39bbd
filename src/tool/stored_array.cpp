#include "stored_array.hpp"

#include <plait/support/checked_arithmetic.hpp>

#include <algorithm>
#include <cstring>

namespace tool {

held_bytes hold(const stored_bytes& from) {
    if (!from.make) return {from.mapped, nullptr};
    const std::shared_ptr<buffer> memory = from.make();
    return {std::span<const std::byte>(memory->data() + from.begin, static_cast<std::size_t>(from.size)), memory};
}

std::string called(const std::string& file, const stored_array& array) {
    return array.name ? file + ": '" + *array.name + "'" : file;
}

std::string as_text(const std::vector<std::int64_t>& shape) {
    std::string out = "(";
    for (const std::int64_t extent : shape) out += (out.size() > 1 ? ", " : "") + std::to_string(extent);
    return out + (shape.size() == 1 ? ",)" : ")");
}

std::int64_t bytes_of(const std::string& file, const array_type& type, const std::vector<std::int64_t>& shape) {
    const bool below = type.bytes == 0 && type.bits != 0;  // elements smaller than a byte
    plait::detail::checked_integer size{below ? type.bits : type.bytes};
    for (const std::int64_t extent : shape) size *= extent;
    if (!size.ok()) throw failure(file + ": has a shape of more bytes than 63 bits count");
    if (below && size.value % 8 != 0)
        throw failure(file + ": has a shape of " + std::to_string(size.value) + " bits, which are no whole bytes");
    return below ? size.value / 8 : size.value;
}

std::vector<std::int64_t> shape_in_file(const stored_array& array) {
    if (!array.type.is_packed()) return array.shape;
    std::vector<std::int64_t> out = array.shape;
    const std::int64_t bits = out.empty() ? 1 : out.back() * plait::size_in_bits(array.type.type);
    if (bits % 8 != 0) return {static_cast<std::int64_t>(array.data.size)};
    out.back() = bits / 8;
    return out;
}

namespace {

/// Copies elements in C order from memory with any strides.
void gather(const std::byte* from, std::size_t bytes, const std::vector<std::int64_t>& shape,
            const std::vector<std::int64_t>& steps, std::byte* to) {
    std::vector<std::int64_t> index(shape.size());
    while (true) {
        std::memcpy(to, from, bytes);
        to += bytes;
        std::size_t axis = shape.size();
        while (axis-- > 0) {
            from += steps[axis];
            if (++index[axis] < shape[axis]) break;
            from -= steps[axis] * shape[axis];
            index[axis] = 0;
        }
        if (axis == static_cast<std::size_t>(-1)) return;
    }
}

/// Returns the bytes from one record to the next along each axis.
std::vector<std::int64_t> record_steps(const stored_array& array) {
    std::vector<std::int64_t> out(array.shape.size());
    std::int64_t step = array.type.bytes;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t axis = array.fortran_order ? i : out.size() - 1 - i;
        out[axis] = step;
        step *= array.shape[axis];
    }
    return out;
}

}  // namespace

void swap_bytes(const array_type& type, std::byte* data, std::size_t size) {
    const std::size_t step = static_cast<std::size_t>(type.swapped);
    for (std::size_t at = 0; step != 0 && at < size; at += step) std::reverse(data + at, data + at + step);
}

std::shared_ptr<buffer> plain_copy(const stored_array& array) {
    auto out = std::make_shared<buffer>(static_cast<std::size_t>(array.data.size));
    const held_bytes held = hold(array.data);
    if (out->size() == 0) return out;
    if (array.fortran_order)
        gather(held.bytes.data(), static_cast<std::size_t>(array.type.bytes), array.shape, record_steps(array),
               out->data());
    else std::memcpy(out->data(), held.bytes.data(), out->size());
    swap_bytes(array.type, out->data(), out->size());
    return out;
}

std::string field_options(const stored_array& array) {
    std::string out;
    for (const record_part& part : parts_of(*array.record))
        out += (out.empty() ? "--field " : ", --field ") + part.path;
    return out;
}

stored_array field_of(const std::string& file, const stored_array& array, const std::string& path) {
    if (!array.record) throw failure(file + ": is no structured array, and has no field '" + path + "'");
    std::vector<record_part> found;
    for (const record_part& part : parts_of(*array.record))
        if (part.path == path || part.titled == path) found.push_back(part);
    if (found.size() != 1)
        throw failure(file + ": has " + (found.empty() ? "no field '" : "several fields called '") + path + "'",
                      {line("nearest", field_options(array))});
    const record_part& part = found[0];
    stored_array out;
    out.name = array.name;
    out.type = part.element;
    out.shape = array.shape;
    out.shape.insert(out.shape.end(), part.shape.begin(), part.shape.end());
    out.data.size = static_cast<std::uint64_t>(bytes_of(file, out.type, out.shape));
    std::vector<std::int64_t> steps = record_steps(array);
    steps.insert(steps.end(), part.steps.begin(), part.steps.end());
    out.data.make = [records = array.data, begin = part.begin, shape = out.shape, steps, size = out.data.size,
                     bytes = static_cast<std::size_t>(part.element.bytes)] {
        auto made = std::make_shared<buffer>(static_cast<std::size_t>(size));
        const held_bytes whole = hold(records);
        if (size != 0) gather(whole.bytes.data() + begin, bytes, shape, steps, made->data());
        return made;
    };
    return out;
}

}  // namespace tool
