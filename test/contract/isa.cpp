// The instruction sets, by name and by size.

#include <plait/contract/isa.hpp>

#include "support/static_check.hpp"

#include <string_view>

namespace test_contract_isa {

using namespace plait;
using namespace plait::detail;

TEST_CASE("every_isa: the instruction sets from the plainest to the widest, each at the index of its value") {
    for (int i = 0; const isa instructions : every_isa) {
        CHECK(static_cast<int>(instructions) == i++);
        CHECK(vector_bytes(instructions) >= 16);
        CHECK(!std::string_view(to_string(instructions)).empty());
    }
    STATIC_CHECK(std::string_view(to_string(isa::avx512)) == "avx512" && vector_bytes(isa::avx512) == 64);
}

TEST_CASE("with_widest_isa: calls with the last instruction set that this CPU has") {
    isa taken = isa::portable;
    with_widest_isa<isa::portable>([&]<isa Isa>() { taken = Isa; });
    CHECK(cpu_has(taken));
    for (const isa instructions : every_isa)
        if (is_of_this_architecture(instructions) && cpu_has(instructions)) CHECK(instructions <= taken);
}

TEST_CASE("with_isa: calls with the named instruction set, or with that of the compile flags") {
    for (const isa instructions : every_isa) {
        if (!is_of_this_architecture(instructions)) continue;
        isa taken{};
        with_isa<isa::portable>(instructions, [&]<isa Isa>() { taken = Isa; });
        CHECK(taken == instructions);
    }
    with_isa<least_isa()>(isa::portable, []<isa Isa>() { CHECK(Isa == least_isa()); });
}

}  // namespace test_contract_isa
