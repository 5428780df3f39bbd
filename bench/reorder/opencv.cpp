// OpenCV: split and merge of two to four channels, and transposes of dense matrices.

#include "peers.hpp"

#include <opencv2/core.hpp>

namespace bench {
namespace {

constexpr dim_t most_channels = 4;

int depth_of(data_type type) {
    switch (type) {
        case data_type::u8: return CV_8U;
        case data_type::s8: return CV_8S;
        case data_type::bf16:
        case data_type::f16: return CV_16U;  // only moved
        case data_type::s32: return CV_32S;
        case data_type::f32: return CV_32F;
        case data_type::f64: return CV_64F;
        default: return -1;
    }
}

/// The planes of an image, one behind the other.
std::vector<cv::Mat> planes_of(dim_t channels, dim_t pixels, dim_t step, int depth, std::size_t bytes, void* data) {
    std::vector<cv::Mat> out;
    for (dim_t c = 0; c < channels; ++c)
        out.emplace_back(1, static_cast<int>(pixels), CV_MAKETYPE(depth, 1),
                         static_cast<char*>(data) + static_cast<std::size_t>(c * step) * bytes);
    return out;
}

}  // namespace

void add_opencv(std::vector<peer_move>& all, const row& r, const void* in, void* out) {
    const auto transpose = transpose_of(r);
    const int depth = depth_of(r.src_type);
    if (!transpose || depth < 0) return;
    cv::setNumThreads(1);
    const auto bytes = static_cast<std::size_t>(size_in_bytes(r.src_type));
    const auto [rows, columns, src_step, dst_step] = *transpose;
    void* const from = const_cast<void*>(in);
    const int height = static_cast<int>(rows), width = static_cast<int>(columns);
    if (columns <= most_channels && src_step == columns) {
        const cv::Mat image(1, height, CV_MAKETYPE(depth, width), from);
        all.push_back({"OpenCV", [image, planes = planes_of(columns, rows, dst_step, depth, bytes, out)]() mutable {
                           cv::split(image, planes.data());
                       }});
    } else if (rows <= most_channels && dst_step == rows) {
        const cv::Mat image(1, width, CV_MAKETYPE(depth, height), out);
        all.push_back({"OpenCV", [image, planes = planes_of(rows, columns, src_step, depth, bytes, from)]() mutable {
                           cv::merge(planes.data(), planes.size(), image);
                       }});
    } else {
        const cv::Mat source(height, width, CV_MAKETYPE(depth, 1), from, static_cast<std::size_t>(src_step) * bytes);
        const cv::Mat target(width, height, CV_MAKETYPE(depth, 1), out, static_cast<std::size_t>(dst_step) * bytes);
        all.push_back({"OpenCV", [source, target]() mutable { cv::transpose(source, target); }});
    }
}

}  // namespace bench
