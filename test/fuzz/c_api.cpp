// Arbitrary bytes as C descriptors, valid or not, for every call of the C interface. Each call returns a status; a
// refused call writes nothing. No byte is accessed outside of buffers of exactly the size that was passed.

#include "fuzz/arguments.hpp"
#include "support/fenced_memory.hpp"

#include <plait/plait.h>
#include <plait/contract/descriptor_reference.hpp>

#include "../../src/c_descriptor.hpp"

#include <cstring>
#include <utility>

using fuzz::byte_source;
using plait::dim_t;

namespace {

constexpr int pool_size = 4;
constexpr std::size_t largest_buffer = 1 << 13;

[[noreturn]] void broken(const char* what) {
    std::fprintf(stderr, "FOUND: %s (last refusal: %s)\n", what, plait_last_refusal());
    std::abort();
}

/// Returns a struct with each byte from the fuzzer, but usually with the right version.
plait_memory_desc_t raw_descriptor(byte_source& bytes) {
    plait_memory_desc_t out;
    std::memset(&out, 0, sizeof out);
    const bool versioned = !bytes.once_in(8);
    auto* to = reinterpret_cast<unsigned char*>(&out);
    for (std::size_t i = 0; i < sizeof out && !bytes.empty(); ++i) to[i] = static_cast<unsigned char>(bytes.byte());
    if (versioned) out.version = PLAIT_MEMORY_DESC_VERSION;
    return out;
}

/// Returns the fields of a layout, valid or not, as far as the struct has space.
plait_memory_desc_t descriptor_of(const plait::layout& l, byte_source& bytes) {
    plait_memory_desc_t out;
    std::memset(&out, 0, sizeof out);
    out.version = PLAIT_MEMORY_DESC_VERSION;
    out.ndims = l.dims.count;
    out.data_type = bytes.once_in(20) ? bytes.integer() : 1 + bytes.below(9);
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

plait_memory_desc_t descriptor_from(byte_source& bytes) {
    if (bytes.once_in(10)) return raw_descriptor(bytes);
    plait_memory_desc_t out = descriptor_of(fuzz::layout_from(bytes), bytes);
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
bool succeeded(plait_status_t status) {
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
    Number* data() { return data_; }
    Number& operator[](int i) { return data_[i]; }

private:
    Number* data_;
};

exact<plait_dim_t> numbers_from(byte_source& bytes, const plait_dim_t* usual, int count) {
    exact<plait_dim_t> out(static_cast<std::size_t>(count < 0 ? 0 : count));
    const bool mostly = !bytes.once_in(4);
    for (int i = 0; i < count; ++i)
        out[i] = mostly && i < PLAIT_MAX_NDIMS && !bytes.once_in(5) ? usual[i] : bytes.number();
    return out;
}

/// Runs a call that makes a descriptor, in place or not. The result replaces `d`.
template <class Call>
void make(plait_memory_desc_t& d, byte_source& bytes, const Call& call) {
    plait_memory_desc_t apart;
    std::memset(&apart, 0x5a, sizeof apart);
    const bool in_place = bytes.once_in(2);
    plait_memory_desc_t* out = in_place ? &d : &apart;
    const plait_memory_desc_t before = *out, argument = d;
    if (!succeeded(call(out, &d))) {
        if (std::memcmp(out, &before, sizeof before) != 0) broken("refused, and yet written");
        return;
    }
    if (plait_memory_desc_check(out) != PLAIT_SUCCESS) broken("what was made is no descriptor");
    if (plait_memory_desc_equal(out, out) != 1) broken("not equal to itself");
    if (!in_place && std::memcmp(&d, &argument, sizeof d) != 0) broken("the argument was written");
    d = *out;
}

void operate(plait_memory_desc_t& d, byte_source& bytes) {
    // As many numbers as the call reads, which is the rank if the descriptor is valid.
    const int ndims = plait_memory_desc_check(&d) == PLAIT_SUCCESS ? d.ndims : 0;
    const int count = bytes.once_in(20) ? bytes.integer() : ndims - 1 + bytes.below(3);
    const int readable = count > PLAIT_MAX_NDIMS ? 0 : count;
    switch (bytes.below(10)) {
        case 0: {
            auto to = numbers_from(bytes, d.dims, readable);
            return make(d, bytes,
                        [&](auto* out, auto* in) { return plait_memory_desc_reshape(out, in, count, to.data()); });
        }
        case 1: {
            auto to = numbers_from(bytes, d.dims, readable);
            return make(d, bytes,
                        [&](auto* out, auto* in) { return plait_memory_desc_view(out, in, count, to.data()); });
        }
        case 2: {
            auto to = numbers_from(bytes, bytes.once_in(2) ? d.dims : d.padded_dims, readable);
            const auto flags = static_cast<unsigned>(bytes.below(5));
            return make(d, bytes, [&](auto* out, auto* in) {
                return plait_memory_desc_extended_reshape(out, in, count, to.data(), flags);
            });
        }
        case 3: {
            exact<int> order(static_cast<std::size_t>(ndims));
            for (int a = 0; a < ndims; ++a) order[a] = a;
            for (int a = ndims - 1; a > 0; --a) std::swap(order[a], order[bytes.below(a + 1)]);
            if (ndims > 0 && bytes.once_in(8)) order[bytes.below(ndims)] = bytes.integer();
            const bool rename = bytes.once_in(2);
            return make(d, bytes, [&](auto* out, auto* in) {
                return rename ? plait_memory_desc_rename_axes(out, in, order.data())
                              : plait_memory_desc_permute_axes(out, in, order.data());
            });
        }
        case 4: {
            const plait_dim_t none[PLAIT_MAX_NDIMS] = {};
            auto to = numbers_from(bytes, d.dims, ndims);
            auto from = numbers_from(bytes, none, ndims);
            return make(d, bytes, [&](auto* out, auto* in) {
                return plait_memory_desc_submemory(out, in, to.data(), from.data());
            });
        }
        case 5: {
            auto values = numbers_from(bytes, d.dims, readable);
            return make(d, bytes,
                        [&](auto* out, auto* in) { return plait_memory_desc_bind(out, in, count, values.data()); });
        }
        case 6: {
            auto to = numbers_from(bytes, d.dims, readable);
            auto steps = numbers_from(bytes, d.blocking.strides, readable);
            const bool dense = bytes.once_in(3);
            if (bytes.once_in(3)) {
                const char* tags[] = {"a", "Ba4b", "cab", "ABcd4a2b", "eabcd"};
                const char* tag = tags[bytes.below(5)];
                static_cast<void>(plait_memory_desc_matches_tag(&d, tag, ndims == readable ? steps.data() : nullptr));
                return make(d, bytes, [&](auto* out, auto*) {
                    return plait_memory_desc_init_by_tag_and_strides(out, count, to.data(), 1 + bytes.below(10), tag,
                                                                     steps.data());
                });
            }
            return make(d, bytes, [&](auto* out, auto*) {
                return plait_memory_desc_init_by_strides(out, count, to.data(), dense ? nullptr : steps.data(),
                                                         PLAIT_BF16);
            });
        }
        case 9: {
            const int axis = bytes.below(ndims + 2) - 1, last = axis + bytes.below(3);
            auto parts = numbers_from(bytes, d.dims, readable);
            auto at = numbers_from(bytes, d.dims, ndims);
            plait_dim_t offset = 7;
            if (!succeeded(plait_memory_desc_get_offset(&offset, &d, at.data())) && offset != 7)
                broken("refused, and yet an offset");
            const bool splits = bytes.once_in(2);
            return make(d, bytes, [&](auto* out, auto* in) {
                return splits ? plait_memory_desc_split_axis(out, in, axis, count, parts.data())
                              : plait_memory_desc_join_axes(out, in, axis, last);
            });
        }
        case 8: {
            // Exactly `count` names and extents.
            const std::string pattern = fuzz::pattern_from(bytes, ndims);
            const char* const known[] = {"a", "b", "c", "ab"};
            exact<const char*> names(static_cast<std::size_t>(readable < 0 ? 0 : readable));
            for (int i = 0; i < readable; ++i) names[i] = bytes.once_in(20) ? nullptr : known[bytes.below(4)];
            auto extents = numbers_from(bytes, d.dims, readable);
            const bool copies = bytes.once_in(2);
            return make(d, bytes, [&](auto* out, auto* in) {
                plait_memory_desc_t result = d;
                return copies
                           ? plait_memory_desc_rearrange_copy(out, &result, in, pattern.c_str(), count, names.data(),
                                                              extents.data())
                           : plait_memory_desc_rearrange(out, in, pattern.c_str(), count, names.data(), extents.data());
            });
        }
        default: {
            char tag[20] = {};
            for (int i = 0; i < 19 && !bytes.empty(); ++i) {
                const int c = bytes.byte();
                tag[i] = static_cast<char>(c < 128 ? c : "abcdABCD248nchwo"[c % 16]);
            }
            auto to = numbers_from(bytes, d.dims, readable);
            static_cast<void>(plait_memory_desc_matches_tag(&d, tag, nullptr));
            return make(d, bytes, [&](auto* out, auto*) {
                return plait_memory_desc_init_by_tag(out, count, to.data(), PLAIT_F32, tag);
            });
        }
    }
}

/// Returns a size for a tensor: what it needs, or sometimes less. Returns 0 if it needs too much memory.
std::size_t some_size(const plait_memory_desc_t& d, byte_source& bytes) {
    const std::size_t needed = plait_memory_desc_get_buffer_size(&d);
    if (needed > largest_buffer) return 0;
    return bytes.once_in(6) ? needed * static_cast<std::size_t>(bytes.byte()) / 256 : needed;
}

/// Compares a reorder with the reference, in a destination filled with 0x77.
bool is_reference(const plait_memory_desc_t& src, const unsigned char* in, const plait_memory_desc_t& dst,
                  unsigned char* out, std::size_t size) {
    plait::descriptor from, to;
    if (!plait::c::read_descriptor(from, &src, "src") || !plait::c::read_descriptor(to, &dst, "dst")) return false;
    exact<unsigned char> expected(size);
    std::memset(expected.data(), 0x77, size);
    plait::reference_reorder(from, in, to, expected.data());
    return std::memcmp(out, expected.data(), size) == 0;
}

/// Returns a descriptor with some extents and strides made dynamic.
plait_memory_desc_t without_numbers(plait_memory_desc_t d, byte_source& bytes) {
    for (int a = 0; a < d.ndims && a < PLAIT_MAX_NDIMS; ++a) {
        if (bytes.once_in(2)) d.dims[a] = d.padded_dims[a] = INT64_MIN;
        if (bytes.once_in(2)) d.blocking.strides[a] = INT64_MIN;
    }
    return d;
}

/// Plans a reorder without some of the numbers, and binds it twice to those of src and dst.
void move_bound(const plait_memory_desc_t& src, const unsigned char* in, std::size_t src_size,
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

/// Runs reorders and padding in buffers of exactly the size that is passed.
void move(const plait_memory_desc_t& src, const plait_memory_desc_t& dst, byte_source& bytes) {
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
        if (bytes.once_in(10)) attributes.reserved[bytes.below(4)] = bytes.below(2);
        if (bytes.once_in(10)) attributes.version = bytes.integer();
    }
    plait_reorder_t* planned = nullptr;
    const bool made = succeeded(plait_reorder_create(&planned, &src, &dst, with_attributes ? &attributes : nullptr));
    if (made != (planned != nullptr)) broken("a handle without success, or the reverse");
    if (planned != nullptr) {
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    byte_source bytes(data, size);
    plait_memory_desc_t pool[pool_size];
    for (plait_memory_desc_t& d : pool) d = descriptor_from(bytes);
    for (int times = 0; times < 8 && !bytes.empty(); ++times) {
        plait_memory_desc_t& d = pool[bytes.below(pool_size)];
        plait_memory_desc_t& other = pool[bytes.below(pool_size)];
        switch (bytes.below(4)) {
            case 0: move(d, other, bytes); break;
            case 1: {
                // The destination often has the same dims in another format.
                plait_memory_desc_t dst = other;
                const char* tags[] = {"abcd", "acdb", "aBcd4b", "ABcd2a4b", "ba", "Ab4a", "a", "abc", "cba"};
                if (plait_memory_desc_init_by_tag(&dst, d.ndims, d.dims, 1 + bytes.below(9), tags[bytes.below(9)]) ==
                    PLAIT_SUCCESS) {
                    if (dst.data_type == PLAIT_S8 && bytes.once_in(2)) {
                        dst.extra.flags = static_cast<std::uint64_t>(bytes.below(16));
                        dst.extra.compensation_mask = (dst.extra.flags & 1) != 0 ? bytes.below(4) : 0;
                        dst.extra.asymmetric_source_mask = (dst.extra.flags & 8) != 0 ? bytes.below(4) : 0;
                        dst.extra.scale_adjust = 0.5f;
                    }
                    move(d, dst, bytes);
                }
                break;
            }
            default: operate(d, bytes);
        }
        char name[1024];
        static_cast<void>(plait_memory_desc_format_name(&d, name, static_cast<std::size_t>(bytes.byte()) * 4));
        static_cast<void>(plait_memory_desc_equal(&d, &other));
        static_cast<void>(plait_memory_desc_get_size(&d));
    }
    return 0;
}
