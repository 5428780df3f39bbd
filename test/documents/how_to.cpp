// The fragments of docs/how-to.md, as parts of one program.
#include "how_to_2.inc"

#include <vector>

int main() {
    const std::vector<float> elements(256 * 128 * 3 * 3, 3.0f);
    const float* const from = elements.data();
    const std::vector<float> scales(256, 2.0f);
#include "how_to_3.inc"
    // 3 / 2 is rounded to 2, the nearest even number.
    return done.ok() && data[0] == std::byte{2} ? 0 : 1;
}
