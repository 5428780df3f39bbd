#pragma once
// Makes the table of a unit that is moved by permutes.

#include <plait/packed/permute_unit.hpp>

#include <algorithm>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Makes the table of a unit.
class permute_table_maker {
public:
    explicit permute_table_maker(const permute_unit& unit) : unit_(unit) {}

    permute_table make() {
        out_.registers = unit_.windows.registers;
        out_.window = unit_.windows.size;
        out_.windows = unit_.windows.begin;
        if (out_.registers == 0) {
            out_.outputs = unit_.runs;
            return std::move(out_);
        }
        out_.windows.resize(static_cast<std::size_t>(out_.registers * 64 / out_.window), out_.windows.back());
        planes_ = find_planes();
        for (const permute_output& run : unit_.runs) gather(run);
        out_.shifts = planes_ > 0;
        for (const made_group& group : groups_) {
            out_.groups.push_back({planes_ == 0 ? 1 : planes_, static_cast<std::int32_t>(group.outputs.size())});
            out_.vectors.insert(out_.vectors.end(), group.picks.begin(), group.picks.end());
            for (const made_output& output : group.outputs) {
                out_.outputs.push_back(output.run);
                out_.vectors.insert(out_.vectors.end(), output.how.begin(), output.how.end());
            }
        }
        return std::move(out_);
    }

private:
    struct made_output {
        permute_output run;
        std::vector<permute_vector> how;
    };
    struct made_group {
        std::vector<permute_vector> picks;
        std::vector<made_output> outputs;
    };

    /// Sets which byte of the registers a plane picks for a byte of an output.
    void set_pick(permute_vector* picks, std::size_t byte, std::uint32_t src) const {
        const std::vector<std::uint32_t>& windows = unit_.windows.begin;
        const auto window =
            static_cast<std::size_t>(std::upper_bound(windows.begin(), windows.end(), src) - windows.begin() - 1);
        const std::size_t at = window * static_cast<std::size_t>(out_.window) + src - windows[window];
        picks[0].at[byte] = static_cast<std::uint8_t>(at);
        if (out_.registers == 8) picks[1].at[byte] = at < 256 ? 0 : 0x80;
    }
    void gather(const permute_output& run) {
        const auto part_before = [](const permute_unit::part& p, std::uint32_t dst) { return p.dst < dst; };
        const auto first = std::lower_bound(unit_.parts.begin(), unit_.parts.end(), run.dst, part_before);
        const auto last =
            std::lower_bound(first, unit_.parts.end(), run.dst + static_cast<std::uint32_t>(run.length), part_before);
        const std::size_t vectors = out_.registers == 8 ? 2 : 1;
        std::vector<permute_vector> picks(static_cast<std::size_t>(planes_ == 0 ? 1 : planes_) * vectors);
        made_output output{run, std::vector<permute_vector>(static_cast<std::size_t>(1 + 2 * planes_))};
        std::size_t k = 0;
        for (auto p = first; p != last; ++p) {
            k = p != first && p->dst == (p - 1)->dst ? k + 1 : 0;
            const std::size_t byte = p->dst - run.dst;
            set_pick(&picks[k * vectors], byte, p->src);
            output.how[0].at[byte] = static_cast<std::uint8_t>(output.how[0].at[byte] | p->flips);
            if (planes_ == 0) continue;
            output.how[1 + 2 * k].at[byte] = static_cast<std::uint8_t>((byte % 8 * 8 + p->shift + 56) % 64);
            output.how[2 + 2 * k].at[byte] = p->mask;
        }
        for (made_group& group : groups_)
            if (group.picks == picks) return group.outputs.push_back(std::move(output));
        groups_.push_back({std::move(picks), {}});
        groups_.back().outputs.push_back(std::move(output));
    }

    /// Returns how many bytes of the source a byte of the destination has bits of, but at least two; 0 if each is one
    /// byte of the source.
    int find_planes() const {
        int planes = 0, plane = 0;
        for (std::size_t i = 0; i < unit_.parts.size(); ++i) {
            plane = i > 0 && unit_.parts[i].dst == unit_.parts[i - 1].dst ? plane + 1 : 1;
            if (unit_.parts[i].mask != 0xff && plane > planes) planes = plane < 2 ? 2 : plane;
        }
        return planes;
    }

    const permute_unit& unit_;
    permute_table out_;
    int planes_ = 0;
    std::vector<made_group> groups_;
};

}  // namespace plait::detail
