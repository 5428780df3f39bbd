// The reorder kernels beside memcpy and the plain loop: in one process, in turn, on the same buffers. Prints the best
// of many as GB/s (bytes read and written) and as a share of memcpy.

#include <plait/plait.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {

using namespace plait;

struct buffer {
    explicit buffer(std::size_t elements)
        : data(static_cast<float*>(::operator new (elements * sizeof(float), std::align_val_t{64})), release) {
        std::fill_n(data.get(), elements, 1.5f);
    }
    static void release(float* memory) { ::operator delete (memory, std::align_val_t{64}); }
    std::unique_ptr<float[], void (*)(float*)> data;
};

/// What anybody would write: loops over n, c, h, w in the order of the destination's memory.
template <layout Src, layout Dst>
[[gnu::noinline]] void plain_loop(const float* in, float* out) {
    constexpr layout l = Src.inner_blocks().empty() ? Dst : Src;
    constexpr dim_t block = l.block_size(1), channels = l.padded_dims[1], places = l.dims[2] * l.dims[3];
    for (dim_t n = 0; n < l.dims[0]; ++n)
        for (dim_t outer = 0; outer < channels / block; ++outer)
            for (dim_t place = 0; place < places; ++place)
                for (dim_t inner = 0; inner < block; ++inner) {
                    const dim_t c = outer * block + inner;
                    const dim_t blocked = ((n * (channels / block) + outer) * places + place) * block + inner;
                    const dim_t plain = (n * l.dims[1] + c) * places + place;
                    if constexpr (Src.inner_blocks().empty()) out[blocked] = c < l.dims[1] ? in[plain] : 0;
                    else if (c < l.dims[1]) out[plain] = in[blocked];
                }
}

struct row {
    std::string name;
    double bytes;
};
std::vector<row> rows;

template <class Action>
void add(const std::string& name, std::shared_ptr<buffer> in, std::shared_ptr<buffer> out, Action action) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        for (auto _ : state) {
            action(in->data.get(), out->data.get());
            benchmark::ClobberMemory();
        }
    })->UseRealTime();
}

/// One row: the kernel with each instruction set that the CPU has, the plain loop, memcpy of as many bytes as the
/// smaller side.
template <layout Src, layout Dst>
void add_row(const std::string& name) {
    const auto in = std::make_shared<buffer>(Src.element_span()), out = std::make_shared<buffer>(Dst.element_span());
    const std::size_t smaller = std::min(Src.element_span(), Dst.element_span()) * sizeof(float);
    rows.push_back({name, 2.0 * static_cast<double>(smaller)});
    add(name + "/memcpy", in, out, [=](const float* from, float* to) { std::memcpy(to, from, smaller); });
    add(name + "/loop", in, out, [](const float* from, float* to) { plain_loop<Src, Dst>(from, to); });
    add(name + "/plait", in, out, [](const float* from, float* to) { reorder<Src, Dst>(from, to); });
    add(name + "/run time", in, out, [](const float* from, float* to) { reorder(Src, from, Dst, to); });
#if defined(__x86_64__)
    if (cpu_has(isa::avx2))
        add(name + "/avx2", in, out,
            [](const float* from, float* to) { move_tensor_with<Src, Dst, 4, isa::avx2>(from, to); });
    if (cpu_has(isa::sse41))
        add(name + "/sse41", in, out,
            [](const float* from, float* to) { move_tensor_with<Src, Dst, 4, isa::sse41>(from, to); });
#endif
}

template <dim_t N, dim_t C, dim_t H, dim_t W>
void add_shape() {
    constexpr layout plain({N, C, H, W}, "nchw");
    const std::string shape = to_string(plain.dims);
    add_row<plain, layout({N, C, H, W}, "nChw16c")>("nchw -> nChw16c " + shape);
    add_row<layout({N, C, H, W}, "nChw16c"), plain>("nChw16c -> nchw " + shape);
    add_row<plain, layout({N, C, H, W}, "nChw8c")>("nchw -> nChw8c  " + shape);
    add_row<layout({N, C, H, W}, "nChw8c"), plain>("nChw8c -> nchw  " + shape);
}

/// Keeps the least time of each benchmark and prints a table at the end.
class best_of_many : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration) continue;
            const std::string& name = run.run_name.function_name;
            const double seconds = run.real_accumulated_time / static_cast<double>(run.iterations);
            const auto [place, first] = best_.try_emplace(name, seconds);
            if (!first && seconds < place->second) place->second = seconds;
        }
    }
    void Finalize() override {
        std::printf("GB/s read and written, and as a share of memcpy; f32, one thread, best of many\n%-32s", "");
        const char* const columns[] = {"memcpy", "loop", "plait", "run time", "avx2", "sse41"};
        for (const char* column : columns) std::printf(" %14s", column);
        std::printf("\n");
        for (const row& row : rows) {
            std::printf("%-32s", row.name.c_str());
            for (const char* column : columns) {
                const auto found = best_.find(row.name + "/" + column), base = best_.find(row.name + "/memcpy");
                if (found == best_.end() || base == best_.end()) std::printf(" %14s", "-");
                else std::printf("   %6.1f  %4.2f", row.bytes / found->second * 1e-9, base->second / found->second);
            }
            std::printf("\n");
        }
    }

private:
    std::map<std::string, double> best_;
};

}  // namespace

int main(int argc, char** argv) {
    add_shape<1, 64, 56, 56>();
    add_shape<32, 256, 56, 56>();
    add_shape<1, 512, 7, 7>();
    add_shape<1, 72, 56, 56>();

    // In turn and often, as the machine's speed drifts; flags given on the command line come later, and win.
    std::vector<char*> arguments{argv[0]};
    std::string defaults[] = {"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=25",
                              "--benchmark_min_time=0.01"};
    for (std::string& option : defaults) arguments.push_back(option.data());
    arguments.insert(arguments.end(), argv + 1, argv + argc);
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
    best_of_many reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    return 0;
}
