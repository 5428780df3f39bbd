// FFTW: transforms of rank 0 are copies by any strides.

#include "peers.hpp"

#include <fftw3.h>

namespace bench {
namespace {

/// The loops as FFTW names them.
template <class Dimension>
std::vector<Dimension> dimensions_of(const std::vector<move_loop>& loops) {
    std::vector<Dimension> out;
    for (const move_loop& loop : loops) out.push_back({loop.extent, loop.src_stride, loop.dst_stride});
    return out;
}

/// Memory to plan in: FFTW measures, and writes where it does.
template <class Number>
struct scratch {
    std::unique_ptr<Number, void (*)(void*)> in, out;
    explicit scratch(const row& r)
        : in(static_cast<Number*>(fftw_malloc(r.src_buffer_bytes())), fftw_free),
          out(static_cast<Number*>(fftw_malloc(r.dst_buffer_bytes())), fftw_free) {
        std::fill_n(in.get(), r.src_buffer_bytes() / sizeof(Number), Number{});
    }
};

}  // namespace

void add_fftw(std::vector<peer_move>& all, const row& r, const void* in, void* out) {
    const auto loops = loops_of(r);
    // It calls its arguments not const, but leaves the source of a copy as it is.
    void* const from = const_cast<void*>(in);
    if (r.src_type == data_type::f32) {
        const auto dimensions = dimensions_of<fftwf_iodim64>(*loops);
        const scratch<float> memory(r);
        const std::shared_ptr<fftwf_plan_s> plan(
            fftwf_plan_guru64_r2r(0, nullptr, static_cast<int>(dimensions.size()), dimensions.data(), memory.in.get(),
                                  memory.out.get(), nullptr, FFTW_MEASURE | FFTW_UNALIGNED),
            fftwf_destroy_plan);
        if (plan)
            all.push_back(
                {"FFTW", [=] { fftwf_execute_r2r(plan.get(), static_cast<float*>(from), static_cast<float*>(out)); }});
    }
    if (r.src_type == data_type::f64) {
        const auto dimensions = dimensions_of<fftw_iodim64>(*loops);
        const scratch<double> memory(r);
        const std::shared_ptr<fftw_plan_s> plan(
            fftw_plan_guru64_r2r(0, nullptr, static_cast<int>(dimensions.size()), dimensions.data(), memory.in.get(),
                                 memory.out.get(), nullptr, FFTW_MEASURE | FFTW_UNALIGNED),
            fftw_destroy_plan);
        if (plan)
            all.push_back(
                {"FFTW", [=] { fftw_execute_r2r(plan.get(), static_cast<double*>(from), static_cast<double*>(out)); }});
    }
}

}  // namespace bench
