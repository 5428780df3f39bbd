#pragma once
// Strict JSON: each object has only known fields, each once, and each value has the right type.

#include "read_graph.hpp"

#include <nlohmann/json.hpp>

namespace tool {

using json = nlohmann::json;

/// Reads a file as JSON; rejects invalid JSON with line and column, and an object with duplicate fields.
json read_json(const std::string& path);

/// An object of the file, and its name in messages: "graph.json: operation 'conv1'".
class fields {
public:
    fields(const json& object, std::string called, std::initializer_list<const char*> known);

    const std::string& called() const { return called_; }
    bool has(const char* field) const { return object_.contains(field); }
    std::string text(const char* field) const;
    std::string text(const char* field, const std::string& otherwise) const {
        return has(field) ? text(field) : otherwise;
    }
    std::int64_t number(const char* field) const;
    bool flag(const char* field) const;
    std::vector<std::string> texts(const char* field) const;
    std::vector<std::int64_t> numbers(const char* field) const;
    /// Returns the entries of a list; none if there is no such field.
    const json& list(const char* field) const;
    [[noreturn]] void refuse(const std::string& what) const { throw refusal(called_ + ": " + what); }

private:
    const json& object_;
    std::string called_;
    const json& at(const char* field) const;
    static std::int64_t number_in(const json& value, const fields& whole, const char* field);
};

}  // namespace tool
