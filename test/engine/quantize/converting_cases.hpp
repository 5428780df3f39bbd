#pragma once
// Random reorders between descriptors: any types, layouts, attributes and compensation, in memory between inaccessible
// pages.

#include "support/fenced_memory.hpp"
#include "support/hand_filled_layout.hpp"

#include <plait/algebra/submemory.hpp>
#include <plait/contract/descriptor_reference.hpp>
#include <plait/core/tag_grammar.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace values {

using namespace plait;

/// True if the bits are equal or, for elements, both are NaN: which NaN is unspecified.
inline bool same_elements(data_type type, const std::byte* a, const std::byte* b, std::size_t bytes) {
    if (std::memcmp(a, b, bytes) == 0) return true;
    const auto size = static_cast<std::size_t>(size_in_bytes(type));
    const auto number = [type](const std::byte* from) {
        return with_element_type(type, [from]<class T>(T x) {
            std::memcpy(&x, from, sizeof(x));
            return convert<double>(x);
        });
    };
    for (std::size_t i = 0; i + size <= bytes; i += size) {
        if (std::memcmp(a + i, b + i, size) == 0) continue;
        const double x = number(a + i), y = number(b + i);
        if (x == x || y == y) return false;
    }
    return true;
}

class random_source {
public:
    explicit random_source(unsigned seed) : engine_(seed) {}
    dim_t between(dim_t low, dim_t high) {
        return low + static_cast<dim_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool once_in(dim_t n) { return between(1, n) == 1; }

    dims extents(int axes, dim_t most) {
        dims out;
        dim_t volume = 1;
        for (int a = 0; a < axes; ++a) {
            dim_t extent = once_in(5) ? 1 : once_in(3) ? 8 * between(1, 8) : between(1, 40);
            while (extent > 1 && extent * volume > most) extent /= 2;
            if (once_in(300)) extent = 0;
            volume *= extent != 0 ? extent : 1;
            out.push_back(extent);
        }
        return out;
    }
    /// A layout from a random tag, with any blocks; sometimes a part of a larger tensor, or digits
    /// that no tag has.
    layout layout_of(const dims& extents, bool may_be_part) {
        if (once_in(2)) return plait_test::hand_filled_layout(*this, extents, 60000);
        const std::vector<const char*> tags[] = {
            {"a", "A16a"},
            {"ab", "ba", "BA16a64b4a", "BA16a64b", "aB16b", "Ab8a", "Ab12a", "AB4a4b", "AB6b4a", "aB5b"},
            {"abc", "acb", "cba", "bac", "aBc16b", "aBc8b", "Abc6a", "ABc16b16a", "ABc4b16a4b", "aBC2b3c", "Acb16a"},
            {"abcd", "acdb", "cdba", "bacd", "cbad", "aBcd16b", "aBcd24b", "Abcd16a", "BaCd4c16b4c", "ABcd4b16a4b",
             "Acdb8a", "ABcd8b16a2b", "dcba"},
            {"abcde", "acdeb", "decba", "cdeba", "aBCde4c16b4c", "aBcde16b", "abdec", "aBCde16c16b"}};
        for (;;) {
            const auto& names = tags[extents.size() - 1];
            const auto name = names[static_cast<std::size_t>(between(0, static_cast<dim_t>(names.size()) - 1))];
            const format_tag tag = *parse_format_tag(name);
            dims whole = extents;
            position first;
            for (int a = 0; a < extents.size(); ++a) first.push_back(0);
            if (const int a = static_cast<int>(between(0, extents.size() - 1)); may_be_part && once_in(6)) {
                first[a] = between(0, 2) * tag.block_size(a);
                whole[a] += first[a] + between(0, 2) * tag.block_size(a);
            }
            const auto parent = try_layout(whole, tag);
            if (!parent || parent->padded_volume() > 60000) continue;
            const auto part = try_submemory(*parent, extents, first);
            if (part && check_reorder(*part, *part).ok()) return *part;
        }
    }
    /// Mostly numbers that most types hold, and some bits of any kind.
    void fill(data_type type, std::vector<std::byte>& out) {
        for (std::byte& x : out) x = static_cast<std::byte>(engine_());
        with_element_type(type, [&]<class T>(T) {
            for (std::size_t i = 0; i + sizeof(T) <= out.size(); i += sizeof(T))
                if (!once_in(10)) {
                    const T x = convert<T>(static_cast<float>(between(-600, 600)) / 4);
                    std::memcpy(out.data() + i, &x, sizeof(x));
                }
        });
    }

private:
    std::mt19937_64 engine_;
};

struct question {
    descriptor src, dst;
    reorder_attributes attributes;
    std::vector<std::byte> in, old;

    question(random_source& random, int axes, dim_t most) {
        const dims extents = random.extents(axes, most);
        src = descriptor(random_type(random), random.layout_of(extents, true));
        const bool compensated = random.once_in(4);
        dst.type = compensated ? data_type::s8 : random_type(random);
        dst.layout = random.once_in(10) ? src.layout : random.layout_of(extents, !compensated);
        if (compensated) add_extra(random, axes);
        if (!check_reorder(src, dst).ok()) dst.extra = {};
        if (random.once_in(2)) add_attributes(random, extents);
        fill(random);
    }
    /// Of given descriptors.
    question(random_source& random, const descriptor& from, const descriptor& to, const reorder_attributes& how)
        : src(from), dst(to), attributes(how) {
        fill(random);
    }
    question(const question&) = delete;
    question& operator=(const question&) = delete;

