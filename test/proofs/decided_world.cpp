// Decides every operation on every layout of a small world: that allowed results are right, and whether what is refused
// has a result. Prints how many cases of each operation there are, and the reasons of refusals that have one.
// docs/design/proofs.md explains these; any other one is a failure.
//
// usage: plait_decided_world [--digits COUNT] [--share N/M] [--threads COUNT]
#include "bound_layouts.hpp"
#include "more_operations.hpp"
#include "pieces_of_work.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct counts {
    long cases = 0, allowed = 0, wrong = 0;
    std::map<std::string, long> refused_whole, refused_padded;  // by reason
    long impossible = 0, needless = 0;

    void add(const counts& more) {
        cases += more.cases, allowed += more.allowed, wrong += more.wrong;
        impossible += more.impossible, needless += more.needless;
        for (const auto& [why, times] : more.refused_whole) refused_whole[why] += times;
        for (const auto& [why, times] : more.refused_padded) refused_padded[why] += times;
    }
};

/// Refusals of what could be a layout, which are rules: padding is not dropped silently, a composition keeps the
/// padding of b, and reshape is that of oneDNN, which has no blocks.
bool is_rule(std::string_view operation, plait::reason why) {
    using plait::reason;
    if (operation == "compose, b padded") return true;
    if (operation == "reshape" && (why == reason::axis_is_blocked || why == reason::joined_axes_do_not_chain))
        return true;
    return why == reason::axis_is_padded || why == reason::unit_axis_is_padded ||
           why == reason::axis_is_not_one_element;
}

/// The counts of each operation.
class tally {
public:
    void operator()(const small_world::decision& d) {
        counts& c = of(d.operation);
        ++c.cases;
        c.wrong += !d.is_right;
        if (d.why == plait::reason::none) ++c.allowed;
        else if (d.result == small_world::representable::yes) {
            ++c.refused_whole[plait::to_string(d.why)];
            c.needless += !d.is_explained && !is_rule(d.operation, d.why);
        } else if (d.result == small_world::representable::with_padding) ++c.refused_padded[plait::to_string(d.why)];
        else ++c.impossible;
    }
    void add(const tally& more) {
        for (const auto& [name, c] : more.all_) all_[name].add(c);
    }
    const std::map<std::string, counts>& all() const { return all_; }

private:
    std::map<std::string, counts> all_;
    std::map<const void*, counts*> by_text_;  // names are literals, whose addresses are found faster

    counts& of(const char* operation) {
        counts*& found = by_text_[operation];
        if (found == nullptr) found = &all_[operation];
        return *found;
    }
};

}  // namespace

int main(int arguments, char** argument) {
    const auto begin = std::chrono::steady_clock::now();
    small_world::limits of;
    proofs::part_of_work part;
    for (int k = 1; k < arguments; ++k) {
        if (k + 1 < arguments && std::string_view(argument[k]) == "--digits") of.digits = std::atoi(argument[++k]);
        else if (!part.read(arguments, argument, k)) {
            std::fputs("usage: plait_decided_world [--digits COUNT] [--share N/M] [--threads COUNT]\n", stderr);
            return 2;
        }
    }
    // Compositions: all layouts of one or two axes and two or three digits with all of one axis and two digits. Other
    // pairs: all layouts of one or two axes and two digits.
    std::vector<plait::layout> left, right, small;
    small_world::for_each_layout({2, 3, 4, true}, [&](const plait::layout& l) { left.push_back(l); });
    small_world::for_each_layout({1, 2, 4, true}, [&](const plait::layout& l) { right.push_back(l); });
    small_world::for_each_layout({2, 2, 3, true}, [&](const plait::layout& l) { right.push_back(l); });
    small_world::for_each_layout({2, 2, of.digits == 4 ? 4 : 3, true},
                                 [&](const plait::layout& l) { small.push_back(l); });

    constexpr std::size_t pieces = 64;
    tally all;
    std::mutex mutex;
    std::atomic<long> layouts = 0, compositions = 0, pairs = 0;
    proofs::pieces_of_work work;
    const auto add_piece = [&](std::uint64_t size, const auto& decide) {
        work.add(size, [&mutex, &all, decide] {
            tally of_piece;
            decide(of_piece);
            const std::lock_guard lock(mutex);
            all.add(of_piece);
        });
    };
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        add_piece(3, [&, piece](tally& count) {
            std::size_t number = 0;
            small_world::for_each_layout(of, [&](const plait::layout& l) {
                if (number++ % pieces != piece) return;
                ++layouts;
                small_world::decide_operations(l, count);
                small_world::decide_more(l, count);
            });
        });
        add_piece(2, [&, piece](tally& count) {
            for (std::size_t k = piece; k < left.size(); k += pieces) {
                const small_world::table of_a = small_world::table_of(left[k]);
                for (const plait::layout& b : right) small_world::decide_composition(left[k], of_a, b, count);
                compositions += static_cast<long>(right.size());
            }
        });
        add_piece(1, [&, piece](tally& count) {
            for (std::size_t k = piece; k < small.size(); k += pieces) {
                const small_world::table of_a = small_world::table_of(small[k]);
                for (const plait::layout& b : small) small_world::decide_pair(small[k], of_a, b, count);
                pairs += static_cast<long>(small.size());
            }
        });
    }
    add_piece(0, [&](tally& count) { small_world::decide_bind_of_tags(of.digits, count); });
    work.run(part);

    std::printf("%ld layouts, %ld compositions, %ld other pairs; %.0f s with %u threads\n", layouts.load(),
                compositions.load(), pairs.load(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), part.threads);
    bool is_right = true;
    for (const auto& [name, c] : all.all()) {
        std::printf(
            "%-26s %9ld cases: %9ld allowed, %ld of them wrong; %9ld refused without a result, %ld needlessly\n",
            name.c_str(), c.cases, c.allowed, c.wrong, c.impossible, c.needless);
        for (const auto& [why, times] : c.refused_whole)
            std::printf("    refused although there is a result: %9ld %s\n", times, why.c_str());
        for (const auto& [why, times] : c.refused_padded)
            std::printf("    refused although there is one with padding: %9ld %s\n", times, why.c_str());
        is_right = is_right && c.wrong == 0 && c.needless == 0;
    }
    return is_right && !all.all().empty() ? 0 : 1;
}
