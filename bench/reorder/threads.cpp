// One thread against several: where a second begins to pay, and what it is worth. Chunks go to the executor directly,
// so that tensors below the size from which reorder() uses threads are measured, too.

#include <plait/interop/openmp.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

using namespace plait;

struct aligned_memory {
    explicit aligned_memory(std::size_t bytes) : data(std::aligned_alloc(64, (bytes + 63) / 64 * 64)) {
        if (data == nullptr) throw std::bad_alloc();
        std::fill_n(static_cast<char*>(data), bytes, char{1});
    }
    aligned_memory(const aligned_memory&) = delete;
    ~aligned_memory() { std::free(data); }
    void* data;
};

template <class Run>
double seconds(Run run) {
    using clock = std::chrono::steady_clock;
    const clock::time_point start = clock::now();
    run();
    return std::chrono::duration<double>(clock::now() - start).count();
}

template <layout Src, layout Dst, class T, class U = T>
void measure(const char* what, int threads, double budget) {
    const aligned_memory from(Src.element_span() * sizeof(T)), to(Dst.element_span() * sizeof(U));
    const auto in = static_cast<const T*>(from.data);
    const auto out = static_cast<U*>(to.data);
    const openmp_executor team{threads};
    const auto alone = [=] { reorder_kernel<Src, Dst, T, U>(in, out); };
    const auto together = [=] {
        team.run(threads, [=](int chunk) noexcept { reorder_chunk<Src, Dst, T, U>(in, out, chunk, threads); });
    };
    const auto bytes = static_cast<double>(Dst.padded_volume()) * (sizeof(T) + sizeof(U));
    double one = std::numeric_limits<double>::infinity(), several = one;
    alone(), together();
    for (double spent = 0; spent < budget;) {
        const double a = seconds(alone), b = seconds(together);
        one = std::min(one, a);
        several = std::min(several, b);
        spent += a + b;
    }
    std::printf("%-26s %9.0f KB %8.1f us %7.1f GB/s %8.1f us %7.1f GB/s %6.2f\n", what, bytes / 2 / 1024, one * 1e6,
                bytes / one / 1e9, several * 1e6, bytes / several / 1e9, one / several);
}

}  // namespace

int main(int count, char** arguments) {
    const int threads = count > 1 ? std::atoi(arguments[1]) : 2;
    const double budget = count > 2 ? std::atof(arguments[2]) : 1;
    if (threads < 2) return std::puts("usage: plait_bench_threads [THREADS] [SECONDS A ROW]"), 2;
    std::printf("%-26s %12s %11s %12s %11s %12s\n", "", "tensor", "1 thread", "", "threads:", "");
    measure<layout({1, 64, 16, 16}, "nchw"), layout({1, 64, 16, 16}, "nChw16c"), float>("f32 nchw -> nChw16c", threads,
                                                                                        budget);
    measure<layout({1, 64, 32, 32}, "nchw"), layout({1, 64, 32, 32}, "nChw16c"), float>("f32 nchw -> nChw16c", threads,
                                                                                        budget);
    measure<layout({2, 64, 32, 32}, "nchw"), layout({2, 64, 32, 32}, "nChw16c"), float>("f32 nchw -> nChw16c", threads,
                                                                                        budget);
    measure<layout({1, 64, 64, 64}, "nchw"), layout({1, 64, 64, 64}, "nChw16c"), float>("f32 nchw -> nChw16c", threads,
                                                                                        budget);
    measure<layout({8, 64, 64, 64}, "nchw"), layout({8, 64, 64, 64}, "nChw16c"), float>("f32 nchw -> nChw16c", threads,
                                                                                        budget);
    measure<layout({100, 64, 64, 64}, "nchw"), layout({100, 64, 64, 64}, "nChw16c"), float>("f32 nchw -> nChw16c",
                                                                                            threads, budget);
    measure<layout({128, 128}, "ab"), layout({128, 128}, "ba"), float>("f32 ab -> ba", threads, budget);
    measure<layout({256, 256}, "ab"), layout({256, 256}, "ba"), float>("f32 ab -> ba", threads, budget);
    measure<layout({362, 362}, "ab"), layout({362, 362}, "ba"), float>("f32 ab -> ba", threads, budget);
    measure<layout({512, 512}, "ab"), layout({512, 512}, "ba"), float>("f32 ab -> ba", threads, budget);
    measure<layout({1448, 1448}, "ab"), layout({1448, 1448}, "ba"), float>("f32 ab -> ba", threads, budget);
    measure<layout({5120, 5120}, "ab"), layout({5120, 5120}, "ba"), float>("f32 ab -> ba", threads, budget);
    measure<layout({1, 72, 120, 120}, "nchw"), layout({1, 72, 120, 120}, "nhwc"), std::uint8_t>("u8 nchw -> nhwc",
                                                                                                threads, budget);
    measure<layout({8, 72, 120, 120}, "nchw"), layout({8, 72, 120, 120}, "nhwc"), std::uint8_t>("u8 nchw -> nhwc",
                                                                                                threads, budget);
    return 0;
}
