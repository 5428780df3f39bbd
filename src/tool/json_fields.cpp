#include "json_fields.hpp"

#include "file_bytes.hpp"
#include "strict_json.hpp"

#include <algorithm>

namespace tool {

json read_json(const std::string& path) {
    const input_bytes file(path);
    const std::string text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    try {
        return parse_strictly<json>(path, text);
    } catch (const json::parse_error& error) {
        // The first invalid byte, counted from 1; the end of the text counts as the byte after the last one.
        const std::size_t bad = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < bad; ++i) {
            ++column;
            if (text[i] == '\n') ++line, column = 1;
        }
        if (error.byte > text.size())
            throw refusal(path + ": the JSON is not complete: its text ends in line " + std::to_string(line));
        throw refusal(path + ": line " + std::to_string(line) + ", column " + std::to_string(column) +
                      ": the text is not valid JSON");
    } catch (const json::out_of_range&) {
        throw refusal(path + ": a number in it is larger than any that can be read");
    }
}

fields::fields(const json& object, std::string called, std::initializer_list<const char*> known)
    : object_(object), called_(std::move(called)) {
    if (!object.is_object()) refuse("is no object with fields in braces");
    for (const auto& entry : object.items()) {
        bool is_known = false;
        std::string names;
        for (const char* const name : known) {
            is_known = is_known || entry.key() == name;
            names += (names.empty() ? "" : ", ") + std::string(name);
        }
        if (!is_known) refuse("the field '" + entry.key() + "' is none of " + names);
    }
}

const json& fields::at(const char* field) const {
    if (!has(field)) refuse(std::string("the field '") + field + "' is missing");
    return object_.at(field);
}

std::string fields::text(const char* field) const {
    if (!at(field).is_string()) refuse(std::string("the field '") + field + "' is no text in quotes");
    return at(field).get<std::string>();
}

std::int64_t fields::number_in(const json& value, const fields& whole, const char* field) {
    const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= INT64_MAX : value.is_number_integer();
    if (!fits) whole.refuse(std::string("the field '") + field + "' has what is no whole number of 63 bits");
    return value.get<std::int64_t>();
}
std::int64_t fields::number(const char* field) const { return number_in(at(field), *this, field); }

bool fields::flag(const char* field) const {
    if (!has(field)) return false;
    if (!at(field).is_boolean()) refuse(std::string("the field '") + field + "' is neither true nor false");
    return at(field).get<bool>();
}

const json& fields::list(const char* field) const {
    static const json none = json::array();
    if (!has(field)) return none;
    if (!at(field).is_array()) refuse(std::string("the field '") + field + "' is no list in brackets");
    return at(field);
}
std::vector<std::string> fields::texts(const char* field) const {
    at(field);
    std::vector<std::string> out;
    for (const json& value : list(field)) {
        if (!value.is_string()) refuse(std::string("the field '") + field + "' has what is no text in quotes");
        out.push_back(value.get<std::string>());
    }
    return out;
}
std::vector<std::int64_t> fields::numbers(const char* field) const {
    at(field);
    std::vector<std::int64_t> out;
    for (const json& value : list(field)) out.push_back(number_in(value, *this, field));
    return out;
}

}  // namespace tool
