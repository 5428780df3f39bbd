// Arbitrary bytes as C descriptors, valid or not, for every call of the C interface. Each call returns a status; a
// refused call writes nothing. No byte is accessed outside of buffers of exactly the size that was passed.

#include "fuzz/arguments.hpp"
#include "fuzz/c_api_arguments.hpp"
#include "fuzz/c_api_reorders.hpp"

#include <plait/plait.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

using namespace fuzz;

namespace {

constexpr int pool_size = 4;

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
            if (bytes.once_in(4)) {
                const int axis = bytes.below(ndims + 2) - 1;
                const plait_dim_t begin = bytes.number(), end = bytes.number(), step = bytes.number();
                return make(d, bytes, [&](auto* out, auto* in) {
                    return plait_memory_desc_strided_slice(out, in, axis, begin, end, step);
                });
            }
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
            // Few copies of all elements are visited.
            plait_dim_t copies = -1;
            if (succeeded(plait_count_copies(&copies, &d, &d)) && copies >= 0 && copies < 100) {
                exact<plait_contiguous_copy_t> all(static_cast<std::size_t>(copies));
                if (!succeeded(plait_list_copies(all.data(), copies, &d, &d))) broken("counted, and yet refused");
            }
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
