// The fragments of docs/how-to.md, as parts of one program.
#include "how_to_10.inc"

#include <plait/reorder/converted_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

int main() {
    const std::vector<float> elements(256 * 128 * 3 * 3, 3.0f);
    const float* const from = elements.data();
    const std::vector<float> scales(256, 2.0f);
    {
#include "how_to_7.inc"
        if (unpacked[0] != 1.0f || unpacked[1] != 0.5f) return 3;
    }
#include "how_to_8.inc"
    // 3 / 2 is rounded to 2, the nearest even number.
    if (data[0] != std::byte{2}) return 1;

    {
#include "how_to_2.inc"
        if (blocked.view()(0, 16, 4, 3) != 1.0f || small.bytes().size() != 40 * 128) return 4;
    }
    {
#include "how_to_3.inc"
        if (!paging || memory.back() != 0.0f) return 5;
#include "how_to_4.inc"
        // 1 / 0.02 is 50; page 1 is in no table.
        if (small_cache(5 * 16, 0, 0) != 50 || small_cache(1 * 16, 0, 0) != 0) return 6;
    }
    const std::vector<std::uint8_t> numbers(64 * 80, 148);
    const std::uint8_t* const pixels = numbers.data();
    std::vector<std::int8_t> results(64 * 80);
    std::int8_t* const result = results.data();
#include "how_to_6.inc"
    // 20 * 0.35 is 7.
    return result[0] == 7 && results.back() == 7 ? 0 : 2;
}
