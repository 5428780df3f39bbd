#include "prepare_array.hpp"

#include <plait/descriptor/descriptor.hpp>

#include <cstring>

namespace tool {

std::vector<std::int64_t> memory_shape(const plait::layout& l, const plait::format_tag& tag) {
    std::vector<std::int64_t> shape;
    for (const int axis : tag.axes) shape.push_back(l.digits[axis].extent);
    for (const plait::inner_block& block : tag.blocks) shape.push_back(block.size);
    return shape;
}

namespace {

/// Returns the padded extents that the shape of a tag's memory implies.
plait::dims padded_dims(const reorder_options& options, const std::string& file, const stored_array& array,
                        const plait::format_tag& tag) {
    const std::string where = file + ": its shape " + as_text(array.shape);
    const std::size_t wanted = static_cast<std::size_t>(tag.ndims() + tag.blocks.size());
    if (array.shape.size() != wanted)
        throw failure(where + " has " + std::to_string(array.shape.size()) + " axes, but format '" + options.from +
                      "' has " + std::to_string(wanted));
    for (int k = 0; k < tag.blocks.size(); ++k) {
        const std::size_t at = static_cast<std::size_t>(tag.ndims() + k);
        if (array.shape[at] != tag.blocks[k].size)
            throw failure(where + " has " + std::to_string(array.shape[at]) + " at place " + std::to_string(at + 1) +
                          ", where format '" + options.from + "' has blocks of " + std::to_string(tag.blocks[k].size));
    }
    plait::dims padded;
    for (int i = 0; i < tag.ndims(); ++i) padded.push_back(0);
    for (int i = 0; i < tag.ndims(); ++i) {
        const plait::detail::checked_integer extent =
            plait::detail::checked_integer{array.shape[static_cast<std::size_t>(i)]} * tag.block_size(tag.axes[i]);
        if (!extent.ok()) throw failure(where + " overflows 63 bits at place " + std::to_string(i + 1));
        padded[tag.axes[i]] = extent.value;
    }
    return padded;
}

/// Returns the logical extents of an array that is stored with a tag: those given, or else the padded ones.
plait::dims logical_dims(const reorder_options& options, const std::string& file, const stored_array& array,
                         const plait::format_tag& tag) {
    const plait::dims padded = padded_dims(options, file, array, tag);
    if (options.dims.empty() && tag.blocks.empty()) return padded;
    if (options.dims.empty())
        throw failure(
            file + ": format '" + options.from + "' pads blocked axes, and its array of shape " + as_text(array.shape) +
                " does not say how much of it is padding; --dims does",
            {line("nearest", "--dims " + std::string(plait::to_string(padded)) + ", where nothing is padding")});
    const plait::dims given = read_dims(options.dims);
    const auto stored = plait::try_layout(given, tag);
    if (!stored)
        throw failure("dims '" + options.dims + "': " + plait::describe(plait::check_layout(given, tag)).c_str());
    if (stored->padded_dims != padded)
        throw failure("dims '" + options.dims + "': in format '" + options.from + "' they are padded to " +
                      plait::to_string(stored->padded_dims) + ", but the array of " + file + " has " +
                      plait::to_string(padded));
    return given;
}

plait::layout layout_of(const plait::dims& dims, const plait::format_tag& tag, const std::string& name) {
    const auto made = plait::try_layout(dims, tag);
    if (!made)
        throw failure("format '" + name + "' with dims " + plait::to_string(dims) + ": " +
                      plait::describe(made.error()).c_str());
    return *made;
}

/// Returns the type's name in the file's notation.
std::string type_text(const array_type& type) { return type.safetensors.empty() ? type.name : type.safetensors; }

/// Sets the types of both sides; both undef if elements are moved without conversion.
void choose_types(const reorder_options& options, const std::string& file, prepared_array& out) {
    plait::data_type from = out.source.type.type;
    if (!options.src_type.empty()) {
        from = read_type(options.src_type);
        const bool fits = out.source.type.is_packed() ? from == out.source.type.type
                                                      : plait::size_in_bytes(from) == out.source.type.bytes;
        if (!fits)
            throw failure("--src-type " + options.src_type + ": has " + std::to_string(plait::size_in_bytes(from)) +
                          " bytes, but elements of " + file + " have " + std::to_string(out.source.type.bytes));
    }
    const bool converts = !options.type.empty() || options.attributes.any();
    out.result.type = out.source.type;
    if (!options.src_type.empty()) out.result.type = type_for(from);
    out.request.bytes = static_cast<int>(out.source.type.bytes);
    if (!converts && out.source.type.is_packed()) out.request.from_type = out.request.to_type = from;
    if (!converts) return;
    if (from == plait::data_type::undef)
        throw failure(file + ": its type '" + type_text(out.source.type) + "' is none that is converted",
                      {line("nearest", "--src-type bf16, where the bits are those of bf16; or astype in NumPy")});
    out.request.from_type = from;
    out.request.to_type = options.type.empty() ? from : read_type(options.type);
    out.result.type = type_for(out.request.to_type);
}

/// Checks that kernels may read the data in place.
bool is_aligned(const std::byte* data, const array_type& type) {
    return type.bytes == 0 || reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(type.bytes) == 0;
}

/// Returns a copy with the lowest byte of each number first.
std::shared_ptr<buffer> native_copy(const array_type& type, std::span<const std::byte> data) {
    auto out = std::make_shared<buffer>(data.size());
    if (!data.empty()) std::memcpy(out->data(), data.data(), data.size());
    swap_bytes(type, out->data(), out->size());
    return out;
}

/// Returns the layout of an array in Fortran order: the tag's order reversed. Only for tags without blocks.
plait::layout fortran_layout(const plait::dims& dims, const plait::format_tag& tag) {
    plait::format_tag backwards = tag;
    for (int i = 0; i < tag.ndims(); ++i) backwards.axes[i] = tag.axes[tag.ndims() - 1 - i];
    return plait::layout(dims, backwards);
}

/// Returns a copy in C order of an array with as many axes as its shape.
std::shared_ptr<buffer> c_order_copy(const stored_array& array, const std::byte* in) {
    plait::dims shape;
    for (const std::int64_t extent : array.shape) shape.push_back(extent);
    const plait::format_tag tag = plait::detail::plain_tag(shape.size());
    move_request request;
    request.from = fortran_layout(shape, tag);
    request.to = plait::layout(shape, tag);
    request.bytes = static_cast<int>(array.type.bytes);
    auto out = std::make_shared<buffer>(static_cast<std::size_t>(array.data.size));
    move_tensor(request, in, out->data());
    return out;
}

/// Returns an array of bytes as an array of the elements that are packed in them. With --dims, bytes of any shape will
/// do if their number is right; else the last axis of the shape has more elements than bytes.
stored_array packed(const reorder_options& options, const std::string& file, stored_array array,
                    plait::data_type type) {
    const std::int64_t bits = plait::size_in_bits(type);
    if (array.type.bytes != 1 || array.fortran_order)
        throw failure(file + ": elements of " + options.src_type +
                      " are packed in bytes in C order, but its type is '" + type_text(array.type) + "'");
    array.type = type_for(type);
    if (!options.dims.empty()) {
        const plait::format_tag tag = read_tag(options.from);
        const plait::descriptor whole(type, layout_of(read_dims(options.dims), tag, options.from));
        if (whole.size_in_bytes() != array.data.size)
            throw failure(file + ": has " + std::to_string(array.data.size) + " bytes, but " + options.src_type + " " +
                          options.dims + " in format '" + options.from + "' takes " +
                          std::to_string(whole.size_in_bytes()));
        array.shape = memory_shape(whole.layout, tag);
        return array;
    }
    if (array.shape.empty() || array.shape.back() * 8 % bits != 0)
        throw failure(file + ": its shape " + as_text(array.shape) + " in bytes does not say how many elements of " +
                      options.src_type + " there are; --dims does");
    array.shape.back() = array.shape.back() * 8 / bits;
    return array;
}

/// Returns the array to be moved, or one of its fields; throws failure if it cannot be read or moved.
stored_array movable(const reorder_options& options, const std::string& file, const stored_array& array) {
    if (array.unreadable) throw *array.unreadable;
    const stored_array out = options.field.empty() ? array : field_of(file, array, options.field);
    if (out.record)
        throw failure(file + ": has a structured type, of which one field at a time can be moved",
                      {line("nearest", field_options(out))});
    if (!out.type.is_moved()) throw failure(file + ": " + out.type.why_not_moved());
    const plait::data_type said = options.src_type.empty() ? plait::data_type::undef : read_type(options.src_type);
    return plait::size_in_bits(said) % 8 == 0 || out.type.is_packed() ? out : packed(options, file, out, said);
}

}  // namespace

prepared_array prepare(const reorder_options& options, const std::string& file, const stored_array& array,
                       const attribute_values& attributes) {
    // One element without axes is moved as one element along an axis.
    const bool has_axes = !options.from.empty() || !options.to.empty();
    const plait::format_tag from = has_axes ? read_tag(options.from) : plait::detail::plain_tag(1),
                            to = has_axes ? read_tag(options.to) : from;
    prepared_array out;
    out.source = movable(options, file, array);
    if (!has_axes && !out.source.shape.empty())
        throw failure(file + ": its shape " + as_text(out.source.shape) + " has " +
                      std::to_string(out.source.shape.size()) + " axes, but format '' has none");
    out.dims = has_axes ? logical_dims(options, file, out.source, from) : plait::dims{1};
    const bool plain = from.blocks.empty();
    if (out.source.fortran_order && !plain && out.source.shape.size() > plait::max_ndims)
        throw failure(file + ": is in Fortran order with " + std::to_string(out.source.shape.size()) +
                          " axes, of which 12 can be moved at once",
                      {line("nearest", "numpy.ascontiguousarray")});
    out.request.from =
        out.source.fortran_order && plain ? fortran_layout(out.dims, from) : layout_of(out.dims, from, options.from);
    out.request.to = layout_of(out.dims, to, options.to);
    out.request.attributes = attributes.attributes(out.dims);
    out.request.shows_progress = true;
    choose_types(options, file, out);
    out.result.name = array.name;
    if (has_axes) out.result.shape = memory_shape(out.request.to, to);
    if (out.result.type.is_packed())
        out.result.data.size = plait::descriptor(out.result.type.type, out.request.to).size_in_bytes();
    else
        out.result.data.size =
            static_cast<std::uint64_t>(bytes_of(file + " as '" + options.to + "'", out.result.type, out.result.shape));
    check_move(out.request);
    return out;
}

void run(const prepared_array& array, std::byte* out) {
    const stored_array& source = array.source;
    const bool blocked_fortran = source.fortran_order && array.request.from.digits.size() > array.request.from.ndims();
    const held_bytes held = hold(source.data);
    std::shared_ptr<buffer> copy;
    const std::byte* in = held.bytes.data();
    if (source.type.swapped != 0 || !is_aligned(in, source.type))
        in = (copy = native_copy(source.type, held.bytes))->data();
    if (blocked_fortran) in = (copy = c_order_copy(source, in))->data();
    // A misaligned result, as in an archive, is computed in other memory and copied.
    if (is_aligned(out, array.result.type)) return move_tensor(array.request, in, out);
    buffer aligned(static_cast<std::size_t>(array.result.data.size));
    move_tensor(array.request, in, aligned.data());
    std::memcpy(out, aligned.data(), aligned.size());
}

}  // namespace tool
