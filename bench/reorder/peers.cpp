#include "peers.hpp"

#include "load_onednn3.hpp"

#include <plait/algebra/format_name.hpp>

namespace bench {

std::optional<std::vector<move_loop>> loops_of(const row& r) {
    const auto is_plain = [](const layout& l) {
        return is_blocking(l) && l.inner_blocks().size() == 0 && l.padded_dims == l.dims && l.offset0 == 0;
    };
    if (r.src_type != r.dst_type || !plait::detail::is_trivial(r.attributes) || !is_plain(r.src) || !is_plain(r.dst))
        return {};
    std::vector<move_loop> loops;
    for (int a = 0; a < r.dst.ndims(); ++a)
        if (r.dst.dims[a] != 1) loops.push_back({r.dst.dims[a], r.src.strides()[a], r.dst.strides()[a]});
    std::sort(loops.begin(), loops.end(), [](auto& x, auto& y) { return x.dst_stride > y.dst_stride; });
    std::vector<move_loop> out;
    for (const move_loop& inner : loops) {
        const bool joins = !out.empty() && out.back().src_stride == inner.extent * inner.src_stride &&
                           out.back().dst_stride == inner.extent * inner.dst_stride;
        if (joins) out.back() = {out.back().extent * inner.extent, inner.src_stride, inner.dst_stride};
        else out.push_back(inner);
    }
    return out;
}

std::optional<matrix_transpose> transpose_of(const row& r) {
    const auto loops = loops_of(r);
    if (!loops || loops->size() != 2) return {};
    const move_loop &outer = (*loops)[0], &inner = (*loops)[1];
    if (outer.src_stride != 1 || inner.dst_stride != 1) return {};
    return matrix_transpose{inner.extent, outer.extent, inner.src_stride, outer.dst_stride};
}

std::vector<peer_move> peers_of(const row& r, const void* in, void* out) {
    std::vector<peer_move> all;
    if (onednn3().prepare != nullptr)
        if (auto run = onednn3().prepare(r, in, out)) all.push_back({"oneDNN 3", std::move(run)});
    if (!loops_of(r)) return all;
#if defined(BENCH_OPENBLAS)
    add_openblas(all, r, in, out);
#endif
#if defined(BENCH_FFTW)
    add_fftw(all, r, in, out);
#endif
#if defined(BENCH_OPENCV)
    add_opencv(all, r, in, out);
#endif
#if defined(BENCH_HPTT)
    add_hptt(all, r, in, out);
#endif
#if defined(BENCH_LIBYUV)
    add_libyuv(all, r, in, out);
#endif
    return all;
}

}  // namespace bench
