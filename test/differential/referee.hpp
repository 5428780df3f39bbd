#pragma once
// Compares plait's results with oneDNN's. If both succeed, they must agree. If only one succeeds, a rule must give the
// reason from the arguments alone. Anything else is a failure.

#include "differential/oracle.hpp"
#include "laws/random_layouts.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace differential {

using plait_test::random_source;

/// Counts the results by operation and by rule, and prints those that no rule explains.
class referee {
public:
    void agreed(const char* operation, bool succeeded) {
        ++(succeeded ? operations_[operation].succeeded : operations_[operation].refused);
    }
    /// Counts results that differ by a rule.
    void differed(const char* operation, const char* rule) {
        ++operations_[operation].differed;
        ++rules_[rule];
    }
    /// Reports results that differ without a rule, or a wrong result.
    void failed(const char* operation, const std::string& what, const layout& l, const std::string& arguments,
                const plait::verdict& ours, const plait::expected<layout>& made, const answer& theirs) {
        if (++failures_ > 20) return;
        std::printf("FAILED %s: %s\n  of     %s\n  with   %s\n", operation, what.c_str(),
                    to_text(descriptor_of(l)).c_str(), arguments.c_str());
        std::printf("  plait  %s%s\n", describe(ours).c_str(), made ? to_text(descriptor_of(*made)).c_str() : "");
        std::printf("  oneDNN %s%s\n", dnnl_status2str(theirs.status), theirs.ok() ? to_text(theirs.made).c_str() : "");
    }
    void failed(const char* operation, const std::string& what) {
        if (++failures_ <= 20) std::printf("FAILED %s: %s\n", operation, what.c_str());
    }
    long failures() const { return failures_; }

    void print() const {
        std::printf("%-14s %12s %12s %12s\n", "", "both succeed", "both refuse", "by a rule");
        for (const auto& [name, n] : operations_)
            std::printf("%-14s %12ld %12ld %12ld\n", name.c_str(), n.succeeded, n.refused, n.differed);
        for (const auto& [name, n] : rules_) std::printf("%8ld  %s\n", n, name.c_str());
    }

private:
    struct counts {
        long succeeded = 0, refused = 0, differed = 0;
    };
    std::map<std::string, counts> operations_;
    std::map<std::string, long> rules_;
    long failures_ = 0;
};

/// Returns numbers as text for the report of a failure.
template <class Meaning>
std::string to_text(const char* name, const plait::detail::axis_numbers<Meaning>& numbers) {
    std::string out = std::string(name) + " {";
    for (int a = 0; a < numbers.size(); ++a)
        out += (a == 0 ? "" : ", ") + (numbers[a] == plait::dynamic ? "dynamic" : std::to_string(numbers[a]));
    return out + "} ";
}

template <class Meaning>
bool has(const plait::detail::axis_numbers<Meaning>& numbers, dim_t x) {
    return std::find(numbers.begin(), numbers.end(), x) != numbers.end();
}

/// Returns a layout to operate on: usually small and blocked, with blocks, padding, gaps and views. Sometimes it has
/// dynamic extents or strides, or is any or undefined.
layout random_layout(random_source& random);

// Each function runs one random operation with both libraries, and tells the referee.
void ask_tag(random_source& random, referee& judge);
void ask_strides(random_source& random, referee& judge);
void ask_equal(random_source& random, referee& judge);
void ask_submemory(random_source& random, referee& judge);
void ask_reshape(random_source& random, referee& judge);
void ask_permute(random_source& random, referee& judge);

}  // namespace differential
