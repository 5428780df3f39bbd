// libyuv: split and merge of two and three channels of u8, and transposes of bytes.

#include "peers.hpp"

#include <libyuv.h>

namespace bench {

void add_libyuv(std::vector<peer_move>& all, const row& r, const void* in, void* out) {
    const auto transpose = transpose_of(r);
    if (!transpose || size_in_bytes(r.src_type) != 1) return;
    const auto from = static_cast<const std::uint8_t*>(in);
    const auto to = static_cast<std::uint8_t*>(out);
    const auto rows = static_cast<int>(transpose->rows), columns = static_cast<int>(transpose->columns),
               src_step = static_cast<int>(transpose->src_step), dst_step = static_cast<int>(transpose->dst_step);
    std::function<void()> run;
    // Images are one line of all pixels: their lines follow each other.
    if (columns == 2 && src_step == 2) run = [=] { libyuv::SplitUVPlane(from, 0, to, 0, to + dst_step, 0, rows, 1); };
    else if (columns == 3 && src_step == 3)
        run = [=] { libyuv::SplitRGBPlane(from, 0, to, 0, to + dst_step, 0, to + 2 * dst_step, 0, rows, 1); };
    else if (rows == 2 && dst_step == 2)
        run = [=] { libyuv::MergeUVPlane(from, 0, from + src_step, 0, to, 0, columns, 1); };
    else if (rows == 3 && dst_step == 3)
        run = [=] { libyuv::MergeRGBPlane(from, 0, from + src_step, 0, from + 2 * src_step, 0, to, 0, columns, 1); };
    else run = [=] { libyuv::TransposePlane(from, src_step, to, dst_step, columns, rows); };
    all.push_back({"libyuv", std::move(run)});
}

}  // namespace bench
