// Prints the numbers of the code that documents contain, for check_numbers.py: one name and value per line.

#include <plait/engine/quantize/cache_blocks.hpp>
#include <plait/plait.hpp>

#include <cstdio>

int main() {
    using namespace plait;
    using namespace plait::detail;
    const auto say = [](const char* name, long long value) { std::printf("%s %lld\n", name, value); };
    say("axes", max_ndims);
    say("inner_blocks", max_inner_blocks);
    int types = 0;
    for (int k = 0; k < 100; ++k) types += size_in_bits(static_cast<data_type>(k)) > 0;
    say("data_types", types);

    // Reorders.
    dim_t bytes = 1;
    while (chunks_for(bytes, 2) < 2) bytes *= 2;
    say("least_threaded_tensor_mb", bytes / 2 >> 20);  // the size of one of the two tensors
    say("least_thread_mb", least_chunk_bytes >> 20);
    say("buffer_kb", engine::buffer_bytes >> 10);
    say("planned_reorder_kb", (static_cast<long long>(sizeof(planned_reorder)) + 512) >> 10);
    constexpr layout demo({32, 256, 56, 56}, "nchw");  // the tensor of examples/demo/kernels.cpp
    say("demo_mb", (demo.volume() * 4 + 500'000) / 1'000'000);
    return 0;
}
