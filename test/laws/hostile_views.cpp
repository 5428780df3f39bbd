// Layouts and arguments with arbitrary numbers, by the code of fuzzing: no function leaves the range of its types (the
// sanitizers check that), and each operation is refused, or keeps its law, in all its forms. It ends the program at the
// first finding. `./dev fuzz` searches further.

#include "fuzz/operations.cpp"

#include "support/small_layouts.hpp"

#include <random>
#include <vector>

namespace test_laws_hostile_views {

using namespace plait;

TEST_CASE("every operation on layouts with arbitrary fields: is refused, or keeps its law") {
    std::mt19937_64 random(31);
    for (int i = 0; i < 40000; ++i) {
        std::vector<std::uint8_t> bytes(random() % 200);
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
}

TEST_CASE("offset: returns a number or refuses, without undefined behaviour, for layouts that break every rule") {
    // Sanitizers find undefined behaviour here. The returned numbers have no meaning.
    const dim_t hostile[] = {INT64_MIN, INT64_MIN + 1, -7, -1, 0, 1, 3, INT64_MAX - 1, INT64_MAX};
    int numbers = 0, refusals = 0;
    const auto ask = [&](const auto& question) {
        const verdict why = plait_test::refusal_of(question);
        ++(why.ok() ? numbers : refusals);
    };
    for (dim_t stride : hostile)
        for (dim_t number : hostile)
            for (int field = 0; field < 5; ++field) {
                layout l({2, 6}, "aB2b");
                l.digits[0].stride = stride;
                if (field == 0) l.digits[1].stride = number;
                if (field == 1) l.digits[2].stride = number;
                if (field == 2) l.padded_offsets[1] = number;
                if (field == 3) l.offset0 = number;
                if (field == 4) l.dims[1] = l.padded_dims[1] = number;
                ask([&] { return l.offset(1, 2); });
                ask([&] { return l.padded_offset(1, 5); });
                ask([&] { return l.block_offset(1, 1); });
                ask([&] { return l.linear_offset(3); });
                ask([&] { return l.element_span(); });
                ask([&] { return l.is_dense(); });
            }
    CHECK(numbers > 0);
    CHECK(refusals > 0);
}

}  // namespace test_laws_hostile_views
