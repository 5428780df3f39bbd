#include <plait/interop/dlpack.hpp>

#include <plait/algebra/submemory.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <vector>

using namespace plait;
using namespace plait::detail;

namespace {

// Declarations as in <dlpack/dlpack.h>.
typedef enum { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3 } DLDeviceType;
typedef struct {
    DLDeviceType device_type;
    int32_t device_id;
} DLDevice;
typedef struct {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
} DLDataType;
typedef struct {
    void* data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t* shape;
    int64_t* strides;
    uint64_t byte_offset;
} DLTensor;

static_assert(dlpack_tensor<DLTensor>);
static_assert(!dlpack_tensor<DLDevice> && !dlpack_tensor<layout> && !dlpack_tensor<int>);

/// A tensor of f32 with its memory, as a library exports it.
struct exported {
    std::vector<float> values = std::vector<float>(400);
    std::vector<int64_t> shape, strides;
    DLTensor tensor{};

    exported(std::vector<int64_t> of, std::vector<int64_t> steps) : shape(std::move(of)), strides(std::move(steps)) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
        int64_t* const no_strides = nullptr;
        tensor = {values.data(),
                  {kDLCPU, 0},
                  static_cast<int32_t>(shape.size()),
                  {2, 32, 1},
                  shape.data(),
                  strides.empty() ? no_strides : strides.data(),
                  0};
    }
    exported(const exported&) = delete;
    verdict why() const { return try_from_dlpack(tensor).error(); }
};

}  // namespace

TEST_CASE("dlpack: data of a negative stride begin before the element of index 0") {
    float numbers[6] = {0, 1, 2, 3, 4, 5};
    exported t({2, 3}, {-3, 1});
    t.tensor.data = numbers + 3;
    CHECK(from_dlpack(t.tensor).layout == layout({2, 3}, strides{-3, 1}));
    CHECK(dlpack_data(t.tensor) == numbers);
    const auto v = view_from_dlpack<const float>(t.tensor);
    CHECK((v(0, 0) == 3 && v(0, 2) == 5 && v(1, 0) == 0));
    // The conversion back gives the same pointer and strides.
    int64_t shape[2], steps[2];
    DLTensor out = t.tensor;
    to_dlpack(from_dlpack(t.tensor), numbers, shape, steps, out);
    CHECK((steps[0] == -3 && steps[1] == 1 && out.byte_offset == 12));
    CHECK(dlpack_data(out) == numbers);
}

TEST_CASE("dlpack: without strides the layout is row-major, and any strides are kept") {
    const exported plain({2, 3, 4}, {}), turned({2, 3, 4}, {1, 8, 2}), gaps({2, 3}, {7, 2}), one({1, 3}, {0, 1});
    CHECK(from_dlpack(plain.tensor) == descriptor(data_type::f32, layout({2, 3, 4}, "abc")));
    CHECK(from_dlpack(turned.tensor).layout == layout({2, 3, 4}, strides{1, 8, 2}));
    CHECK(from_dlpack(gaps.tensor).layout == layout({2, 3}, strides{7, 2}));
    CHECK(from_dlpack(one.tensor).layout == layout({1, 3}, "ab"));
    CHECK(from_dlpack(exported({0, 3}, {}).tensor).layout == layout({0, 3}, "ab"));
    const auto view = view_from_dlpack<const float>(turned.tensor);
    for (dim_t i = 0; i < 2; ++i)
        for (dim_t j = 0; j < 3; ++j)
            for (dim_t k = 0; k < 4; ++k) CHECK(view.at(i, j, k) == static_cast<float>(i + 8 * j + 2 * k));
}

TEST_CASE("dlpack: byte_offset moves the first element") {
    exported later({2, 3}, {});
    later.tensor.byte_offset = 20;
    CHECK(view_from_dlpack<float>(later.tensor).at(1, 2) == 10);
    later.tensor.byte_offset = 6;
    CHECK(later.why() == verdict{reason::data_is_misaligned, -1, 6, 4});
    later.tensor.byte_offset = 0;
    later.tensor.data = reinterpret_cast<char*>(later.values.data()) + 1;
    CHECK(later.why() == verdict{reason::data_is_misaligned, -1, 1, 4});
    later.tensor.byte_offset = 3;
    CHECK(later.why().ok());
}

