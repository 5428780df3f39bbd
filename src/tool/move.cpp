#include "move.hpp"

#include "errors.hpp"
#include "system.hpp"

#include <plait/descriptor/descriptor_of.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <cstdio>

namespace tool {

namespace {

/// Returns the descriptor of one side. Of elements that plait has no type for only the size matters.
plait::descriptor side_of(const plait::layout& l, plait::data_type type, int bytes) {
    if (type != plait::data_type::undef) return {type, l};
    if (plait::detail::carrier_of(bytes) == plait::data_type::undef)
        throw failure("elements of " + std::to_string(bytes) + " bytes cannot be moved");
    const plait::expected<plait::descriptor> made = plait::detail::descriptor_of_size(l, bytes);
    if (!made)
        throw failure("elements of " + std::to_string(bytes) + " bytes: " + plait::describe(made.error()).c_str());
    return *made;
}

plait::planned_reorder plan(const move_request& request) {
    const bool opaque = request.from_type == plait::data_type::undef;
    const plait::descriptor src = side_of(request.from, request.from_type, request.bytes),
                            dst =
                                side_of(request.to, opaque ? plait::data_type::undef : request.to_type, request.bytes);
    const auto planned = plait::make_reorder(src, dst, request.attributes);
    if (!planned) {
        const std::string types = opaque
                                      ? "elements of " + std::to_string(request.bytes) + " bytes"
                                      : std::string(plait::to_string(src.type)) + " -> " + plait::to_string(dst.type);
        throw failure("reorder " + types + ": " + plait::describe(planned.error()).c_str());
    }
    return *planned;
}

/// Runs the hundred parts of a reorder one after the other, and reports how many are done.
struct progress_bar {
    bool visible;

    static constexpr int concurrency() { return 100; }
    template <class Chunk>
    void run(int chunks, Chunk&& chunk) const {
        for (int done = 0; done < chunks; ++done) {
            chunk(done);
            if (visible) show(done + 1, chunks);
        }
    }
    static void show(int done, int all) {
        constexpr int width = 40;
        char bar[width + 1] = {};
        for (int i = 0; i < width; ++i) bar[i] = i * all < done * width ? '#' : '.';
        std::fprintf(stderr, "\rplait: %s %3d %%%s", bar, done * 100 / all, done == all ? "\n" : "");
    }
};

}  // namespace

planned_move plan_move(const move_request& request) {
    const plait::planned_reorder planned = plan(request);
    return {planned.src_size_in_bytes(), planned.dst_size_in_bytes(), [planned](const std::byte* in, std::byte* out) {
                const plait::verdict why =
                    planned.attempt(static_cast<const void*>(in), static_cast<void*>(out)).error();
                if (!why.ok()) throw failure(std::string("reorder: ") + plait::describe(why).c_str());
            }};
}

void check_move(const move_request& request) { (void)plan(request); }

void move_tensor(const move_request& request, const std::byte* in, std::byte* out) {
    constexpr std::size_t large = 100'000'000;  // bytes
    const plait::planned_reorder planned = plan(request);
    const bool visible = request.shows_progress && planned.src_size_in_bytes() > large && is_terminal(2);
    const plait::expected<void> moved = visible
                                            ? planned.attempt(progress_bar{visible}, in, out)
                                            : planned.attempt(static_cast<const void*>(in), static_cast<void*>(out));
    if (!moved) throw failure(std::string("reorder: ") + plait::describe(moved.error()).c_str());
}

}  // namespace tool
