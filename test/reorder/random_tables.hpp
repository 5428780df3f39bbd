#pragma once
// Random tensors of which one axis is read through a table, with lists of indices for brute force.

#include "reorder/table_cases.hpp"

#include <plait/algebra/view.hpp>
#include <plait/reorder/table_reorder.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace table_cases {

struct random_case {
    std::mt19937 numbers;

    dim_t below(dim_t n) { return static_cast<dim_t>(numbers() % static_cast<unsigned>(n)); }
    dim_t between(dim_t a, dim_t b) { return a + below(b - a + 1); }
    bool one_in(dim_t n) { return below(n) == 0; }

    /// A layout with any order of axes, and blocks. Blocks of `axis` multiply to `block`, if it is not 1.
    layout any_layout(std::vector<dim_t> extents, int axis, dim_t block) {
        const int n = static_cast<int>(extents.size());
        std::vector<int> order(extents.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), numbers);
        std::vector<std::pair<int, dim_t>> blocks;
        for (int k = 0; k < 2; ++k)
            if (const int a = static_cast<int>(below(n)); a != axis && one_in(2)) blocks.push_back({a, between(2, 4)});
        if (block > 1) {
            const dim_t inner = block % 2 == 0 && one_in(3) ? 2 : block;
            blocks.insert(blocks.begin() + below(static_cast<dim_t>(blocks.size()) + 1), {axis, inner});
            if (inner != block) blocks.insert(blocks.begin(), {axis, block / inner});
        }
        std::string tag;
        for (const int a : order) {
            bool blocked = false;
            for (const auto& b : blocks) blocked = blocked || b.first == a;
            tag += static_cast<char>((blocked ? 'A' : 'a') + a);
        }
        for (const auto& b : blocks) tag += std::to_string(b.second) + static_cast<char>('a' + b.first);
        return layout(dims(extents.data(), extents.size()), tag);
    }
    /// A pool of pages, whose indices along the axis lie in a page in any order with the other axes.
    layout pool(std::vector<dim_t> extents, int axis, dim_t pages, dim_t block) {
        if (one_in(2)) {
            extents[static_cast<std::size_t>(axis)] = pages * block;
            return any_layout(extents, axis, one_in(2) ? 1 : block);
        }
        std::vector<dim_t> split = extents;
        split[static_cast<std::size_t>(axis)] = block;
        split.insert(split.begin() + axis, pages);
        std::vector<int> order(split.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), numbers);
        std::string tag;
        for (const int a : order) tag += static_cast<char>('a' + a);
        std::vector<dim_t> joined = extents;
        joined[static_cast<std::size_t>(axis)] = pages * block;
        return view(layout(dims(split.data(), split.size()), tag), dims(joined.data(), joined.size()));
    }
};

/// One side of a random call, with lists for brute force.
struct random_side {
    side plain;
    table_axis table;
    std::vector<std::int64_t> numbers;              // a table, or offsets
    std::vector<std::vector<std::uint32_t>> pages;  // of sequences
    std::vector<page_sequence> sequences;

    detail::table_argument argument() const {
        if (!sequences.empty()) return sequences;
        return numbers;
    }
};

enum class kind { none, pages, sequences, groups };

/// The sizes of parts whose sum is n.
inline std::vector<dim_t> parts_of(random_case& random, dim_t n) {
    std::vector<dim_t> out;
    for (dim_t left = n; left > 0;) {
        if (random.one_in(4)) out.push_back(0);
        out.push_back(random.between(1, left));
        left -= out.back();
    }
    if (out.empty()) out.push_back(0);
    return out;
}

inline random_side make_side(random_case& random, kind which, std::vector<dim_t> extents, int axis, dim_t n,
                             bool written) {
    random_side out;
    const dim_t block = random.one_in(4) ? 1 : random.between(1, 12);
    const auto a = static_cast<std::size_t>(axis);
    if (which == kind::none) {
        extents[a] = n;
        out.plain.tensor.layout = random.any_layout(extents, axis, random.one_in(2) ? 1 : random.between(2, 8));
        const layout& l = out.plain.tensor.layout;
        for (dim_t i = 0; i < n; ++i) out.plain.indices.push_back(i);
        for (dim_t i = n; i < l.padded_dims[axis]; ++i) out.plain.zeroed.push_back(i);
        return out;
    }
    out.table = {.axis = axis, .block = block, .grouped = which == kind::groups};
    if (which == kind::groups) {
        out.numbers = {0};
        dim_t blocks = 0;
        for (const dim_t size : parts_of(random, n)) {
            for (dim_t i = 0; i < (size + block - 1) / block * block; ++i)
                (i < size ? out.plain.indices : out.plain.zeroed).push_back(blocks * block + i);
            blocks += (size + block - 1) / block;
            out.numbers.push_back(out.numbers.back() + size);
        }
        extents[a] = blocks * block + random.below(3);
        out.plain.tensor.layout = random.any_layout(extents, axis, 1);
        return out;
    }
    const std::vector<dim_t> parts = which == kind::sequences ? parts_of(random, n) : std::vector<dim_t>{n};
    std::vector<dim_t> firsts;
    dim_t used = 0;
    for (const dim_t part : parts) {
        firsts.push_back(which == kind::sequences && random.one_in(2) ? random.below(2 * block) : 0);
        used += (firsts.back() + part + block - 1) / block;
    }
    const dim_t pages = written ? used + random.between(1, 5) : random.between(1, used + 2);
    std::vector<dim_t> shuffled(static_cast<std::size_t>(pages));
    std::iota(shuffled.begin(), shuffled.end(), 0);
    std::shuffle(shuffled.begin(), shuffled.end(), random.numbers);
    std::size_t next = 0;
    for (std::size_t s = 0; s < parts.size(); ++s) {
        std::vector<std::uint32_t> table;
        for (dim_t k = 0; k < (firsts[s] + parts[s] + block - 1) / block; ++k)
            table.push_back(static_cast<std::uint32_t>(written ? shuffled[next++] : random.below(pages)));
        for (dim_t i = firsts[s]; i < firsts[s] + parts[s]; ++i)
            out.plain.indices.push_back(table[static_cast<std::size_t>(i / block)] * block + i % block);
        if (random.one_in(2)) table.push_back(4000000000u);  // entries after those that are used are not read
        out.pages.push_back(table);
    }
    for (std::size_t s = 0; s < parts.size(); ++s) out.sequences.push_back({out.pages[s], parts[s], firsts[s]});
    if (which == kind::pages) {
        out.numbers.assign(out.pages[0].begin(), out.pages[0].end());
        out.sequences.clear();
    }
    out.plain.tensor.layout = random.pool(extents, axis, pages, block);
    return out;
}

}  // namespace table_cases
