#pragma once
// Turns a table of bits into one that moves them in vectors.

#include <plait/packed/wide_steps.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Which bits of a byte of the destination come from which byte of the source.
struct bit_source {
    std::uint32_t src = 0;   // the byte of the unit
    std::uint8_t shift = 0;  // (byte << 8) >> shift
    std::uint8_t mask = 0;
};

/// A byte of the destination, and the bits of it that belong to others.
struct bit_target {
    std::uint32_t dst = 0;
    std::uint8_t kept = 0, flipped = 0;
};

/// Makes tables for bytes of the destination that lie side by side.
class shuffle_maker {
public:
    /// Pre:     the source has bytes up to src_end
    shuffle_maker(const step_code& code, dim_t src_end) : code_(code), last_window_(src_end - window) {}

    /// Adds a run of whole bytes, or returns false if other tables move it faster. Byte i has the sources from
    /// first[i] to first[i + 1].
    bool add(std::span<const bit_target> run, const std::uint32_t* first, const bit_source* of, shuffle_table& out) {
        const auto length = static_cast<dim_t>(run.size());
        if (!code_.has_shuffles || last_window_ < 0 || length < least_run) return false;
        const std::size_t targets = out.targets.size(), groups = out.groups.size(), terms = out.terms.size(),
                          bytes = out.bytes.size();
        const dim_t step = smaller_of(length, dim_t{code_.vector_bytes});
        for (dim_t i = 0; i < length; i += step) {
            // The last vector of a run begins earlier, and has some bytes of the one before.
            const dim_t begin = smaller_of(i, length - step);
            add_target(run.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(step)), first + begin, of,
                       out);
        }
        const std::size_t steps = out.terms.size() - terms + 2 * (out.groups.size() - groups);
        if (steps <= 2 * std::size_t{first[length] - first[0]}) return true;
        out.targets.resize(targets), out.groups.resize(groups), out.terms.resize(terms), out.bytes.resize(bytes);
        return false;
    }

private:
    static constexpr dim_t window = 16, least_run = 8;

    /// The bits that the bytes of a target take from the source with one shift.
    struct picks {
        int shift = 0;
        std::vector<const bit_source*> of;  // of each byte; null: nothing
    };

    void add_target(std::span<const bit_target> bytes, const std::uint32_t* first, const bit_source* of,
                    shuffle_table& out) {
        std::vector<picks> groups;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            for (std::uint32_t s = first[i]; s < first[i + 1]; ++s) {
                auto group = std::find_if(groups.begin(), groups.end(),
                                          [&](const picks& g) { return g.shift == of[s].shift && g.of[i] == nullptr; });
                if (group == groups.end())
                    group = groups.insert(group, {of[s].shift, std::vector<const bit_source*>(bytes.size())});
                group->of[i] = &of[s];
            }
        out.targets.push_back(
            {bytes[0].dst, static_cast<std::int32_t>(groups.size()), static_cast<std::int32_t>(bytes.size())});
        std::byte* const flips = add_vector(out);
        for (std::size_t i = 0; i < bytes.size(); ++i) flips[i] = std::byte{bytes[i].flipped};
        for (const picks& group : groups) add_group(group, out);
    }
    std::byte* add_vector(shuffle_table& out, std::byte fill = {}) const {
        out.bytes.resize(out.bytes.size() + static_cast<std::size_t>(code_.vector_bytes), fill);
        return out.bytes.data() + out.bytes.size() - code_.vector_bytes;
    }
    void add_group(const picks& group, shuffle_table& out) const {
        std::vector<std::pair<std::uint32_t, std::size_t>> sources;  // with the byte of the target that each is for
        sources.reserve(group.of.size());
        for (std::size_t i = 0; i < group.of.size(); ++i)
            if (group.of[i] != nullptr) sources.emplace_back(group.of[i]->src, i);
        std::sort(sources.begin(), sources.end());
        shuffle_group made;
        if (group.shift < 8) made.left = static_cast<std::uint8_t>(8 - group.shift);
        else made.right = static_cast<std::uint8_t>(group.shift - 8);
        dim_t begin = -window;  // of the last window of sources
        std::byte* which = nullptr;
        for (const auto& [src, byte] : sources) {
            if (src >= begin + window) {
                begin = smaller_of(dim_t{src}, last_window_);
                which = add_vector(out, std::byte{0x80});
                out.terms.push_back(static_cast<std::uint32_t>(begin));
                ++made.terms;
            }
            which[byte] = static_cast<std::byte>(src - begin);
        }
        std::byte* const mask = add_vector(out);
        for (std::size_t i = 0; i < group.of.size(); ++i)
            if (group.of[i] != nullptr) mask[i] = std::byte{group.of[i]->mask};
        out.groups.push_back(made);
    }

    const step_code& code_;
    dim_t last_window_;
};

}  // namespace plait::detail
