#pragma once
// The moves that a thread has made last. Functions such as cblas_somatcopy have no place for a plan, and programs call
// them with the same shapes again and again.

#include "strided_move.hpp"

namespace plait_drop_in {

/// Moves one nest of loops. A large tensor is planned at its first call. A small one is planned at its second, because
/// a plan takes longer than to move it once without.
///
/// Pre:     as strided_move::run
template <class T>
void run_kept(const loop_nest& nest, int threads, const T* in, T* out, const scaling<T>& by);

extern template void run_kept(const loop_nest&, int, const float*, float*, const scaling<float>&);
extern template void run_kept(const loop_nest&, int, const double*, double*, const scaling<double>&);
extern template void run_kept(const loop_nest&, int, const std::complex<float>*, std::complex<float>*,
                              const scaling<std::complex<float>>&);
extern template void run_kept(const loop_nest&, int, const std::complex<double>*, std::complex<double>*,
                              const scaling<std::complex<double>>&);

}  // namespace plait_drop_in
