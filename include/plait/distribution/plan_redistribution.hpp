#pragma once
// The plan of one rank's part in moving a tensor from one distribution to another.

#include <plait/core/expected.hpp>
#include <plait/distribution/axis_pieces.hpp>
#include <plait/distribution/distribution.hpp>
#include <plait/distribution/redistribution_plan.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that a tensor can move from one distribution to another. Fails with dims_differ, rank_differs; as
/// check_distribution.
constexpr verdict check_plan_redistribution(const distribution& from, const distribution& to) {
    if (const verdict why = check_distribution(from); !why.ok()) return why;
    if (const verdict why = check_distribution(to); !why.ok()) return why;
    if (from.ndims() != to.ndims()) return {reason::rank_differs, -1, to.ndims(), from.ndims()};
    for (int a = 0; a < from.ndims(); ++a)
        if (from.dims()[a] != to.dims()[a]) return {reason::dims_differ, a, from.dims()[a], to.dims()[a]};
    return {};
}

namespace detail {
/// Pieces of an axis that were found for a rank of the axis: a range of the plan's pieces.
struct found_pieces {
    dim_t rank = 0;
    int first = 0, count = 0;
    int others = 0;  ///< how many ranks of the other side they have
};

/// Makes the plan of one rank.
class rank_planner {
public:
    constexpr rank_planner(const distribution& from, const distribution& to, dim_t rank)
        : from_(from), to_(to), rank_(rank), ndims_(from.ndims()) {
        plan_.ndims = ndims_;
        plan_.from_offset = from.local.offset0;
        plan_.to_offset = to.local.offset0;
        plan_.kept.peer = rank;
    }

    constexpr redistribution_plan make() {
        add_boxes(true);
        finish(plan_.sends);
        add_boxes(false);
        finish(plan_.receives);
        int kept = 0;
        for (int k = 0; k < plan_.receives.size(); ++k) {
            if (plan_.receives[k].peer == rank_) plan_.kept = plan_.receives[k];
            else plan_.receives[kept++] = plan_.receives[k];
        }
        plan_.receives.resize(kept);
        return static_cast<redistribution_plan&&>(plan_);
    }

private:
    /// Adds the boxes that this rank has before, if `sends`, or after, with their peers.
    constexpr void add_boxes(bool sends) {
        const rank_sums& mine = sends ? from_ : to_;
        for (heap_list<found_pieces>& list : found_) list.clear();
        for (const dim_t copy : mine.copies) {
            axis_values chosen;
            for_each_rank_sum(mine.values, ndims_, rank_ - copy - mine.offset, chosen, [&](const axis_values& of) {
                found_pieces ranges[max_ndims];
                dim_t boxes = 1;
                for (int a = 0; a < ndims_; ++a) {
                    ranges[a] = pieces_of(sends, a, of[a]);
                    boxes *= ranges[a].others;
                }
                make_room(boxes);
                rank_box box;
                box.elements = 1;
                box.from = from_.offset;
                box.to = to_.offset;
                add_boxes_of(sends, ranges, 0, box, 0);
            });
        }
    }

    /// Makes room for this number of boxes.
    constexpr void make_room(dim_t boxes) {
        if (boxes < 16 || boxes > 1 << 20) return;
        detail::make_room(plan_.boxes, static_cast<int>(boxes));
        detail::make_room(plan_.peers, static_cast<int>(boxes));
        detail::make_room(plan_.ranges, static_cast<int>(boxes) * ndims_);
    }
    /// Returns the pieces of an axis on one of its ranks, sorted by the ranks of the other side.
    constexpr found_pieces pieces_of(bool sends, int axis, dim_t rank) {
        for (const found_pieces& one : found_[axis])
            if (one.rank == rank) return one;
        const wanted_rank wanted{false, rank}, any;
        found_pieces out{rank, plan_.pieces.size(), 0, 0};
        detail::make_room(plan_.pieces, (sends ? to_ : from_).values[axis].size());
        axis_piece_finder(from_.digits.axes[axis], to_.digits.axes[axis], sends ? wanted : any, sends ? any : wanted,
                          plan_.digits)
            .find(plan_.pieces);
        out.count = plan_.pieces.size() - out.first;
        for (int k = out.first; k < plan_.pieces.size(); ++k) {
            const bool begins = k == out.first || plan_.pieces[k].from_rank != plan_.pieces[k - 1].from_rank ||
                                plan_.pieces[k].to_rank != plan_.pieces[k - 1].to_rank;
            out.others += begins;
        }
        found_[axis].push_back(out);
        return out;
    }

    /// Adds a box for each choice of one rank of the other side per axis. `turn` counts which choice it is.
    constexpr void add_boxes_of(bool sends, const found_pieces* ranges, int axis, rank_box box, dim_t turn) {
        if (axis == ndims_) return add_peers(sends, box, turn);
        const int end = ranges[axis].first + ranges[axis].count;
        for (int k = ranges[axis].first; k < end;) {
            const axis_piece& first = plan_.pieces[k];
            const dim_t from = first.from_rank, to = first.to_rank;
            rank_box more = box;
            const int begin = k;
            dim_t elements = 0;
            for (; k < end && plan_.pieces[k].from_rank == from && plan_.pieces[k].to_rank == to; ++k)
                elements += plan_.pieces[k].elements;
            chosen_[axis] = {begin, k - begin};
            more.elements *= elements;
            more.from += from;
            more.to += to;
            const dim_t next = from_.copies.size() > 1 ? turn + find_sorted(to_.values[axis], to) : 0;
            add_boxes_of(sends, ranges, axis + 1, more, next);
        }
    }

