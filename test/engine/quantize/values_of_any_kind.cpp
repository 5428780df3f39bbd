// Values of attributes of every type, by mask, by group and by layout: which value an element gets is computed here by
// division, for all ways to run a reorder. Scales of the source are any numbers. Lists of neutral values copy elements.

#include "engine/quantize/planned_values.hpp"
#include "laws/random_layouts.hpp"
#include "support/fenced_memory.hpp"
#include "support/same_but_for_nan.hpp"

#include <plait/contract/descriptor_reference.hpp>
#include <plait/engine/quantize/constant_cache_blocks.hpp>
#include <plait/engine/simd/portable_rows.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

namespace test_engine_quantize_values_of_any_kind { namespace {

using namespace plait;
using namespace plait::engine;
using plait_test::random_source;

using bytes = std::vector<std::byte>;

/// Values of one attribute in memory that ends where accessible memory ends, and the number of the value of each
/// position.
template <class Value>
struct drawn_values {
    static constexpr bool are_scales = std::is_same_v<Value, float>;
    data_type type = data_type_of<Value>;
    int mask = 0;
    dims group;
    layout where;
    bool has_layout = false;
    dim_t count = 1;
    std::size_t size = 0;
    std::unique_ptr<kernels::fenced_memory<std::byte>> memory;

    drawn_values(random_source& random, const dims& extents, bool are_neutral, bool may_be_any_number) {
        do type = static_cast<data_type>(random.between(1, detail::element_type_count - 1));
        while (!detail::check_value_type<Value>(type).ok());
        draw_way(random, extents);
        size = static_cast<std::size_t>(bytes_of(type, 0, count).count);
        memory = std::make_unique<kernels::fenced_memory<std::byte>>(size, kernels::fence::behind);
        for (std::size_t i = 0; i < size; ++i) memory->data()[i] = static_cast<std::byte>(random.between(0, 255));
        for (dim_t i = 0; i < count; ++i) set(random, i, are_neutral, may_be_any_number);
        // Values that no position has may be any numbers: what lies in the gaps of a layout.
        std::vector<bool> is_used(static_cast<std::size_t>(count));
        for (dim_t i = 0; has_layout && i < volume(extents); ++i)
            is_used[static_cast<std::size_t>(where.offset(unravel(extents, i)))] = true;
        for (dim_t i = 0; has_layout && i < count; ++i)
            if (!is_used[static_cast<std::size_t>(i)]) set_number(i, 0);
    }

    /// Returns the attribute as C makes it, whose functions know the type only at run time.
    values_of_attribute<Value> attribute(const dims& extents) const {
        values_of_attribute<Value> out(Value{});
        out.type = type;
        out.mask = mask;
        out.count = size * 8 / static_cast<std::size_t>(size_in_bits(type));
        if (type == data_type_of<Value>) out.values = reinterpret_cast<const Value*>(memory->data());
        else out.bytes = memory->data();
        if (!group.empty()) out.extents = extents, out.group = group;
        if (has_layout) out.where = &where;
        return out;
    }
    Value at(const position& p, const dims& extents) const {
        return load_value<Value>(type, memory->data(), place_of(p, extents));
    }

private:
    dim_t place_of(const position& p, const dims& extents) const {
        if (has_layout) return where.offset(p);
        dim_t place = 0;
        for (int a = 0; a < extents.size(); ++a) {
            const dim_t each = group.empty() ? (mask >> a & 1) != 0 ? 1 : extents[a] : group[a];
            place = place * ((extents[a] + each - 1) / each) + p[a] / each;
        }
        return place;
    }
    void draw_way(random_source& random, const dims& extents) {
        const dim_t way = random.between(0, 3);
        if (way == 0) {
            mask = static_cast<int>(random.between(0, (1 << extents.size()) - 1));
        } else if (way == 1) {  // the last group of an axis may be shorter, or the only one
            for (const dim_t extent : extents) group.push_back(random.between(1, extent + 1));
        } else {
            has_layout = true;
            where = layout(extents, random.tag(extents.size(), 2, 4));
            if (way == 3) where = random.turned(where);
            for (int a = 0; a < extents.size(); ++a)
                if (random.once_in(4) && where.block_size(a) == 1) {
                    where.offset0 += where.digits[a].stride < 0 ? (extents[a] - 1) * where.digits[a].stride : 0;
                    where.digits[a].stride = 0;
                }
            where.offset0 += random.between(0, 3);
            count = where.span_begin() + static_cast<dim_t>(where.element_span());
            return;
        }
        for (int a = 0; a < extents.size(); ++a) {
            if (!group.empty() && group[a] < extents[a]) mask |= 1 << a;
            if ((mask >> a & 1) != 0) count *= group.empty() ? extents[a] : (extents[a] + group[a] - 1) / group[a];
        }
    }
    void set_number(dim_t place, double number) {
        with_element_type(type, [&]<element T>(T) { store_element<T>(memory->data(), place, convert<T>(number)); });
    }
    void set(random_source& random, dim_t place, bool are_neutral, bool may_be_any_number) {
        if (are_neutral) return set_number(place, are_scales ? 1 : 0);
        if (!are_scales) return set_number(place, static_cast<double>(random.between(-9, 9)));
        constexpr double others[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1e-45};
        if (may_be_any_number && random.once_in(5)) return set_number(place, others[random.between(0, 5)]);
        set_number(place, static_cast<double>(random.between(1, 9)) / 2);
        const float made = load_value<float>(type, memory->data(), place);
        if (!detail::is_scale(made)) set_number(place, 1);
    }
};

/// A reorder with random types, layouts and attributes.
struct question {
    descriptor src, dst;
    std::unique_ptr<drawn_values<float>> src_scale, dst_scale;
    std::unique_ptr<drawn_values<std::int32_t>> src_zero_point, dst_zero_point;
    reorder_attributes attributes;
    bool wants_neutral = false, are_neutral = false;
    bytes in, old;

