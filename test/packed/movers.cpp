// Each way of moving the values of a record, whatever the CPU has: of each instruction set, of permutes, reorders,
// tables, values, and of each kind of sum. All of them write the bytes that moving value by value does.
#include <plait/packed/pack.hpp>
#include <plait/packed/plain_tensors.hpp>

#include "forced_movers.hpp"
#include "support/fenced_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <list>
#include <memory>

namespace test_packed_movers { namespace {

using namespace plait;
using kernels::fence, kernels::fenced_memory, packed_test::allowed_movers, packed_test::forced_repack;
using packed_test::drawn_numbers, packed_test::drawn_tag, packed_test::step_counts;

/// A record in one buffer, or the plain tensors of its fields, with a buffer for each.
struct side {
    record what;
    std::vector<std::size_t> sizes;

    explicit side(const record& r) : what(r), sizes{r.size_in_bytes()} {}
    static side plain_of(const record& r) {
        std::list<descriptor> types;
        std::vector<std::vector<std::byte>> memory;
        std::vector<field_values> values;
        std::vector<const std::byte*> buffers;
        side out{record()};
        out.sizes.clear();
        const auto fields = detail::plain_fields_of(r);  // the values point to the names
        for (const detail::plain_field& f : fields) {
            if (f.is_sum) continue;
            types.emplace_back(f.type, *detail::make_layout(f.extents, detail::plain_tag(f.extents.size())));
            out.sizes.push_back(types.back().buffer_size_in_bytes());
            memory.emplace_back(out.sizes.back());
            values.push_back({{f.name.data(), static_cast<std::size_t>(f.name.size())}, types.back(), {}});
        }
        for (std::size_t i = 0; i < values.size(); ++i) values[i].data = memory[i];
        REQUIRE(detail::add_plain_tensors(out.what, buffers, r, std::span<const field_values>(values)).ok());
        return out;
    }
    bool is_plain() const { return what.tag.nodes.empty(); }
};

/// The buffers of a side between pages that cannot be accessed.
class side_memory {
public:
    side_memory(const side& of, fence where) : sizes_(of.sizes) {
        for (const std::size_t size : of.sizes) {
            memory_.push_back(std::make_unique<fenced_memory<std::byte>>(size, where));
            pointers_.push_back(memory_.back()->data());
        }
    }
    /// Fills each second byte with a small one, so that scales are finite, and sums have an end.
    void fill_with_numbers() {
        unsigned seed = 1;
        for (std::size_t b = 0; b < sizes_.size(); ++b)
            for (std::size_t i = 0; i < sizes_[b]; ++i)
                pointers_[b][i] =
                    static_cast<std::byte>((seed = seed * 1664525 + 1013904223) >> 24 & (i % 2 == 0 ? 255 : 63));
    }
    void fill_with(int byte) {
        for (std::size_t b = 0; b < sizes_.size(); ++b) std::memset(pointers_[b], byte, sizes_[b]);
    }
    bool has_bytes_of(const side_memory& other) const {
        for (std::size_t b = 0; b < sizes_.size(); ++b)
            if (!std::equal(pointers_[b], pointers_[b] + sizes_[b], other.pointers_[b])) return false;
        return true;
    }
    std::byte* const* pointers() const { return pointers_.data(); }
    const std::byte* const* sources() const { return pointers_.data(); }

private:
    std::vector<std::size_t> sizes_;
    std::vector<std::unique_ptr<fenced_memory<std::byte>>> memory_;
    std::vector<std::byte*> pointers_;
};

/// Returns the bits that a field stores for an index, without what is inverted in memory.
std::uint64_t value_of(const record& r, const field_name& name, const position& index, const std::byte* const* from) {
    std::uint64_t out = 0;
    for (const record_piece& piece : r.pieces) {
        const record_field& f = r.field_of(piece);
        if (!(f.name == name) || !piece.holds(index)) continue;
        const std::byte* const buffer = from[r.tag.nodes.empty() ? piece.field : 0];
        out |= (detail::read_bits(buffer, piece.place(index), f.width) ^ f.flipped) << f.low;
    }
    return out;
}
/// Returns how many values of the destination have other bits than those of the source.
int count_wrong_values(const side& from, const side& to, const side_memory& in, const side_memory& out) {
    int wrong = 0;
    for (const record_field& f : to.what.tag.fields) {
        int width = 0;  // of all pieces; a plain tensor has more bits, whose values the record does not have
        for (const record_field& piece : to.what.tag.fields)
            if (piece.name == f.name) width = std::max(width, piece.low + piece.width);
        for (const record_field& source : from.what.tag.fields) {
            const bool converts = f.type != source.type && f.type != data_type::undef &&
                                  source.type != data_type::undef && f.low + source.low == 0;
            if (!(source.name == f.name) || f.content.kind != field_content::given ||
                source.content.kind != field_content::given || converts || f.factor != source.factor)
                continue;
            packed_test::for_each_index(to.what.dims, [&](const position& index) {
                const std::uint64_t given = value_of(from.what, f.name, index, in.sources());
                wrong += value_of(to.what, f.name, index, out.sources()) != (given & detail::low_bits(width));
            });
        }
    }
    return wrong;
}

/// Movers that a test allows, and the steps that plans had with them.
struct forced {
    std::string name;
    allowed_movers movers;
    bool by_bytes = false;  // tables of permutes run byte by byte
    step_counts counts = {};
};

/// Returns movers of which each pair has one of a kind, as far as this CPU runs them.
std::vector<forced> movers_of_this_cpu() {
    std::vector<forced> out;
    for (const isa instructions : every_isa) {
        if (!cpu_has(instructions)) continue;
        const std::string name = to_string(instructions);
        out.push_back({name, {instructions}});
        out.push_back({name + ", without reorders", {instructions, false, false}});
        out.push_back({name + ", without rows", {instructions, false, true, true, false}});
    }
    out.push_back({"permutes, byte by byte", {isa::portable, true}, true});
    if (engine::cpu_has_byte_permutes()) out.push_back({"permutes", allowed_movers::of_cpu()});
    return out;
}

/// Checks that a plan says of its movers what its steps are.
void check_noted(const detail::chunk_steps& steps) {
    std::size_t pieces[6]{};
    for (const detail::used_mover& m : steps.movers)
        pieces[static_cast<std::size_t>(m.how)] += static_cast<std::size_t>(m.pieces);
    using enum detail::mover;
    const auto of = [&pieces](detail::mover how) { return pieces[static_cast<std::size_t>(how)]; };
    CHECK((of(permutes) > 0) == !steps.permutes.empty());
    CHECK(of(reorder) == steps.reorders.size());
    CHECK((of(table) > 0) == !steps.programs.empty());
    CHECK(of(values) == steps.values.size());
    CHECK(of(row_sums) == steps.row_sums.size());
    CHECK(of(listed_sums) == steps.listed_sums.size());
}

/// Every mover writes what is written value by value, and nothing else.
class compared_movers {
public:
    std::vector<forced> movers = movers_of_this_cpu();
    step_counts by_values;

