#pragma once
// Arguments for the C interface from the bytes of a fuzzer: descriptors, valid or not, and arrays of an exact size.

#include "fuzz/bytes.hpp"

#include <plait/plait.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace fuzz {

/// Prints a finding of the C interface and ends the program, as the fuzzer expects.
[[noreturn]] inline void broken(const char* what) {
    std::fprintf(stderr, "FOUND: %s (last refusal: %s)\n", what, plait_last_refusal());
    std::abort();
}

/// Returns a struct with each byte from the fuzzer, but usually with the right version.
inline plait_memory_desc_t raw_descriptor(byte_source& bytes) {
    plait_memory_desc_t out;
    std::memset(&out, 0, sizeof out);
    const bool versioned = !bytes.once_in(8);
    auto* to = reinterpret_cast<unsigned char*>(&out);
    for (std::size_t i = 0; i < sizeof out && !bytes.empty(); ++i) to[i] = static_cast<unsigned char>(bytes.byte());
    if (versioned) out.version = PLAIT_MEMORY_DESC_VERSION;
    return out;
}

/// Returns the fields of a layout, valid or not, as far as the struct has space.
inline plait_memory_desc_t descriptor_of(const plait::layout& l, byte_source& bytes) {
    plait_memory_desc_t out;
    std::memset(&out, 0, sizeof out);
    out.version = PLAIT_MEMORY_DESC_VERSION;
    out.ndims = l.dims.count;
    out.data_type = bytes.once_in(20) ? bytes.integer() : 1 + bytes.below(20);
    out.format_kind = static_cast<int>(l.kind);
    out.offset0 = l.offset0;
    for (int a = 0; a < PLAIT_MAX_NDIMS; ++a) {
        out.dims[a] = l.dims.values[a];
        out.padded_dims[a] = l.padded_dims.values[a];
        out.padded_offsets[a] = l.padded_offsets.values[a];
        out.blocking.strides[a] = l.digits.values[a].stride;
    }
    for (int k = l.ndims(); k < l.digits.size(); ++k) {
        const int block = out.blocking.inner_nblks++;
        if (block >= PLAIT_MAX_INNER_BLOCKS) break;
        out.blocking.inner_idxs[block] = l.digits[k].axis;
        out.blocking.inner_blks[block] = l.digits[k].extent;
        out.blocking.inner_strides[block] = l.digits[k].stride;
    }
    if (bytes.once_in(4)) {
        out.data_type = PLAIT_S8;
        out.extra.flags = static_cast<std::uint64_t>(bytes.below(16));
        out.extra.compensation_mask = bytes.below(4);
        out.extra.asymmetric_source_mask = bytes.below(4);
        out.extra.scale_adjust = bytes.once_in(2) ? 0.5f : 1.0f;
    }
    return out;
}

inline plait_memory_desc_t descriptor_from(byte_source& bytes) {
    if (bytes.once_in(10)) return raw_descriptor(bytes);
    plait_memory_desc_t out = descriptor_of(layout_from(bytes), bytes);
    auto* to = reinterpret_cast<unsigned char*>(&out);
    if (bytes.once_in(4))
        for (int times = 1 + bytes.below(3); times > 0; --times) {
            const int high = bytes.byte();
            const auto at = static_cast<std::size_t>(high * 256 + bytes.byte()) % sizeof out;
            to[at] = static_cast<unsigned char>(bytes.byte());
        }
    return out;
}

/// Checks that a status is one of the known values, and that a refusal has a sentence.
inline bool succeeded(plait_status_t status) {
    if (status != PLAIT_SUCCESS && status != PLAIT_INVALID_ARGUMENTS && status != PLAIT_UNIMPLEMENTED)
        broken("another status");
    if (status != PLAIT_SUCCESS && plait_last_refusal()[0] == 0) broken("refused without a sentence");
    return status == PLAIT_SUCCESS;
}

/// Numbers in a separate allocation of exact size, so that a read after its end is detected.
template <class Number>
class exact {
public:
    explicit exact(std::size_t size)
        : data_(static_cast<Number*>(std::malloc(size * sizeof(Number) + (size == 0 ? 1 : 0)))) {
        if (data_ == nullptr) std::abort();
    }
    exact(exact&& from) noexcept : data_(std::exchange(from.data_, nullptr)) {}
    exact(const exact&) = delete;
    ~exact() { std::free(data_); }
    Number* data() const { return data_; }
    Number& operator[](int i) { return data_[i]; }

private:
    Number* data_;
};

inline exact<plait_dim_t> numbers_from(byte_source& bytes, const plait_dim_t* usual, int count) {
    exact<plait_dim_t> out(static_cast<std::size_t>(count < 0 ? 0 : count));
    const bool mostly = !bytes.once_in(4);
    for (int i = 0; i < count; ++i)
        out[i] = mostly && i < PLAIT_MAX_NDIMS && !bytes.once_in(5) ? usual[i] : bytes.number();
    return out;
}

}  // namespace fuzz
