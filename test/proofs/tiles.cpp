// Decides all tiles that the planner can make: runs each with bytes that are all different, between pages that cannot
// be accessed. Prints how many there are of each kind, and fails with the first one that is wrong.
// docs/design/proofs.md says what follows from it.
//
// usage: plait_moved_tiles [--isa NAME,...] [--share N/M] [--threads COUNT]. --share 2/5 decides the second fifth.
#include "other_tiles.hpp"
#include "pieces_of_work.hpp"
#include "static_runs.hpp"
#include "table_ends.hpp"

#include <plait/engine/kernel/plan_tiles.hpp>

#include <chrono>
#include <deque>
#include <string_view>

namespace {

using namespace listed_tiles;
using namespace proofs;

struct options {
    std::vector<isa> sets;
    part_of_work part;
};

std::uint64_t patterns_of(const tile_shape& s) {
    std::uint64_t out = 1;
    for (int k = 0; k < s.dst_bits; ++k) out *= static_cast<std::uint64_t>(s.tile_bits() - k);
    return out;
}

/// Returns the kernels of tables that an instruction set has; those of portable code also where no plan uses them.
template <isa Isa>
const simd::table_kernels& table_kernels_of() {
    if constexpr (has_compiled_kernels(Isa) && has_table_kernels(Isa)) return *compiled_kernels<Isa>().tiles;
    else return *simd::code_of<Isa>::template data<plait::detail::vector_bytes(Isa)>;
}

/// All that is decided for one instruction set.
struct findings_of_set {
    explicit findings_of_set(isa of)
        : name(to_string(of)),
          networks(name + ", run-time tiles: networks as tables, whole and masked"),
          halves(name + ", run-time tiles whose bytes exchange halves"),
          masks(name + ", run-time tiles: masks of each segment"),
          interleaves(name + ", run-time interleaves"),
          interleave_ends(name + ", run-time interleaves at ends"),
          rows(name + ", rows of staging buffers"),
          walks(name + ", walks"),
          fixed{finding(name + ", static tiles: pairs of shuffles"),
                finding(name + ", static tiles: networks, step by step"),
                finding(name + ", static tiles, one network of each shape"),
                finding(name + ", the same static tiles at ends"),
                finding(name + ", static interleaves"),
                finding(name + ", static interleaves at ends")} {}
    std::string name;
    finding networks, halves, masks, interleaves, interleave_ends, rows, walks;
    static_findings fixed;

    std::vector<const finding*> all() const {
        return {&networks,
                &halves,
                &masks,
                &interleaves,
                &interleave_ends,
                &rows,
                &walks,
                &fixed.shuffles,
                &fixed.networks,
                &fixed.tiles,
                &fixed.ends,
                &fixed.interleaves,
                &fixed.interleave_ends};
    }
};

template <isa Isa, int Bytes>
void add_static(pieces_of_work& work, findings_of_set& found) {
    const static_code& code = compiled_static_code<Isa, Bytes>();
    work.add(std::uint64_t{1} << 30, [&found, &code] {
        const auto runs = std::make_unique<static_runs>(Isa, code, found.fixed);
        runs->decide_shuffles();
        runs->decide_tiles();
        runs->decide_interleaves();
    });
    for_each_shape(network_kind::constant, Isa, Bytes, [&](const tile_shape& s) {
        if (s.src_bits != s.lane_bits) return;  // networks begin with whole registers, however they were loaded
        work.add(16 * patterns_of(s),
                 [&found, &code, s] { std::make_unique<static_runs>(Isa, code, found.fixed)->decide_networks(s); });
    });
}
template <isa Isa>
void add_set(pieces_of_work& work, findings_of_set& found) {
    const simd::table_kernels& kernels = table_kernels_of<Isa>();
    for (const int bytes : {1, 2, 4, 8}) {
        for_each_shape(network_kind::table, Isa, bytes, [&](const tile_shape& s) {
            work.add((bytes == 1 ? 64 : 8) * patterns_of(s), [&found, &kernels, s] {
                std::make_unique<table_tiles>(Isa, kernels, found.networks, found.halves)->decide(s);
            });
            if (bytes == 1)
                work.add(std::uint64_t{1} << 20,
                         [&found, &kernels, s] { masked_segments(Isa, kernels, found.masks).decide(s); });
        });
        for (int lane_bits = 1; lane_bits <= max_lane_bits; ++lane_bits)
            for (const int count : interleaved_counts)
                for (const bool deals : {false, true})
                    if (is_listed_interleave(network_kind::table, Isa, bytes, lane_bits, count))
                        work.add(1000, [&found, &kernels, bytes, lane_bits, count, deals] {
                            decide_interleave(Isa, kernels, bytes, lane_bits, count, deals, found.interleaves,
                                              found.interleave_ends);
                        });
    }
    for (int log2_bytes = 4; log2_bytes <= max_lane_bits; ++log2_bytes)
        for (int register_bits = 0; register_bits <= max_register_bits; ++register_bits)
            if (const run_time_kernel* const kernel = kernels.of[log2_bytes][register_bits]; kernel != nullptr)
                work.add(1000, [&found, kernel, log2_bytes, register_bits] {
                    if (register_bits == 0) decide_staged_rows(Isa, *kernel, found.rows);
                    decide_walks(Isa, *kernel, log2_bytes, register_bits, found.walks);
                });
    if constexpr (has_static_tiles(Isa)) {
        add_static<Isa, 1>(work, found);
        add_static<Isa, 2>(work, found);
        add_static<Isa, 4>(work, found);
        add_static<Isa, 8>(work, found);
    }
}

options parse(int count, char** words) {
    options out;
    std::string wanted = ",";
    for (int k = 1; k < count; ++k) {
        const std::string_view word = words[k];
        if (word == "--isa" && k + 1 < count) wanted += std::string(words[++k]) + ",";
        else if (!out.part.read(count, words, k)) {
            std::fprintf(stderr, "usage: plait_moved_tiles [--isa NAME,...] [--share N/M] [--threads COUNT]\n");
            std::exit(2);
        }
    }
    for (const isa set : every_isa)
        if (is_of_this_architecture(set) && cpu_has(set) &&
            (wanted == "," || wanted.find(std::string(",") + to_string(set) + ",") != std::string::npos))
            out.sets.push_back(set);
    return out;
}

}  // namespace

