// Reorders in chunks: in any order, and in parallel, the chunks write the bytes that one thread writes.

#include "engine/kernel/kernels.hpp"
#include "support/executors.hpp"

#include <plait/contract/reference.hpp>
#include <plait/reorder/converted_rows.hpp>
#include <plait/reorder/layout_reorder.hpp>
#include <plait/reorder/parallel_reorder.hpp>

namespace test_reorder_parallel_reorder { namespace {

using namespace kernels;
using plait_test::new_threads;

/// Runs the chunks on one thread, the last one first.
struct backwards {
    int threads = 3;
    int runs = 0;
    int concurrency() const { return threads; }
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) {
        static_assert(noexcept(chunk(0)) || std::is_same_v<Chunk, any_chunk>);
        ++runs;
        for (int number = chunks; number-- > 0;) chunk(number);
    }
};

template <class T>
std::vector<T> memory_of(const layout& l) {
    return numbered<T>(l.element_span() + static_cast<std::size_t>(l.offset0));
}

/// Checks the functions for layouts that are known at run time, with threads and without.
template <class T = float, class U = T>
void threads_match_at_run_time(const layout& src, const layout& dst, int wanted_runs) {
    INFO(to_string(src), " -> ", to_string(dst));
    const std::vector<T> in = memory_of<T>(src);
    const std::vector<U> before = memory_of<U>(dst);
    std::vector<U> out = before, wanted = before;
    reference_reorder(src, in.data(), dst, wanted.data());
    const auto check = [&](auto&& threads, auto... attributes) {
        out = before;
        reorder(threads, src, in.data(), dst, out.data(), attributes...);
        CHECK(same_bytes(out, wanted));
    };
    backwards threads;
    check(threads);
    CHECK(threads.runs == wanted_runs);
    check(new_threads{});
    check(sequential);
    check(backwards{5}, reorder_attributes{});
}

/// Checks the functions for constant layouts too.
template <layout Src, layout Dst, class T = float, class U = T>
void threads_match(int wanted_runs) {
    threads_match_at_run_time<T, U>(Src, Dst, wanted_runs);
    INFO(to_string(Src), " -> ", to_string(Dst));
    const std::vector<T> in = memory_of<T>(Src);
    const std::vector<U> before = memory_of<U>(Dst);
    std::vector<U> out = before, wanted = before;
    reorder<Src, Dst>(in.data(), wanted.data());
    const auto check = [&](auto&& move) {
        out = before;
        move();
        CHECK(same_bytes(out, wanted));
    };
    backwards threads;
    check([&] { reorder<Src, Dst>(threads, in.data(), out.data()); });
    CHECK(threads.runs == wanted_runs);
    check([&] { reorder<Src, Dst>(new_threads{}, in.data(), out.data()); });
    check([&] { reorder<Src, Dst>(sequential, in.data(), out.data()); });
    check([&] { reorder<Src, Dst>(new_threads{1}, in.data(), out.data()); });
    check([&] { reorder<Src, Dst>(new_threads{5}, in.data(), out.data(), {}); });
    check([&] {
        for (const int chunk : {2, 0, 3, 1}) reorder_chunk<Src, Dst>(in.data(), out.data(), chunk, 4);
    });
}

constexpr layout large_plain({2, 64, 160, 160}, "nchw"), large_blocked({2, 64, 160, 160}, "nChw16c");

TEST_CASE("reorder on threads: large tensors are split, and the bytes are the same") {
    threads_match<layout({1023, 515}, "ab"), layout({1023, 515}, "ba"), float, std::int8_t>(1);
    threads_match_at_run_time(layout({1, 100, 57, 57}, "nchw"), layout({1, 100, 57, 57}, "nChw16c"), 1);
    threads_match_at_run_time<std::uint8_t>(layout({1, 3, 700, 513}, "nhwc"), layout({1, 3, 700, 513}, "nchw"), 1);
    threads_match_at_run_time(layout({3, 100, 30, 30}, "aBcd32b"), layout({3, 100, 30, 30}, "aBcd48b"), 1);
    threads_match_at_run_time(layout({1 << 18}, "a"), layout({1 << 18}, "a"), 1);
}
TEST_CASE("reorder on threads: the calling thread moves small and empty tensors") {
    threads_match<layout({1, 17, 5, 5}, "nchw"), layout({1, 17, 5, 5}, "nChw16c")>(0);
    threads_match<layout({0, 3}, "ab"), layout({0, 3}, "ba")>(0);
}
TEST_CASE("reorder on threads: large tensors are stored past the cache") {
    constexpr layout src = large_plain, dst = large_blocked;
    static_assert(may_stream(*make_plan(src, dst, element_sizes(4), isa::avx512)));
    std::vector<float> in = memory_of<float>(src), out(dst.element_span() + 16), wanted = out;
    const auto line = [](std::vector<float>& v) {
        return v.data() + (64 - reinterpret_cast<std::uintptr_t>(v.data()) % 64) % 64 / 4;
    };
    reorder<src, dst>(in.data(), line(wanted));
    reorder<src, dst>(new_threads{}, in.data(), line(out));
    CHECK(std::memcmp(line(out), line(wanted), dst.element_span() * 4) == 0);
    std::fill(out.begin(), out.end(), 0.0f);
    reorder(new_threads{}, src, in.data(), dst, line(out));
    CHECK(std::memcmp(line(out), line(wanted), dst.element_span() * 4) == 0);
    // try_reorder returns refusals without an exception, and writes nothing if it refuses.
    const float* const nothing = nullptr;
    CHECK(try_reorder<src, dst>(new_threads{}, nothing, line(out)).error().reason == reason::buffer_is_null);
    CHECK(try_reorder<src, dst>(new_threads{}, nothing, line(out), {}).error().reason == reason::buffer_is_null);
    CHECK(try_reorder(new_threads{}, src, nothing, dst, line(out)).error().reason == reason::buffer_is_null);
    CHECK(std::memcmp(line(out), line(wanted), dst.element_span() * 4) == 0);
    std::fill(out.begin(), out.end(), 0.0f);
    CHECK(try_reorder<src, dst>(new_threads{}, in.data(), line(out)));
    CHECK(std::memcmp(line(out), line(wanted), dst.element_span() * 4) == 0);
}
TEST_CASE("reorder on threads: attributes are applied") {
    constexpr layout src({500, 1000}, "ab"), dst({500, 1000}, "ba");
    const std::vector<float> in = memory_of<float>(src);
    std::vector<std::int8_t> out(in.size()), wanted(in.size());
    const reorder_attributes attributes{.src_scale = 0.5f, .dst_zero_point = 3};
    reference_reorder(src, in.data(), dst, wanted.data(), attributes);
    reorder<src, dst>(backwards{}, in.data(), out.data(), attributes);
    CHECK(out == wanted);
    std::fill(out.begin(), out.end(), std::int8_t{0});
    reorder(backwards{}, src, in.data(), dst, out.data(), attributes);
    CHECK(out == wanted);
}
TEST_CASE("reorder on threads: refuses the pairs that are refused without threads") {
    constexpr layout src = large_plain, dst = large_blocked;
    std::vector<float> data(src.element_span());
    CHECK_THROWS_AS((reorder<src, dst>(backwards{}, data.data(), data.data())), rejection);
    CHECK_THROWS_AS(reorder(backwards{}, src, data.data(), dst, data.data()), rejection);
    CHECK_THROWS_AS(reorder(backwards{}, src, data.data(), layout({3}, "a"), data.data()), rejection);
    const reorder_attributes broken{.src_scale = {{}, 1 << 7}};
    std::vector<float> out(data.size());
    CHECK_THROWS_AS((reorder<src, dst>(backwards{}, data.data(), out.data(), broken)), rejection);
    CHECK_THROWS_AS(reorder(backwards{}, src, data.data(), dst, out.data(), broken), rejection);
}

}}  // namespace test_reorder_parallel_reorder
