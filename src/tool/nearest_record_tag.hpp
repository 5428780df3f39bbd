#pragma once
// The nearest tag of a record that is valid, for a tag that is not.

#include <string>

namespace tool {

/// Returns a tag whose types have plait's names, and whose fields have the shares that blocks of other fields need;
/// empty if the tag is refused for another reason.
std::string nearest_record_tag(const std::string& text);

}  // namespace tool