TEST_CASE("dlpack: each element type is converted, and unknown ones are refused") {
    for (int t = 1; t < plait::detail::element_type_count; ++t) {
        const auto type = static_cast<data_type>(t);
        exported one({4}, {});
        if (dlpack_type_of(type).code < 0) {
            one.tensor.ndim = 55;
            CHECK(try_to_dlpack(descriptor(type, layout({4}, "a")), nullptr, nullptr, nullptr, one.tensor) ==
                  verdict{reason::dlpack_type_is_unknown, -1, -1, size_in_bits(type), 1});
            CHECK(one.tensor.ndim == 55);
            continue;
        }
        one.tensor.dtype.code = static_cast<uint8_t>(dlpack_type_of(type).code);
        one.tensor.dtype.bits = static_cast<uint8_t>(dlpack_type_of(type).bits);
        CHECK(from_dlpack(one.tensor).type == type);
        one.tensor.dtype.lanes = 4;
        CHECK(one.why().reason == reason::dlpack_type_is_unknown);
    }
    for (const int none : {0, -1, plait::detail::element_type_count, 99})
        CHECK(dlpack_type_of(static_cast<data_type>(none)) == plait::detail::dlpack_type{});
    for (const DLDataType other :
         {DLDataType{6, 1, 1}, DLDataType{5, 64, 1}, DLDataType{0, 64, 1}, DLDataType{1, 32, 1}, DLDataType{2, 8, 1},
          DLDataType{4, 32, 1}, DLDataType{3, 64, 1}, DLDataType{0, 0, 1}}) {
        exported unknown({4}, {});
        unknown.tensor.dtype = other;
        CHECK(unknown.why() == verdict{reason::dlpack_type_is_unknown, -1, other.code, other.bits, 1});
    }
}

TEST_CASE("dlpack: elements smaller than a byte are packed, and begin with a byte") {
    std::vector<unsigned char> bytes(16);
    int64_t shape[max_ndims], steps[max_ndims];
    const layout whole({4, 6}, "ab");
    DLTensor out{};
    CHECK(try_to_dlpack(descriptor(data_type::u4, whole), bytes.data(), shape, steps, out).ok());
    CHECK((out.dtype.code == 1 && out.dtype.bits == 4 && out.dtype.lanes == 1));
    CHECK(from_dlpack(out) == descriptor(data_type::u4, whole));
    CHECK(dlpack_data(out) == bytes.data());
    // Part of a row: element 8 begins a byte of u4, and element 7 does not.
    CHECK(try_to_dlpack(descriptor(data_type::u4, submemory(whole, {2, 3}, {1, 2})), bytes.data(), shape, steps, out)
              .ok());
    CHECK(out.byte_offset == 4);
    CHECK(dlpack_data(out) == bytes.data() + 4);
    out.ndim = 77;
    CHECK(try_to_dlpack(descriptor(data_type::u4, submemory(whole, {2, 3}, {1, 1})), bytes.data(), shape, steps, out) ==
          verdict{reason::element_begins_inside_a_byte, -1, 4});
    CHECK(out.ndim == 77);
    CHECK(try_to_dlpack(descriptor(data_type::f6_e2m3, layout({3}, "a")), bytes.data(), shape, steps, out).ok());
    CHECK((out.dtype.code == 15 && out.dtype.bits == 6));
    // An axis of negative stride begins before index 0: at a byte, or inside one.
    exported back({3}, {-1});
    back.tensor.dtype = DLDataType{1, 4, 1};
    CHECK(back.why().ok());
    CHECK(dlpack_data(back.tensor) == static_cast<char*>(back.tensor.data) + back.tensor.byte_offset - 1);
    exported inside({4}, {-1});
    inside.tensor.dtype = DLDataType{1, 4, 1};
    CHECK(inside.why() == verdict{reason::element_begins_inside_a_byte, -1, 4});
    // Any address will do.
    exported odd({4}, {});
    odd.tensor.dtype = DLDataType{17, 4, 1};
    odd.tensor.data = reinterpret_cast<char*>(odd.values.data()) + 1;
    CHECK(from_dlpack(odd.tensor).type == data_type::f4_e2m1);
}

