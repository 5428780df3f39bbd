#include <plait/io/print_descriptor.hpp>

#include <doctest/doctest.h>

#include <sstream>

namespace test_io_print_descriptor {

using namespace plait;

TEST_CASE("print_descriptor: prints type, layout and extra") {
    std::ostringstream out;
    out << descriptor(data_type::f32, layout({2, 17, 5, 4}, "nChw8c"));
    CHECK(out.str() == "f32 aBcd8b 2x17x5x4");
    CHECK(to_string(descriptor()) == "undef undef ");

    extra weights;
    weights.s8s8_compensation = true;
    weights.s8s8_mask = 1;
    weights.scale_adjust = 0.5f;
    CHECK(to_string(descriptor(data_type::s8, layout({32, 4}, "ab"), weights)) ==
          "s8 ab 32x4; compensation s8s8 by axis 0; scale_adjust 0.5");
    weights.asymmetric_source_compensation = true;
    weights.asymmetric_source_mask = 3;
    weights.scale_adjust = 1;
    CHECK(to_string(descriptor(data_type::s8, layout({32, 4}, "ab"), weights)) ==
          "s8 ab 32x4; compensation s8s8 by axis 0; compensation asymmetric source by axes 0, 1");
}

}  // namespace test_io_print_descriptor
