#pragma once
// JSON read strictly: each object has the fields that it may have, each once, and each value is of its type.

#include "read_graph.hpp"

#include <nlohmann/json.hpp>

namespace tool {

using json = nlohmann::json;

/// The file as JSON; refused with line and column where it is none, and where an object has a field twice.
json read_json(const std::string& path);

/// An object of the file, and how it is called in a sentence: "graph.json: operation 'conv1'".
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
    /// The entries of a list; none where there is no such field.
    const json& list(const char* field) const;
    [[noreturn]] void refuse(const std::string& what) const { throw refusal(called_ + ": " + what); }

private:
    const json& object_;
    std::string called_;
    const json& at(const char* field) const;
    static std::int64_t number_in(const json& value, const fields& whole, const char* field);
};

}  // namespace tool