    /// Adds the box for each peer. Ranks that already have its elements do not receive them. The others receive them
    /// from the ranks that have them in turn; both sides count the turns alike.
    constexpr void add_peers(bool sends, const rank_box& box, dim_t turn) {
        const int at = plan_.boxes.size();
        rank_box added = box;
        added.first_range = plan_.ranges.size();
        const int senders = from_.copies.size();
        bool used = false;
        const auto add = [&](dim_t peer) {
            plan_.peers.push_back({peer, at});
            used = true;
        };
        if (sends) {
            for (const dim_t copy : to_.copies) {
                const dim_t receiver = box.to + copy;
                if (from_.is_on(receiver, box.from)) continue;
                if (box.from + from_.copies[static_cast<int>(turn % senders)] == rank_) add(receiver);
                ++turn;
            }
        } else if (from_.is_on(rank_, box.from)) {
            add(rank_);
        } else {
            if (senders > 1) turn += receivers_before(box);
            add(box.from + from_.copies[static_cast<int>(turn % senders)]);
        }
        if (!used) return;
        plan_.boxes.push_back(added);
        for (int a = 0; a < ndims_; ++a) plan_.ranges.push_back(chosen_[a]);
    }
    /// Returns how many ranks with a lower copy than this one receive the box.
    constexpr dim_t receivers_before(const rank_box& box) const {
        const int mine = find_sorted(to_.copies, rank_ - box.to);
        dim_t without = 0;
        if (from_.copies.size() < mine) {
            for (const dim_t copy : from_.copies) {
                const int at = find_sorted(to_.copies, box.from + copy - box.to);
                without += at >= 0 && at < mine;
            }
        } else {
            for (int k = 0; k < mine; ++k) without += from_.is_on(box.to + to_.copies[k], box.from);
        }
        return mine - without;
    }

    /// Sorts the boxes that were added since the last call into messages.
    constexpr void finish(heap_list<rank_message>& messages) {
        heap_list<peer_box> added;
        detail::make_room(added, plan_.peers.size() - finished_);
        detail::make_room(messages, plan_.peers.size() - finished_);
        for (int k = finished_; k < plan_.peers.size(); ++k) added.push_back(plan_.peers[k]);
        sort_stable(added, [&](const peer_box& a, const peer_box& b) {
            return a.peer != b.peer ? a.peer < b.peer : comes_before(plan_.boxes[a.box], plan_.boxes[b.box]);
        });
        for (int k = 0; k < added.size(); ++k) {
            plan_.peers[finished_ + k] = added[k];
            if (messages.empty() || messages.back().peer != added[k].peer)
                messages.push_back({added[k].peer, 0, finished_ + k, 0});
            rank_message& last = messages[messages.size() - 1];
            last.elements += plan_.boxes[added[k].box].elements;
            ++last.boxes;
        }
        finished_ = plan_.peers.size();
    }
    /// The order of the boxes of a message, the same for sender and receiver: by ranks, then by the ranks of each axis.
    constexpr bool comes_before(const rank_box& a, const rank_box& b) const {
        if (a.from != b.from) return a.from < b.from;
        if (a.to != b.to) return a.to < b.to;
        for (int axis = 0; axis < ndims_; ++axis) {
            const axis_piece& x = plan_.pieces[plan_.ranges[a.first_range + axis].first];
            const axis_piece& y = plan_.pieces[plan_.ranges[b.first_range + axis].first];
            if (x.from_rank != y.from_rank) return x.from_rank < y.from_rank;
            if (x.to_rank != y.to_rank) return x.to_rank < y.to_rank;
        }
        return false;
    }

    rank_sums from_, to_;
    dim_t rank_;
    int ndims_;
    heap_list<found_pieces> found_[max_ndims];
    piece_range chosen_[max_ndims]{};
    int finished_ = 0;
    redistribution_plan plan_;
};
}  // namespace detail

/// Plans what one rank sends, receives and keeps when a tensor moves from one distribution to another. The meshes may
/// differ in their number of ranks; a rank outside both has nothing to do.
///
/// Refused: as check_plan_redistribution
/// Pre:     check_plan_redistribution(from, to).ok()
/// Post:    the messages of all ranks together move each element to every rank of `to` that does not have it, once; no
///          other plan sends fewer elements
/// Cost:    linear in the messages of the rank and their pieces; allocates
/// Source:  plait's own
/// Example: docs/distributed.md
[[nodiscard]] constexpr redistribution_plan plan_redistribution(const distribution& from, const distribution& to,
                                                                dim_t rank) {
    require(check_plan_redistribution(from, to));
    return detail::rank_planner(from, to, rank).make();
}
/// Returns the plan, or the verdict that refuses it; see plan_redistribution.
[[nodiscard]] constexpr expected<redistribution_plan> try_plan_redistribution(const distribution& from,
                                                                              const distribution& to, dim_t rank) {
    if (const verdict why = check_plan_redistribution(from, to); !why.ok()) return why;
    return detail::rank_planner(from, to, rank).make();
}

}  // namespace plait
