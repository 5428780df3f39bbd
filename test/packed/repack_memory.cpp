// Packing and repacking between pages that cannot be accessed, and records whose places are beyond 2^32 bits.
// CTest runs these tests on emulated CPUs too, which have fewer instruction sets.

#include <plait/packed.hpp>
#include <plait/packed/bit_access.hpp>
#include <plait/packed/plain_tensors.hpp>

#include "record_tags.hpp"
#include "support/fenced_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace test_packed_repack_memory {

using namespace plait;
using kernels::fence, kernels::fenced_memory;

namespace {

using fenced = fenced_memory<std::byte>;

std::span<std::byte> bytes_in(fenced& memory, std::size_t size) { return {memory.data(), size}; }
bool same(std::span<const std::byte> a, std::span<const std::byte> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

repack_options with_chunks_of(dim_t chunk_bytes) {
    repack_options out;
    out.parameters.emplace_back("izp", 3);
    out.chunk_bytes = chunk_bytes;
    return out;
}

/// The plain tensors of the fields of a record, each between pages that cannot be accessed.
class fenced_tensors {
public:
    fenced_tensors(const record& r, fence where) {
        for (const detail::plain_field& field : detail::plain_fields_of(r)) {
            if (field.is_sum) continue;
            names_.push_back(field.name);
            const layout plain = *detail::make_layout(field.extents, detail::plain_tag(field.extents.size()));
            what_.push_back(descriptor(field.type, plain));
            memory_.push_back(std::make_unique<fenced>(size(names_.size() - 1), where));
        }
    }
    std::vector<field_values> values() const {
        std::vector<field_values> out;
        for (std::size_t i = 0; i < names_.size(); ++i) out.push_back({name(i), what_[i], bytes(i)});
        return out;
    }
    std::vector<field_target> targets() const {
        std::vector<field_target> out;
        for (std::size_t i = 0; i < names_.size(); ++i) out.push_back({name(i), what_[i], bytes(i)});
        return out;
    }

private:
    std::size_t size(std::size_t i) const { return what_[i].buffer_size_in_bytes(); }
    std::span<std::byte> bytes(std::size_t i) const { return bytes_in(*memory_[i], size(i)); }
    std::string_view name(std::size_t i) const {
        return {names_[i].data(), static_cast<std::size_t>(names_[i].size())};
    }

    std::vector<field_name> names_;
    std::vector<descriptor> what_;
    std::vector<std::unique_ptr<fenced>> memory_;
};

/// Bytes that pack makes: each second one is small, so that scales are finite and sums have an end.
std::vector<std::byte> packed_bytes(const record& r) {
    std::vector<std::byte> any(r.size_in_bytes()), out(any.size());
    for (std::size_t i = 0; i < any.size(); ++i)
        any[i] = static_cast<std::byte>(i * 37 % 251 & (i % 2 == 0 ? 255 : 63));
    const fenced_tensors values(r, fence::behind);
    unpack(r, any, values.targets(), with_chunks_of(1 << 16));
    pack(r, values.values(), out, with_chunks_of(1 << 16));
    return out;
}

}  // namespace

TEST_CASE("memory of records: pack, unpack and repack access no byte outside of their buffers") {
    for (const packed_test::tagged& tag : packed_test::tags) {
        const record r = *parse_record(tag.text, tag.extents);
        INFO(std::string(tag.text));
        const std::vector<std::byte> stored = packed_bytes(r);
        const std::size_t size = stored.size();
        for (const fence where : {fence::in_front, fence::behind})
            for (const dim_t chunk : {1, 1 << 16}) {
                fenced in(size, where), out(size, where), copy(size, where);
                std::copy(stored.begin(), stored.end(), in.data());
                const fenced_tensors tensors(r, where);
                unpack(r, bytes_in(in, size), tensors.targets(), with_chunks_of(chunk));
                pack(r, tensors.values(), bytes_in(out, size), with_chunks_of(chunk));
                CHECK(same(bytes_in(out, size), stored));
                make_repack(r, r, with_chunks_of(chunk)).value()(bytes_in(in, size), bytes_in(copy, size));
                CHECK(same(bytes_in(copy, size), stored));
            }
    }
}

TEST_CASE("memory of records: a chunk accesses no byte outside of its part") {
    struct pair {
        const char *from, *to;
    };
    const pair pairs[] = {
        {"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)"},
        {"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", "nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)"},
        {"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", "nk: nK(d:f32 /32k, q:u4 32k)"},
        {"nk: N(K(q:u4 32k 16n), d:f16 K /32k 16n)", "nk: N(K(q:u4 16n 32k), s:s32 16n /k =sum(q), d:f16 16n K /32k)"},
        {"nk: N(d:f16 8n K /32k, q:u4 K 8k 8n)", "nk: N(d:bf16 8n K /32k ~n, q:u4 K 4k-n 8n, _:16)"},
    };
    for (const pair& texts : pairs)
        for (const dims& extents : {dims{64, 256}, dims{53, 224}, dims{9, 32}}) {
            INFO(std::string(texts.from), " -> ", std::string(texts.to));
            const record from = *parse_record(texts.from, extents), to = *parse_record(texts.to, extents);
            const std::vector<std::byte> in = packed_bytes(from);
            std::vector<std::byte> whole(to.size_in_bytes());
            const planned_repack planned = make_repack(from, to, with_chunks_of(1)).value();
            planned(in, whole);
            for (dim_t number = 0; number < planned.chunks(); ++number)
                for (const fence where : {fence::in_front, fence::behind}) {
                    const repack_chunk part = planned.chunk(number);
                    const auto src = std::span(in).subspan(static_cast<std::size_t>(part.src_begin),
                                                           static_cast<std::size_t>(part.src_bytes));
                    const auto dst = std::span(whole).subspan(static_cast<std::size_t>(part.dst_begin),
                                                              static_cast<std::size_t>(part.dst_bytes));
                    fenced source(src.size(), where), target(dst.size(), where);
                    std::copy(src.begin(), src.end(), source.data());
                    planned.run_chunk(number, bytes_in(source, src.size()), bytes_in(target, dst.size()));
                    CHECK(same(bytes_in(target, dst.size()), dst));
                }
        }
}

namespace {

/// Zeros that take memory only where they are written, with a page behind them that cannot be accessed.
class sparse_memory {
public:
    explicit sparse_memory(std::size_t size) : size_(size), pages_(size + plait_test::page_size()) {
        pages_.allow(0, allowed());
    }
    std::span<std::byte> bytes() const { return {pages_.data() + allowed() - size_, size_}; }

private:
    std::size_t allowed() const { return pages_.size() - plait_test::page_size(); }

