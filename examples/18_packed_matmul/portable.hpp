#pragma once
// The product for any CPU and any order of rows and panels: a kernel that takes its constants from the record.

#include "activations.hpp"

namespace packed_matmul {

/// The constants of a panel, from the places of a record of one panel.
template <q4_weights R>
class panel_of {
    static constexpr R sample = R(plait::dims{16, 2 * block});
    static constexpr bool is_next(dim_t n, dim_t k, dim_t bytes) {
        return sample.template bit_offset<"q">(n, k) == sample.template bit_offset<"q">(0, 0) + 8 * bytes;
    }
    static constexpr dim_t count_rows() {
        dim_t count = 1;
        while (count < 16 && sample.template bit_offset<"d">(count, 0) == 16 * count) ++count;
        return count;
    }
    static constexpr dim_t count_run() {
        dim_t count = 1;
        while (count < 16 && is_next(0, count, count)) ++count;
        return count;
    }

public:
    static constexpr dim_t rows = count_rows();  ///< of a panel: 8 for 8x8, 1 for rows
    static constexpr dim_t run = count_run();    ///< bytes of one row that are adjacent
    /// The number that is stored for the value 0: 8 if the highest bit is stored inverted.
    static constexpr unsigned stored_zero = [] {
        for (const plait::record_field& field : R::shape.tag.fields)
            if (field.name == "q") return static_cast<unsigned>(field.flipped);
        return 0U;
    }();

    static_assert(rows == 1 || is_next(1, 0, run), "the run of row 1 follows that of row 0");
    static_assert(run == 16 || is_next(0, run, rows* run), "then come the next values of row 0");
    static_assert(sample.template bit_offset<"q">(0, 16) == sample.template bit_offset<"q">(0, 0) + 4);
};

/// Computes y[n] = sum over k of w[n][k] * x[k].
///
/// Pre:     the extents of w are multiples of a panel and of 32; y.size() == w.extent(0)
template <q4_weights R>
void multiply_portable(weights<R> w, const activations& x, std::span<float> y) {
    using panel = panel_of<R>;
    for (dim_t p = 0; p < w.extent(0) / panel::rows; ++p) {
        float sums[panel::rows]{};
        for (dim_t b = 0; b < w.extent(1) / block; ++b) {
            const auto q = w.template block<"q">(p, b);  // a span of 16 * rows bytes
            const std::int8_t* const v = x.q.data() + b * block;
            std::int32_t dot[panel::rows]{};
            for (dim_t first = 0; first < 16; first += panel::run)
                for (dim_t r = 0; r < panel::rows; ++r)
                    for (dim_t i = 0; i < panel::run; ++i) {
                        const auto two = std::to_integer<unsigned>(
                            q[static_cast<std::size_t>((first / panel::run * panel::rows + r) * panel::run + i)]);
                        const unsigned low = two % 16 ^ panel::stored_zero, high = two / 16 ^ panel::stored_zero;
                        dot[r] += static_cast<int>(low) * v[first + i] + static_cast<int>(high) * v[first + i + 16];
                    }
            const auto at = static_cast<std::size_t>(b);
            for (dim_t r = 0; r < panel::rows; ++r) {
                const float d = static_cast<float>(w.template get<"d">(p * panel::rows + r, b * block));
                sums[r] += static_cast<float>(dot[r] - 8 * x.sum[at]) * (d * x.scale[at]);
            }
        }
        for (dim_t r = 0; r < panel::rows; ++r) y[static_cast<std::size_t>(p * panel::rows + r)] = sums[r];
    }
}

}  // namespace packed_matmul
