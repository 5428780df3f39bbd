#pragma once
// Reorders and padding through the C interface, in buffers of exactly the size that is passed.

#include "fuzz/c_api_arguments.hpp"
#include "support/fenced_memory.hpp"

#include <plait/contract/descriptor_reference.hpp>

#include "../../src/c_descriptor.hpp"

#include <cstdint>
#include <cstring>

namespace fuzz {

inline constexpr std::size_t largest_buffer = 1 << 13;

/// Returns a size for a tensor: what it needs, or sometimes less. Returns 0 if it needs too much memory.
inline std::size_t some_size(const plait_memory_desc_t& d, byte_source& bytes) {
    const std::size_t needed = plait_memory_desc_get_buffer_size(&d);
    if (needed > largest_buffer) return 0;
    return bytes.once_in(6) ? needed * static_cast<std::size_t>(bytes.byte()) / 256 : needed;
}

/// Compares a reorder with the reference, in a destination filled with 0x77.
inline bool is_reference(const plait_memory_desc_t& src, const unsigned char* in, const plait_memory_desc_t& dst,
                         unsigned char* out, std::size_t size) {
    plait::descriptor from, to;
    if (!plait::c::read_descriptor(from, &src, "src") || !plait::c::read_descriptor(to, &dst, "dst")) return false;
    exact<unsigned char> expected(size);
    std::memset(expected.data(), 0x77, size);
    plait::reference_reorder(from, in, to, expected.data());
    return std::memcmp(out, expected.data(), size) == 0;
}

/// Returns a descriptor with some extents and strides made dynamic.
inline plait_memory_desc_t without_numbers(plait_memory_desc_t d, byte_source& bytes) {
    for (int a = 0; a < d.ndims && a < PLAIT_MAX_NDIMS; ++a) {
        if (bytes.once_in(2)) d.dims[a] = d.padded_dims[a] = INT64_MIN;
        if (bytes.once_in(2)) d.blocking.strides[a] = INT64_MIN;
    }
    return d;
}

/// Plans a reorder without some of the numbers, and binds it twice to those of src and dst.
inline void move_bound(const plait_memory_desc_t& src, const unsigned char* in, std::size_t src_size,
                       const plait_memory_desc_t& dst, std::size_t dst_size, byte_source& bytes) {
    const plait_memory_desc_t open_src = without_numbers(src, bytes), open_dst = without_numbers(dst, bytes);
    plait_reorder_t* planned = nullptr;
    if (!succeeded(plait_reorder_create(&planned, &open_src, &open_dst, nullptr))) return;
    for (int times = 0; times < 2; ++times) {
        kernels::fenced_memory<unsigned char> out(dst_size, kernels::fence::behind);
        std::memset(out.data(), 0x77, dst_size);
        if (succeeded(plait_reorder_execute_bound(planned, &src, in, src_size, &dst, out.data(), dst_size, nullptr))) {
            if (!is_reference(src, in, dst, out.data(), dst_size)) broken("bound, and not what the reference writes");
            continue;
        }
        for (std::size_t i = 0; i < dst_size; ++i)
            if (out.data()[i] != 0x77) broken("refused when bound, and yet data was written");
    }
    plait_reorder_destroy(planned);
}

/// Gives a plan its own choice with some bytes changed. It is refused, or the text is one that the plan writes.
inline void choose(plait_reorder_t* planned, byte_source& bytes) {
    char own[97], text[97], now[97];
    if (!succeeded(plait_reorder_get_choice(planned, own, sizeof own))) return;  // extents come with each call
    std::memcpy(text, own, sizeof own);
    for (int changes = bytes.below(4); changes > 0; --changes)
        text[bytes.below(static_cast<int>(std::strlen(own)) + 1)] = static_cast<char>(bytes.byte());
    text[96] = 0;
    if (!succeeded(plait_reorder_set_choice(planned, text))) return;
    if (plait_reorder_get_choice(planned, now, sizeof now) != PLAIT_SUCCESS || std::strcmp(text, now) != 0)
        broken("a choice was taken, and is another now");
}

/// Values of one attribute, right or wrong, in memory of exactly their size.
struct some_values {
    exact<std::int64_t> words{2};  // aligned for every type
    exact<plait_dim_t> group{PLAIT_MAX_NDIMS};
    plait_memory_desc_t where{};

