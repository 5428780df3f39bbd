#pragma once
// Random reorders: two layouts with the same extents, elements, and attributes for plait and for oneDNN.

#include "differential/referee.hpp"

#include <plait/algebra/submemory.hpp>
#include <plait/contract/reference.hpp>

#include <bit>
#include <cstring>

namespace differential {

/// A handle of the C API that is destroyed at the end of its scope.
template <class Handle, auto Destroy>
struct owned {
    Handle handle = nullptr;
    owned() = default;
    explicit owned(Handle made) : handle(made) {}
    owned(const owned&) = delete;
    owned& operator=(const owned&) = delete;
    ~owned() {
        if (handle != nullptr) Destroy(handle);
    }
};

struct onednn {
    dnnl_engine_t engine = nullptr;
    dnnl_stream_t stream = nullptr;
    onednn() {
        dnnl_engine_create(&engine, dnnl_cpu, 0);
        dnnl_stream_create(&stream, engine, dnnl_stream_default_flags);
        dnnl_set_primitive_cache_capacity(0);  // no two cases are the same
    }
    onednn(const onednn&) = delete;
    onednn& operator=(const onednn&) = delete;
    ~onednn() {
        dnnl_stream_destroy(stream);
        dnnl_engine_destroy(engine);
    }
};

/// True if both have the same bits, or both are NaN.
template <class T>
bool same_bits(const T& a, const T& b) {
    const double x = plait::convert<double>(a), y = plait::convert<double>(b);
    return std::memcmp(&a, &b, sizeof(T)) == 0 || (x != x && y != y);
}

/// Returns extents of one to five axes, with at most 1024 elements in total.
inline plait::dims random_reorder_extents(random_source& random) {
    const dim_t n = random.between(1, 5);
    plait::dims out;
    dim_t volume = 1;
    for (dim_t a = 0; a < n; ++a) {
        dim_t extent = random.once_in(5) ? 1 : random.once_in(3) ? 8 * random.between(1, 6) : random.between(2, 40);
        while (extent > 1 && extent * volume > 1024) extent /= 2;
        volume *= extent;
        out.push_back(extent);
    }
    return out;
}

/// Returns a layout that is plain, permuted, of one of oneDNN's tags, or has blocks of any size. Some are a part of a
/// larger tensor.
inline layout random_reorder_layout(random_source& random, const plait::dims& extents) {
    static const std::vector<named_tag> tags = all_named_tags();
    const int n = extents.size();
    for (;;) {
        plait::format_tag tag = random.tag(n, 0, 2);
        if (random.once_in(4)) tag = random.tag(n, 3, 9);
        for (int tries = 0; tries < 20 && random.between(0, 2) != 0; ++tries) {
            const auto& named = tags[static_cast<std::size_t>(random.between(0, static_cast<dim_t>(tags.size()) - 1))];
            if (named.tag.ndims() == n && (named.tag.blocks.size() > 0 || random.once_in(6))) tag = named.tag;
        }
        plait::dims whole = extents;
        plait::position first;
        for (int a = 0; a < n; ++a) first.push_back(0);
        const int axis = static_cast<int>(random.between(0, n - 1));
        // Parts have whole blocks, because oneDNN writes outside of the tensor if they have parts of one block.
        if (const dim_t block = tag.block_size(axis); random.once_in(6) && extents[axis] % block == 0) {
            first[axis] = random.between(0, 2) * block;
            whole[axis] += first[axis] + random.between(0, 2) * block;
        }
        const auto parent = plait::try_layout(whole, tag);
        if (!parent || parent->padded_volume() >= 1 << 13) continue;
        if (const auto part = plait::try_submemory(*parent, extents, first)) return *part;
    }
}

/// Returns elements that are usually small numbers and halves. Some have any size, are bounds of integers or
/// infinities, or are NaN.
template <class T>
T random_element(random_source& random) {
    if constexpr (std::is_integral_v<T>) {
        if (sizeof(T) == 1 || random.once_in(6)) return static_cast<T>(random.between(INT32_MIN, INT32_MAX));
        return static_cast<T>(random.between(-400, 400));
    } else {
        float x = static_cast<float>(random.between(-600, 600)) / 2;
        if (random.once_in(3)) x = static_cast<float>(random.between(-1'000'000, 1'000'000)) / 3000;
        if (random.once_in(10)) x = std::bit_cast<float>(static_cast<std::uint32_t>(random.between(0, UINT32_MAX)));
        if (random.once_in(60)) x = static_cast<float>(INT32_MAX - random.between(0, 400));
        if (x != x || random.once_in(2000)) x = std::numeric_limits<float>::quiet_NaN();
        if (x != x && !random.once_in(20)) x = 0;
        return plait::convert<T>(x);
    }
}

template <class T, class U>
struct reorder_case {
    layout src, dst;
    std::vector<T> in;
    std::vector<U> old;
    plait::reorder_attributes attributes;
    std::vector<float> scales;

