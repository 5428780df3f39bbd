#include "explore.hpp"

#include "typed_layout.hpp"

#include <plait/io/draw_reorder.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <new>

namespace explorer {
namespace {

using json = nlohmann::ordered_json;

/// Returns a number as text, because those of JavaScript have 53 bits.
std::string text_of(plait::dim_t number) { return std::to_string(number); }

/// Returns an object as text; bytes that are no UTF-8 are replaced.
std::string text_of(const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace); }

/// The answer, or the sentence of what was refused.
template <class Answer>
std::string answer_of(Answer answer) {
    try {
        return text_of(answer());
    } catch (const std::bad_alloc&) {
        return text_of(json{{"refusal", "there is not enough memory for this"}});
    } catch (const std::exception& why) {
        return text_of(json{{"refusal", why.what()}});
    }
}

std::string letters_of(const typed_layout& typed) {
    std::string out;
    for (int a = 0; a < typed.layout.ndims(); ++a) out += typed.names.letter(a);
    return out;
}

json digits_of(const typed_layout& typed) {
    json out = json::array();
    for (const int k : plait::detail::digits_in_memory(typed.layout)) {
        const plait::digit& d = typed.layout.digits[k];
        out.push_back({{"name", plait::detail::digit_name(typed.layout, k, typed.names)},
                       {"extent", text_of(d.extent)},
                       {"stride", text_of(d.stride)}});
    }
    return out;
}

/// The value of each digit of an index into the padded tensor, in the order of memory.
std::vector<plait::dim_t> digit_values(const plait::layout& l, const plait::position& padded) {
    std::vector<plait::dim_t> out;
    for (const int k : plait::detail::digits_in_memory(l)) {
        const plait::dim_t blocks = padded[l.digits[k].axis] / plait::detail::index_step_of(l, k);
        out.push_back(k < l.ndims() ? blocks : blocks % l.digits[k].extent);
    }
    return out;
}

/// "0*48 + 1*24 + 5 = 29": the values that are not 0.
std::string sum_of(const plait::layout& l, const std::vector<plait::dim_t>& values, plait::dim_t offset) {
    std::string out = l.offset0 == 0 ? "" : std::to_string(l.offset0);
    std::size_t at = 0;
    for (const int k : plait::detail::digits_in_memory(l)) {
        const plait::dim_t value = values[at++], stride = l.digits[k].stride;
        if (value == 0 || stride == 0) continue;
        out += (out.empty() ? "" : " + ") + std::to_string(value) + (stride == 1 ? "" : '*' + std::to_string(stride));
    }
    return (out.empty() ? "0" : out) + " = " + std::to_string(offset);
}

/// Of what is typed no padding is in front, so that an index into the padded tensor is one into the tensor.
json element_at(const typed_layout& typed, const plait::position& padded, plait::dim_t sharing) {
    const plait::layout& l = typed.layout;
    const plait::dim_t offset = l.padded_offset(padded);
    bool is_element = true;
    std::string said;
    for (int a = 0; a < l.ndims(); ++a) {
        is_element = is_element && padded[a] < l.dims[a];
        (((said += a == 0 ? "" : " ") += typed.names.letter(a)) += '=') += std::to_string(padded[a]);
    }
    const std::vector<plait::dim_t> values = digit_values(l, padded);
    json out = {{"kind", is_element ? "element" : "padding"},
                {"offset", text_of(offset)},
                {"index", plait::detail::index_text(l, padded)},
                {"said", said},
                {"sharing", text_of(sharing)},
                {"values", json::array()},
                {"sum", sum_of(l, values, offset)}};
    for (const plait::dim_t value : values) out["values"].push_back(text_of(value));
    return out;
}

/// The width at which a picture is broken into lines: within limits that keep it legible on any screen.
int bounded(int width) { return std::clamp(width, 320, 1600); }

plait::data_type read_type(const std::string& text) {
    const auto type = plait::parse_data_type(text);
    if (!type || *type == plait::data_type::undef) throw refusal("type '" + text + "' is no type of elements");
    return *type;
}

plait::isa read_isa(const std::string& text) {
    for (const plait::isa which : plait::every_isa)
        if (text == plait::to_string(which)) return which;
    throw refusal("instruction set '" + text + "' is unknown");
}

}  // namespace

std::string explore_layout(const std::string& format, const std::string& dims, int width) {
    return answer_of([&] {
        typed_layout typed = read_layout(format, dims);
        typed.names.width = bounded(width);
        return json{{"name", plait::to_string(typed.layout)},
                    {"axes", letters_of(typed)},
                    {"text", plait::explain(typed.layout, letters_of(typed).c_str())},
                    {"digits", digits_of(typed)},
                    {"svg", plait::draw(typed.layout, typed.names)}};
    });
}

std::string explore_place(const std::string& format, const std::string& dims, const std::string& offset) {
    return answer_of([&] {
        const typed_layout typed = read_layout(format, dims);
        const plait::dims wanted = read_numbers(offset, "offset");
        if (wanted.size() != 1) throw refusal("offset '" + offset + "' is not one number");
        const plait::detail::memory_place place = plait::detail::place_finder(typed.layout).at(wanted[0]);
        if (!place.is_gap()) return element_at(typed, place.first, place.is_element() ? place.elements : place.padded);
        return json{{"kind", "gap"}, {"offset", text_of(wanted[0])}, {"said", "nothing lies there"}};
    });
}

std::string explore_index(const std::string& format, const std::string& dims, const std::string& index) {
    return answer_of([&] {
        const typed_layout typed = read_layout(format, dims);
        const plait::layout& l = typed.layout;
        const plait::dims wanted = read_numbers(index, "index");
        if (wanted.size() != l.ndims())
            throw refusal("index '" + index + "' has " + plait::detail::count_of(wanted.size(), "number") +
                          ", and the axes are " + std::to_string(l.ndims()));
        plait::position padded;
        for (int a = 0; a < l.ndims(); ++a) {
            if (wanted[a] >= l.padded_dims[a])
                throw refusal("index '" + index + "': " + std::to_string(wanted[a]) + " along " +
                              typed.names.letter(a) + " is not below the padded extent " +
                              std::to_string(l.padded_dims[a]));
            padded.push_back(wanted[a]);
        }
        const plait::detail::memory_place place = plait::detail::place_finder(l).at(l.padded_offset(padded));
        return element_at(typed, padded, place.is_element() ? place.elements : place.padded);
    });
}

std::string explore_reorder(const typed_reorder& asked) {
    return answer_of([&] {
        const typed_layout src = read_layout(asked.src_format, asked.src_dims);
        const typed_layout dst = read_layout(asked.dst_format, asked.dst_dims);
        plait::reorder_drawing_options drawn;
        drawn.src = src.names, drawn.dst = dst.names;
        drawn.src.width = drawn.dst.width = bounded(asked.width);
        drawn.from = read_type(asked.from);
        drawn.to = asked.to.empty() ? drawn.from : read_type(asked.to);
        drawn.instructions = read_isa(asked.isa);
        if (const plait::verdict why = plait::check_reorder(src.layout, dst.layout); !why.ok())
            throw refusal("reorder " + src.names.title + " -> " + dst.names.title + ": " +
                          plait::describe(why).c_str());
        return json{{"text", plait::explain(src.layout, dst.layout, drawn.from, drawn.to, drawn.instructions)},
                    {"svg", plait::draw_reorder(src.layout, dst.layout, drawn)}};
    });
}

}  // namespace explorer