    /// Fills in the members of `out`, and points it to this object.
    void fill(plait_values_t& out, const plait_memory_desc_t& dst, byte_source& bytes) {
        auto* const data = reinterpret_cast<unsigned char*>(words.data());
        for (int i = 0; i < 16; ++i) data[i] = static_cast<unsigned char>(bytes.once_in(4) ? bytes.byte() : 0x38);
        const auto size = static_cast<std::uint64_t>(bytes.below(17));
        out.data = data + 16 - size;  // the last bytes, so that reads beyond them are detected
        out.size = size;
        out.data_type = bytes.once_in(20) ? bytes.integer() : 1 + bytes.below(20);
        const int way = bytes.below(4);
        if (way != 1 || bytes.once_in(8)) out.mask = bytes.once_in(8) ? bytes.integer() : way == 0 ? bytes.below(4) : 0;
        for (int a = 0; a < PLAIT_MAX_NDIMS; ++a) {
            const plait_dim_t extent = a < dst.ndims ? dst.dims[a] : 1;
            group[a] = bytes.once_in(6) ? bytes.number() : bytes.once_in(2) ? extent : 1 + bytes.below(3);
        }
        if (way == 1) out.group = group.data();
        where = dst;
        where.data_type = out.data_type;
        where.extra = {};
        for (int a = 0; a < PLAIT_MAX_NDIMS; ++a)
            if (bytes.once_in(2)) where.blocking.strides[a] = bytes.below(2);
        if (way == 2) out.layout = &where;
        if (bytes.once_in(20)) out.reserved[bytes.below(2)] = bytes.below(2);
    }
};

/// Runs reorders and padding in buffers of exactly the size that is passed.
inline void move(const plait_memory_desc_t& src, const plait_memory_desc_t& dst, byte_source& bytes) {
    const std::size_t src_size = some_size(src, bytes), dst_size = some_size(dst, bytes);
    const std::size_t shift = bytes.once_in(10) ? static_cast<std::size_t>(bytes.below(8)) : 0;
    const bool overlapping = bytes.once_in(8);
    // The buffers lie between inaccessible pages, because the kernels are compiled without sanitizers.
    const auto side = [&] { return bytes.once_in(2) ? kernels::fence::in_front : kernels::fence::behind; };
    kernels::fenced_memory<unsigned char> in(src_size + (overlapping ? dst_size + 8 : 0) + shift, side());
    kernels::fenced_memory<unsigned char> out(dst_size, side());
    // Different numbers, but no NaN, because its bits may change.
    const int first = bytes.byte();
    for (std::size_t i = 0; i < src_size + (overlapping ? dst_size + 8 : 0) + shift; ++i)
        in.data()[i] = static_cast<unsigned char>((static_cast<std::size_t>(first) + 7 * i) % 64);
    std::memset(out.data(), 0x77, dst_size);
    unsigned char* to = overlapping ? in.data() + 4 * bytes.below(8) % 9 : out.data();

    plait_reorder_attributes_t attributes;
    if (plait_reorder_attributes_init(&attributes) != PLAIT_SUCCESS) broken("attributes");
    exact<float> scales(16);
    for (int i = 0; i < 16; ++i) scales[i] = 0.5f;
    exact<std::int32_t> offsets(16);
    for (int i = 0; i < 16; ++i) offsets[i] = i - 8;
    const bool with_attributes = bytes.once_in(3);
    if (with_attributes) {
        attributes.beta = static_cast<float>(bytes.below(3));
        attributes.src_zero_point.value = bytes.integer();
        attributes.dst_scale.mask = bytes.once_in(3) ? bytes.integer() : 1;
        attributes.dst_scale.values = bytes.once_in(8) ? nullptr : scales.data();
        const plait_dim_t values = bytes.once_in(3) ? bytes.below(17) : dst.dims[0];
        attributes.dst_scale.count = values < 0 || values > 16 ? 16 : static_cast<std::uint64_t>(values);
        if (bytes.once_in(3)) {
            attributes.dst_zero_point.mask = bytes.below(5) - 1;
            attributes.dst_zero_point.values = bytes.once_in(4) ? nullptr : offsets.data();
            attributes.dst_zero_point.count = static_cast<std::uint64_t>(bytes.below(17));
        }
        if (bytes.once_in(10)) attributes.reserved[bytes.below(3)] = bytes.below(2);
        if (bytes.once_in(10)) attributes.version = bytes.integer();
    }
    plait_attribute_values_t values{};
    some_values scales_of_any_type, points_of_any_type;
    if (with_attributes && bytes.once_in(2)) {
        scales_of_any_type.fill(bytes.once_in(2) ? values.src_scale : values.dst_scale, dst, bytes);
        if (bytes.once_in(2)) points_of_any_type.fill(values.dst_zero_point, dst, bytes);
        attributes.values = &values;
    }
    plait_reorder_t* planned = nullptr;
    const bool made = succeeded(plait_reorder_create(&planned, &src, &dst, with_attributes ? &attributes : nullptr));
    if (made != (planned != nullptr)) broken("a handle without success, or the reverse");
    if (planned != nullptr) {
        if (bytes.once_in(4)) choose(planned, bytes);
        const bool done = succeeded(plait_reorder_execute(planned, in.data() + shift, src_size, to, dst_size));
        int zero = 0;
        if (done && plait_is_padding_zero(&dst, to, dst_size, &zero) == PLAIT_SUCCESS && zero != 1)
            broken("a reorder left something in the padding");
        if (done && !with_attributes && !overlapping &&
            !is_reference(src, in.data() + shift, dst, out.data(), dst_size))
            broken("not what the reference writes");
        if (!done && !overlapping)
            for (std::size_t i = 0; i < dst_size; ++i)
                if (out.data()[i] != 0x77) broken("refused, and yet data was written");
        plait_reorder_destroy(planned);
    } else if (plait_reorder(&src, in.data() + shift, src_size, &dst, to, dst_size,
                             with_attributes ? &attributes : nullptr) == PLAIT_SUCCESS) {
        broken("no plan, and yet a reorder");
    }
    move_bound(src, in.data() + shift, src_size, dst, dst_size, bytes);
    int zero = 7;
    if (succeeded(plait_zero_pad(&dst, out.data(), dst_size))) {
        if (!succeeded(plait_is_padding_zero(&dst, out.data(), dst_size, &zero)) || zero != 1) broken("padding");
    } else if (plait_is_padding_zero(&dst, out.data(), dst_size, &zero) == PLAIT_SUCCESS || zero != 7) {
        broken("zero_pad and is_padding_zero disagree");
    }
    static_cast<void>(plait_zero_pad(nullptr, out.data(), dst_size));
}

}  // namespace fuzz
