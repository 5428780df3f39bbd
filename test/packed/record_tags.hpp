#pragma once
// Tags of records: those of docs/packed.md, and others that use each part of the grammar.

#include <plait/packed/record.hpp>

#include <random>
#include <string>

namespace packed_test {

using namespace plait;

/// A tag and extents that suit it.
struct tagged {
    const char* text;
    dims extents;
};

inline constexpr tagged tags[] = {
    // llama.cpp: rows, rows interleaved, tiles for AMX
    {"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {6, 64}},
    {"nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)", {8, 64}},
    {"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {16, 96}},
    {"nk: NK(d:f16 4n /32k, q:s8 4k 4n 8k)", {8, 96}},
    {"nk: NK(d:f16 8n /256k, dmin:f16 8n /256k, 8k(4n(s:u6 2n@4=0 /32k, s.4:u2 2n@4=1 /32k), "
     "4n(m:u6 2n@4=0 /32k, m.4:u2 2n@4=1 /32k), 4n(s:u4 2n@4=1 /32k, m:u4 2n@4=1 /32k)), q:u4 4k 4k 8n 8k 2k@32)",
     {16, 512}},
    {"nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k, m:f16 16n /32k)", {32, 64}},
    {"nk: NK(q:s8 8k 16n 4k, d:f16 16n /32k, sum:s32 16n /32k =sum(q)*128)", {32, 64}},
    {"nk: NK(q:u4 32k 16n 4k 2k@4, s:u8 8k 16n /32k, m:u8 4k 16n 2k /32k, d:f16 16n /256k, dmin:f16 16n /256k)",
     {32, 512}},
    // KleidiAI, with padding
    {"nk: N(q:u4^8 K 4k 4n 4k 2k@16, sum:s32 4n /k =sum(q)*16, scale:f32*0.0625 4n /k, bias:f32 4n /k)", {7, 40}},
    {"nk: N(K(q:u4^8 2k 2k 8n 8k 2k@16, s:bf16 8n /64k), sum:f32 8n /k =sum(q*s;16k), bias:f32 8n /k ~n)", {13, 128}},
    {"nk: N(bias:f32 8n /k, w:f32 k 8n)", {20, 3}},
    // XNNPACK: digits that are turned, bytes that are left free
    {"nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n, _:16)", {13, 10}},
    {"nk: N(bias:s32 8n /k =+sum(w)*-izp, w:s8 K 8n 8k, scale:f32 8n /k)", {13, 20}},
    {"nk: N(bias:s32 8n /k, w:u4^8 K 8n 8k 2k@8)", {13, 20}},
    // FBGEMM, MLAS: a last block that is shorter
    {"kn: (w:f16 KN <512k 16n)", {600, 20}},
    {"kn: (w:f32 KN <256k 16n)", {256, 20}},
    {"kn: (w:f32 KN <256k 16n)", {100, 20}},
    // PyTorch: what is left is in another order
    {"nk: (w:u4 n[:%64] N k 32n 2n@32, w:u4 n[%64:] k n)", {80, 6}},
    // oneDNN, AWQ
    {"ab: (w:s8 BA16a64b4a, comp:s32 B64b /a =sum(w)*-128)", {70, 100}},
    {"nk: N(bias:s32 8n /k =+sum(w-8)*-16izp, w:u4 K 8n 8k 2k@8)", {13, 20}},
    {"nk: N(K(q:u2 4k 4n 2k 4k@8, s:bf16 4n /32k), sum:f32 4n /k =sum((q-2)*s;2k))", {6, 64}},
    {"ab: w:u4 aB 2b 4b@2", {5, 24}},
    // scales in tiles
    {"nk: NK(s:ue4m3 32n 4n@32 4k /16k)", {200, 200}},
    {"nk: NK(s:e8m0 4k 16n 2k@128 2n@16 /32k)", {64, 512}},
    // ggml's newer rows
    {"nk: nK(e:e8m0 /32k, q:f4_e2m1 16k 2k@16)", {3, 64}},
    {"nk: nK(d:ue4m3 4k /16k, q:f4_e2m1 4k 8k 2k@8)", {3, 128}},
    {"nk: nK(16k(s:u4 /16k, m:u4 /16k), q:u2 2k@128 32k 4k@32, d:f16 /256k, dmin:f16 /256k)", {3, 512}},
    {"nk: nK(q:u4 2k@128 2k@32 32k 2k@64, q.4:u2 2k@128 32k 4k@32, s:s8 16k /16k, d:f16 /256k)", {3, 512}},
    // experts outside; alignment; digits that run backwards; a whole record without loops
    {"enk: eN(bias:f32 8n /k, w:s8 K 8n 4k, _:%64)", {3, 13, 10}},
    {"nk: (q:u4 nK 4k 2k!, _:%16, s:f32 n /k)", {3, 20}},
    {"nk: (a:u8 n /k, b:u3 k /n, c:u16 nk)", {3, 5}},
    {"n: N(x:f32 4n /8n@4, y:u1 32n)", {100}},
    // a digit as the outermost loop; a loop around two ranges
    {"nk: w:u8 2k n K 3k", {3, 12}},
    {"nk: N(w:u8 n[:4] 2n k, w:u8 n[4:] 2n k)", {8, 3}},
};

inline constexpr int tag_count = static_cast<int>(sizeof(tags) / sizeof(tags[0]));

/// Calls visit with each record.
template <class Visit>
void for_each_record(Visit visit) {
    for (const tagged& t : tags) visit(parse_record(t.text, t.extents).value());
}

/// Calls visit with each index of the index space.
template <class Visit>
void for_each_index(const dims& extents, Visit visit) {
    position at;
    for (const dim_t extent : extents) {
        if (extent <= 0) return;
        at.push_back(0);
    }
    for (;;) {
        visit(at);
        int a = at.size() - 1;
        while (a >= 0 && ++at[a] == extents[a]) at[a--] = 0;
        if (a < 0) return;
    }
}

/// Returns a tag's text with one or two characters changed, removed or added.
inline std::string changed_text(std::string text, std::mt19937_64& engine) {
    const auto random = [&](std::size_t end) { return static_cast<std::size_t>(engine() % end); };
    const std::string letters = "nkNK2346810:,() @=/<!-^*_%~[];.uswq";
    for (std::size_t changes = 1 + random(2); changes > 0; --changes) {
        const std::size_t at = random(text.size()), kind = random(3);
        if (kind == 0) text[at] = letters[random(letters.size())];
        if (kind == 1) text.erase(at, 1);
        if (kind == 2) text.insert(at, 1, letters[random(letters.size())]);
    }
    return text;
}

/// Calls visit with records of changed texts, as far as they are tags, and have at most `most` indices.
template <class Visit>
void for_each_changed_record(unsigned seed, int rounds, dim_t most, Visit visit) {
    std::mt19937_64 engine(seed);
    for (int round = 0; round < rounds; ++round) {
        const tagged& t = tags[static_cast<std::size_t>(engine() % tag_count)];
        const expected<record_tag> tag = parse_record_tag(changed_text(t.text, engine));
        if (!tag) continue;
        dims extents;
        for (int a = 0; a < tag->ndims(); ++a) {
            const dim_t near = a < t.extents.size() ? t.extents[a] : 3;
            const dim_t extent = engine() % 2 == 0 ? near : 1 + static_cast<dim_t>(engine() % 40);
            extents.push_back(extent);
        }
        const expected<record> r = try_record(*tag, extents);
        if (r.has_value() && volume(extents) <= most && r->size_in_bits <= 16 * most) visit(*r);
    }
}

}  // namespace packed_test
