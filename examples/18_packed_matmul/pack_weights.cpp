// Packs 4-bit weights once for a kernel that reads eight rows at a time, multiplies, checks the product, and saves the
// weights with their description. use_weights.cpp opens the file, and wants another order.
//
// usage: pack_weights FILE

#include "kernels.hpp"
#include "model.hpp"

#include <cstdio>
#include <fstream>

using namespace packed_matmul;

int main(int, char** argv) {
    const model m(64, 512);
    const std::vector<std::byte> file = m.rows();

    // Each field goes to its place. Equal extents, other places, and the values are stored with their highest bit
    // inverted: the tags say all of it.
    const q4_rows rows(plait::dims{m.n, m.k});
    const q4_8x8 packed(plait::dims{m.n, m.k});
    std::vector<std::byte> bytes(packed.size_in_bytes());
    plait::make_repack(rows, packed).value()(file, bytes);

    const activations x(m.x);
    std::vector<float> y(static_cast<std::size_t>(m.n));
    int wrong = 0;
    const weights<q4_8x8> in_panels(bytes, packed);
    for_each_kernel(in_panels, x, y, [&](const char* name) {
        const double error = error_of(in_panels, x, y);
        std::printf("8x8, %s: %.1e from the exact product of the packed weights\n", name, error);
        wrong += !(error < 1e-6);
    });
    const weights<q4_rows> in_rows(file, rows);
    for_each_kernel(in_rows, x, y, [&](const char*) { wrong += !(error_of(in_panels, x, y) < 1e-6); });

    // Four bits for each weight: the product of random numbers is a few percent from that in f32.
    double error = 0, square = 0;
    for (dim_t i = 0; i < m.n; ++i) {
        const double exact = m.exact(i), difference = exact - static_cast<double>(y[static_cast<std::size_t>(i)]);
        error += difference * difference;
        square += exact * exact;
    }
    std::printf("%.1f %% from the product in f32, because of the 4 bits\n", 100 * std::sqrt(error / square));
    wrong += !(error < 0.01 * square);

    const std::vector<std::byte> blob = plait::make_blob(packed, bytes, "8x8");
    std::ofstream out(argv[1], std::ios::binary);
    out.write(reinterpret_cast<const char*>(blob.data()), static_cast<std::streamsize>(blob.size()));
    return wrong == 0 && out.good() ? 0 : 1;
}
