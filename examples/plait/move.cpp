#include "move.hpp"

#include "errors.hpp"

#include <plait/reorder/make_reorder.hpp>

#include <cstdio>

#include <unistd.h>  // isatty

namespace tool {

namespace {

/// Returns a type of this size: without attributes only the size of an element matters.
plait::data_type type_of_size(int bytes) {
    switch (bytes) {
        case 1: return plait::data_type::u8;
        case 2: return plait::data_type::f16;
        case 4: return plait::data_type::f32;
        case 8: return plait::data_type::f64;
        default: throw failure("elements of " + std::to_string(bytes) + " bytes cannot be moved");
    }
}

plait::planned_reorder plan(const move_request& request) {
    const bool opaque = request.from_type == plait::data_type::undef;
    const plait::data_type from = opaque ? type_of_size(request.bytes) : request.from_type;
    const plait::descriptor src(from, request.from), dst(opaque ? from : request.to_type, request.to);
    const auto planned = plait::make_reorder(src, dst, request.attributes);
    if (!planned)
        throw failure(std::string("reorder ") + plait::to_string(src.type) + " -> " + plait::to_string(dst.type) +
                      ": " + plait::describe(planned.error()).c_str());
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
    const bool visible = request.shows_progress && planned.src_size_in_bytes() > large && ::isatty(STDERR_FILENO) != 0;
    const plait::expected<void> moved = visible
                                            ? planned.attempt(progress_bar{visible}, in, out)
                                            : planned.attempt(static_cast<const void*>(in), static_cast<void*>(out));
    if (!moved) throw failure(std::string("reorder: ") + plait::describe(moved.error()).c_str());
}

}  // namespace tool
