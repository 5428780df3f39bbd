// Transposes of elements of 4 bits between constant layouts: halves of bytes are exchanged in registers.

#include "reorder/packed_pair.hpp"

namespace test_reorder_packed_transposes {

using namespace plait;

namespace {

constexpr layout rows({64, 96}, "ab"), columns({64, 96}, "ba");
constexpr layout uneven_rows({37, 63}, strides{64, 1}), uneven_columns({37, 63}, strides{1, 38});

}  // namespace

TEST_CASE("packed_reorder: transposes of constant layouts, whole tiles and rests, equal the reference") {
    plait_test::check_pair<rows, columns, u4>();
    plait_test::check_pair<uneven_rows, uneven_columns, s4>();
}

}  // namespace test_reorder_packed_transposes
