#include "commands.hpp"

#include <iostream>

namespace tool {

plait::format_tag read_tag(const std::string& text) {
    const auto tag = plait::parse_format_tag(text);
    if (!tag) throw failure("format '" + text + "': " + plait::describe(plait::check_format_tag(text)).c_str());
    return *tag;
}

plait::dims read_dims(const std::string& text) {
    plait::dims out;
    std::size_t at = 0;
    while (true) {
        plait::checked_integer number;
        const std::size_t start = at;
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) number = number * 10 + (text[at] - '0');
        if (at == start || !number.ok())
            throw failure("dims '" + text + "': column " + std::to_string(start + 1) +
                          " is no number of 63 bits; write them as 2x17x5x4");
        if (out.full()) throw failure("dims '" + text + "': a layout has at most 12 axes");
        out.push_back(number.value);
        if (at == text.size()) return out;
        if (text[at++] != 'x')
            throw failure("dims '" + text + "': column " + std::to_string(at) + " is not 'x'; write them as 2x17x5x4");
    }
}

std::vector<std::int64_t> memory_shape(const plait::layout& l, const plait::format_tag& tag) {
    std::vector<std::int64_t> shape;
    for (const int axis : tag.axes) shape.push_back(l.digits[axis].extent);
    for (const plait::inner_block& block : tag.blocks) shape.push_back(block.size);
    return shape;
}

void move_elements(int element_bytes, const plait::layout& src, const buffer& in, const plait::layout& dst,
                   buffer& out) {
    const auto move = [&]<class Element>(Element) {
        plait::reorder(src, reinterpret_cast<const Element*>(in.data()), dst, reinterpret_cast<Element*>(out.data()));
    };
    // Same type in and out: only the size matters.
    switch (element_bytes) {
        case 1: return move(std::uint8_t{});
        case 2: return move(plait::float16{});
        case 4: return move(float{});
        case 8: return move(double{});
        default: throw failure("elements of " + std::to_string(element_bytes) + " bytes cannot be moved");
    }
}

namespace {

std::string as_text(const std::vector<std::int64_t>& shape) {
    std::string out = "(";
    for (const std::int64_t extent : shape) out += (out.size() > 1 ? ", " : "") + std::to_string(extent);
    return out + (shape.size() == 1 ? ",)" : ")");
}

/// The logical extents of an array that is stored with a tag: `given`, or else the padded extents that its shape has.
plait::dims logical_dims(const reorder_options& options, const npy_array& array, const plait::format_tag& tag) {
    const std::string where = options.in + ": its shape " + as_text(array.shape);
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
        const plait::checked_integer extent =
            plait::checked_integer{array.shape[static_cast<std::size_t>(i)]} * tag.block_size(tag.axes[i]);
        if (!extent.ok()) throw failure(where + " overflows 63 bits at place " + std::to_string(i + 1));
        padded[tag.axes[i]] = extent.value;
    }
    if (options.dims.empty()) return padded;
    const plait::dims given = read_dims(options.dims);
    const auto stored = plait::try_layout(given, tag);
    if (!stored)
        throw failure("dims '" + options.dims + "': " + plait::describe(plait::check_layout(given, tag)).c_str());
    if (stored->padded_dims != padded)
        throw failure("dims '" + options.dims + "': in format '" + options.from + "' they are padded to " +
                      plait::to_string(stored->padded_dims) + ", but the array has " + plait::to_string(padded));
    return given;
}

/// The layout of an array in Fortran order: the tag's order backwards. Only for tags without blocks.
plait::layout fortran_layout(const reorder_options& options, const plait::dims& dims, const plait::format_tag& tag) {
    if (!tag.blocks.empty())
        throw failure(options.in + ": is in Fortran order, which format '" + options.from +
                      "' with blocks is not read from");
    plait::format_tag backwards = tag;
    for (int i = 0; i < tag.ndims(); ++i) backwards.axes[i] = tag.axes[tag.ndims() - 1 - i];
    return plait::layout(dims, backwards);
}

}  // namespace

void reorder(const reorder_options& options) {
    const plait::format_tag from = read_tag(options.from), to = read_tag(options.to);
    if (from.kind != plait::format_kind::blocked || to.kind != plait::format_kind::blocked)
        throw failure("format '" + (from.kind != plait::format_kind::blocked ? options.from : options.to) +
                      "' does not say where elements are");
    if (from.ndims() != to.ndims())
        throw failure("format '" + options.from + "' has " + std::to_string(from.ndims()) + " axes, but format '" +
                      options.to + "' has " + std::to_string(to.ndims()));
    const npy_array array = read_npy(options.in);
    const plait::dims dims = logical_dims(options, array, from);
    if (const plait::verdict why = plait::check_layout(dims, to); !why.ok())
        throw failure("format '" + options.to + "' with dims " + plait::to_string(dims) + ": " +
                      plait::describe(why).c_str());
    const plait::layout src = array.fortran_order ? fortran_layout(options, dims, from) : plait::layout(dims, from);
    const plait::layout dst(dims, to);
    const plait::checked_integer bytes =
        plait::checked_integer{static_cast<std::int64_t>(dst.element_span())} * array.element_bytes;
    if (!bytes.ok())
        throw failure("format '" + options.to + "' with dims " + plait::to_string(dims) +
                      " takes more bytes than 63 bits count");
    buffer out(static_cast<std::size_t>(bytes.value));
    move_elements(array.element_bytes, src, array.data, dst, out);
    write_npy(options.out, array.type, memory_shape(dst, to), out);
    std::cout << options.from << ' ' << as_text(array.shape) << " -> " << options.to << ' '
              << as_text(memory_shape(dst, to)) << ", dims " << plait::to_string(dims) << '\n';
}

}  // namespace tool
