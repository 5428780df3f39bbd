#pragma once
// Other libraries that move tensors, beside libdnnl: each does the rows that it has a function for. Those that CMake
// has not found are left out.

#include "row.hpp"

#include <optional>

namespace bench {

struct peer_move {
    const char* name;
    std::function<void()> run;
};

/// One loop of a move: elements, and how far apart they lie on each side.
struct move_loop {
    dim_t extent, src_stride, dst_stride;
};

/// A row that is nothing but loops, the outermost first in the destination: no blocks, padding, conversion or
/// attributes. Axes of one element are left out, and loops that are one on both sides are joined.
std::optional<std::vector<move_loop>> loops_of(const row&);

/// Rows of elements that become columns: in[i * src_step + j] goes to out[j * dst_step + i], i below `rows`, j below
/// `columns`.
struct matrix_transpose {
    dim_t rows, columns, src_step, dst_step;
};
std::optional<matrix_transpose> transpose_of(const row&);

/// Each of these adds what its library does of the row.
void add_openblas(std::vector<peer_move>&, const row&, const void* in, void* out);
void add_fftw(std::vector<peer_move>&, const row&, const void* in, void* out);
void add_opencv(std::vector<peer_move>&, const row&, const void* in, void* out);
void add_hptt(std::vector<peer_move>&, const row&, const void* in, void* out);
void add_libyuv(std::vector<peer_move>&, const row&, const void* in, void* out);

/// All libraries that are there; one thread each.
std::vector<peer_move> peers_of(const row&, const void* in, void* out);

}  // namespace bench