TEST_CASE("dlpack: two lanes of 4 bits are two elements along the axis of stride 1") {
    const auto pairs = [](std::vector<int64_t> shape, std::vector<int64_t> steps) {
        auto out = std::make_unique<exported>(std::move(shape), std::move(steps));
        out->tensor.dtype = DLDataType{17, 4, 2};  // float4_e2m1fn_x2 of torch
        return out;
    };
    const auto layout_of = [&](std::vector<int64_t> shape, std::vector<int64_t> steps) {
        const auto t = pairs(std::move(shape), std::move(steps));
        const descriptor d = from_dlpack(t->tensor);
        CHECK(d.type == data_type::f4_e2m1);
        return d.layout;
    };
    CHECK(layout_of({64, 128}, {128, 1}) == layout({64, 256}, "ab"));
    CHECK(layout_of({64, 128}, {}) == layout({64, 256}, "ab"));
    CHECK(layout_of({64, 1}, {}) == layout({64, 2}, "ab"));
    CHECK(layout_of({3, 4, 5}, {20, 5, 1}) == layout({3, 4, 10}, "abc"));
    CHECK(layout_of({4, 5}, {7, 1}) == layout({4, 10}, strides{14, 1}));
    CHECK(layout_of({4, 5}, {-5, 1}) == layout({4, 10}, strides{-10, 1}));
    CHECK(layout_of({4, 5}, {0, 1}) == layout({4, 10}, strides{0, 1}));
    CHECK(layout_of({1, 5}, {1, 1}) == layout({1, 10}, "ab"));
    CHECK(layout_of({1, 1}, {1, 1}) == layout({1, 2}, "ab"));
    CHECK(layout_of({7}, {1}) == layout({14}, "a"));
    CHECK(layout_of({0, 5}, {5, 1}).dims == dims{0, 10});
    CHECK(layout_of({5, 64}, {1, 5}) == layout({10, 64}, strides{1, 10}));  // a permuted one, t()
    CHECK(layout_of({2, 5, 64}, {320, 1, 5}) == layout({2, 10, 64}, strides{640, 1, 10}));
    // The values are where they are in the bytes: each index of the exporter has its two.
    std::vector<unsigned char> bytes(3 * 8);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(7 * i + 3);
    const auto t = pairs({3, 4}, {-8, 1});
    t->tensor.data = bytes.data();
    t->tensor.byte_offset = 17;
    const descriptor d = from_dlpack(t->tensor);
    const auto* const data = static_cast<const unsigned char*>(dlpack_data(t->tensor));
    CHECK(data == bytes.data() + 1);
    for (dim_t i = 0; i < 3; ++i)
        for (dim_t j = 0; j < 8; ++j) {
            const dim_t place = d.layout.offset({i, j});
            const int value = data[place / 2] >> 4 * (place % 2) & 15;
            CHECK(value == (bytes[static_cast<std::size_t>(17 - 8 * i + j / 2)] >> 4 * (j % 2) & 15));
        }
    // Which axis has the lanes cannot be seen.
    CHECK(pairs({64, 1}, {1, 1})->why() == verdict{reason::lanes_have_no_axis, 1, 2, 1, 1});
    CHECK(pairs({4, 5}, {10, 2})->why() == verdict{reason::lanes_have_no_axis, 1, 2, 5, 2});
    CHECK(pairs({4, 4, 5}, {1, 1, 4})->why().reason == reason::lanes_have_no_axis);
    CHECK(pairs({4, 5}, {-1, -4})->why().reason == reason::lanes_have_no_axis);
    CHECK(pairs({int64_t{1} << 62, 2}, {1, 2})->why().reason == reason::size_overflows);
    CHECK(pairs({2, 5}, {int64_t{1} << 62, 1})->why().reason == reason::size_overflows);
    // Other lanes are refused: vectors of whole numbers, and types that no library exports so.
    for (const DLDataType other : {DLDataType{2, 32, 2}, DLDataType{17, 4, 4}, DLDataType{16, 6, 2},
                                   DLDataType{1, 8, 2}, DLDataType{17, 4, 0}}) {
        exported unknown({4}, {});
        unknown.tensor.dtype = other;
        CHECK(unknown.why() == verdict{reason::dlpack_type_is_unknown, -1, other.code, other.bits, other.lanes});
    }
}

TEST_CASE("dlpack: from_dlpack refuses tensors that plait cannot read, with the reason") {
    exported t({2, 3}, {});
    t.tensor.device.device_type = kDLCUDA;
    CHECK(t.why() == verdict{reason::device_is_not_read, -1, 2});
    CHECK(try_from_dlpack(t.tensor, {.any_device = true}).has_value());
    t.tensor.device.device_type = kDLCUDAHost;
    CHECK(t.why().ok());
    t.tensor.data = nullptr;
    CHECK(t.why() == verdict{reason::data_is_null, -1, 6});
    CHECK(exported({2, -3}, {}).why() == verdict{reason::dim_is_negative, 1, -3, 0});
    CHECK(exported({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {}).why() == verdict{reason::too_many_axes, -1, 13, 12});
    CHECK(exported({}, {}).why().reason == reason::layout_is_undefined);
    CHECK(exported({int64_t{1} << 40, int64_t{1} << 40}, {}).why().reason == reason::size_overflows);
    bool thrown = false;
    try {
        static_cast<void>(view_from_dlpack<double>(exported({2, 3}, {}).tensor));
    } catch (const rejection& r) {
        thrown = r.verdict().reason == reason::data_types_differ;
    }
    CHECK(thrown);
}

TEST_CASE("dlpack: a descriptor converted to DLPack and back is unchanged") {
    std::vector<float> values(100);
    int64_t shape[max_ndims], steps[max_ndims];
    for (const layout& l : {layout({2, 3, 4}, "abc"), layout({2, 3, 4}, "cab"), layout({2, 3}, strides{9, 2})}) {
        DLTensor out{};
        CHECK(try_to_dlpack(descriptor(data_type::f32, l), values.data(), shape, steps, out).ok());
        CHECK(from_dlpack(out) == descriptor(data_type::f32, l));
        CHECK(out.device.device_type == kDLCPU);
    }
    DLTensor out{};
    out.ndim = 77;
    const descriptor blocked(data_type::f32, layout({1, 32, 2, 2}, "nChw16c"));
    CHECK(try_to_dlpack(blocked, values.data(), shape, steps, out) == verdict{reason::axis_is_blocked, 1, 16, 32});
    CHECK(out.ndim == 77);
    extra weights;
    weights.scale_adjust = 0.5f;
    CHECK(try_to_dlpack(descriptor(data_type::s8, layout({2, 3}, "ab"), weights), values.data(), shape, steps, out)
              .reason == reason::descriptor_has_extra);
}
