// The reorders that networks use most (bench/reorder/shapes.csv) equal the reference, byte for byte.

#include <plait/contract/descriptor_reference.hpp>
#include <plait/io/parse_dims.hpp>
#include <plait/io/print.hpp>
#include <plait/reorder/make_reorder.hpp>

#include "support/test_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace test_reorder_network_reorders { namespace {

using namespace plait;

constexpr dim_t most_elements = 1 << 16;  // the reference takes 100 ns for each

/// Returns the extents with the largest halved until the tensor is small.
dims shortened(dims extents) {
    const auto volume = [&] {
        dim_t product = 1;
        for (const dim_t extent : extents) product *= extent;
        return product;
    };
    while (volume() > most_elements) *std::max_element(extents.begin(), extents.end()) /= 2;
    return extents;
}

/// Returns bytes of numbers that are finite in every type: the last byte of a float has its sign and exponent.
std::vector<std::byte> numbers(data_type type, std::size_t bytes) {
    std::vector<std::byte> out(bytes);
    const auto size = static_cast<std::size_t>(size_in_bytes(type));
    std::uint32_t state = 12345;
    for (std::size_t i = 0; i < bytes; ++i) {
        state = state * 1664525u + 1013904223u;
        const std::uint32_t random = state >> 24;
        const bool has_exponent = type != data_type::s32 && size > 1 && i % size == size - 1;
        out[i] = static_cast<std::byte>(has_exponent ? 0x3d + (random & 7) + (random & 0x80) : random & 0xfb);
    }
    return out;
}

TEST_CASE("make_reorder: the reorders of networks equal the reference") {
    std::ifstream file(plait_test::data_folder() + "/../../bench/reorder/shapes.csv");
    std::string line;
    std::getline(file, line);  // the heading
    int rows = 0;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string kind, from, to, src_tag, dst_tag, extents, strides, attributes;
        for (std::string* field : {&kind, &from, &to, &src_tag, &dst_tag, &extents, &strides, &attributes})
            std::getline(fields, *field, ',');
        INFO(line);
        const dims shape = shortened(*parse_dims(extents));
        const descriptor src(*parse_data_type(from), layout(shape, *parse_format_tag(src_tag))),
            dst(*parse_data_type(to), layout(shape, *parse_format_tag(dst_tag)));
        const reorder_attributes scaled =
            attributes.rfind("src0:common:", 0) == 0  ? reorder_attributes{.src_scale = 0.5f}
            : attributes.rfind("dst:common:", 0) == 0 ? reorder_attributes{.dst_scale = 0.5f}
                                                      : reorder_attributes{};
        const std::vector<std::byte> in = numbers(src.type, src.buffer_size_in_bytes());
        std::vector<std::byte> out(dst.buffer_size_in_bytes(), std::byte{0x5a}), wanted = out;
        reference_reorder(src, in.data(), dst, wanted.data(), scaled);
        const auto plan = make_reorder(src, dst, scaled);
        REQUIRE(plan);
        CHECK((*plan)(in.data(), out.data()) == status::success);
        CHECK(out == wanted);
        ++rows;
    }
    CHECK(rows == 68);
}

}}  // namespace test_reorder_network_reorders
