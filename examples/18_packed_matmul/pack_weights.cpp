// Packs 4-bit weights once for a kernel that reads eight rows at a time, multiplies, checks the product, and saves the
// weights with their description. use_weights.cpp opens the file, and wants another order.
//
// usage: pack_weights FILE

#include "kernels.hpp"
#include "model.hpp"

#include <cstdio>
#include <fstream>

using namespace packed_matmul;

// Writes a file with the packed weights and their description, chunk by chunk, so that it may be larger than the
// memory. A program that has the packed bytes calls plait::make_blob.
static bool save(const char* name, std::span<const std::byte> file, const plait::record& from,
                 const plait::record& to) {
    std::ofstream out(name, std::ios::binary);
    const auto write = [&out](std::span<const std::byte> bytes) {
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    };
    std::vector<std::byte> header(plait::blob_header_size(to));
    write(header);
    plait::blob_options blob;
    plait::repack_options options;
    options.chunk_bytes = 4096;  // of a small example
    const plait::planned_repack planned = plait::make_repack(from, to, options).value();
    std::vector<std::byte> packed(static_cast<std::size_t>(planned.chunk(0).dst_bytes));
    for (dim_t i = 0; i < planned.chunks(); ++i) {
        const plait::repack_chunk chunk = planned.chunk(i);
        planned.run_chunk(i, file.subspan(static_cast<std::size_t>(chunk.src_begin)), packed);
        const auto part = std::span(packed).first(static_cast<std::size_t>(chunk.dst_bytes));
        blob.checksum.add(part);
        write(part);
    }
    plait::write_blob_header(to, {}, header, "8x8", blob);
    out.seekp(0);
    write(header);
    return out.good();
}

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

    return wrong == 0 && save(argv[1], file, rows, packed) ? 0 : 1;
}