int main(int count, char** words) {
    const options chosen = parse(count, words);
    report_accesses();
    const auto begin = std::chrono::steady_clock::now();
    std::deque<findings_of_set> sets;
    finding elements("single elements"), masks("masks from what remains of an axis");
    pieces_of_work work;
    for (const isa set : chosen.sets) {
        findings_of_set& found = sets.emplace_back(set);
        plait::detail::with_isa<isa::portable>(set, [&]<isa Isa>() { add_set<Isa>(work, found); });
    }
    work.add(1000, [&] {
        decide_elements<1>(elements);
        decide_elements<2>(elements);
        decide_elements<4>(elements);
        decide_elements<8>(elements);
    });
    for (int element_bits = 0; element_bits <= 3; ++element_bits)
        for (int lane_bits = 0; lane_bits + element_bits <= max_lane_bits; ++lane_bits)
            for (int numbers = 0; numbers <= max_segment_bits && lane_bits + numbers <= 10; ++numbers)
                work.add(std::uint64_t{1} << (8 + lane_bits + 2 * numbers), [&masks, lane_bits, numbers, element_bits] {
                    masks_from_what_remains(masks).decide(lane_bits, numbers, element_bits);
                });
    work.run(chosen.part);

    std::uint64_t cases = 0, runs = 0, wrong = 0;
    const auto print = [&](const finding& f) {
        std::printf("%s: %llu cases, %llu runs\n", f.what.c_str(), static_cast<unsigned long long>(f.cases),
                    static_cast<unsigned long long>(f.runs));
        if (f.wrong != 0)
            std::printf("WRONG %s: %s; %llu in all\n", f.what.c_str(), f.first().c_str(),
                        static_cast<unsigned long long>(f.wrong));
        cases += f.cases;
        runs += f.runs;
        wrong += f.wrong;
    };
    for (const findings_of_set& found : sets) {
        for (const finding* const f : found.all())
            if (f->cases != 0) print(*f);
        if (found.fixed.networks.cases != 0)
            std::printf(
                "%s, static tiles: %llu patterns have no network of few steps; the planner takes none of them\n",
                found.name.c_str(), static_cast<unsigned long long>(found.fixed.without_network));
    }
    print(elements);
    print(masks);
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%llu cases in %llu runs, %llu wrong, 0 undecided; %.0f s with %u threads\n",
                static_cast<unsigned long long>(cases), static_cast<unsigned long long>(runs),
                static_cast<unsigned long long>(wrong), seconds, chosen.part.threads);
    return wrong == 0 && !sets.empty() ? 0 : 1;
}
