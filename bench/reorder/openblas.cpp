// OpenBLAS: transposes of matrices, ?omatcopy.

#include "peers.hpp"

#include <cblas.h>

namespace bench {

void add_openblas(std::vector<peer_move>& all, const row& r, const void* in, void* out) {
    const auto transpose = transpose_of(r);
    if (!transpose) return;
    openblas_set_num_threads(1);
    const auto rows = static_cast<blasint>(transpose->rows), columns = static_cast<blasint>(transpose->columns),
               src_step = static_cast<blasint>(transpose->src_step),
               dst_step = static_cast<blasint>(transpose->dst_step);
    if (r.src_type == data_type::f32)
        all.push_back({"OpenBLAS", [=] {
                           cblas_somatcopy(CblasRowMajor, CblasTrans, rows, columns, 1, static_cast<const float*>(in),
                                           src_step, static_cast<float*>(out), dst_step);
                       }});
    if (r.src_type == data_type::f64)
        all.push_back({"OpenBLAS", [=] {
                           cblas_domatcopy(CblasRowMajor, CblasTrans, rows, columns, 1, static_cast<const double*>(in),
                                           src_step, static_cast<double*>(out), dst_step);
                       }});
}

}  // namespace bench
