#pragma once
// Whole numbers of which only conditions are known, and a search through all ways that a program can go with them.
//
// A comparison of such numbers asks Z3 whether it can be true, and whether it can be false. If both are possible, the
// program is run again for the other answer, until there is no other one. A claim is proved in each run, from all
// answers so far.

#include <z3++.h>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace symbolic {

/// Thrown if a run cannot go on: a loop without steps, or one that would be too long.
struct run_ends {};

/// The search, and what it found.
class search {
public:
    z3::context context;
    std::uint64_t runs = 0, claims = 0, wrong = 0, undecided = 0;

    search() : solver_(context, z3::solver::simple()) {}

    /// Calls `run` for all answers to its comparisons.
    template <class Run>
    void all_runs(const std::string& of, const Run& run) {
        constexpr std::uint64_t most_runs = 200000;
        of_ = of;
        answers_.clear();
        for (std::uint64_t count = 0;; ++count) {
            if (count == most_runs) return fail(undecided, "too many runs");
            ++runs;
            next_ = 0;
            names_ = 0;
            solver_.reset();
            try {
                run();
            } catch (const run_ends&) {}
            while (!answers_.empty() && !answers_.back().has_other) answers_.pop_back();
            if (answers_.empty()) return;
            answers_.back() = {!answers_.back().value, false};
        }
    }
    z3::expr any() { return context.int_const(("n" + std::to_string(names_++)).c_str()); }
    void assume(const z3::expr& condition) { solver_.add(condition); }
    bool decide(const z3::expr& condition) {
        const z3::expr simple = condition.simplify();
        if (simple.is_true()) return true;
        if (simple.is_false()) return false;
        if (next_ == answers_.size()) {
            const bool can_be = is_possible(simple), can_fail = is_possible(!simple);
            if (!can_be && !can_fail) throw run_ends{};  // the answers so far contradict each other
            answers_.push_back({can_be, can_be && can_fail});
        }
        const bool value = answers_[next_++].value;
        solver_.add(value ? simple : !simple);
        return value;
    }
    /// One of the numbers below `count`, each in a run of its own.
    int any_number(int count) {
        for (int k = 0; k + 1 < count; ++k)
            if (decide(context.bool_const(("choice" + std::to_string(names_++)).c_str()))) return k;
        return count - 1;
    }
    void prove(const z3::expr& claim, const char* what) {
        ++claims;
        const z3::expr simple = claim.simplify();
        if (simple.is_true()) return;
        solver_.push();
        solver_.add(!simple);
        const z3::check_result result = solver_.check();
        if (result == z3::sat) {
            const z3::model model = solver_.get_model();
            std::string values;
            for (unsigned k = 0; k < model.num_consts(); ++k) {
                const z3::func_decl name = model.get_const_decl(k);
                values += " " + name.name().str() + "=" + model.get_const_interp(name).to_string();
            }
            fail(wrong, std::string(what) + ", for example with" + values);
        } else if (result == z3::unknown) {
            fail(undecided, what);
        }
        solver_.pop();
    }
    void fail(std::uint64_t& counter, const std::string& what) {
        if (counter++ < 5)
            std::printf("%s %s: %s\n", &counter == &wrong ? "WRONG" : "UNDECIDED", of_.c_str(), what.c_str());
    }

private:
    struct answer {
        bool value, has_other;
    };
    z3::solver solver_;
    std::string of_;
    std::vector<answer> answers_;
    std::size_t next_ = 0;
    unsigned names_ = 0;

    bool is_possible(const z3::expr& condition) {
        solver_.push();
        solver_.add(condition);
        const z3::check_result result = solver_.check();
        solver_.pop();
        if (result == z3::unknown) fail(undecided, "a comparison");
        return result != z3::unsat;
    }
};

inline search& the_search() {
    static search all;
    return all;
}

/// A whole number, known or not.
class number {
public:
    number() = default;
    number(int value) : value_(value) {}
    number(long value) : value_(value) {}
    explicit number(const z3::expr& of) : term_(of) {
        const z3::expr simple = of.simplify();
        if (std::int64_t value = 0; simple.is_numeral_i64(value)) value_ = value, term_.reset();
    }
    bool is_known() const { return !term_; }
    std::int64_t value() const { return value_; }
    z3::expr term() const { return term_ ? *term_ : the_search().context.int_val(value_); }
    explicit operator int() const {
        if (is_known()) return static_cast<int>(value_);
        for (int k = 0; k < 64; ++k)
            if (*this == k) return k;
        throw run_ends{};
    }

    friend number operator+(const number& a, const number& b) {
        return a.is_known() && b.is_known() ? number(a.value_ + b.value_) : number(a.term() + b.term());
    }
    friend number operator-(const number& a, const number& b) {
        return a.is_known() && b.is_known() ? number(a.value_ - b.value_) : number(a.term() - b.term());
    }
    friend number operator*(const number& a, const number& b) {
        return a.is_known() && b.is_known() ? number(a.value_ * b.value_) : number(a.term() * b.term());
    }
    /// Division as of C++, towards zero. Z3 divides downwards if the divisor is positive.
    friend number operator/(const number& a, const number& b) {
        if (a.is_known() && b.is_known()) return number(a.value_ / b.value_);
        if (!(b > 0)) throw run_ends{};
        return a >= 0 ? number(a.term() / b.term()) : -number((-a).term() / b.term());
    }
    friend number operator%(const number& a, const number& b) { return a - a / b * b; }
    friend number operator<<(const number& a, int bits) { return a * (std::int64_t{1} << bits); }
    friend number operator-(const number& a) { return number(0) - a; }
    number& operator+=(const number& b) { return *this = *this + b; }
    number& operator-=(const number& b) { return *this = *this - b; }
    number& operator*=(const number& b) { return *this = *this * b; }

    friend bool operator<(const number& a, const number& b) {
        return a.is_known() && b.is_known() ? a.value_ < b.value_ : the_search().decide(a.term() < b.term());
    }
    friend bool operator==(const number& a, const number& b) {
        return a.is_known() && b.is_known() ? a.value_ == b.value_ : the_search().decide(a.term() == b.term());
    }
    friend bool operator!=(const number& a, const number& b) { return !(a == b); }
    friend bool operator>(const number& a, const number& b) { return b < a; }
    friend bool operator<=(const number& a, const number& b) { return !(b < a); }
    friend bool operator>=(const number& a, const number& b) { return !(a < b); }

private:
    std::int64_t value_ = 0;
    std::optional<z3::expr> term_;
};

/// An address, as its distance from the beginning of a tensor.
struct place {
    number at;
    friend place operator+(const place& p, const number& n) { return {p.at + n}; }
    friend number operator-(const place& a, const place& b) { return a.at - b.at; }
    place& operator+=(const number& n) { return *this = {at + n}; }
    place& operator-=(const number& n) { return *this = {at - n}; }
};

inline number any_number_from(std::int64_t least) {
    const number out(the_search().any());
    the_search().assume(out.term() >= the_search().context.int_val(least));
    return out;
}
inline void prove_equal(const number& a, const number& b, const char* what) {
    the_search().prove(a.term() == b.term(), what);
}
inline number divide_down(const number& n, const number& by) {
    if (n.is_known() && by.is_known()) return n.value() >= 0 ? n / by : -((by - 1 - n) / by);
    return number(n.term() / by.term());
}
inline number divide_up(const number& n, const number& by) { return n / by + (n % by != 0 ? 1 : 0); }
inline number smaller_of(const number& a, const number& b) { return b < a ? b : a; }
inline number larger_of(const number& a, const number& b) { return a < b ? b : a; }

}  // namespace symbolic
