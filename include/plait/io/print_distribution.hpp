#pragma once
// Distributions as text of several lines: who has what, and what moves from one to another.

#include <plait/distribution/plan_redistribution.hpp>
#include <plait/io/distribution_name.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

namespace detail {
/// Returns text with blanks in front of it, so that it has a width.
inline std::string in_column(const std::string& text, std::size_t width) {
    return std::string(text.size() < width ? width - text.size() : 1, ' ') + text;
}
/// Returns the extents of a rank's part as text; "no box" if it is none.
inline std::string extents_text(const rank_sums::part& part) {
    return part.boxes == 0 ? "nothing" : part.boxes > 1 ? "no box" : to_string(part.extents);
}
}  // namespace detail

/// Describes a distribution in several lines: its digits, each with its stride in the rank and its stride in the memory
/// of the rank, and the extents of the parts of the first ranks.
///
/// Pre:     none; an invalid distribution is described by its refusal
/// Post:    the text that `plait shard` prints
/// Cost:    allocates; O(ranks printed times digits)
/// Source:  plait's own
/// Example: explain(sharded(dims{1000, 700}, mesh{4}, {shard(0, 0)})) has "rank 3  250x700"
inline std::string explain(const distribution& d, dim_t most_ranks = 16) {
    if (const verdict why = check_distribution(d); !why.ok()) return describe(why).c_str() + std::string("\n");
    const detail::rank_sums sums(d);
    std::string out = "dims      " + to_string(d.dims()) + "\nmesh      " + to_string(d.mesh.ranks.dims) + ", " +
                      std::to_string(d.mesh.volume()) + " ranks" + detail::order_of_ranks(d.mesh) + '\n';
    out += "copies    " + std::to_string(d.copies());
    for (const int axis : d.replicated)
        out += (axis == d.replicated[0] ? ": along mesh axis " : ", ") + std::to_string(axis);
    out += "\nmemory    " + std::to_string(d.local.element_span()) + " places on each rank\n";
    out += "digits    axis  extent    rank   place\n";
    for (int a = 0; a < d.ndims(); ++a) {
        const auto& list = sums.digits.axes[a].digits;
        for (int k = list.size() - 1; k >= 0; --k)
            out += "             " + std::string(1, axis_families[0].letters[a]) +
                   detail::in_column(std::to_string(list[k].extent), 8) +
                   detail::in_column(std::to_string(list[k].rank), 8) +
                   detail::in_column(std::to_string(list[k].place), 8) + '\n';
    }
    const dim_t volume = d.mesh.volume();
    for (dim_t rank = 0; rank < volume && rank < most_ranks; ++rank)
        out += "rank " + std::to_string(rank) + "  " + detail::extents_text(sums.part_of(rank)) + '\n';
    if (volume > most_ranks) out += "and " + std::to_string(volume - most_ranks) + " more ranks\n";
    return out;
}

/// Describes what moves from one distribution to another: how many bytes each rank keeps, sends and receives.
///
/// Pre:     none; what check_plan_redistribution refuses is described by its refusal
/// Post:    the bytes sent are the least possible
/// Cost:    plans of all ranks; allocates
/// Source:  plait's own
/// Example: the tool (src/tool): plait shard 1000x700 --mesh 2x2 --block 64x64 --to "[Shard(0)]" --to-mesh 4
inline std::string explain(const distribution& from, const distribution& to, data_type type, dim_t most_ranks = 16) {
    if (const verdict why = check_plan_redistribution(from, to); !why.ok())
        return describe(why).c_str() + std::string("\n");
    const dim_t ranks = detail::larger_of(from.mesh.volume(), to.mesh.volume());
    const auto bytes = [type](dim_t elements) { return std::to_string(detail::bytes_of(type, 0, elements).count); };
    std::string out = "rank            keeps           sends        receives   to\n";
    dim_t all_kept = 0, all_sent = 0, messages = 0;
    for (dim_t rank = 0; rank < ranks; ++rank) {
        const redistribution_plan plan = plan_redistribution(from, to, rank);
        dim_t sent = 0, received = 0;
        std::string peers;
        for (const rank_message& m : plan.sends) {
            sent += m.elements;
            if (peers.size() < 40) peers += ' ' + std::to_string(m.peer);
            else if (peers.back() != '.') peers += " ...";
        }
        for (const rank_message& m : plan.receives) received += m.elements;
        messages += plan.sends.size();
        all_kept += plan.kept.elements;
        all_sent += sent;
        if (rank >= most_ranks) continue;
        out += std::to_string(rank) + detail::in_column(bytes(plan.kept.elements), 21 - std::to_string(rank).size()) +
               detail::in_column(bytes(sent), 16) + detail::in_column(bytes(received), 16) + "  " + peers + '\n';
    }
    if (ranks > most_ranks) out += "and " + std::to_string(ranks - most_ranks) + " more ranks\n";
    out += "all  " + bytes(all_kept) + " bytes stay on their rank, " + bytes(all_sent) + " bytes are sent in " +
           std::to_string(messages) + " messages\n";
    return out;
}

namespace detail {
/// Returns the parts of a message as text, a line for each of the first ones.
inline std::string parts_text(const redistribution_plan& plan, const rank_message& message, int most_parts) {
    std::string out;
    int parts = 0;
    plan.for_each_part(message, [&](const message_part& part) {
        if (parts++ >= most_parts) return;
        out += "  " + to_string(part.sent.dims) + " from " + std::to_string(part.sent.offset0) + " by " +
               to_string(part.sent.strides()) + " to " + std::to_string(part.received.offset0) + " by " +
               to_string(part.received.strides()) + '\n';
    });
    if (parts > most_parts) out += "  and " + std::to_string(parts - most_parts) + " more parts\n";
    return out;
}
}  // namespace detail

/// Describes what one rank sends, receives and keeps: for each message its parts, with their extents, and for sender
/// and receiver the first place and the strides, in elements.
///
/// Pre:     plan was returned by plan_redistribution
/// Post:    has a line for each message, and one for each of the first `most_parts` parts of a message
/// Cost:    allocates; linear in the number of parts
/// Source:  plait's own
/// Example: std::cout << explain(plan_redistribution(rows, columns, 0))
inline std::string explain(const redistribution_plan& plan, int most_parts = 8) {
    std::string out =
        "keeps " + std::to_string(plan.kept.elements) + " elements\n" + detail::parts_text(plan, plan.kept, most_parts);
    for (const bool sends : {true, false})
        for (const rank_message& m : sends ? plan.sends : plan.receives)
            out += (sends ? "sends " : "receives ") + std::to_string(m.elements) + " elements " +
                   (sends ? "to rank " : "from rank ") + std::to_string(m.peer) + '\n' +
                   detail::parts_text(plan, m, most_parts);
    return out;
}
/// Writes a plan to a stream, as explain.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const redistribution_plan& plan) {
    return out << explain(plan).c_str();
}

}  // namespace plait
