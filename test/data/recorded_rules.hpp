#pragma once
// The comparison with recorded results. Each result of plait equals the recorded one, or differs by a rule of the
// semantics. A rule decides from the arguments alone which cases it claims.

#include "data/recorded_cases.hpp"

#include <algorithm>

namespace plait_test {

using plait::dim_t, plait::layout, plait::status;

constexpr const char* name_of(status s) {
    return s == status::success ? "success" : s == status::invalid_arguments ? "invalid_arguments" : "unimplemented";
}

/// Counts how often a rule of the semantics decides a case.
class rule {
public:
    explicit rule(const char* section) : section_(section) {}
    ~rule() {
        MESSAGE(std::string(section_), ": ", claimed_, " cases, of which ", differing_, " differ from oneDNN");
        CHECK_MESSAGE(differing_ > 0, std::string(section_));
    }
    rule(const rule&) = delete;
    void claims(bool differs) {
        ++claimed_;
        differing_ += differs;
    }

private:
    const char* section_;
    int claimed_ = 0;
    int differing_ = 0;
};

/// True if l has every field of the recorded descriptor.
inline bool same_fields(const layout& l, const recorded_case& recorded, const std::string& key) {
    const layout expected = recorded.descriptor(key);
    return recorded.word(key + ".kind") == "blocked" && l.kind == plait::format_kind::blocked &&
           l.dims == expected.dims && l.padded_dims == expected.padded_dims &&
           l.padded_offsets == expected.padded_offsets && l.offset0 == expected.offset0 &&
           l.strides() == recorded.list<plait::strides>(key + ".strides") &&
           l.inner_blocks() == expected.inner_blocks() && l.digits.size() == expected.digits.size() &&
           check_layout(l).ok();
}

/// True if x is one of the numbers.
template <class Meaning>
bool has(const plait::detail::axis_numbers<Meaning>& numbers, dim_t x) {
    return std::find(numbers.begin(), numbers.end(), x) != numbers.end();
}

}  // namespace plait_test