    question(random_source& random, data_type from, data_type to) {
        const int n = static_cast<int>(random.between(1, 3));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.once_in(6) ? random.between(1, 60) : random.between(1, 9));
        src = descriptor(from, layout(extents, random.tag(n, 1, 8)));
        dst = descriptor(to, layout(extents, random.tag(n, 1, 8)));
        wants_neutral = random.once_in(3);
        draw(random, src_scale, attributes.src_scale, true);
        draw(random, dst_scale, attributes.dst_scale, false);
        draw(random, src_zero_point, attributes.src_zero_point, false);
        draw(random, dst_zero_point, attributes.dst_zero_point, false);
        if (!wants_neutral && random.once_in(6)) attributes.beta = 0.5f;
        are_neutral = attributes.beta == 0 && is_neutral(src_scale) && is_neutral(dst_scale) &&
                      is_neutral(src_zero_point) && is_neutral(dst_zero_point);
        in = filled(random, src);
        old = filled(random, dst);
    }
    /// The destination, by convert_with of each element; by convert, if all values are neutral.
    bytes expected() const {
        bytes out = old;
        const dims& extents = src.layout.dims;
        for (dim_t i = 0; i < dst.layout.padded_volume(); ++i)
            zero_element(dst.type, out.data(), dst.layout.padded_offset(unravel(dst.layout.padded_dims, i)));
        for (dim_t i = 0; i < volume(extents); ++i) {
            const position p = unravel(extents, i);
            element_attributes how;
            if (src_scale) how.src_scale = src_scale->at(p, extents);
            if (dst_scale) how.dst_scale = dst_scale->at(p, extents);
            if (src_zero_point) how.src_zero_point = src_zero_point->at(p, extents);
            if (dst_zero_point) how.dst_zero_point = dst_zero_point->at(p, extents);
            how.beta = attributes.beta;
            const dim_t from = src.layout.offset(p), to = dst.layout.offset(p);
            with_element_type(src.type, [&]<element T>(T) {
                with_element_type(dst.type, [&]<element U>(U) {
                    const T x = load_element<T>(in.data(), from);
                    const U before = load_element<U>(old.data(), to);
                    store_element<U>(out.data(), to, are_neutral ? convert<U>(x) : convert_with<U>(x, before, how));
                });
            });
        }
        return out;
    }

private:
    template <class Value, class Attribute>
    void draw(random_source& random, std::unique_ptr<drawn_values<Value>>& to, Attribute& attribute, bool any_number) {
        if (random.once_in(2)) return;
        const dims& extents = src.layout.dims;
        to = std::make_unique<drawn_values<Value>>(random, extents, wants_neutral, any_number);
        static_cast<values_of_attribute<Value>&>(attribute) = to->attribute(extents);
        if (check_attributes(attributes, extents).ok()) return;  // some types have no number but 0 that is finite
        to.reset();
        attribute = {};
    }
    template <class Value>
    bool is_neutral(const std::unique_ptr<drawn_values<Value>>& values) const {
        const dims& extents = src.layout.dims;
        for (dim_t i = 0; values && i < volume(extents); ++i)
            if (values->at(unravel(extents, i), extents) != Value{std::is_same_v<Value, float> ? 1 : 0}) return false;
        return true;
    }
    static bytes filled(random_source& random, const descriptor& d) {
        bytes out(d.buffer_size_in_bytes() + 8);
        for (std::byte& x : out) x = static_cast<std::byte>(random.between(0, 255));
        if (d.type == data_type::s32 || !random.once_in(2)) return out;
        with_element_type(d.type, [&]<element T>(T) {
            const dim_t places = static_cast<dim_t>(out.size()) * 8 / size_in_bits(d.type);
            for (dim_t i = 0; i < places; ++i)
                store_element<T>(out.data(), i, convert<T>(static_cast<double>(random.between(-300, 300)) / 8));
        });
        return out;
    }
};

/// True if the bytes are equal; a NaN of f32 or f64 that was computed may have other bits.
bool same(const bytes& a, const bytes& b, const question& q) {
    if (q.are_neutral && q.src.type == q.dst.type) return a == b;
    return plait_test::same_but_for_nan(a, b, q.dst.type);
}

template <element T, element U>
bytes by_static_kernel(const question& q) {
    bytes out = q.old;
    move_values_by_layout<T, U, isa::portable>(q.src.layout, q.dst.layout,
                                               reinterpret_cast<const memory_of<T>*>(q.in.data()),
                                               reinterpret_cast<memory_of<U>*>(out.data()), q.attributes);
    return out;
}

TEST_CASE("values of attributes: each element is computed with the value of its position") {
    random_source random(4528);
    int neutral = 0, shorter = 0;
    for (int i = 0; i < 1500; ++i) {
        const auto type = [&random] {
            return static_cast<data_type>(random.between(1, plait::detail::element_type_count - 1));
        };
        const data_type from = random.once_in(4) ? data_type::s32 : type();
        const question q(random, from, random.once_in(2) ? from : type());
        neutral += q.are_neutral && q.src.type == q.dst.type ? 1 : 0;
        if (q.src_scale && !q.src_scale->group.empty())
            for (int a = 0; a < q.src.ndims(); ++a)
                shorter += q.src.layout.dims[a] % q.src_scale->group[a] != 0 ? 1 : 0;
        const bytes wanted = q.expected();
        INFO("number ", i, ", ", std::string(to_string(q.src.type)), " to ", std::string(to_string(q.dst.type)));
        bytes out = q.old;
        reference_reorder(q.src, q.in.data(), q.dst, out.data(), q.attributes);
        CHECK(same(out, wanted, q));
        out = q.old;
        values::planned_values(q.src, q.dst, q.attributes)(q.in.data(), out.data());
        CHECK(same(out, wanted, q));
        if (from == data_type::s32 && q.dst.type == data_type::s32)
            CHECK(same(by_static_kernel<std::int32_t, std::int32_t>(q), wanted, q));
    }
    CHECK(neutral > 200);
    CHECK(shorter > 100);
}

TEST_CASE("values of attributes: kernels of constant layouts, with packed and other small types") {
    random_source random(4529);
    for (int i = 0; i < 300; ++i) {
        INFO("number ", i);
        const question packed(random, data_type::u4, data_type::u4), mixed(random, data_type::s4, data_type::f32),
            small(random, data_type::ue4m3, data_type::ue4m3), half(random, data_type::f16, data_type::f16);
        CHECK(same(by_static_kernel<u4, u4>(packed), packed.expected(), packed));
        CHECK(same(by_static_kernel<s4, float>(mixed), mixed.expected(), mixed));
        CHECK(same(by_static_kernel<float8_ue4m3, float8_ue4m3>(small), small.expected(), small));
        CHECK(same(by_static_kernel<float16, float16>(half), half.expected(), half));
    }
}

}}  // namespace test_engine_quantize_values_of_any_kind
