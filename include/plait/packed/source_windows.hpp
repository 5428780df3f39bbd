#pragma once
// Which windows of the source have the bytes of a unit that is moved by permutes.

#include <plait/packed/permute_table.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Bits of a byte of the destination that come from one byte of the source: (byte << 8) >> shift.
struct permute_part {
    std::uint32_t dst = 0, src = 0;
    std::uint8_t shift = 0, mask = 0, flips = 0;
    friend bool operator<(const permute_part& a, const permute_part& b) {
        return a.dst != b.dst ? a.dst < b.dst : a.mask < b.mask;
    }
};

/// Which bytes of the source are read: the bits of a word are 64 bytes that lie side by side.
class source_bytes {
public:
    explicit source_bytes(const std::vector<permute_part>& parts) {
        words_.reserve(32);
        std::size_t last = 0;
        for (const permute_part& p : parts) {
            const std::uint32_t number = p.src / 64;
            if (last == words_.size() || words_[last].number != number) {
                last = 0;
                while (last < words_.size() && words_[last].number != number) ++last;
                if (last == words_.size()) words_.push_back({number, 0});
            }
            words_[last].bits |= std::uint64_t{1} << p.src % 64;
        }
        std::sort(words_.begin(), words_.end(), [](const word& a, const word& b) { return a.number < b.number; });
    }
    dim_t begin() const { return next(0); }
    dim_t end() const {
        return dim_t{words_.back().number} * 64 + static_cast<dim_t>(std::bit_width(words_.back().bits));
    }
    /// Returns the first byte from some byte on, or -1.
    dim_t next(dim_t at) const {
        for (const word& w : words_) {
            const dim_t first = dim_t{w.number} * 64, skipped = at - first;
            if (skipped >= 64) continue;
            const std::uint64_t bits = skipped > 0 ? w.bits >> skipped << skipped : w.bits;
            if (bits != 0) return first + std::countr_zero(bits);
        }
        return -1;
    }

private:
    struct word {
        std::uint32_t number;
        std::uint64_t bits;
    };
    std::vector<word> words_;
};

/// Windows of one size that have all bytes of a unit; or, without registers, its elements in the order of the runs.
struct unit_windows {
    int size = 0, registers = 0;
    std::vector<std::uint32_t> begin;
};

/// Finds windows of some size that have all bytes; none if they are more than registers have.
inline unit_windows find_windows(const source_bytes& sources, int size) {
    unit_windows out{size, 0, {}};
    const dim_t last = sources.end() - size, most = permute_table::most_registers * 64 / size;
    if (last < sources.begin()) return out;
    out.begin.reserve(16);
    for (dim_t at = sources.begin(); at >= 0;) {
        if (static_cast<dim_t>(out.begin.size()) == most) return out;
        out.begin.push_back(static_cast<std::uint32_t>(smaller_of(at, last)));
        at = sources.next(at + size);
    }
    const dim_t registers = divide_up(static_cast<dim_t>(out.begin.size()) * size, 64);
    out.registers = static_cast<int>(registers <= 2 ? registers : registers <= 4 ? 4 : 8);
    return out;
}

}  // namespace plait::detail
