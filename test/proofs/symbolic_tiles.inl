// The tiles that loops are run around: they compare what is true of each tile, or look for the one that has an index.
// Included by the text that symbolic_engine.py makes.

struct run_time_offsets {};
struct kept_edges {};
struct found_edges {};
struct walk_recorder {};
struct run_time_kernel {
    void finish_streams() const {}
};

inline int any_number(int count) { return the_search().any_number(count); }

/// The question of a run: whether each tile is right, or which tile has an index of the tensor.
struct question {
    static constexpr int axes = 2;
    const reorder_plan* plan = nullptr;
    bool looks_for_index = false;
    number index[axes];                ///< that is looked for
    number extent[axes];               ///< of an axis that is no bound
    number valid[axes], stored[axes];  ///< of an axis that is one
    int bound[axes] = {-1, -1};
    number tile[axes] = {1, 1};    ///< indices of a tile
    number uneven_index_step = 1;  ///< of the loop of the only axis whose steps are uneven
    int axes_used = 1;
    bool found = false;
    /// The places where loops of all steps began, the innermost last.
    struct begin {
        place src, dst;
        remaining_extents<> remaining;
    };
    std::vector<begin> begins;

    /// If there is one axis, the destination counts along it, and the source by threes, with uneven steps. If there are
    /// two, the source counts along the first and the destination along the second.
    number index_at(int axis, const place& src, const place& dst) const {
        return axis == 0 && axes_used == 2 ? src.at : dst.at;
    }
    int axis_of(const number& src, const number&) const { return axes_used == 1 || src != 0 ? 0 : 1; }
    number step_along(int axis, const number& src, const number& dst) const {
        return axis == 0 && axes_used == 2 ? src : dst;
    }
};
inline question& asked() {
    thread_local question now;
    return now;
}

/// Returns the step of a loop that has the index, or any step of it.
inline number step_for(const number& extent, const number& step, const number& overlap, const number& distance) {
    const number last = (extent - 1) * step - overlap;
    if (distance >= last) return extent - 1;
    return distance < 0 ? number(0) : distance / step;
}
inline uneven_offsets of_uneven_steps(const plan_loop& loop, const number& steps) {
    return loop.is_uneven ? uneven_within(asked().plan->uneven_steps, loop.axis, steps) : uneven_offsets{};
}
inline number any_step(const plan_loop& loop, place& src, place& dst, remaining_extents<>& remaining) {
    question& ask = asked();
    if (loop.extent <= 0) throw run_ends{};
    ask.begins.push_back({src, dst, remaining});
    number i;
    if (!ask.looks_for_index) {
        i = any_number_from(0);
        the_search().assume(i.term() < loop.extent.term());
    } else {
        // A loop of larger steps along the axis, if it is further inside: its last step may move back.
        const plan_loop* larger = nullptr;
        for (const plan_loop& other : ask.plan->loops)
            if (&other > &loop && other.axis == loop.axis && other.index_step > loop.index_step) larger = &other;
        number distance = ask.index[loop.axis] - ask.index_at(loop.axis, src, dst);
        if (larger != nullptr) {
            const number last = (larger->extent - 1) * larger->index_step - larger->overlap;
            distance -= distance >= last ? last : distance / larger->index_step * larger->index_step;
        }
        i = step_for(loop.extent, loop.index_step, loop.overlap, distance);
    }
    const uneven_offsets more = of_uneven_steps(loop, i);
    src += i * loop.src + more.src;
    dst += i * loop.dst + more.dst;
    remaining.move_on(loop.bound, i * loop.index_step);
    return i;
}
/// The state after step i is that of step i + 1. Proved where tiles are compared.
inline void is_next_step(const plan_loop& loop, const number& i, const place& src, const place& dst,
                         const remaining_extents<>& remaining) {
    if (asked().looks_for_index) return;
    const question::begin& first = asked().begins.back();
    if (i + 1 >= loop.extent) return;
    const uneven_offsets more = of_uneven_steps(loop, i + 1);
    prove_equal(src.at, first.src.at + (i + 1) * loop.src + more.src, "the next step, source");
    prove_equal(dst.at, first.dst.at + (i + 1) * loop.dst + more.dst, "the next step, destination");
    if (loop.bound < 0) return;
    prove_equal(remaining.valid[loop.bound], first.remaining.valid[loop.bound] - (i + 1) * loop.index_step,
                "the next step, what remains");
    prove_equal(remaining.stored[loop.bound], first.remaining.stored[loop.bound] - (i + 1) * loop.index_step,
                "the next step, what remains");
}
/// After the last step, as much remains as before the first.
inline void is_first_step(const plan_loop& loop, const number& i, remaining_extents<>& remaining) {
    const question::begin first = asked().begins.back();
    asked().begins.pop_back();
    if (!asked().looks_for_index && loop.bound >= 0 && i + 1 == loop.extent) {
        prove_equal(remaining.valid[loop.bound], first.remaining.valid[loop.bound], "after the last step");
        prove_equal(remaining.stored[loop.bound], first.remaining.stored[loop.bound], "after the last step");
    }
    remaining = first.remaining;
}
inline number any_of_range(const number& count, const number& src_step, const number& dst_step, const place& src,
                           const place& dst) {
    question& ask = asked();
    if (count <= 0) throw run_ends{};
    if (!ask.looks_for_index) {
        const number i = any_number_from(0);
        the_search().assume(i.term() < count.term());
        return i;
    }
    const int axis = ask.axis_of(src_step, dst_step);
    return step_for(count, ask.step_along(axis, src_step, dst_step), 0, ask.index[axis] - ask.index_at(axis, src, dst));
}

