#include "numpy_type.hpp"

#include <plait/support/checked_arithmetic.hpp>

namespace tool {

namespace {

using kind = python_value::kind;

[[noreturn]] void refuse(const std::string& file, const python_value& at, const std::string& what) {
    throw failure(file + ": the .npy header has a type at character " + std::to_string(at.at) + " that " + what);
}

std::int64_t times(const std::string& file, const python_value& at, std::int64_t bytes,
                   const std::vector<std::int64_t>& shape) {
    plait::detail::checked_integer out{bytes};
    for (const std::int64_t extent : shape) out *= extent;
    if (!out.ok()) refuse(file, at, "has more bytes than 63 bits count");
    return out.value;
}

/// Reads the shape of a field that is an array: a number, or several.
std::vector<std::int64_t> field_shape(const std::string& file, const python_value& from) {
    std::vector<std::int64_t> out;
    const auto add = [&](const python_value& extent) {
        if (extent.what != kind::number || !extent.fits || extent.number < 0)
            refuse(file, extent, "has an extent that is no number of 63 bits");
        out.push_back(extent.number);
    };
    if (from.what == kind::number) add(from);
    else if (from.what == kind::tuple)
        for (const python_value& extent : from.items) add(extent);
    else refuse(file, from, "has no shape in parentheses");
    return out;
}

/// Reads a field: ('name', type), ('name', type, shape), (('title', 'name'), type).
numpy_field read_field(const std::string& file, const python_value& from) {
    if (from.what != kind::tuple || from.items.size() < 2 || from.items.size() > 3)
        refuse(file, from, "has a field that is no tuple of name, type and shape");
    numpy_field out;
    const python_value& name = from.items[0];
    const bool titled =
        name.what == kind::tuple && name.items.size() == 2 && name.items[0].is_text() && name.items[1].is_text();
    if (!titled && !name.is_text()) refuse(file, name, "has a field without a name");
    out.name = titled ? name.items[1].text : name.text;
    if (titled) out.title = name.items[0].text;
    out.type = read_numpy_descr(file, from.items[1]);
    if (from.items.size() == 3) {
        const std::vector<std::int64_t> shape = field_shape(file, from.items[2]);
        out.type.bytes = times(file, from, out.type.bytes, shape);
        out.type.shape.insert(out.type.shape.begin(), shape.begin(), shape.end());
    }
    return out;
}

void add_parts(std::vector<record_part>& out, const numpy_type& record, const record_part& around) {
    for (const numpy_field& field : record.fields) {
        if (field.name.empty() && field.type.element.name.starts_with("|V")) continue;  // the padding of a record
        record_part part = around;
        const std::string dot = around.path.empty() ? "" : ".";
        part.path += dot + field.name;
        part.titled += dot + (field.title.empty() ? field.name : field.title);
        part.begin += field.begin;
        std::int64_t step = field.type.bytes;
        for (const std::int64_t extent : field.type.shape) {
            step = extent == 0 ? 0 : step / extent;
            part.shape.push_back(extent);
            part.steps.push_back(step);
        }
        part.element = field.type.element;
        if (field.type.fields.empty()) out.push_back(part);
        else add_parts(out, field.type, part);
    }
}

}  // namespace

numpy_type read_numpy_descr(const std::string& file, const python_value& descr) {
    numpy_type out;
    if (descr.is_text()) {
        out.element = read_numpy_type(file, descr.text);
        out.bytes = out.element.bytes;
        return out;
    }
    if (descr.what == kind::tuple && descr.items.size() == 2) {  // a type, and the shape of an array of this type
        out = read_numpy_descr(file, descr.items[0]);
        const std::vector<std::int64_t> shape = field_shape(file, descr.items[1]);
        out.bytes = times(file, descr, out.bytes, shape);
        out.shape.insert(out.shape.begin(), shape.begin(), shape.end());
        return out;
    }
    if (descr.what != kind::list) refuse(file, descr, "is neither a name in quotes nor a list of fields");
    plait::detail::checked_integer end;
    for (const python_value& item : descr.items) {
        numpy_field field = read_field(file, item);
        for (const numpy_field& other : out.fields)
            if (!field.name.empty() && field.name == other.name)
                refuse(file, item, "has the field '" + field.name + "' twice");
        field.begin = end.value;
        end += field.type.bytes;
        if (!end.ok()) refuse(file, item, "has more bytes than 63 bits count");
        out.fields.push_back(std::move(field));
    }
    if (out.fields.empty()) refuse(file, descr, "is a record without a field");
    out.element.bytes = out.bytes = end.value;
    return out;
}

std::vector<record_part> parts_of(const numpy_type& record) {
    std::vector<record_part> out;
    add_parts(out, record, {});
    return out;
}

}  // namespace tool
