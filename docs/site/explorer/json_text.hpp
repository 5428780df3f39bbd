#pragma once
// JSON as text: what the page reads.

#include <string>

namespace explorer {

/// A text in quotes, as JSON has it.
inline std::string quoted(const std::string& text) {
    constexpr const char* digits = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') (out += '\\') += c;
        else if (c == '\n') out += "\\n";
        else if (code < 0x20) ((out += "\\u00") += digits[code >> 4]) += digits[code & 15];
        else out += c;
    }
    return out + '"';
}

/// An object, field by field, in the order in which they are added.
class json_object {
public:
    json_object& add(const std::string& name, const std::string& text) { return add_value(name, quoted(text)); }
    /// A number, as text: those of JavaScript have 53 bits.
    json_object& add(const std::string& name, long long number) { return add(name, std::to_string(number)); }
    /// A value that is JSON already.
    json_object& add_value(const std::string& name, const std::string& value) {
        fields_ += (fields_.empty() ? "" : ",") + quoted(name) + ':' + value;
        return *this;
    }
    std::string text() const { return '{' + fields_ + '}'; }

private:
    std::string fields_;
};

/// "[1,2,3]"; each value is JSON already.
template <class Values, class TextOf>
std::string json_list(const Values& values, TextOf text_of) {
    std::string out;
    for (const auto& value : values) out += (out.empty() ? "" : ",") + text_of(value);
    return '[' + out + ']';
}

}  // namespace explorer
