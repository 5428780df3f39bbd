// Runs a fuzz target on its seeds, in a build without libFuzzer.
//
// usage: PROGRAM LIST: each line of the list is a seed, as seeds.py writes it

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// Returns the bytes of a line; \xNN is the byte of this hexadecimal number.
std::vector<std::uint8_t> seed_of(const std::string& line) {
    std::vector<std::uint8_t> seed;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 3 < line.size()) {
            seed.push_back(static_cast<std::uint8_t>(std::stoi(line.substr(i + 2, 2), nullptr, 16)));
            i += 3;
        } else {
            seed.push_back(static_cast<std::uint8_t>(line[i]));
        }
    }
    return seed;
}

}  // namespace

int main(int count, char** arguments) {
    std::ifstream list(count == 2 ? arguments[1] : "");
    int seeds = 0;
    for (std::string line; std::getline(list, line); ++seeds) {
        // The seed has memory of its own size, so that a read behind its end is found.
        const std::vector<std::uint8_t> seed = seed_of(line);
        if (LLVMFuzzerTestOneInput(seed.data(), seed.size()) != 0) return 1;
    }
    std::printf("%d seeds\n", seeds);
    return seeds > 0 ? 0 : 1;
}
