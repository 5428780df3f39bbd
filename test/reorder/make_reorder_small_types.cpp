// Random reorders of all element types, with values by mask, group and layout of several types, by each instruction
// set, against the reference.

#include "laws/random_layouts.hpp"
#include "support/executors.hpp"
#include "support/same_but_for_nan.hpp"

#include <plait/contract/descriptor_reference.hpp>
#include <plait/plait.hpp>

#include <cstring>
#include <vector>

namespace test_reorder_make_reorder_small_types { namespace {

using namespace plait;
using plait_test::random_source;

/// Attributes, with the arrays that they point to.
struct drawn_attributes {
    reorder_attributes attributes;
    std::vector<float> f32;
    std::vector<float16> f16;
    std::vector<float8_e8m0> e8m0;
    std::vector<std::int8_t> s8;
    std::vector<std::byte> s4;
    layout where;

    drawn_attributes(random_source& random, const dims& extents) {
        dims group;
        dim_t groups = 1;
        for (const dim_t extent : extents) {
            dim_t divisor = 1;
            for (int k = 0; k < 3; ++k)
                if (const dim_t tried = random.between(1, extent); extent % tried == 0) divisor = tried;
            if (random.once_in(4)) divisor = random.between(1, extent + 1);  // the last group may be shorter
            group.push_back(divisor);
            groups *= (extent + divisor - 1) / divisor;
        }
        const int mask = static_cast<int>(random.between(1, (1 << extents.size()) - 1));
        const auto count = static_cast<std::size_t>(groups),
                   by_mask = static_cast<std::size_t>(mask_volume(extents, mask));
        const auto scale = [&random] { return static_cast<float>(random.between(1, 9)) / 4; };
        switch (random.between(0, 9)) {
            case 0: attributes.src_scale = 0.5f, attributes.dst_zero_point = 3; break;
            case 1:
                for (std::size_t i = 0; i < count; ++i) f16.push_back(float16(scale()));
                attributes.src_scale = values_by_group(f16, extents, group);
                break;
            case 2:
                for (std::size_t i = 0; i < count; ++i)
                    e8m0.push_back(float8_e8m0::from_bits(static_cast<std::uint8_t>(random.between(124, 129))));
                for (std::size_t i = 0; i < by_mask; ++i) s8.push_back(static_cast<std::int8_t>(random.between(-4, 4)));
                attributes.dst_scale = values_by_group(e8m0, extents, group);
                attributes.src_zero_point = values_by_mask(s8, mask);
                break;
            case 3:
                for (std::size_t i = 0; i < (count + 1) / 2; ++i)
                    s4.push_back(static_cast<std::byte>(random.between(0, 255)));
                attributes.src_zero_point = values_by_group<plait::s4>(s4, extents, group);
                attributes.src_scale = 0.25f;
                break;
            case 4:
                where = layout(extents, random.tag(extents.size(), 2, 4));
                for (std::size_t i = 0; i < where.element_span(); ++i) f32.push_back(scale());
                attributes.src_scale = values_by_layout(f32, where);
                break;
            case 5:
                for (std::size_t i = 0; i < by_mask; ++i) f32.push_back(scale());
                attributes.dst_scale = {f32, mask};
                attributes.beta = 0.5f;
                break;
            case 6:  // packed zero points whose layout may run backwards
                where = random.turned(layout(extents, random.tag(extents.size(), 2, 4)));
                for (dim_t i = 0; i < where.span_begin() + static_cast<dim_t>(where.element_span()); i += 2)
                    s4.push_back(static_cast<std::byte>(random.between(0, 255)));
                attributes.dst_zero_point = values_by_layout<plait::s4>(s4, where);
                break;
            case 7:  // scales that are any numbers
                for (std::size_t i = 0; i < by_mask; ++i)
                    f16.push_back(float16::from_bits(static_cast<std::uint16_t>(random.between(0, 0xffff))));
                attributes.src_scale = values_by_mask(f16, mask);
                if (random.once_in(2)) attributes.dst_zero_point = 3;
                break;
            case 8:  // neutral values
                f32.assign(count, 1);
                s4.assign((by_mask + 1) / 2, std::byte{0});
                if (by_mask % 2 != 0) s4.back() = std::byte{0x70};
                attributes.dst_scale = values_by_group(f32, extents, group);
                attributes.src_zero_point = values_by_mask<plait::s4>(s4, mask);
                break;
            default: break;  // no attributes
        }
    }
};

data_type drawn_type(random_source& random) {
    constexpr data_type packed[] = {data_type::u4, data_type::s4, data_type::f4_e2m1, data_type::u1,
                                    data_type::f6_e2m3};
    if (random.once_in(2)) return packed[random.between(0, 4)];
    return static_cast<data_type>(random.between(1, plait::detail::element_type_count - 1));
}
/// Returns memory of a tensor and eight bytes behind it, with elements that are no NaN if they are f32 or f64.
std::vector<std::byte> drawn_memory(random_source& random, const descriptor& d) {
    std::vector<std::byte> out(d.buffer_size_in_bytes() + 8);
    for (std::byte& x : out) x = static_cast<std::byte>(random.between(0, 255));
    const auto fill = [&]<class T>(T) {
        for (std::size_t i = 0; i + sizeof(T) <= out.size(); i += sizeof(T)) {
            const T x = static_cast<T>(random.between(-200, 200)) / 8;
            std::memcpy(out.data() + i, &x, sizeof(x));
        }
    };
    if (d.type == data_type::f32) fill(float{});
    if (d.type == data_type::f64) fill(double{});
    return out;
}
void check_pair(random_source& random, const descriptor& src, const descriptor& dst) {
    const drawn_attributes drawn(random, src.dims());
    if (!check_reorder(src, dst, drawn.attributes).ok()) return;
    const std::vector<std::byte> in = drawn_memory(random, src), before = drawn_memory(random, dst);
    std::vector<std::byte> wanted = before;
    reference_reorder(src, in.data(), dst, wanted.data(), drawn.attributes);
    for (const isa which : every_isa) {
        if (!cpu_has(which)) continue;
        planned_reorder planned;
        engine::compiled_once::plan(
            which, planned, src, dst, drawn.attributes,
            {static_cast<dim_t>(src.layout.element_span()), static_cast<dim_t>(dst.layout.element_span())});
        std::vector<std::byte> found = before;
        CHECK(planned(in.data(), found.data()).ok());
        INFO(std::string(to_string(which)), ": ", std::string(to_string(src.type)), " to ",
             std::string(to_string(dst.type)), ", ", to_string(src.layout), " -> ", to_string(dst.layout));
        CHECK(plait_test::same_but_for_nan(found, wanted, dst.type));
        found = before;  // chunks as threads run them, the last first
        CHECK(planned(plait_test::last_chunk_first{}, in.data(), found.data()).ok());
        CHECK(plait_test::same_but_for_nan(found, wanted, dst.type));
    }
}

TEST_CASE("make_reorder: all element types, with values by mask, group and layout, are as in the reference") {
    random_source random(33);
    for (int i = 0; i < 1500; ++i) {
        const int n = static_cast<int>(random.between(1, 4));
        dims extents;
        for (int a = 0; a < n; ++a)
            extents.push_back(random.once_in(10) ? random.between(1, 70) : random.between(1, 9));
        layout from(extents, random.tag(n, 2, 16));
        const layout to(extents, random.tag(n, 2, 16));
        if (random.once_in(4)) {  // a part of a larger tensor, which may begin inside a byte
            dims larger = extents;
            position begin;
            for (int a = 0; a < n; ++a) {
                begin.push_back(random.between(0, 3));
                larger[a] += begin[a] + random.between(0, 3);
            }
            if (const auto part = try_submemory(layout(larger, random.tag(n, 1, 4)), extents, begin)) from = *part;
        }
        const data_type type = drawn_type(random);
        check_pair(random, descriptor(type, from), descriptor(random.once_in(4) ? type : drawn_type(random), to));
        check_pair(random, descriptor(drawn_type(random), to), descriptor(type, from));
    }
}

TEST_CASE(
    "make_reorder: one to three rows of four-bit numbers, of odd and even lengths, that begin in any half of a byte") {
    random_source random(34);
    const std::pair<data_type, data_type> types[] = {{data_type::u4, data_type::u8},
                                                     {data_type::s8, data_type::s4},
                                                     {data_type::f4_e2m1, data_type::f32},
                                                     {data_type::f32, data_type::u4}};
    for (const auto& [from, to] : types)
        for (const dim_t rows : {1, 2, 3})
            for (const dim_t count : {24, 25, 31, 40, 65, 130})
                for (const dim_t length : {count, count + 1})
                    for (const dim_t first : {0, 1}) {
                        layout l({rows, count}, strides{length, 1});
                        l.offset0 = first;
                        check_pair(random, descriptor(from, l), descriptor(to, l));
                        check_pair(random, descriptor(from, l), descriptor(to, layout({rows, count}, "ab")));
                        check_pair(random, descriptor(from, layout({rows, count}, "ab")), descriptor(to, l));
                    }
}

}}  // namespace test_reorder_make_reorder_small_types
