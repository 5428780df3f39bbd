// Repacks part by part and in place, and on threads: the bytes are those of one call.
#include <plait/packed.hpp>
#include <plait/packed/record_chunks.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
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
        plait::dim_t end = 0, read_end = 0;
        for (plait::dim_t i = 0; i < planned.chunks(); ++i) {
            const plait::repack_chunk part = planned.chunk(i);
            CHECK(part.dst_begin == end);
            end += part.dst_bytes;
            CHECK(part.src_begin == read_end);
            read_end += part.src_bytes;
            REQUIRE(read_end <= static_cast<plait::dim_t>(in.size()));
            // Buffers of exactly one chunk.
            const auto begin = in.begin() + part.src_begin;
            const bytes read(begin, begin + part.src_bytes);
            bytes written(static_cast<std::size_t>(part.dst_bytes));
            planned.run_chunk(i, read, written);
            std::copy(written.begin(), written.end(), parts.begin() + part.dst_begin);
        }
        CHECK(end == static_cast<plait::dim_t>(whole.size()));
        CHECK(read_end == static_cast<plait::dim_t>(in.size()));
        CHECK(parts == whole);
    }
}

TEST_CASE("chunks end with a byte, also where one index does not") {
    // A row is 12 bits, so that chunks have two rows each.
    const record from = *plait::parse_record("nk: nk(q:u4)", dims{10, 3}),
                 to = *plait::parse_record("nk: nk(q:u4^8)", dims{10, 3});
    const planned_repack planned = plan(from, to, 1);
    CHECK(planned.chunks() == 5);
    const bytes in = drawn_bytes(from.size_in_bytes());
    bytes out(to.size_in_bytes()), expected = in;
    for (std::byte& b : expected) b ^= std::byte{0x88};
    planned(in, out);
    CHECK(out == expected);
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

/// A record of one plain tensor.
record plain_record(const record& of, plait::data_type type, const plait::layout& l) {
    record out;
    out.dims = of.dims;
    const plait::descriptor what(type, l);
    REQUIRE(plait::detail::add_plain(out, of, "q", what, what.buffer_size_in_bytes()).ok());
    return out;
}

TEST_CASE("chunks of a plain tensor are apart only if no byte has values of two of them") {
    std::uint32_t state = 3;
    const auto draw = [&state](std::uint32_t below) {
        return static_cast<plait::dim_t>((state = state * 1664525 + 1013904223) / 65536 % below);
    };
    int apart = 0, shared = 0;
    for (int turn = 0; turn < 4000; ++turn) {
        const plait::data_type types[] = {plait::data_type::u1, plait::data_type::u2, plait::data_type::u4,
                                          plait::data_type::u8};
        const plait::data_type type = types[draw(4)];
        const dims extents{4 + draw(9), 3 + draw(14)};
        const char* const tags[] = {"ab", "ba", "aB2b", "bA2a", "aB8b", "ABab2", "AB4b2a", "BA4a4b"};
        const char* const tag = tags[draw(8)];
        const auto parsed = plait::parse_format_tag(tag);
        if (!parsed) continue;
        const plait::layout l = draw(3) == 0 ? plait::layout(extents, plait::strides{extents[1] + draw(3), 1})
                                             : plait::layout(extents, *parsed);
        const record of(plait::parse_record_tag("nk: q:u" + std::to_string(plait::size_in_bits(type)) + " nk").value(),
                        extents);
        const record to = plain_record(of, type, l);
        const plait::dim_t axis = draw(2), indices = 1 + draw(4);
        const plait::detail::chunk_cut cut{static_cast<int>(axis), indices,
                                           (extents[static_cast<int>(axis)] + indices - 1) / indices};
        // As chunk_finder cuts: whole steps of the outermost digit, and whole bytes.
        const auto* const top = plait::detail::outermost_of_axis(to.pieces[0], cut.axis);
        if (top == nullptr || indices % top->step != 0 || plait::detail::chunk_bits(to.pieces[0], cut) % 8 != 0)
            continue;
        std::vector<plait::dim_t> chunk_of(static_cast<std::size_t>(to.size_in_bits / 8) + 1, -1);
        bool is_shared = false;
        for (plait::dim_t n = 0; n < extents[0]; ++n)
            for (plait::dim_t k = 0; k < extents[1]; ++k) {
                const plait::dim_t place = to.pieces[0].place({n, k}), chunk = (axis == 0 ? n : k) / indices;
                plait::dim_t& had = chunk_of[static_cast<std::size_t>(place / 8)];
                is_shared = is_shared || (had >= 0 && had != chunk);
                had = chunk;
            }
        CAPTURE(turn);
        CAPTURE(std::string(tag));
        const bool are_apart = plait::detail::are_chunks_apart(to, cut);
        CHECK(!(are_apart && is_shared));
        apart += are_apart && cut.count > 1;
        shared += is_shared;
    }
    CHECK(apart > 400);
    CHECK(shared > 100);
}

TEST_CASE("threads pack and unpack the same bytes as one thread") {
    const record r = *plait::parse_record(panels, dims{1024, 4096});
    const plait::descriptor q(plait::data_type::u4, plait::layout(dims{1024, 4096}, "ab")),
        swapped(plait::data_type::u4, plait::layout(dims{1024, 4096}, "ba")),
        d(plait::data_type::f16, plait::layout(dims{1024, 128}, "ab"));
    const bytes of_q = drawn_bytes(q.buffer_size_in_bytes()), of_d = drawn_bytes(d.buffer_size_in_bytes());
    for (const plait::descriptor& what : {q, swapped}) {
        const std::vector<plait::field_values> values{{"q", what, of_q}, {"d", d, of_d}};
        bytes one(r.size_in_bytes()), other(r.size_in_bytes());
        plait::pack(r, values, one);
        plait::pack(two_parts(), r, values, other);
        CHECK(one == other);
        bytes q_again(of_q.size()), d_again(of_d.size());
        const std::vector<plait::field_target> targets{{"q", what, q_again}, {"d", d, d_again}};
        plait::unpack(two_parts(), r, one, targets);
        CHECK(q_again == of_q);
        CHECK(d_again == of_d);
    }
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
