#pragma once
// A hash of a list of numbers that is the same in every run, on every machine, and in a constant expression.

#include <plait/unit_flags.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A hash of numbers that are added one after the other. Users store its values, as digests and as hashes of plans, so
/// what it returns must not change.
///
/// Cost:    two multiplications for each number
/// Source:  splitmix64 (Steele, Lea, Flood, 2014)
class number_hash {
public:
    constexpr explicit number_hash(std::uint64_t begun = 0) : state_(begun) {}

    /// Adds a number: a sum, so that zeros count, followed by mixing of all bits.
    constexpr void add(std::int64_t number) {
        state_ = (state_ ^ static_cast<std::uint64_t>(number)) + 0x9e3779b97f4a7c15U;
        state_ = (state_ ^ state_ >> 30) * 0xbf58476d1ce4e5b9U;
        state_ = (state_ ^ state_ >> 27) * 0x94d049bb133111ebU;
        state_ ^= state_ >> 31;
    }
    constexpr std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_;
};

}  // namespace plait::detail
