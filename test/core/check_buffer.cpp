#include <plait/core/check_buffer.hpp>
#include <plait/core/rejection.hpp>

#include "support/static_check.hpp"

#include <string_view>

namespace test_core_check_buffer {

using namespace plait;
using namespace plait::detail;

TEST_CASE("check_buffer: memory must be non-null and large enough, unless no byte is needed") {
    constexpr char bytes[8]{};
    STATIC_CHECK(check_buffer(bytes, 8, 8, buffer_role::source).ok());
    STATIC_CHECK(check_buffer(bytes, 9, 8, buffer_role::source).ok());
    STATIC_CHECK(check_buffer(nullptr, 0, 0, buffer_role::buffer).ok());
    STATIC_CHECK(check_buffer(bytes, 0, 0, buffer_role::buffer).ok());
    STATIC_CHECK(check_buffer(bytes, 7, 8, buffer_role::destination) ==
                 verdict{reason::buffer_is_too_small, -1, 7, 8, 2});
    STATIC_CHECK(check_buffer(bytes, 0, 8, buffer_role::source) == verdict{reason::buffer_is_too_small, -1, 0, 8, 1});
    STATIC_CHECK(check_buffer(nullptr, 8, 8, buffer_role::buffer) == verdict{reason::buffer_is_null, -1, 8, 0, 0});
    STATIC_CHECK(check_buffer(nullptr, 0, 8, buffer_role::source) == verdict{reason::buffer_is_null, -1, 8, 0, 1});
}

TEST_CASE("describe: a refused buffer is named with its number of bytes") {
    const auto says = [](const verdict& why, std::string_view text) { return describe(why).c_str() == text; };
    CHECK(says(check_buffer(nullptr, 0, 96, buffer_role::source),
               "buffer_is_null: the pointer to the source is null, but its tensor needs 96 bytes"));
    CHECK(says(check_buffer("", 1, 96, buffer_role::destination),
               "buffer_is_too_small: the destination has 1 bytes, but its tensor needs 96"));
    CHECK(says(check_buffer("", 1, 96, buffer_role::buffer),
               "buffer_is_too_small: the buffer has 1 bytes, but its tensor needs 96"));
    CHECK(says(
        overlap_of(96, 64, -8),
        "spans_overlap: the source's 96 bytes and the destination's 64, which begin -8 bytes after it, overlap: in "
        "place is only for equal layouts whose values do not change"));
}

TEST_CASE("overlap_of: the bytes of both buffers, and the distance in bytes from source to destination") {
    STATIC_CHECK(overlap_of(2720, 5120, -4) == verdict{reason::spans_overlap, -1, 2720, 5120, -4});
}

}  // namespace test_core_check_buffer
