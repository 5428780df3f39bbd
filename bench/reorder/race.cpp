#include "race.hpp"

#include "libdnnl.hpp"
#include "peers.hpp"
#include "truth.hpp"

#include <plait/engine/plan/order_loops.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <benchmark/benchmark.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>

namespace bench {
namespace {

constexpr int old_byte = 0x5a;  // what destinations hold beforehand
// Memory after each buffer. oneDNN 3.7 writes past the destination in f32 ABcd16a16b -> aCdb32c 53x67x1x1: the bytes
// here are compared too, so that it is wrong there, and damages nothing.
constexpr std::size_t guard_bytes = 1 << 20;
// The first call after buffers were freed may take a hundred times as long: a virtual machine gives their pages back.
constexpr int least_batches = 5;
constexpr std::size_t largest_to_run_once = 256 << 10;  // bytes; of larger ones the move itself takes longest

class buffer {
public:
    explicit buffer(std::size_t bytes) : bytes_(bytes), data_(std::aligned_alloc(4096, (bytes / 4096 + 1) * 4096)) {}
    buffer(const buffer&) = delete;
    ~buffer() { std::free(data_); }
    void* data() const { return data_; }
    void set(int byte) { std::memset(data_, byte, bytes_); }

private:
    std::size_t bytes_;
    void* data_;
};

#if defined(__x86_64__)
[[gnu::target("avx2")]] void copy_past_cache(const void* in, void* out, std::size_t bytes) {
    const auto* const from = static_cast<const char*>(in);
    auto* const to = static_cast<char*>(out);
    std::size_t i = 0;
    for (; i + 64 <= bytes; i += 64) {
        _mm_prefetch(from + i + 1024, _MM_HINT_T0);
        const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
        const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 32));
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i), low);
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i + 32), high);
    }
    std::memcpy(to + i, from + i, bytes - i);
    _mm_sfence();
}
#endif

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// A contestant runs in batches, so that the clock is read rarely.
struct entrant {
    contestant who;    // `contestants` for another library's
    std::string peer;  // its name
    std::function<void(long calls)> batch;
    long calls = 1;
    int batches = 0;  // that were timed
    double best = 0, spent = 0;

    double measure() {
        if (calls == 1) batch(1);  // not timed: it finds in the caches what another contestant left there
        const double start = now();
        batch(calls);
        const double seconds = now() - start, each = seconds / static_cast<double>(calls);
        spent += seconds;
        ++batches;
        if (best == 0 || each < best) best = each;
        return seconds;
    }
};

template <class Action>
std::function<void(long)> batch_of(Action action) {
    return [=](long calls) mutable {
        for (long i = 0; i < calls; ++i) {
            action();
            benchmark::ClobberMemory();
        }
    };
}

}  // namespace

struct race::state {
    const row& what;
    race_rules rules;
    std::size_t half = what.bytes() / 2;  // what a copy of as many bytes in all copies
    buffer in{std::max(what.src_buffer_bytes(), half) + guard_bytes};
    buffer out{std::max(what.dst_buffer_bytes(), half) + guard_bytes};
    descriptor src = what.src_descriptor(), dst = what.dst_descriptor();
    plait::expected<planned_reorder> planned = make_reorder(src, dst, what.attributes);
    planned_reorder avx2_plan;
    bool has_avx2_plan = false;
    std::string libdnnl_cannot;
    std::unique_ptr<libdnnl_reorder> dnnl = libdnnl_reorder::make(what, in.data(), out.data(), libdnnl_cannot);
    bool libdnnl_is_wrong = false;
    std::vector<peer_move> peers = peers_of(what, in.data(), out.data());
    std::vector<std::string> wrong_peers;
    std::vector<std::string> problems;
    std::array<double, contestants + 1> verified_seconds{};  // of the call that was verified
    std::vector<entrant> entrants;

    state(const row& r, const race_rules& with) : what(r), rules(with) {
        fill(r.src_type, in.data(), std::max(r.src_buffer_bytes(), half));
        if (planned) plan_for_avx2();
        else problems.push_back(std::string("plait does not plan it: ") + describe(planned.error()).c_str());
        verify();
        if (!problems.empty()) return;
        enter();
        for (entrant& e : entrants) {
            const double once = verified_seconds[e.who];
            if (once > rules.too_long) e.best = e.spent = once, e.batches = least_batches;
            else
                while (e.measure() < rules.batch_seconds / 2 && e.calls < 1 << 24) e.calls *= 2;
        }
    }
    bool runs_once() const { return what.tensor_bytes() < largest_to_run_once; }
    /// Returns after how many calls the plans try nothing more, at least 1.
    int calls_to_try() const {
        const auto tries = [](const planned_reorder& plan) {
            return !std::string_view(plan.choice().c_str()).ends_with("/1");
        };
        const bool any = (planned && tries(*planned)) || (has_avx2_plan && tries(avx2_plan));
        return any ? engine::order_trials::calls_to_try(engine::most_orders) : 1;
    }
    void plan_for_avx2();
    void verify();
    void enter();
};

/// The only place that plans with an instruction set by name.
void race::state::plan_for_avx2() {
#if defined(__x86_64__)
    has_avx2_plan = cpu_has(isa::avx2);
    if (has_avx2_plan)
        engine::compiled_once::plan(isa::avx2, avx2_plan, src, dst, what.attributes,
                                    plait::detail::measure_reorder(src, dst, what.attributes).ends);
#endif
}

