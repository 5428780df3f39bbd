#pragma once
// A matrix of random weights, quantised into rows as llama.cpp's files have them, and its exact product.

#include "activations.hpp"

#include <random>

namespace packed_matmul {

/// A matrix [n][k] in f32, and the vector to multiply. The same seed gives the same model in every program.
struct model {
    dim_t n, k;
    std::vector<float> matrix, x;

    model(dim_t rows, dim_t columns) : n(rows), k(columns), matrix(static_cast<std::size_t>(n * k)) {
        std::minstd_rand draw(18);
        const auto number = [&draw] { return static_cast<float>(draw() % 20011) / 10005.5F - 1; };
        for (float& w : matrix) w = number();
        for (dim_t i = 0; i < k; ++i) x.push_back(number());
    }

    /// Quantises the matrix. Of each block the value with the largest magnitude becomes 0, which is -8 times the scale.
    std::vector<std::byte> rows() const {
        const q4_rows record(plait::dims{n, k});
        std::vector<std::byte> out(record.size_in_bytes());
        const record_view file{std::span(out), record};
        for (dim_t i = 0; i < n; ++i)
            for (dim_t first = 0; first < k; first += block) {
                const float* const values = matrix.data() + i * k + first;
                float largest = 0;
                for (dim_t j = 0; j < block; ++j)
                    if (std::fabs(values[j]) > std::fabs(largest)) largest = values[j];
                const plait::float16 scale(largest / -8);
                file.set<"d">(i, first, scale);
                const float d = static_cast<float>(scale);
                for (dim_t j = 0; j < block; ++j) {
                    const float q = d != 0 ? std::floor(values[j] / d + 8.5F) : 8;
                    file.set<"q">(i, first + j, static_cast<unsigned>(std::fmin(std::fmax(q, 0.0F), 15.0F)));
                }
            }
        return out;
    }

    /// Returns the product of row i in f64, from the matrix before it was quantised.
    double exact(dim_t i) const {
        double out = 0;
        for (dim_t j = 0; j < k; ++j)
            out += static_cast<double>(matrix[static_cast<std::size_t>(i * k + j)]) * x[static_cast<std::size_t>(j)];
        return out;
    }
};

/// Returns the product of row i of weights in any order, in f64: what a kernel should compute, except for rounding.
template <q4_weights R>
double product_by_index(weights<R> w, const activations& x, dim_t i) {
    double out = 0;
    for (dim_t j = 0; j < w.extent(1); ++j) {
        const auto at = static_cast<std::size_t>(j);
        const int q = static_cast<int>(w.template get<"q">(i, j)) - 8;
        out += static_cast<double>(w.template get<"d">(i, j)) * q * x.q[at] * x.scale[at / block];
    }
    return out;
}

/// Returns how far a product is from the ones by index, in units of the largest of them.
template <q4_weights R>
double error_of(weights<R> w, const activations& x, std::span<const float> y) {
    double error = 0, largest = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double exact = product_by_index(w, x, static_cast<dim_t>(i));
        error = std::fmax(error, std::fabs(exact - static_cast<double>(y[i])));
        largest = std::fmax(largest, std::fabs(exact));
    }
    return error / largest;
}

}  // namespace packed_matmul
