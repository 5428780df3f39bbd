#include "race.hpp"

#include "libdnnl.hpp"

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

namespace bench {
namespace {

constexpr double batch_seconds = 1e-3, seconds_each = 0.35;
constexpr dim_t largest_for_reference = 1 << 19;        // the reference takes some 100 ns an element
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
    contestant who;
    std::function<void(long calls)> batch;
    long calls = 1;
    double best = 0, spent = 0;

    double measure() {
        const double start = now();
        batch(calls);
        const double seconds = now() - start, each = seconds / static_cast<double>(calls);
        spent += seconds;
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
    std::size_t half = what.bytes() / 2;  // what a copy of as many bytes in all copies
    buffer in{std::max(what.src_buffer_bytes(), half)}, out{std::max(what.dst_buffer_bytes(), half)};
    descriptor src = what.src_descriptor(), dst = what.dst_descriptor();
    plait::expected<planned_reorder> planned = make_reorder(src, dst, what.attributes);
    std::unique_ptr<libdnnl_reorder> dnnl = libdnnl_reorder::make(what, in.data(), out.data());
    bool libdnnl_is_wrong = false;
    std::vector<entrant> entrants;

    explicit state(const row& r) : what(r) {
        fill(r.src_type, in.data(), std::max(r.src_buffer_bytes(), half));
        verify();
        enter();
        for (entrant& e : entrants)
            while (e.measure() < batch_seconds / 2 && e.calls < 1 << 24) e.calls *= 2;
    }
    void verify();
    void enter();
};

void race::state::verify() {
    const auto moves = typed_moves_of(what.src_type, what.dst_type);
    buffer expected(what.dst_buffer_bytes());
    const auto differs = [&](auto action) {
        out.set(0x5a);
        action();
        return std::memcmp(out.data(), expected.data(), what.dst_buffer_bytes()) != 0;
    };
    const auto must_equal = [&](const char* who, auto action) {
        if (!differs(action)) return;
        std::fprintf(stderr, "\n%s: the bytes of %s are not those of the reference\n", what.name.c_str(), who);
        std::exit(1);
    };
    expected.set(0x5a);
    // Where the reference would take minutes, the plain loop stands for it, which all other rows compare with it.
    const bool small = what.dst.padded_volume() <= largest_for_reference;
    if (small) {
        moves.reference(what, in.data(), expected.data());
        must_equal("the plain loop", moves.loop(what, in.data(), out.data()));
    } else {
        moves.loop(what, in.data(), expected.data())();
    }
    must_equal("plait's kernel", [&] { what.kernel(in.data(), out.data(), what.attributes); });
    if (what.avx2 != nullptr)
        must_equal("plait's AVX2 kernel", [&] { what.avx2(in.data(), out.data(), what.attributes); });
    if (!planned) {
        std::fprintf(stderr, "\n%s: plait does not plan it: %s\n", what.name.c_str(),
                     describe(planned.error()).c_str());
        std::exit(1);
    }
    const auto must_move = [&](const plait::verdict& why) {
        if (why.ok()) return;
        std::fprintf(stderr, "\n%s: plait does not move it: %s\n", what.name.c_str(), describe(why).c_str());
        std::exit(1);
    };
    must_equal("plait's planned reorder", [&] { must_move((*planned)(in.data(), out.data())); });
    must_equal("plait's run-time reorder",
               [&] { must_move(reorder(src, in.data(), dst, out.data(), what.attributes)); });
    if (dnnl) libdnnl_is_wrong = differs([&] { (*dnnl)(); }) || differs([&] { dnnl->create_and_run(); });
}

void race::state::enter() {
    const void* const from = in.data();
    void* const to = out.data();
    const auto enter = [&](contestant who, auto action) { entrants.push_back({who, batch_of(action)}); };
    const auto moves = typed_moves_of(what.src_type, what.dst_type);
    enter(bench::kernel, [=, this] { what.kernel(from, to, what.attributes); });
    if (what.avx2 != nullptr) enter(avx2, [=, this] { what.avx2(from, to, what.attributes); });
    // That they are not refused, verify() has seen.
    enter(run_time, [=, this] { static_cast<void>((*planned)(from, to)); });
    enter(planning, [this] { benchmark::DoNotOptimize(make_reorder(src, dst, what.attributes)); });
    if (dnnl) enter(libdnnl, [prepared = dnnl.get()] { (*prepared)(); });
    if (what.tensor_bytes() < largest_to_run_once) {
        enter(run_once, [=, this] { static_cast<void>(reorder(src, from, dst, to, what.attributes)); });
        if (dnnl) enter(libdnnl_once, [prepared = dnnl.get()] { prepared->create_and_run(); });
    }
    enter(memory_copy, [=, bytes = half] { std::memcpy(to, from, bytes); });
#if defined(__x86_64__)
    if (cpu_has(isa::avx2)) enter(streaming_copy, [=, bytes = half] { copy_past_cache(from, to, bytes); });
#endif
    enter(plain_loop_nest, moves.loop(what, from, to));
}

race::race(const row& r) : state_(std::make_unique<state>(r)) {}
race::~race() = default;

void race::round() {
    for (entrant& e : state_->entrants)
        if (e.spent < seconds_each) e.measure();
}

result race::best() const {
    result out{&state_->what, {}, {}, state_->libdnnl_is_wrong};
    if (state_->dnnl) out.libdnnl_implementation = state_->dnnl->implementation();
    for (const entrant& e : state_->entrants) out.seconds[static_cast<std::size_t>(e.who)] = e.best;
    return out;
}

}  // namespace bench
