#pragma once
// The cases for the law of fuse: numbers of each type, layouts of consecutive reorders, attributes.

#include "laws/random_layouts.hpp"
#include "support/same_but_for_nan.hpp"

#include <plait/algebra/format_name.hpp>
#include <plait/contract/descriptor_reference.hpp>
#include <plait/reorder/descriptor_fusion.hpp>

#include <cmath>
#include <cstdlib>
#include <vector>

namespace plait_test {

using namespace plait;
using namespace plait::detail;

inline constexpr data_type all_types[] = {data_type::f64, data_type::f32,     data_type::bf16,
                                          data_type::f16, data_type::f8_e5m2, data_type::f8_e4m3,
                                          data_type::s32, data_type::s8,      data_type::u8};
inline constexpr data_type small_types[] = {data_type::f8_e5m2, data_type::f8_e4m3, data_type::s8, data_type::u8};

inline data_type random_type(random_source& random) { return all_types[random.between(0, 8)]; }

/// Returns a seed and prints it: another one in each run, or PLAIT_FUSION_SEED, which repeats a failure.
inline std::uint64_t fresh_seed() {
    const char* const wanted = std::getenv("PLAIT_FUSION_SEED");
    const std::uint64_t seed = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : std::random_device()();
    MESSAGE("seed ", seed);
    return seed;
}

template <class T>
void append(std::vector<std::byte>& out, T x) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&x);
    out.insert(out.end(), bytes, bytes + sizeof(x));
}

/// Returns numbers of a type:
///
/// - 8 bits: all of them. 16 bits: all of them, or one in 97 if `count` is less than 1000.
/// - s32: sums and differences around powers of two, and `count` random numbers.
/// - f32 and f64: `count` random bit patterns, and the neighbours of each limit of a type, e.g. its largest and its
///   smallest number, infinity, NaN, zero, and the middle of two numbers of a narrower type.
inline std::vector<std::byte> numbers_of(data_type type, int count, std::uint64_t seed = 1) {
    std::vector<std::byte> out;
    std::mt19937_64 bits(seed);
    if (size_in_bytes(type) == 1)
        for (int i = 0; i < 256; ++i) append(out, static_cast<std::uint8_t>(i));
    if (size_in_bytes(type) == 2)
        for (int i = 0; i < 65536; i += count < 1000 ? 97 : 1) append(out, static_cast<std::uint16_t>(i));
    if (type == data_type::s32) {
        for (int k = 0; k < 32; ++k)
            for (int j = 0; j < 32; ++j)
                for (const int near : {-1, 0, 1}) {
                    const std::uint32_t x = (1u << k) + (1u << j) + static_cast<std::uint32_t>(near);
                    append(out, x);
                    append(out, 0u - x);
                }
        for (int i = 0; i < count; ++i) append(out, static_cast<std::uint32_t>(bits()) >> (bits() % 32));
    }
    const auto append_near = [&out, type](double x) {
        for (const double number : {x, -x})
            for (const int step : {-2, -1, 0, 1, 2}) {
                if (type == data_type::f64)
                    append(out, std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) +
                                                      static_cast<std::uint64_t>(step)));
                else
                    append(out, std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(number)) +
                                                     static_cast<std::uint32_t>(step)));
            }
    };
    if (type != data_type::f32 && type != data_type::f64) return out;
    for (const data_type other : all_types) {
        const value_set numbers = values_of(other);
        append_near(numbers.high);
        append_near(std::ldexp(1.0, numbers.last_digit));
        append_near(std::ldexp(1.0, numbers.last_digit - 1));
        append_near(1 + std::ldexp(1.0, -numbers.digits));
        append_near(1 + std::ldexp(3.0, -numbers.digits));
        append_near(1 + std::ldexp(1.0, -numbers.digits) + std::ldexp(1.0, -40));
    }
    for (int half = 0; half < 520; ++half) append_near(half / 2.0);
    append_near(std::numeric_limits<double>::infinity());
    append_near(std::numeric_limits<double>::quiet_NaN());
    for (int i = 0; i < count; ++i) {
        if (type == data_type::f64) append(out, bits());
        else append(out, static_cast<std::uint32_t>(bits()));
        append_near(std::ldexp(static_cast<double>(bits() % 100000), static_cast<int>(bits() % 60) - 45));
    }
    return out;
}

