// Opens the file that pack_weights.cpp has written. This program's kernels read four rows at a time. It does not know
// in which order the weights are: the file says it.
//
// usage: use_weights FILE

#include "kernels.hpp"
#include "model.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace packed_matmul;

static std::vector<std::byte> read(const char* name) {
    std::ifstream in(name, std::ios::binary);
    const std::vector<char> letters{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const auto bytes = std::as_bytes(std::span(letters));
    return {bytes.begin(), bytes.end()};
}

int main(int, char** argv) {
    std::vector<std::byte> file = read(argv[1]);
    const auto opened = plait::open_blob(file);
    if (!opened.has_value()) return std::puts(describe(opened.error()).c_str()), 1;
    std::printf("the file has %s\n", opened->record.tag.text().c_str());

    // If the file had this order already, its bytes could be used as they are.
    const q4_4x4 wanted(opened->record.dims);
    std::vector<std::byte> mine(wanted.size_in_bytes());
    if (const auto repack = plait::make_repack(opened->record, wanted); repack.has_value())
        (*repack)(opened->data, mine);
    else return std::puts(describe(repack.error()).c_str()), 1;

    const weights<q4_4x4> w(mine, wanted);
    const model m(w.extent(0), w.extent(1));
    const activations x(m.x);
    std::vector<float> y(static_cast<std::size_t>(m.n));
    multiply(w, x, y);
    double error = 0, square = 0;
    for (dim_t i = 0; i < m.n; ++i) {
        const double exact = m.exact(i), difference = exact - static_cast<double>(y[static_cast<std::size_t>(i)]);
        error += difference * difference;
        square += exact * exact;
    }
    std::printf("4x4: %.1f %% from the product in f32\n", 100 * std::sqrt(error / square));

    // A file that was damaged is refused, with the place.
    file[100] ^= std::byte{4};
    const plait::verdict why = plait::open_blob(file).error();
    std::printf("after a change of byte 100: %s\n", describe(why).c_str());
    return error < 0.01 * square && why.reason == plait::reason::blob_text_is_damaged ? 0 : 1;
}
