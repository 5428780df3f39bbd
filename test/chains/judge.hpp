#pragma once
// Runs one operation and compares its result with brute force. It does this for the layout itself, for its canonical
// form, and for another description of the same memory.

#include <plait/algebra/canonical_form.hpp>

#include "chains/layouts.hpp"

#include <plait/algebra/same_memory.hpp>

#include <cstdio>
#include <map>
#include <optional>
#include <string>

namespace chains {

using plait::reason, plait::verdict;

/// The result of an operation on a layout.
struct answer {
    verdict why;
    plait::expected<layout> made;
};

inline std::string to_text(const layout& l) {
    const auto list = [](const char* name, const auto& numbers) {
        std::string out = std::string(" ") + name + " {";
        for (int a = 0; a < numbers.size(); ++a)
            out += (a == 0 ? "" : ", ") + (numbers[a] == plait::dynamic ? "?" : std::to_string(numbers[a]));
        return out + "}";
    };
    std::string out = list("dims", l.dims) + list("padded", l.padded_dims) + list("from", l.padded_offsets) +
                      " offset0 " + std::to_string(l.offset0) + " digits";
    for (const digit& d : l.digits)
        out += ' ' + std::to_string(d.axis) + ':' + std::to_string(d.extent) + '*' + std::to_string(d.stride);
    return out;
}
template <class Meaning>
std::string to_text(const plait::detail::axis_numbers<Meaning>& numbers) {
    std::string out;
    for (dim_t number : numbers) out += (out.empty() ? "" : ",") + std::to_string(number);
    return '{' + out + '}';
}

class judge {
public:
    explicit judge(random_source& random) : random_(random) {}

    /// Runs the operation on l and on other descriptions of its memory. Returns the result on l, if there is one.
    ///
    /// operate(l) runs the operation; holds(before, result) is true if the postcondition holds. If l is refused while
    /// another description of the same memory is allowed, excuse(l, why, other) returns the rule that explains the
    /// difference, or null.
    template <class Operate, class Holds, class Excuse>
    plait::expected<layout> ask(const char* name, const std::string& arguments, const layout& l, const Operate& operate,
                                const Holds& holds, const Excuse& excuse) {
        ++asked_;
        question_ = std::string(name) + ' ' + arguments;
        const answer here = operate(l);
        examine(l, here, holds);
        ++(here.why.ok() ? counts_[name].allowed : counts_[name].refused);
        if (l.volume() == 0) return here.made;  // all layouts without elements are the same memory
        if (const auto form = plait::try_canonical_form(l); form && !here.why.ok()) {
            const answer there = operate(*form);
            examine(*form, there, holds);
            if (there.why.ok()) excused(l, here.why, *form, excuse);
        }
        const layout other = said_otherwise(l, random_, random_.once_in(3));
        if (!same_memory(l, other)) fail("not the same memory as the same said otherwise", l, other);
        const answer there = operate(other);
        examine(other, there, holds);
        if (here.why.ok() && !there.why.ok()) excused(other, there.why, l, excuse);
        if (!here.why.ok() && there.why.ok()) excused(l, here.why, other, excuse);
        return here.made;
    }

    /// Counts an operation that is checked without this class.
    void count(const char* name, const std::string& arguments) {
        ++asked_;
        ++counts_[name].allowed;
        question_ = std::string(name) + ' ' + arguments;
    }
    void by_rule(const char* rule) { ++rules_[rule]; }
    void fail(const std::string& what, const layout& l) { fail(what + "\n  of  " + to_text(l)); }
    void fail(const std::string& what, const layout& l, const layout& other) {
        fail(what + "\n  of  " + to_text(l) + "\n  and " + to_text(other));
    }
    void fail(const std::string& what) {
        if (++failures_ <= 20) std::printf("FAILED %s, question %ld: %s\n", question_.c_str(), asked_, what.c_str());
    }
    long asked() const { return asked_; }
    long failures() const { return failures_; }

    void print() const {
        for (const auto& [name, n] : counts_)
            std::printf("%-20s %9ld allowed %9ld refused\n", name.c_str(), n.allowed, n.refused);
        for (const auto& [name, n] : rules_) std::printf("%9ld  %s\n", n, name.c_str());
    }

private:
    template <class Holds>
    void examine(const layout& l, const answer& a, const Holds& holds) {
        if (a.made.error() != a.why) return fail("the check and the operation disagree", l);
        if (!a.made) return;
        if (!check_layout(*a.made).ok()) return fail("the result is no layout", l, *a.made);
        if (a.made->padded_volume() <= 4000 && !holds(l, *a.made)) fail("the law is broken", l, *a.made);
    }
    template <class Excuse>
    void excused(const layout& l, const verdict& why, const layout& other, const Excuse& excuse) {
        const char* rule = excuse(l, why, other);
        if (rule != nullptr) return by_rule(rule);
        fail(std::string("refused (") + plait::to_string(why.reason) + ", axis " + std::to_string(why.axis) + ", " +
                 std::to_string(why.first) + ", " + std::to_string(why.second) + "), but allowed said otherwise",
             l, other);
    }

    struct answers {
        long allowed = 0, refused = 0;
    };
    random_source& random_;
    std::map<std::string, answers> counts_;
    std::map<std::string, long> rules_;
    std::string question_;
    long asked_ = 0, failures_ = 0;
};

/// For operations that depend only on the places of the elements: no rule excuses a difference.
inline const char* no_excuse(const layout&, const verdict&, const layout&) { return nullptr; }

/// Runs one random operation on l. Replaces l by the result, if there is one.
void ask_view(layout& l, random_source& random, judge& by);         // views.cpp
void ask_shape(layout& l, random_source& random, judge& by);        // shapes.cpp
void ask_function(layout& l, random_source& random, judge& by);     // functions.cpp
void ask_query(const layout& l, random_source& random, judge& by);  // queries.cpp
void ask_dynamic(random_source& random, judge& by);                 // dynamic.cpp
void ask_pattern(layout& l, random_source& random, judge& by);      // patterns.cpp

}  // namespace chains
