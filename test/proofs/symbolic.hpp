#pragma once
// Whole numbers of which only conditions are known, and a search through all ways that a program can go with them.
//
// A comparison of such numbers asks Z3 whether it can be true, and whether it can be false. If both are possible, the
// program is run again for the other answer, until there is no other one. A claim is proved from all answers so far. A
// run repeats the answers of the run before it, up to the one that is changed. What was found by then is kept: the
// numbers, what the solver knows, and what was proved.

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
        constexpr std::uint64_t most_runs = 2000000;
        of_ = of;
        answers_.clear();
        made_.clear();
        solver_.reset();
        levels_ = 0;
        for (std::uint64_t count = 0;; ++count) {
            if (count == most_runs) return fail(undecided, "too many runs");
            ++runs;
            next_ = next_made_ = 0;
            choices_.clear();
            model_.reset();
            try {
                run();
            } catch (const run_ends&) {}
            if (next_ != answers_.size() || levels_ != next_ || next_made_ != made_.size())
                return fail(wrong, "a run did not repeat the one before it");
            while (!answers_.empty() && !answers_.back().has_other) answers_.pop_back();
            if (answers_.empty()) return;
            answers_.back().value = !answers_.back().value;
            answers_.back().has_other = false;
            const std::size_t repeated = answers_.size() - 1;
            solver_.pop(static_cast<unsigned>(levels_ - repeated));
            levels_ = repeated;
            made_.erase(made_.begin() + static_cast<std::ptrdiff_t>(answers_.back().made), made_.end());
        }
    }
    /// Returns the term that `make` makes, simplified. A run that repeats another has it from there.
    template <class Make>
    z3::expr made(const Make& make) {
        if (next_made_ == made_.size()) made_.push_back(make().simplify());
        return made_[next_made_++];
    }
    z3::expr any() {
        return made([&] { return context.int_const(("n" + std::to_string(made_.size())).c_str()); });
    }
    void assume(const z3::expr& condition) {
        if (repeats()) return;
        solver_.add(condition);
        if (model_ && !model_->eval(condition, true).is_true()) model_.reset();
    }
    /// Returns whether the condition is true that `make` makes.
    template <class Make>
    bool decide(const Make& make) {
        const z3::expr simple = made(make);
        if (simple.is_true()) return true;
        if (simple.is_false()) return false;
        if (!repeats()) {
            // The numbers that were found last are an example of one of the answers.
            example if_true, if_false;
            if (model_) {
                const z3::expr value = model_->eval(simple, true);
                if (value.is_true()) if_true = {true, model_};
                if (value.is_false()) if_false = {true, model_};
            }
            if (!if_true.is_possible) if_true = example_of(simple);
            if (!if_false.is_possible) if_false = example_of(!simple);
            // The answers so far contradict each other.
            if (!if_true.is_possible && !if_false.is_possible) throw run_ends{};
            answers_.push_back({if_true.is_possible, if_true.is_possible && if_false.is_possible, made_.size()});
            model_ = if_true.is_possible ? if_true.numbers : if_false.numbers;
        }
        const bool is_new = levels_ == next_, value = next_answer();
        if (is_new) solver_.add(value ? simple : !simple);
        return value;
    }
    /// Returns one of the numbers below `count`, each in a run of its own.
    int any_number(int count) {
        int chosen = 0;
        for (; chosen + 1 < count; ++chosen) {
            if (next_ == answers_.size()) answers_.push_back({true, true, made_.size()});
            if (next_answer()) break;
        }
        choices_ += " " + std::to_string(chosen);
        return chosen;
    }
    void prove(const z3::expr& claim, const char* what) {
        if (repeats()) return;
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
            fail(wrong, std::string(what) + ", for example with" + values + "; choices" + choices_);
        } else if (result == z3::unknown) {
            fail(undecided, what);
        }
        solver_.pop();
    }
    void fail(std::uint64_t& counter, const std::string& what) {
        if (counter++ < 5)
            std::printf("%s %s: %s\n", &counter == &wrong ? "WRONG" : "UNDECIDED", of_.c_str(), what.c_str());
        std::fflush(stdout);
    }