class run_time_tiles {
public:
    run_time_tiles(const reorder_plan& plan, const run_time_kernel& kernel, const run_time_offsets&, bool, found_edges&,
                   const kept_edges*, walk_recorder*)
        : plan_(plan), kernel_(kernel) {}
    const run_time_kernel& kernel() const { return kernel_; }
    void run(const tile_walk& walk, const place& src, const place& dst, const remaining_extents<>& remaining) const {
        if (asked().looks_for_index) look(walk, src, dst);
        else compare(walk, src, dst, remaining);
    }

private:
    const reorder_plan& plan_;
    const run_time_kernel& kernel_;

    /// Returns what a mask depends on: nothing, a part, or all of the tile remains.
    static number clipped(const number& remaining, const number& reach) {
        return remaining < 0 ? number(0) : remaining < reach ? remaining : reach;
    }
    /// Compares this tile and ends the run, or leaves it to other runs: the tiles after it do not depend on it.
    void compare(const tile_walk& walk, place src, place dst, const remaining_extents<>& remaining) const {
        if (any_number(2) == 0) return;
        const question& ask = asked();
        const number p = any_number_from(0), r = any_number_from(0), t = any_number_from(0);
        the_search().assume(p.term() < walk.planes.term() && r.term() < walk.rows.term() &&
                            t.term() < (walk.tiles + (walk.has_overlap ? 1 : 0)).term());
        src += p * walk.src_plane + r * walk.src_row + t * walk.src_tile;
        dst += p * walk.dst_plane + r * walk.dst_row + t * walk.dst_tile;
        if (walk.has_overlap && t == walk.tiles) src -= walk.overlap_src, dst -= walk.overlap_dst;
        if (ask.axes_used == 1) {
            const uneven_offsets more =
                uneven_within(plan_.uneven_steps, 0, divide_down(dst.at, ask.uneven_index_step));
            prove_equal(src.at, 3 * dst.at + more.src, "both sides are at one index");
        }
        for (int axis = 0; axis < ask.axes_used; ++axis) {
            const number index = ask.index_at(axis, src, dst);
            the_search().prove(index.term() >= 0, "a tile begins in the tensor");
            const int x = ask.bound[axis];
            if (x < 0) {
                the_search().prove((index + ask.tile[axis]).term() <= ask.extent[axis].term(),
                                   "a tile without masks ends in the tensor");
                continue;
            }
            const number reach = plan_.bounds[x].reach;
            prove_equal(clipped(remaining.valid[x], reach), clipped(ask.valid[axis] - index, reach),
                        "as much of the source remains as masks are found for");
            prove_equal(clipped(remaining.stored[x], reach), clipped(ask.stored[axis] - index, reach),
                        "as much of the destination remains as masks are found for");
        }
        throw run_ends{};
    }
    /// Finds the tile of the walk that has the index, the loops of larger steps first.
    void look(const tile_walk& walk, const place& src, const place& dst) const {
        question& ask = asked();
        struct loop {
            number count, src, dst;
            bool overlaps;
        };
        const loop loops[] = {{walk.planes, walk.src_plane, walk.dst_plane, false},
                              {walk.rows, walk.src_row, walk.dst_row, false},
                              {walk.tiles, walk.src_tile, walk.dst_tile, walk.has_overlap}};
        for (int axis = 0; axis < ask.axes_used; ++axis) {
            number distance = ask.index[axis] - ask.index_at(axis, src, dst);
            number after = 1000000000;
            for (int k = 0; k < 3; ++k) {
                const loop* next = nullptr;
                for (const loop& l : loops) {
                    const number step = ask.step_along(axis, l.src, l.dst);
                    if (step != 0 && step < after &&
                        (next == nullptr || step > (ask.step_along(axis, next->src, next->dst))))
                        next = &l;
                }
                if (next == nullptr) break;
                const number step = after = ask.step_along(axis, next->src, next->dst);
                if (next->overlaps) {
                    const number last = next->count * step - ask.step_along(axis, walk.overlap_src, walk.overlap_dst);
                    distance -= distance >= last ? last : distance < 0 ? number(0) : distance / step * step;
                } else {
                    distance -= step_for(next->count, step, 0, distance) * step;
                }
            }
            if (distance < 0 || distance >= ask.tile[axis]) return;
        }
        ask.found = true;
        throw run_ends{};
    }
};

/// The tile of a static plan.
struct static_tile {
    struct offset_table {};
    template <bool, bool>
    static void run(const reorder_plan& plan, const offset_table&, const place& src, const place& dst,
                    const remaining_extents<>& remaining) {
        found_edges found;
        const run_time_kernel kernel;
        run_time_tiles(plan, kernel, {}, false, found, nullptr, nullptr).run({}, src, dst, remaining);
    }
};