    std::size_t size_;
    plait_test::memory_pages pages_;
};

/// An executor that runs the last part alone.
struct last_part {
    static int concurrency() { return 1 << 20; }
    void run(int parts, const auto& part) const { part(parts - 1); }
};

}  // namespace

TEST_CASE("memory of records: places beyond 2^32 bits") {
    const dims extents{90'001, 16'384};
    const record rows("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", extents),
        panels("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", extents);
    CHECK(rows.size == 90'001 * (dim_t{16'384} / 32 * 18));
    CHECK(panels.size == 90'008 * (dim_t{16'384} / 32 * 18));
    const dim_t n = 90'000, k = 16'383;
    const dim_t block = n * 512 + 511, panel = n / 8 * 512 + 511;  // k = 31 of the block
    CHECK(rows.bit_offset("q", n, k) == block * 144 + 16 + 15 * 8 + 4);
    CHECK(rows.bit_offset("q", n, k) > dim_t{1} << 32);
    CHECK(panels.bit_offset("q", n, k) == panel * 1152 + 128 + 64 * 8 + 7 * 8 + 4);
    CHECK(panels.bit_offset("d", n, k) == panel * 1152);
    CHECK(layout_of(panels, "d").offset(n, k) == panel * 72);
    CHECK(submemory(panels, {1, 16'384}, {n, 0}).first_byte == n / 8 * 512 * 144);

    // The last rows, which are less than a panel, move between buffers of 830 MB.
    const sparse_memory in(rows.size_in_bytes()), out(panels.size_in_bytes());
    for (dim_t at = block * 18; at < (block + 1) * 18; ++at) in.bytes()[static_cast<std::size_t>(at)] = std::byte{0x93};
    const planned_repack planned = make_repack(rows, panels).value();
    planned(last_part(), in.bytes(), out.bytes());
    const auto at = [&](dim_t byte) { return std::to_integer<int>(out.bytes()[static_cast<std::size_t>(byte)]); };
    const dim_t begin = panel * 144;
    CHECK((at(begin) == 0x93 && at(begin + 1) == 0x93 && at(begin + 2) == 0));
    CHECK((at(begin + 16) == (0x93 ^ 0x88) && at(begin + 16 + 64 + 7) == (0x93 ^ 0x88)));
    CHECK((at(begin + 16 + 8) == 0 && at(begin - 144 + 16) == 0x88));
    const record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", dynamic, dynamic> type(extents);
    const record_view view{std::span(std::as_const(out).bytes()), type};
    CHECK(view.get<"q">(n, k) == u4(9));
    CHECK(view.get<"q">(n, k - 16) == u4(3));
    CHECK(view.get<"q">(n, k - 32) == u4(0));
}

TEST_CASE("memory of records: values whose bits a table would move lie beyond 2^32 bytes") {
    const dims extents{2, 5};
    const record r("nk: nk(q:u3)", extents);
    const descriptor far(data_type::u8, layout(extents, strides{5'000'000'000, 1}));
    const sparse_memory plain(far.buffer_size_in_bytes()), again(far.buffer_size_in_bytes());
    const auto row = [](const sparse_memory& of, std::size_t n) { return of.bytes().subspan(n * 5'000'000'000, 5); };
    for (std::size_t k = 0; k < 5; ++k) {
        row(plain, 0)[k] = static_cast<std::byte>(k + 1);
        row(plain, 1)[k] = static_cast<std::byte>(7 - k);
    }
    std::vector<std::byte> stored(r.size_in_bytes());
    pack(r, std::vector<field_values>{{"q", far, plain.bytes()}}, stored);
    const record_constant<"nk: nk(q:u3)", 2, 5> type;
    CHECK(record_view{std::span(std::as_const(stored)), type}.get<"q">(0, 4) == 5);
    CHECK(record_view{std::span(std::as_const(stored)), type}.get<"q">(1, 4) == 3);
    unpack(r, stored, std::vector<field_target>{{"q", far, again.bytes()}});
    for (const std::size_t n : {0u, 1u}) CHECK(same(row(again, n), row(plain, n)));

    // Two fields with the same loops, 5 GB apart.
    const record apart("nk: (a:u3 nk, _:5000000000, b:u3 nk)", extents), side("nk: (a:u3 nk, b:u3 nk)", extents);
    const sparse_memory in(apart.size_in_bytes());
    const auto last = static_cast<std::size_t>(apart.bit_offset("b", 0, 0));
    for (std::size_t i = 0; i < 4; ++i) in.bytes()[last / 8 + i] = static_cast<std::byte>(0x91 + 7 * i);
    std::vector<std::byte> out(side.size_in_bytes());
    make_repack(apart, side).value()(in.bytes(), out);
    for (const dim_t n : {0, 1})
        for (const dim_t k : {0, 1, 2, 3, 4})
            CHECK(detail::read_bits(out.data(), side.bit_offset("b", n, k), 3) ==
                  detail::read_bits(in.bytes().data(), apart.bit_offset("b", n, k), 3));
}

}  // namespace test_packed_repack_memory