private:
    struct answer {
        bool value, has_other;
        std::size_t made;  ///< terms that were made before it
    };
    /// True if a condition is possible together with all answers so far, and numbers for which it is.
    struct example {
        bool is_possible = false;
        std::optional<z3::model> numbers = {};
    };
    z3::solver solver_;
    std::string of_, choices_;
    std::vector<answer> answers_;
    std::vector<z3::expr> made_;
    std::size_t next_ = 0, next_made_ = 0;
    std::size_t levels_ = 0;          // of the solver: one for each answer
    std::optional<z3::model> model_;  // of all answers so far

    /// True while this run does what the one before it did. The last of the repeated answers is the first one that is
    /// new.
    bool repeats() const { return next_ < answers_.size(); }
    /// Returns the next answer, and gives it a level of the solver if it is new.
    bool next_answer() {
        const bool value = answers_[next_++].value;
        if (levels_ < next_) {
            solver_.push();
            ++levels_;
        }
        return value;
    }
    example example_of(const z3::expr& condition) {
        solver_.push();
        solver_.add(condition);
        const z3::check_result result = solver_.check();
        example out{result != z3::unsat};
        if (result == z3::sat) out.numbers = solver_.get_model();
        solver_.pop();
        if (result == z3::unknown) fail(undecided, "a comparison");
        return out;
    }
};

/// Returns the search of this thread.
inline search& the_search() {
    thread_local search all;
    return all;
}

/// A whole number, known or not.
class number {
public:
    number() = default;
    number(int value) : value_(value) {}
    number(long value) : value_(value) {}
    explicit number(const z3::expr& simple) {
        if (std::int64_t value = 0; simple.is_numeral_i64(value)) value_ = value;
        else term_ = simple;
    }
    /// Returns the number whose term `make` makes.
    template <class Make>
    static number of(const Make& make) {
        return number(the_search().made(make));
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
        return a.is_known() && b.is_known() ? number(a.value_ + b.value_) : of([&] { return a.term() + b.term(); });
    }
    friend number operator-(const number& a, const number& b) {
        return a.is_known() && b.is_known() ? number(a.value_ - b.value_) : of([&] { return a.term() - b.term(); });
    }
    friend number operator*(const number& a, const number& b) {
        return a.is_known() && b.is_known() ? number(a.value_ * b.value_) : of([&] { return a.term() * b.term(); });
    }
    /// Division as of C++, towards zero. Z3 divides downwards if the divisor is positive.
    friend number operator/(const number& a, const number& b) {
        if (a.is_known() && b.is_known()) return number(a.value_ / b.value_);
        if (!(b > 0)) throw run_ends{};
        if (a >= 0) return of([&] { return a.term() / b.term(); });
        const number opposite = -a;
        return -of([&] { return opposite.term() / b.term(); });
    }
    friend number operator%(const number& a, const number& b) { return a - a / b * b; }
    friend number operator<<(const number& a, int bits) { return a * (std::int64_t{1} << bits); }
    friend number operator-(const number& a) { return number(0) - a; }
    number& operator+=(const number& b) { return *this = *this + b; }
    number& operator-=(const number& b) { return *this = *this - b; }
    number& operator*=(const number& b) { return *this = *this * b; }

    friend bool operator<(const number& a, const number& b) {
        return a.is_known() && b.is_known() ? a.value_ < b.value_
                                            : the_search().decide([&] { return a.term() < b.term(); });
    }
    friend bool operator==(const number& a, const number& b) {
        return a.is_known() && b.is_known() ? a.value_ == b.value_
                                            : the_search().decide([&] { return a.term() == b.term(); });
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
    return number::of([&] { return n.term() / by.term(); });
}
inline number divide_up(const number& n, const number& by) { return n / by + (n % by != 0 ? 1 : 0); }
inline number smaller_of(const number& a, const number& b) { return b < a ? b : a; }
inline number larger_of(const number& a, const number& b) { return a < b ? b : a; }

}  // namespace symbolic