void race::state::verify() {
    const std::size_t bytes = what.dst_buffer_bytes() + guard_bytes;
    buffer expected(bytes);
    const auto differs = [&](contestant who, auto action) {
        out.set(old_byte);
        const double start = now();
        action();
        verified_seconds[who] = now() - start;
        return std::memcmp(out.data(), expected.data(), bytes) != 0;
    };
    const auto must_equal = [&](contestant who, const char* called, auto action) {
        if (differs(who, action))
            problems.push_back(std::string("the bytes of ") + called + " are not those of the reference");
    };
    const auto must_move = [&](const plait::expected<void>& moved) {
        if (!moved) problems.push_back(std::string("plait does not move it: ") + describe(moved.error()).c_str());
    };
    const void* const from = in.data();
    void* const to = out.data();
    expected.set(old_byte);
    if (!write_truth(what, from, expected.data())) problems.push_back("the tables differ from the reference");
    if (rules.with_loops) must_equal(plain_loop_nest, "the plain loop", prepare_plain_loop(what, from, to));
    if (what.kernel != nullptr)
        must_equal(bench::kernel, "plait's kernel", [&] { what.kernel(from, to, what.attributes); });
    if (what.avx2 != nullptr) must_equal(avx2, "plait's AVX2 kernel", [&] { what.avx2(from, to, what.attributes); });
    // The first calls for a large tensor try orders of loops; all orders are verified.
    const planned_reorder timed = planned ? *planned : planned_reorder(), timed_avx2 = avx2_plan;
    const int tries = calls_to_try();
    for (int call = 0; call < tries; ++call) {
        if (planned) must_equal(run_time, "plait's planned reorder", [&] { must_move(planned->attempt(from, to)); });
        if (has_avx2_plan)
            must_equal(run_time_avx2, "plait's reorder planned for AVX2",
                       [&] { must_move(avx2_plan.attempt(from, to)); });
    }
    // Copies try again, in successive calls as a user makes them: comparing the bytes between two calls brings all of
    // the destination into the caches.
    if (planned) planned = timed;
    avx2_plan = timed_avx2;
    const int again = tries == 1 ? 0 : tries;
    for (int call = 0; planned && call < again; ++call) must_move(planned->attempt(from, to));
    for (int call = 0; has_avx2_plan && call < again; ++call) must_move(avx2_plan.attempt(from, to));
    if (rules.with_loops || runs_once())
        must_equal(run_once, "plait's run-time reorder",
                   [&] { must_move(try_reorder(src, from, dst, to, what.attributes)); });
    if (dnnl) libdnnl_is_wrong = differs(libdnnl, [&] { (*dnnl)(); });
    if (dnnl && runs_once()) libdnnl_is_wrong |= differs(libdnnl_once, [&] { dnnl->create_and_run(); });
    std::erase_if(peers, [&](const peer_move& peer) {
        const bool is_wrong = differs(contestants, peer.run);
        if (is_wrong) wrong_peers.push_back(peer.name);
        return is_wrong;
    });
    verified_seconds[contestants] = 0;
}

void race::state::enter() {
    const void* const from = in.data();
    void* const to = out.data();
    const auto enter = [&](contestant who, auto action) { entrants.push_back({who, {}, batch_of(action)}); };
    if (what.kernel != nullptr) enter(bench::kernel, [=, this] { what.kernel(from, to, what.attributes); });
    if (what.avx2 != nullptr) enter(avx2, [=, this] { what.avx2(from, to, what.attributes); });
    // That they are not refused, verify() has seen.
    enter(run_time, [=, this] { (*planned)(from, to); });
    if (has_avx2_plan) enter(run_time_avx2, [=, this] { avx2_plan(from, to); });
    enter(planning, [this] { benchmark::DoNotOptimize(make_reorder(src, dst, what.attributes)); });
    if (dnnl) enter(libdnnl, [prepared = dnnl.get()] { (*prepared)(); });
    if (runs_once()) {
        enter(run_once, [=, this] { reorder(src, from, dst, to, what.attributes); });
        if (dnnl) enter(libdnnl_once, [prepared = dnnl.get()] { prepared->create_and_run(); });
    }
    for (const peer_move& peer : peers) entrants.push_back({contestants, peer.name, batch_of(peer.run)});
    enter(memory_copy, [=, bytes = half] { std::memcpy(to, from, bytes); });
    if (!rules.with_loops) return;
#if defined(__x86_64__)
    if (cpu_has(isa::avx2)) enter(streaming_copy, [=, bytes = half] { copy_past_cache(from, to, bytes); });
#endif
    enter(plain_loop_nest, prepare_plain_loop(what, from, to));
}

race::race(const row& r, const race_rules& rules) : state_(std::make_unique<state>(r, rules)) {}
race::~race() = default;

void race::round() {
    for (entrant& e : state_->entrants)
        if (e.spent < state_->rules.seconds_each || e.batches < least_batches) e.measure();
}

result race::best() const {
    result out;
    out.what = &state_->what;
    out.libdnnl_cannot = state_->libdnnl_cannot;
    out.libdnnl_is_wrong = state_->libdnnl_is_wrong;
    out.wrong_peers = state_->wrong_peers;
    out.problems = state_->problems;
    if (state_->dnnl) out.libdnnl_implementation = state_->dnnl->implementation();
    for (const entrant& e : state_->entrants)
        if (e.who == contestants) out.peers.emplace_back(e.peer, e.best);
        else out.seconds[static_cast<std::size_t>(e.who)] = e.best;
    return out;
}

}  // namespace bench