    /// Checks `reorder(in, out)` against the reference. Both tensors end, or begin, at the end of accessible memory.
    template <class Reorder>
    bool is_answered_by(const Reorder& reorder, kernels::fence where) const {
        std::vector<std::byte> expected = old;
        reference_reorder(src, in.data(), dst, expected.data(), attributes);
        kernels::fenced_memory<std::byte> from(in.size(), where), to(old.size(), where);
        if (!in.empty()) std::memcpy(from.data(), in.data(), in.size());
        if (!old.empty()) std::memcpy(to.data(), old.data(), old.size());
        reorder(from.data(), to.data());
        const auto begin = static_cast<std::size_t>(dst.layout.offset0 * size_in_bytes(dst.type));
        const std::size_t bytes = dst.data_size_in_bytes(), end = begin + bytes;
        const std::byte* const found = to.data();
        return bytes == 0 || (std::memcmp(expected.data(), found, begin) == 0 &&
                              same_elements(dst.type, expected.data() + begin, found + begin, bytes) &&
                              std::memcmp(expected.data() + end, found + end, expected.size() - end) == 0);
    }
    std::string text() const {
        std::string out = std::string(to_string(src.type)) + " -> " + to_string(dst.type) + ", extents";
        for (const dim_t extent : src.layout.dims) out += ' ' + std::to_string(extent);
        return out;
    }

private:
    // Values by index end at the end of accessible memory too.
    std::unique_ptr<kernels::fenced_memory<float>> scales_[2];
    std::unique_ptr<kernels::fenced_memory<std::int32_t>> zero_points_[2];

    void fill(random_source& random) {
        require(check_reorder(src, dst, attributes));
        in.resize(src.buffer_size_in_bytes());
        old.resize(dst.buffer_size_in_bytes());
        random.fill(src.type, in);
        random.fill(dst.type, old);
    }
    static data_type random_type(random_source& random) { return static_cast<data_type>(random.between(1, 9)); }
    static int random_mask(random_source& random, int axes) {
        return random.once_in(3) ? 0 : static_cast<int>(random.between(0, (1 << axes) - 1));
    }
    void add_extra(random_source& random, int axes) {
        dst.extra.s8s8_compensation = !random.once_in(3);
        dst.extra.asymmetric_source_compensation = !dst.extra.s8s8_compensation || random.once_in(2);
        if (dst.extra.s8s8_compensation) dst.extra.s8s8_mask = random_mask(random, axes);
        if (dst.extra.asymmetric_source_compensation)
            dst.extra.asymmetric_source_mask =
                random.once_in(2) && dst.extra.s8s8_compensation ? dst.extra.s8s8_mask : random_mask(random, axes);
        if (random.once_in(3)) dst.extra.scale_adjust = random.once_in(2) ? 0.5f : 0.3f;
    }
    /// Returns mostly eighths, and some scales that round, are large or are small.
    static float random_value(random_source& random, float) {
        constexpr float others[] = {0.1f, 0.7f, -49, 1.0e5f, 1.0e-3f, 1};
        if (random.once_in(8)) return others[random.between(0, 5)];
        return static_cast<float>(random.once_in(2) ? random.between(1, 12) : random.between(-12, -1)) / 8;
    }
    static std::int32_t random_value(random_source& random, std::int32_t) {
        using limits = std::numeric_limits<std::int32_t>;
        constexpr std::int32_t others[] = {0, 16777217, limits::min(), limits::max()};
        if (random.once_in(8)) return others[random.between(0, 3)];
        return static_cast<std::int32_t>(random.between(-90, 90));
    }
    template <class Attribute, class Value>
    void add(random_source& random, const dims& extents, Attribute& to,
             std::unique_ptr<kernels::fenced_memory<Value>>& values) {
        if (!random.once_in(3)) return;
        const int mask = random_mask(random, extents.size());
        const auto count = static_cast<std::size_t>(mask_volume(extents, mask));
        values = std::make_unique<kernels::fenced_memory<Value>>(count, kernels::fence::behind);
        for (std::size_t i = 0; i < count; ++i) values->data()[i] = random_value(random, Value());
        if (mask == 0 && random.once_in(2)) to = Attribute(values->data()[0]);
        else to = Attribute(std::span<const Value>(values->data(), count), mask);
    }
    void add_attributes(random_source& random, const dims& extents) {
        add(random, extents, attributes.src_scale, scales_[0]);
        add(random, extents, attributes.dst_scale, scales_[1]);
        add(random, extents, attributes.src_zero_point, zero_points_[0]);
        add(random, extents, attributes.dst_zero_point, zero_points_[1]);
        if (random.once_in(4)) attributes.beta = 0.5f;
    }
};

}  // namespace values
