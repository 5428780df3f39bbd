// Reorders in chunks: in any order, and in parallel, the chunks write the bytes that one thread writes.

#include "engine/kernel/kernels.hpp"

#include <plait/reorder/layout_reorder.hpp>
#include <plait/reorder/parallel_reorder.hpp>

#include <thread>

namespace test_reorder_parallel_reorder {

using namespace kernels;

namespace {

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

/// Runs each chunk on a thread of its own.
struct new_threads {
    int threads = 2;
    int concurrency() const { return threads; }
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        std::vector<std::thread> running;
        for (int number = 0; number < chunks; ++number) running.emplace_back(chunk, number);
        for (std::thread& thread : running) thread.join();
    }
};

template <layout L, class T>
std::vector<T> memory_of() {
    return numbered<T>(L.element_span() + static_cast<std::size_t>(L.offset0));
}

template <layout Src, layout Dst, class T, class U, isa Isa, class E>
void chunks_match(E threads, int chunks) {
    if constexpr (is_of_this_architecture(Isa)) {
        if (!cpu_has(Isa)) return;
        INFO(to_string(Src), " -> ", to_string(Dst), " ", std::string(to_string(Isa)), " ",
             std::string(to_string(data_type_of<T>)), " -> ", std::string(to_string(data_type_of<U>)), " ", chunks,
             " chunks");
        const std::vector<T> in = memory_of<Src, T>();
        std::vector<U> out = memory_of<Dst, U>(), wanted = out;
        reference_reorder(Src, in.data(), Dst, wanted.data());
        threads.run(chunks, [&](int chunk) noexcept {
            move_tensor_with<Src, Dst, element_types_of<T, U>, Isa>(in.data(), out.data(), chunk_number{chunk, chunks});
        });
        CHECK(same_bytes(out, wanted));
    }
}

template <layout Src, layout Dst, class T = float, class U = T>
void chunks_match() {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        for (const int chunks : {1, 2, 3, 7}) (chunks_match<Src, Dst, T, U, every_isa[I]>(backwards{}, chunks), ...);
        (chunks_match<Src, Dst, T, U, every_isa[I]>(new_threads{}, 2), ...);
    }
    (std::make_index_sequence<std::size(every_isa)>{});
}

/// Checks the public functions, with threads and without.
template <layout Src, layout Dst, class T = float, class U = T>
void threads_match(int wanted_runs) {
    INFO(to_string(Src), " -> ", to_string(Dst), " ", std::string(to_string(data_type_of<T>)), " -> ",
         std::string(to_string(data_type_of<U>)));
    const std::vector<T> in = memory_of<Src, T>();
    const std::vector<U> before = memory_of<Dst, U>();
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
    check([&] { reorder(new_threads{}, Src, in.data(), Dst, out.data()); });
    check([&] { reorder(sequential, Src, in.data(), Dst, out.data()); });
    check([&] { reorder(backwards{5}, Src, in.data(), Dst, out.data(), {}); });
    check([&] {
        for (const int chunk : {2, 0, 3, 1}) reorder_chunk<Src, Dst>(in.data(), out.data(), chunk, 4);
    });
}

}  // namespace

TEST_CASE("reorder_chunk: blocks, tails and padding, with every instruction set") {
    chunks_match<layout({2, 64, 7, 7}, "nchw"), layout({2, 64, 7, 7}, "nChw16c")>();
    chunks_match<layout({1, 39, 5, 9}, "nChw16c"), layout({1, 39, 5, 9}, "nhwc"), bfloat16>();
    chunks_match<layout({33, 49}, "ab"), layout({33, 49}, "ba"), std::uint8_t>();
    chunks_match<layout({2, 39, 5}, "abc"), layout({2, 39, 5}, "aBc24b")>();
}
TEST_CASE("reorder_chunk: interleaves, copies, conversions and blocks that do not divide, with every instruction set") {
    chunks_match<layout({2, 3, 9, 30}, "nchw"), layout({2, 3, 9, 30}, "nhwc"), std::uint8_t>();
    chunks_match<layout({1024, 80}, "ab"), layout({1024, 80}, "ba")>();  // through a staging buffer
    chunks_match<layout({130}, "a"), layout({130}, "a"), double>();
    chunks_match<layout({5, 70}, "ab"), layout({5, 70}, strides{96, 1}), float, bfloat16>();
    chunks_match<layout({1, 200, 3, 2}, "aBcd32b"), layout({1, 200, 3, 2}, "aBcd48b")>();
    chunks_match<layout({0, 3}, "ab"), layout({0, 3}, "ba")>();
}

TEST_CASE("reorder on threads: large tensors are split, and the bytes are the same") {
    threads_match<layout({1, 100, 57, 57}, "nchw"), layout({1, 100, 57, 57}, "nChw16c")>(1);
    threads_match<layout({1023, 515}, "ab"), layout({1023, 515}, "ba"), float, std::int8_t>(1);
    threads_match<layout({1, 3, 700, 513}, "nhwc"), layout({1, 3, 700, 513}, "nchw"), std::uint8_t>(1);
    threads_match<layout({3, 100, 30, 30}, "aBcd32b"), layout({3, 100, 30, 30}, "aBcd48b")>(1);
    threads_match<layout({1 << 18}, "a"), layout({1 << 18}, "a")>(1);
}
TEST_CASE("reorder on threads: the calling thread moves small and empty tensors") {
    threads_match<layout({1, 17, 5, 5}, "nchw"), layout({1, 17, 5, 5}, "nChw16c")>(0);
    threads_match<layout({0, 3}, "ab"), layout({0, 3}, "ba")>(0);
}
TEST_CASE("reorder on threads: large tensors are stored past the cache") {
    constexpr layout src({2, 64, 160, 160}, "nchw"), dst({2, 64, 160, 160}, "nChw16c");
    static_assert(may_stream(*make_plan(src, dst, element_sizes(4), isa::avx512)));
    std::vector<float> in = memory_of<src, float>(), out(dst.element_span() + 16), wanted = out;
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
    const std::vector<float> in = memory_of<src, float>();
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
    constexpr layout src({600, 1000}, "ab"), dst({600, 1000}, "ba");
    std::vector<float> data(src.element_span());
    CHECK_THROWS_AS((reorder<src, dst>(backwards{}, data.data(), data.data())), rejection);
    CHECK_THROWS_AS(reorder(backwards{}, src, data.data(), dst, data.data()), rejection);
    CHECK_THROWS_AS(reorder(backwards{}, src, data.data(), layout({3}, "a"), data.data()), rejection);
    const reorder_attributes broken{.src_scale = {{}, 1 << 7}};
    std::vector<float> out(data.size());
    CHECK_THROWS_AS((reorder<src, dst>(backwards{}, data.data(), out.data(), broken)), rejection);
    CHECK_THROWS_AS(reorder(backwards{}, src, data.data(), dst, out.data(), broken), rejection);
}

}  // namespace test_reorder_parallel_reorder
