#include "commands.hpp"

#include <iostream>

namespace tool {

void show(const std::string& tag_text, const std::string& dims_text) {
    const plait::format_tag tag = read_tag(tag_text);
    const plait::dims dims = read_dims(dims_text);
    if (const plait::verdict why = plait::check_layout(dims, tag); !why.ok())
        throw failure("layout " + tag_text + ' ' + dims_text + ": " + plait::describe(why).c_str());
    std::cout << plait::explain(plait::layout(dims, tag));
}

}  // namespace tool