/// Returns the result of the reference on a buffer that holds `old`, or ones.
///
/// Pre:     `in` begins at offset 0
template <class Step>
std::vector<std::byte> run(const Step& step, const std::vector<std::byte>& in,
                           const std::vector<std::byte>* old = nullptr) {
    std::vector<std::byte> out(step.dst.buffer_size_in_bytes(), std::byte{0x3c});
    if (old != nullptr) out = *old;
    reference_reorder(step.src, in.data(), step.dst, out.data(), step.attributes);
    return out;
}
inline std::vector<std::byte> run(const descriptor_step& step, const std::vector<std::byte>& in,
                                  const std::vector<std::byte>* old = nullptr) {
    return run<descriptor_step>(step, in, old);
}

/// True if any element has other bits. If values were computed, all NaN of f32 and f64 are equal.
inline bool elements_differ(data_type type, const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                            bool computed) {
    return computed ? !same_but_for_nan(a, b, type) : a != b;
}

/// Returns random bytes. Elements of f32 are multiples of 1/4, so that none is NaN.
inline std::vector<std::byte> random_bytes(const descriptor& d, random_source& random) {
    std::vector<std::byte> out(d.buffer_size_in_bytes());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(random.between(0, 255));
    if (d.type == data_type::f32)
        for (std::size_t i = 0; i + 4 <= out.size(); i += 4) {
            const float x = static_cast<float>(random.between(-1000, 1000)) * 0.25f;
            std::memcpy(out.data() + i, &x, 4);
        }
    return out;
}

/// The layouts of two reorders. Usually, the second source has the memory of the first destination.
struct layout_chain {
    layout first_src, first_dst, second_src, second_dst;
};

inline layout random_layout_of(const dims& extents, random_source& random) {
    layout out(extents, random.tag(extents.size(), random.once_in(2) ? 0 : 2, 4));
    if (random.once_in(3)) out.offset0 = random.between(0, 9);
    return out;
}
inline layout_chain random_chain(random_source& random) {
    const int n = static_cast<int>(random.between(1, 4));
    dims extents;
    for (int a = 0; a < n; ++a) extents.push_back(random.once_in(4) ? 1 : random.between(2, 6));
    layout_chain out{random_layout_of(extents, random), random_layout_of(extents, random), {}, {}};
    out.second_src = out.first_dst;
    const dim_t how = random.between(0, 4);
    if (how == 0) out.second_src = permute_axes(out.first_dst, random.order(n));
    if (how == 1) {
        // Joins two neighbouring axes, or splits one axis.
        dims to;
        const int at = static_cast<int>(random.between(0, n - 1));
        for (int a = 0; a < n; ++a) {
            if (a == at && extents[a] % 2 == 0) to.push_back(2), to.push_back(extents[a] / 2);
            else if (a == at && a + 1 < n) to.push_back(extents[a] * extents[a + 1]), ++a;
            else to.push_back(extents[a]);
        }
        if (const expected<layout> viewed = try_view(out.first_dst, to)) out.second_src = *viewed;
    }
    if (how == 2 && random.once_in(8)) out.second_src = random_layout_of(extents, random);
    out.second_dst = random_layout_of(out.second_src.dims, random);
    return out;
}

/// Attributes by index over random axes, and the values that they point to.
struct attribute_values {
    std::vector<float> scales;
    std::vector<std::int32_t> points;
    reorder_attributes attributes;

    attribute_values(random_source& random, const dims& extents) {
        const int all = (1 << extents.size()) - 1;
        const int scale_mask = static_cast<int>(random.between(0, all)),
                  point_mask = static_cast<int>(random.between(0, all));
        for (dim_t i = mask_volume(extents, scale_mask); i > 0; --i)
            scales.push_back(static_cast<float>(random.between(1, 40)) * 0.125f);
        for (dim_t i = mask_volume(extents, point_mask); i > 0; --i)
            points.push_back(static_cast<std::int32_t>(random.between(-9, 9)));
        attributes.src_scale = {scales, scale_mask};
        attributes.dst_zero_point = {points, point_mask};
    }
    attribute_values(const attribute_values&) = delete;
};

/// Adds compensation to a destination that can have it, in half of the calls.
inline void add_compensation(descriptor& d, random_source& random) {
    if (d.type != data_type::s8 || random.once_in(2)) return;
    descriptor with = d;
    with.extra.s8s8_compensation = true;
    with.extra.s8s8_mask = static_cast<int>(random.between(0, (1 << d.ndims()) - 1));
    if (random.once_in(2)) with.extra.asymmetric_source_compensation = true;
    if (random.once_in(3)) with.extra.scale_adjust = 0.5f;
    if (check_descriptor(with).ok() && check_compensated(with).ok()) d = with;
}

}  // namespace plait_test
