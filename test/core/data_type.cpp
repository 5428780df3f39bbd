#include <plait/core/data_type.hpp>

#include "support/small_layouts.hpp"

#include <string_view>

using namespace plait;

TEST_CASE("data_type: each C++ type has one, of its size") {
    STATIC_CHECK(data_type_of<double> == data_type::f64);
    STATIC_CHECK(data_type_of<float> == data_type::f32);
    STATIC_CHECK(data_type_of<bfloat16> == data_type::bf16);
    STATIC_CHECK(data_type_of<float16> == data_type::f16);
    STATIC_CHECK(data_type_of<float8_e5m2> == data_type::f8_e5m2);
    STATIC_CHECK(data_type_of<float8_e4m3> == data_type::f8_e4m3);
    STATIC_CHECK(data_type_of<std::int32_t> == data_type::s32);
    STATIC_CHECK(data_type_of<std::int8_t> == data_type::s8);
    STATIC_CHECK(data_type_of<std::uint8_t> == data_type::u8);
    STATIC_CHECK(size_in_bytes(data_type_of<double>) == sizeof(double));
    STATIC_CHECK(size_in_bytes(data_type_of<float>) == sizeof(float));
    STATIC_CHECK(size_in_bytes(data_type_of<bfloat16>) == sizeof(bfloat16));
    STATIC_CHECK(size_in_bytes(data_type_of<float16>) == sizeof(float16));
    STATIC_CHECK(size_in_bytes(data_type_of<float8_e5m2>) == sizeof(float8_e5m2));
    STATIC_CHECK(size_in_bytes(data_type_of<float8_e4m3>) == sizeof(float8_e4m3));
    STATIC_CHECK(size_in_bytes(data_type_of<std::int32_t>) == sizeof(std::int32_t));
    STATIC_CHECK(size_in_bytes(data_type_of<std::int8_t>) == 1);
    STATIC_CHECK(size_in_bytes(data_type_of<std::uint8_t>) == 1);
    STATIC_CHECK(size_in_bytes(data_type::undef) == 0);
}

TEST_CASE("element: holds for those types and for no others") {
    STATIC_CHECK(element<float>);
    STATIC_CHECK(element<bfloat16>);
    STATIC_CHECK(!element<char>);
    STATIC_CHECK(!element<bool>);
    STATIC_CHECK(!element<std::uint16_t>);
    STATIC_CHECK(!element<std::int64_t>);
    STATIC_CHECK(!element<void>);
    STATIC_CHECK(!element<const float>);
}

TEST_CASE("name: of each data type, as oneDNN says it") {
    constexpr const char* expected[] = {"undef", "f64", "f32", "bf16", "f16", "f8_e5m2", "f8_e4m3", "s32", "s8", "u8"};
    for (int i = 0; i <= static_cast<int>(data_type::u8); ++i)
        CHECK(std::string_view(name(static_cast<data_type>(i))) == expected[i]);
    STATIC_CHECK(std::string_view(name(data_type::bf16)) == "bf16");
    STATIC_CHECK(std::string_view(name(data_type::u8)) == "u8");
}

TEST_CASE("data_type: the types without arithmetic compare their bits") {
    STATIC_CHECK(bfloat16{0x3f80} == bfloat16{0x3f80});
    STATIC_CHECK(bfloat16{0} != bfloat16{0x8000});
    STATIC_CHECK(float16{1} != float16{2});
    STATIC_CHECK(float8_e5m2{1} == float8_e5m2{1});
    STATIC_CHECK(float8_e4m3{} == float8_e4m3{0});
}