    explicit reorder_case(random_source& random) {
        const plait::dims extents = random_reorder_extents(random);
        src = random_reorder_layout(random, extents);
        dst = random.once_in(12) ? src : random_reorder_layout(random, extents);
        in.resize(src.element_span() + static_cast<std::size_t>(src.offset0));
        old.resize(dst.element_span() + static_cast<std::size_t>(dst.offset0));
        for (T& x : in) x = random_element<T>(random);
        for (U& x : old) x = random_element<U>(random);
        if (random.once_in(2)) return;
        if (random.once_in(2)) add_scales(random, extents);
        if (random.once_in(3)) attributes.src_zero_point = zero_point(random);
        if (random.once_in(3)) attributes.dst_zero_point = zero_point(random);
        constexpr float betas[] = {1, 1, 0.5f, 2, -0.3f};
        if (random.once_in(3)) attributes.beta = betas[random.between(0, 4)];
        // Powers of two: oneDNN 2 has a single scale, the quotient of both, which must be exact.
        if (random.once_in(4)) attributes.dst_scale = random.once_in(2) ? 4.0f : 0.5f;
    }
    reorder_case(const reorder_case&) = delete;
    reorder_case& operator=(const reorder_case&) = delete;

    std::string text(std::size_t at, U ours, U theirs) const {
        std::string out = "\n  from  " + to_text(descriptor_of(src)) + "\n  to    " + to_text(descriptor_of(dst));
        out += "\n  src_scale " + std::to_string(attributes.src_scale.value) + " mask " +
               std::to_string(attributes.src_scale.mask) + " dst_scale " + std::to_string(attributes.dst_scale.value);
        out += " src_zero_point " + std::to_string(attributes.src_zero_point.value) + " dst_zero_point " +
               std::to_string(attributes.dst_zero_point.value) + " beta " + std::to_string(attributes.beta);
        out += "\n  at offset " + std::to_string(at) + ": plait " + number(ours) + ", oneDNN " + number(theirs) +
               ", before " + number(old[at]);
        return out;
    }

private:
    template <class Number>
    static std::string number(Number x) {
        char out[80];
        std::snprintf(out, sizeof out, "%.9g (%a)", plait::convert<double>(x), plait::convert<double>(x));
        return out;
    }
    void add_scales(random_source& random, const plait::dims& extents) {
        constexpr float values[] = {0.5f, 2, 0.1f, 3.7f, -1.5f, 0.004f, 1};
        // Neighbouring axes, because oneDNN takes the wrong values for others.
        const auto last = random.between(0, extents.size() - 1), first = random.between(0, last);
        const int mask = random.once_in(2) ? 0 : (2 << last) - (1 << first);
        for (dim_t i = plait::mask_volume(extents, mask); i > 0; --i) scales.push_back(values[random.between(0, 6)]);
        attributes.src_scale = {scales, mask};
        if (mask == 0) attributes.src_scale = scales[0];
    }
    static std::int32_t zero_point(random_source& random) {
        return static_cast<std::int32_t>(random.once_in(20) ? random.between(INT32_MIN, INT32_MAX)
                                                            : random.between(-140, 140));
    }
};

/// Returns the attributes as those of oneDNN 2: output scales, zero points of the tensor, and a sum as post-op.
/// Measurements showed its formula: (x - src_zero_point) * scale + beta * old + dst_zero_point.
template <class T, class U>
dnnl_primitive_attr_t their_attributes(const reorder_case<T, U>& question) {
    const plait::reorder_attributes& a = question.attributes;
    dnnl_primitive_attr_t out = nullptr;
    dnnl_primitive_attr_create(&out);
    const float factor = 1 / a.dst_scale.value;
    std::vector<float> scales = question.scales;
    if (scales.empty() && factor != 1) scales.push_back(1);
    for (float& x : scales) x *= factor;
    if (!scales.empty())
        dnnl_primitive_attr_set_output_scales(out, static_cast<dim_t>(scales.size()), a.src_scale.mask, scales.data());
    if (a.src_zero_point.value != 0)
        dnnl_primitive_attr_set_zero_points(out, DNNL_ARG_SRC, 1, 0, &a.src_zero_point.value);
    if (a.dst_zero_point.value != 0)
        dnnl_primitive_attr_set_zero_points(out, DNNL_ARG_DST, 1, 0, &a.dst_zero_point.value);
    if (a.beta != 0) {
        owned<dnnl_post_ops_t, dnnl_post_ops_destroy> sum;
        dnnl_post_ops_create(&sum.handle);
        dnnl_post_ops_append_sum(sum.handle, a.beta * factor);
        dnnl_primitive_attr_set_post_ops(out, sum.handle);
    }
    return out;
}

}  // namespace differential
