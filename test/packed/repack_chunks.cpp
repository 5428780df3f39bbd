// Repacks part by part and in place, and on threads: the bytes are those of one call.
#include <plait/packed.hpp>
#include <plait/packed/record_chunks.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace {
using plait::dims, plait::make_repack, plait::planned_repack, plait::record, plait::repack_options;
using bytes = std::vector<std::byte>;

bytes drawn_bytes(std::size_t count) {
    bytes out(count);
    std::uint32_t state = 1;
    for (std::byte& b : out) b = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
    return out;
}
planned_repack plan(const record& from, const record& to, plait::dim_t chunk_bytes) {
    repack_options options;
    options.chunk_bytes = chunk_bytes;
    return make_repack(from, to, options).value();
}
constexpr const char* rows = "nk: nK(d:f16 /32k, q:u4 16k 2k@16)";
constexpr const char* panels = "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)";

TEST_CASE("chunks are the whole, whatever their size") {
    const record from = *plait::parse_record(rows, dims{44, 256}), to = *plait::parse_record(panels, dims{44, 256});
    const bytes in = drawn_bytes(from.size_in_bytes());
    bytes whole(to.size_in_bytes());
    plan(from, to, 1 << 20)(in, whole);
    for (const plait::dim_t size : {1, 2000, 5000, 1 << 20}) {
        const planned_repack planned = plan(from, to, size);
        bytes out(whole.size()), parts(whole.size());
        planned(in, out);
        CHECK(out == whole);
        plait::dim_t end = 0;
        for (plait::dim_t i = 0; i < planned.chunks(); ++i) {
            const plait::repack_chunk part = planned.chunk(i);
            CHECK(part.dst_begin == end);
            end += part.dst_bytes;
            // Buffers of exactly one chunk.
            const auto begin = in.begin() + part.src_begin;
            const bytes read(begin, begin + part.src_bytes);
            bytes written(static_cast<std::size_t>(part.dst_bytes));
            planned.run_chunk(i, read, written);
            std::copy(written.begin(), written.end(), parts.begin() + part.dst_begin);
        }
        CHECK(end == static_cast<plait::dim_t>(whole.size()));
        CHECK(parts == whole);
    }
}

TEST_CASE("a chunk has the bytes of its indices") {
    const record r = *plait::parse_record(panels, dims{64, 256});
    const plait::detail::record_chunk some(r, 0, 16);
    CHECK(some.size_in_bytes() == r.size / 4);
    CHECK(some.size_in_bits == 8 * some.size_in_bytes());
}

TEST_CASE("chunks are of one size if one that is at least half as large divides the indices") {
    const record from = *plait::parse_record(rows, dims{64, 256}), to = *plait::parse_record(panels, dims{64, 256});
    const plait::dim_t panel = to.size / 8;
    const planned_repack planned = plan(from, to, 5 * panel), odd = plan(from, to, 3 * panel);
    CHECK(planned.chunks() == 2);
    CHECK(planned.chunk(0).dst_bytes == 4 * panel);
    CHECK(odd.chunks() == 4);
    CHECK(odd.chunk(3).dst_bytes == 2 * panel);
}

struct two_parts {
    static int concurrency() { return 2; }
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        for (int i = chunks - 1; i >= 0; --i) chunk(i);
    }
};
TEST_CASE("threads write the same bytes") {
    const record from = *plait::parse_record(rows, dims{1024, 4096}),
                 to = *plait::parse_record(panels, dims{1024, 4096});
    const bytes in = drawn_bytes(from.size_in_bytes());
    bytes one(to.size_in_bytes()), other(to.size_in_bytes());
    const planned_repack planned = plan(from, to, 1 << 16);
    CHECK(planned.chunks() > 2);
    planned(in, one);
    planned(two_parts(), in, other);
    CHECK(one == other);
}

TEST_CASE("in place where chunks are the same bytes") {
    const record from = *plait::parse_record(rows, dims{64, 256}), to = *plait::parse_record(panels, dims{64, 256});
    const planned_repack planned = plan(from, to, 1);
    CHECK(planned.chunks() == 8);
    REQUIRE(planned.fits_in_place());
    const bytes in = drawn_bytes(from.size_in_bytes());
    bytes expected(to.size_in_bytes()), buffer = in;
    planned(in, expected);
    planned.in_place(buffer);
    CHECK(buffer == expected);
    plan(to, from, 1).in_place(buffer);
    CHECK(buffer == in);
}

TEST_CASE("what has no chunks in common is refused") {
    const record fields = *plait::parse_record("nk: (d:f16 nK /32k, q:u4 nK 16k 2k@16)", dims{64, 256});
    const record to = *plait::parse_record(panels, dims{64, 256});
    const planned_repack planned = plan(fields, to, 1);
    CHECK(!planned.fits_in_place());
    bytes buffer(to.size_in_bytes());
    CHECK(planned.attempt_in_place(buffer).error().reason == plait::reason::record_is_not_cut);
    CHECK(planned.attempt_chunk(0, buffer, buffer).error().reason == plait::reason::record_is_not_cut);
    CHECK(planned.attempt_chunk(8, buffer, buffer).error().reason == plait::reason::position_is_out_of_range);
    CHECK(planned_repack().attempt_in_place(buffer).error().reason == plait::reason::reorder_is_not_planned);
    const planned_repack cut = plan(*plait::parse_record(rows, dims{64, 256}), to, 1);
    CHECK(cut.attempt_chunk(0, std::span(buffer).first(10), buffer).error().reason ==
          plait::reason::buffer_is_too_small);
    CHECK(cut.attempt_in_place(std::span(buffer).first(10)).error().reason == plait::reason::buffer_is_too_small);
}
}  // namespace
