#pragma once
// The cases of oneDNN's own tests: their descriptors, and how many cases were run.

#include "data/recorded_rules.hpp"

#include <plait/algebra/format_name.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace plait_test {

/// Returns the layout that a case describes by dims and a tag or strides, or field by field; or why there is none.
inline plait::expected<layout> described(const recorded_case& recorded, const std::string& key) {
    if (recorded.has(key + ".zero")) return {};
    const auto extents = recorded.list<plait::dims>(key + ".dims");
    if (recorded.has(key + ".tag")) {
        const auto tag = plait::parse_format_tag(recorded.word(key + ".tag"));
        if (!tag) return {{}, plait::check_format_tag(recorded.word(key + ".tag"))};
        return plait::detail::make_layout(extents, *tag);
    }
    const auto steps = recorded.list<plait::strides>(key + ".strides");
    if (!recorded.has(key + ".padded_dims")) return plait::detail::make_layout(extents, steps);
    plait::layout out = by_hand(extents, recorded.list<plait::dims>(key + ".padded_dims"), steps);
    if (recorded.has(key + ".inner_blks")) {
        // The only case of this kind has a single block.
        const dim_t size = recorded.list<plait::dims>(key + ".inner_blks")[0];
        const int axis = static_cast<int>(recorded.list<plait::dims>(key + ".inner_idxs")[0]);
        out.digits[axis].extent = plait::detail::divide_up(out.padded_dims[axis], size);
        out.digits.push_back({axis, size, 1});
    }
    return {out, check_layout(out)};
}

/// Returns the number of bytes of a descriptor in oneDNN (semantics 4): the largest product of an outer extent and its
/// stride. An axis of one place is left out. Returns `dynamic` if something is dynamic, and 0 if there are no elements.
inline dim_t size_in_bytes(const plait::layout& l, dim_t element) {
    if (l.kind != plait::format_kind::blocked || l.volume() == 0) return 0;
    if (l.is_dynamic()) return plait::dynamic;
    dim_t largest = 0;
    for (int a = 0; a < l.ndims(); ++a) {
        const dim_t places = l.padded_dims[a] / l.block_size(a);
        largest = std::max(largest, places * (places == 1 ? 1 : l.strides()[a]));
    }
    if (largest == 1) largest = plait::detail::inner_volume(l);
    return largest * element;
}

/// Runs the cases of one operation of oneDNN's tests. Reports which cases are left out, with the reason.
class test_cases {
public:
    explicit test_cases(const char* operation) : operation_(std::string("test:") + operation) {}
    ~test_cases() {
        std::string text = operation_ + ": " + std::to_string(run_) + " run";
        for (const auto& [reason, names] : left_out_)
            text += "; not in the library, for it has no " + reason + ":" + names;
        MESSAGE(text);
    }
    test_cases(const test_cases&) = delete;

    /// Calls visit(case) for each case. Returns the number of cases.
    template <class Visit>
    int for_each(const Visit& visit) {
        return for_each_recorded(operation_, [&](const recorded_case& recorded) {
            ++run_;
            visit(recorded);
        });
    }
    /// Leaves a case out instead of running it; `what` is the feature that the library lacks.
    void leave_out(const recorded_case& recorded, const std::string& what) {
        --run_;
        left_out_[what] += " " + std::string(recorded.word("id"));
    }
    int run() const { return run_; }

private:
    std::string operation_;
    std::map<std::string, std::string> left_out_;  // names of the cases, by the feature that they need
    int run_ = 0;
};

}  // namespace plait_test