    void check(const side& from, const side& to) {
        const std::string texts = (from.is_plain() ? "plain" : std::string(from.what.tag.text().c_str())) + " -> " +
                                  (to.is_plain() ? "plain" : std::string(to.what.tag.text().c_str()));
        INFO(texts);
        repack_options options;
        options.parameters.emplace_back("izp", 3);
        const allowed_movers none = {isa::portable, false, false, false, false};
        const forced_repack each_value(from.what, to.what, options, none);
        REQUIRE(each_value.why.ok());
        by_values.add(each_value.steps);
        for (const fence where : {fence::in_front, fence::behind}) {
            side_memory in(from, where), expected(to, where), out(to, where);
            in.fill_with_numbers();
            // Bytes of plain tensors that no value has are not touched.
            expected.fill_with(0x5a);
            each_value.run(in.sources(), expected.pointers());
            if (where == fence::behind) CHECK(count_wrong_values(from, to, in, expected) == 0);
            for (forced& f : movers) {
                INFO(f.name);
                forced_repack repack(from.what, to.what, options, f.movers);
                REQUIRE(repack.why.ok());
                if (f.by_bytes) repack.run_by_bytes();
                if (where == fence::behind) f.counts.add(repack.steps), check_noted(repack.steps);
                out.fill_with(0x5a);
                repack.run(in.sources(), out.pointers());
                CHECK(out.has_bytes_of(expected));
            }
        }
    }
};

struct pair_of_tags {
    const char *from, *to;
    dims extents;
};
/// Weights as llama.cpp, KleidiAI and XNNPACK store and pack them, with each kind of sum.
const pair_of_tags weights[] = {
    {"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {16, 64}},
    {"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", "nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k)", {32, 64}},
    {"nk: nK(d:f16 /32k, q:s8 32k)", "nk: NK(q:s8 8k 16n 4k, d:f16 16n /32k, sum:s32 16n /32k =sum(q)*128)", {32, 64}},
    {"nk: n(q:u4 k, scale:f32 /k, bias:f32 /k)",
     "nk: N(q:u4^8 K 4k 4n 4k 2k@16 ~n, sum:s32 4n /k =sum(q)*16 ~n, scale:f32*0.0625 4n /k ~n, bias:f32 4n /k ~n)",
     {8, 64}},
    {"nk: n(q:u4 k, s:bf16 K /64k)",
     "nk: N(K(q:u4^8 2k 2k 8n 8k 2k@16, s:bf16 8n /64k), sum:f32 8n /k =sum(q*s;8k 2k@16))",
     {16, 128}},
    {"nk: n(q:u4 k, s:bf16 K /64k)",
     "nk: N(K(q:u4^8 2k 2k 8n 8k 2k@16, s:bf16 8n /64k), sum:f32 8n /k =sum((q-3)*s;32k))",
     {16, 128}},
    {"nk: n(bias:f32 /k, w:f32 k)", "nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n)", {16, 12}},
    {"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", "nk: nK(d:f32 /32k, q:u4 32k)", {16, 64}},
    {"nk: nk(q:u6)", "nk: nK(q:u16 4k)", {4, 6}},
    {"nk: N(w:u8 K 4k-n 8n)", "nk: N(w:u8 K 4k-n 8n, sum:s32 8n /k =sum(w))", {13, 12}},
    // Only the destination has runs, and they go on after the end of an axis.
    {"nk: N(w:u8 K 4k-n 8n)", "nk: (w:u8^128 K 4k N 8n, sum:s32 /n /k =sum(w))", {13, 12}},
};

TEST_CASE("movers: every one writes what is written value by value") {
    compared_movers all;
    for (const packed_test::tagged& tag : packed_test::tags) {
        const side r(*parse_record(tag.text, tag.extents)), plain = side::plain_of(r.what);
        all.check(r, r);
        all.check(plain, r);
        all.check(r, plain);
    }
    for (const pair_of_tags& p : weights)
        all.check(side(*parse_record(p.from, p.extents)), side(*parse_record(p.to, p.extents)));
    drawn_numbers draw;
    for (int i = 0; i < 60; ++i) {
        const int width = 1 << draw.below(5);
        const std::string from = drawn_tag(draw, width), to = drawn_tag(draw, width);
        all.check(side(*parse_record(from, {16, 64})), side(*parse_record(to, {16, 64})));
    }

    // Each mover had something to move.
    const step_counts& slow = all.by_values;
    CHECK((slow.values > 0 && slow.conversions > 0 && slow.padding > 0 && slow.listed_sums > 0));
    CHECK(slow.reorders + slow.permutes + slow.elements + slow.shuffles + slow.tables + slow.row_sums +
              slow.lane_sums ==
          0);
    for (const forced& f : all.movers) {
        INFO(f.name);
        const step_counts& n = f.counts;
        const allowed_movers& may = f.movers;
        CHECK((n.permutes > 0 && n.elements > 0) == may.permutes);
        CHECK((n.reorders > 0 && n.turns > 0 && n.flips > 0) == may.reorders);
        CHECK((n.shuffles > 0) == (may.tables && may.windows().has_registers));
        CHECK((n.tables > 0) == may.tables);
        CHECK(n.values > 0);
        CHECK((n.row_sums > 0 && n.lane_sums > 0) == may.row_sums);
        CHECK(n.listed_sums > 0);
    }
}

TEST_CASE("movers: those that this CPU does not run") {
    // The test packed.every_mover of CTest is skipped, with this line, if there is one.
    std::string missing;
    for (const isa instructions : every_isa)
        if (is_of_this_architecture(instructions) && !cpu_has(instructions))
            missing += std::string(" ") + to_string(instructions);
#if defined(__x86_64__)
    if (!engine::cpu_has_byte_permutes()) missing += " permutes";
#endif
    if (!missing.empty()) MESSAGE("no instructions on this CPU for:" << missing);
}

}}  // namespace test_packed_movers
