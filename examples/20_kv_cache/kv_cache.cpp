// A cache of keys in pages, as servers of language models keep it: three sequences are written and grow, attention
// reads them through the table of each, and the cache moves to one with pages of another size, heads first, in 8 bits;
// then between ranks that split the heads differently.
#include <plait/interop/local_redistribution.hpp>
#include <plait/plait.hpp>
#include <plait/reorder/converted_rows.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace plait;

namespace {

constexpr dim_t heads = 4, width = 32;

// 12 pages of 16 tokens: page, token, head, value. 8 pages of 32 tokens in 8 bits: page, head, token, value.
constexpr layout cache({12 * 16, heads, width}, "abc");
constexpr layout packed = rearrange<"p h t d -> (p t) h d">(layout({8, heads, 32, width}, "abcd"));
constexpr layout tokens({64, heads, width}, "abc");  // as a model computes them, up to 64 at a time
constexpr layout one_each({3, heads, width}, "abc");

// How many contiguous copies move 16 tokens: one within the cache, one for each token and head to the other.
constexpr layout page({16, heads, width}, "abc"), half = submemory(packed, {16, heads, width}, {0, 0, 0});
static_assert(count_copies(page, page) == 1);
static_assert(count_copies(page, half) == 16 * heads);

struct sequence {
    dim_t length;
    std::vector<int> pages, packed_pages;
    std::vector<float> plain;  // the keys of all tokens, to compare with
};

float key_of(std::size_t sequence, dim_t token, dim_t head, dim_t value) {
    return std::sin(static_cast<float>(token * 7 + head * 3 + value) + static_cast<float>(sequence) * 0.5f);
}
std::vector<float> keys_of(std::size_t sequence, dim_t first, dim_t count) {
    std::vector<float> out(tokens.element_span());
    for (dim_t t = 0; t < count; ++t)
        for (dim_t h = 0; h < heads; ++h)
            for (dim_t d = 0; d < width; ++d)
                out[static_cast<std::size_t>(tokens.offset(t, h, d))] = key_of(sequence, first + t, h, d);
    return out;
}

// The products of a query with all keys of a head.
template <class Keys>
std::vector<float> scores(const Keys& keys, dim_t length, dim_t head, const std::vector<float>& query) {
    std::vector<float> out;
    for (dim_t t = 0; t < length; ++t) {
        float sum = 0;
        for (dim_t d = 0; d < width; ++d) sum += keys(t, head, d) * query[static_cast<std::size_t>(d)];
        out.push_back(sum);
    }
    return out;
}

bool serves_sequences() {
    std::vector<float> memory(cache.element_span()), moved_back(memory.size());
    std::vector<std::int8_t> small(packed.element_span());
    std::vector<float> scales(8);  // one for each page of 32
    const tensor_view pool(memory.data(), layout_c<cache>), back(moved_back.data(), layout_c<cache>);
    const tensor_view other(small.data(), layout_c<packed>);

    std::vector<sequence> all = {{50, {5, 2, 7, 0}, {6, 1}, {}}, {16, {1, 8}, {0}, {}}, {33, {3, 9, 4}, {5, 2}, {}}};
    const std::vector<int> in_order = {0, 1, 2, 3};  // pages of a plain array
    for (std::size_t s = 0; s < all.size(); ++s) {   // prefill: the tokens of a prompt
        const std::vector<float> computed = keys_of(s, 0, all[s].length);
        const tensor_view keys(computed.data(), layout_c<tokens>);
        reorder(paged<0, 16>(keys, in_order, all[s].length), paged<0, 16>(pool, all[s].pages, all[s].length));
    }

    // Decoding: one token is appended to each sequence, in one call.
    std::vector<float> next;
    std::vector<page_sequence> ends;
    for (std::size_t s = 0; s < all.size(); ++s) {
        const std::vector<float> computed = keys_of(s, all[s].length, 1);
        next.insert(next.end(), computed.begin(), computed.begin() + heads * width);
        ends.push_back({all[s].pages, 1, all[s].length});
        all[s].length += 1;
    }
    reorder(tensor_view(next.data(), layout_c<one_each>), paged<0, 16>(pool, ends));

    bool right = true;
    std::vector<float> query;
    for (dim_t d = 0; d < width; ++d) query.push_back(static_cast<float>(d % 5) - 2);
    for (std::size_t s = 0; s < all.size(); ++s) {
        const sequence& one = all[s];
        const std::vector<float> plain = keys_of(s, 0, one.length);
        const tensor_view keys(plain.data(), layout_c<tokens>);
        for (dim_t h = 0; h < heads; ++h)
            right = right && scores(paged<0, 16>(pool, one.pages, one.length), one.length, h, query) ==
                                 scores(keys, one.length, h, query);

        // To pages of 32, heads first, in 8 bits with a scale for each page; and back. Scales lie beside the pages:
        // that of page 6 is number 6, and scales of pages that the table does not name are not read.
        const auto page_of = [&one](dim_t t) {
            return static_cast<std::size_t>(one.packed_pages[static_cast<std::size_t>(t / 32)]);
        };
        for (dim_t t = 0; t < one.length; ++t)
            for (dim_t h = 0; h < heads; ++h)
                for (dim_t d = 0; d < width; ++d)
                    scales[page_of(t)] = std::fmax(scales[page_of(t)], std::fabs(keys(t, h, d)) / 127);
        const auto by_page = values_by_group(scales, packed.dims, {32, heads, width});
        const auto large = paged<0, 16>(pool, one.pages, one.length),
                   restored = paged<0, 16>(back, one.pages, one.length);
        const auto eight_bits = paged<0, 32>(other, one.packed_pages, one.length);
        reorder(large, eight_bits, {.dst_scale = by_page});
        reorder(eight_bits, restored, {.src_scale = by_page});
        for (dim_t t = 0; t < one.length; ++t)
            for (dim_t h = 0; h < heads; ++h)
                for (dim_t d = 0; d < width; ++d)
                    right = right && std::fabs(restored(t, h, d) - keys(t, h, d)) <= scales[page_of(t)] * 0.501f;
    }
    return right;
}

// Two ranks have two heads each, in pages of 16 tokens; four ranks get one head each, in pages of 32. The move of 16
// tokens is planned once; a page is where the memory of each rank begins.
bool moves_between_ranks() {
    const dims block{16, heads, width};
    const distribution from = sharded(block, mesh{2}, {shard(1, 0)}), to = sharded(block, mesh{4}, {shard(1, 0)});
    const auto move = make_local_redistribution(data_type::f32, from, data_type::f16, to).value();
    const std::vector<int> pages = {3, 0, 4}, wider = {2, 0};  // 48 tokens
    std::vector<std::vector<float>> before(2, std::vector<float>(5 * 16 * 2 * width));
    std::vector<std::vector<float16>> after(4, std::vector<float16>(3 * 32 * width));
    for (dim_t t = 0; t < 48; ++t)
        for (dim_t h = 0; h < heads; ++h)
            for (dim_t d = 0; d < width; ++d)
                before[static_cast<std::size_t>(h / 2)][static_cast<std::size_t>(
                    ((pages[static_cast<std::size_t>(t / 16)] * 16 + t % 16) * 2 + h % 2) * width + d)] =
                    static_cast<float>((t * 5 + h * 3 + d) % 100) / 4;
    for (dim_t first = 0; first < 48; first += 16) {
        const auto page_of = [first](const std::vector<int>& table, dim_t size) {
            return table[static_cast<std::size_t>(first / size)] * size + first % size;
        };
        std::vector<std::span<const std::byte>> in;
        std::vector<std::span<std::byte>> out;
        for (const std::vector<float>& memory : before)
            in.push_back(std::as_bytes(std::span(memory))
                             .subspan(static_cast<std::size_t>(page_of(pages, 16) * 2 * width) * sizeof(float),
                                      move.in_size_in_bytes(0)));
        for (std::vector<float16>& memory : after)
            out.push_back(
                std::as_writable_bytes(std::span(memory))
                    .subspan(static_cast<std::size_t>(page_of(wider, 32) * width) * 2, move.out_size_in_bytes(0)));
        move(in, out);
    }
    bool right = true;
    for (dim_t t = 0; t < 48; ++t)
        for (dim_t h = 0; h < heads; ++h)
            for (dim_t d = 0; d < width; ++d) {
                const float16 now = after[static_cast<std::size_t>(h)][static_cast<std::size_t>(
                    (wider[static_cast<std::size_t>(t / 32)] * 32 + t % 32) * width + d)];
                right = right && convert<float>(now) == static_cast<float>((t * 5 + h * 3 + d) % 100) / 4;
            }
    return right;
}

}  // namespace

int main() {
    const bool right = serves_sequences() && moves_between_ranks();
    std::puts(right ? "the caches are right" : "WRONG");
    return right ? 0 : 1;
}
