// Compares random texts of each notation with a model, which was written from the specification of the notation and
// shares no code with plait. The tests compare all offsets and the size with padding; then they write the layout as
// text and read it again. notation_models_of_tags.cpp does this for tags and oneDNN's lines.

#include "io/notation_model_cases.hpp"
#include "laws/random_layouts.hpp"

#include <plait/io/cute_layout.hpp>
#include <plait/io/linalg_pack.hpp>
#include <plait/io/tvm_layout.hpp>
#include <plait/io/xla_layout.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test_io_notation_models { namespace {

using namespace plait;
using namespace plait_test::notation_models;
using plait_test::notation_models::product;

/// From openxla.org, "Tiled layout": linear_index_with_tile(e, d, t) = linear_index((e / t, e mod t), (ceil(d / t),
/// t)), repeated for each tile. A tile with fewer dimensions applies to the most minor ones.
model random_xla(plait_test::random_source& random, bool whole) {
    const int axes = static_cast<int>(random.between(1, 3));
    model m{"{", random_extents(random, axes, 12), {}, 0};
    const permutation major_to_minor = random.order(axes);
    for (int k = axes - 1; k >= 0; --k) m.text += std::to_string(major_to_minor[k]) + (k > 0 ? "," : "");
    std::vector<numbers> tiles;
    dim_t entries = axes;
    for (dim_t count = random.between(0, 3); count > 0; --count) {
        numbers tile;
        for (dim_t k = random.between(1, entries < 5 ? entries : 5); k > 0; --k)
            tile.push_back(!whole ? random.between(1, 5) : dim_t{1} << random.between(0, count));
        entries += static_cast<dim_t>(tile.size());
        m.text += (tiles.empty() ? ":T(" : "(") + joined(tile, ",") + ")";
        tiles.push_back(tile);
    }
    m.text += "}";
    const auto place = [=, extents = m.extents](const numbers& index, bool size) {
        numbers e, d;
        for (const dim_t a : major_to_minor) {
            e.push_back(index[static_cast<std::size_t>(a)]);
            d.push_back(extents[static_cast<int>(a)]);
        }
        for (const numbers& t : tiles) {
            const std::size_t first = d.size() - t.size();
            for (std::size_t k = 0; k < t.size(); ++k) {
                e.push_back(e[first + k] % t[k]);
                d.push_back(t[k]);
                e[first + k] /= t[k];
                d[first + k] = up(d[first + k], t[k]);
            }
        }
        return size ? product(d) : linear(e, d);
    };
    m.offset = [=](const numbers& index) { return place(index, false); };
    m.size = place(numbers(static_cast<std::size_t>(axes), 0), true);
    return m;
}

/// From TVM, src/tir/ir/data_layout.cc: letters start with the outermost dimension, and blocks may be anywhere.
model random_tvm(plait_test::random_source& random) {
    const int axes = static_cast<int>(random.between(1, 4));
    model m{"", random_extents(random, axes, 9), {}, 0};
    std::vector<letter> letters;
    for (const dim_t a : random.order(axes)) letters.push_back({static_cast<std::size_t>(a), 0});
    for (dim_t count = random.between(0, 3); count > 0; --count)
        letters.insert(letters.begin() + random.between(0, static_cast<dim_t>(letters.size())),
                       {static_cast<std::size_t>(random.between(0, axes - 1)), random.between(1, 4)});
    for (const letter& l : letters)
        m.text += l.block == 0 ? std::string(1, "ABCD"[l.axis]) : std::to_string(l.block) + "abcd"[l.axis];
    place_by_letters(m, letters);
    return m;
}

/// From MLIR, linalg.pack: permuted dimensions of whole tiles, followed by the tiles in the order of inner_dims_pos.
model random_pack(plait_test::random_source& random) {
    const int axes = static_cast<int>(random.between(1, 4));
    model m{"", random_extents(random, axes, 9), {}, 0};
    const permutation outer = random.order(axes), tiled = random.order(axes);
    numbers tiles, at, perm = numbers_of(outer);
    std::vector<letter> letters;
    for (const dim_t a : outer) letters.push_back({static_cast<std::size_t>(a), 0});
    for (dim_t k = random.between(0, axes) - 1; k >= 0; --k) {
        at.push_back(tiled[static_cast<int>(k)]);
        tiles.push_back(random.between(1, 5));
        letters.push_back({static_cast<std::size_t>(at.back()), tiles.back()});
    }
    m.text = "outer_dims_perm = [" + joined(perm, ", ") + "] inner_dims_pos = [" + joined(at, ", ") +
             "] inner_tiles = [" + joined(tiles, ", ") + "]";
    place_by_letters(m, letters);
    return m;
}

/// A mode in CuTe: a number with a stride, or a tuple of modes. Leaves are in order from left to right, the fastest
/// first.
struct cute_text {
    std::string shape, stride;
    numbers extents, strides;
};
cute_text random_mode(plait_test::random_source& random, dim_t depth, dim_t& next) {
    if (depth == 0 || random.once_in(2)) {
        const dim_t extent = random.between(1, 4);
        const dim_t stride = random.once_in(12) ? random.between(0, 9) : next;
        next *= extent;
        return {std::to_string(extent), std::to_string(stride), {extent}, {stride}};
    }
    cute_text out{"(", "(", {}, {}};
    std::vector<cute_text> parts;
    for (dim_t k = random.between(1, 3); k > 0; --k) parts.push_back(random_mode(random, depth - 1, next));
    for (std::size_t k = 0; k < parts.size(); ++k) {
        out.shape += (k == 0 ? "" : ",") + parts[k].shape;
        out.stride += (k == 0 ? "" : ",") + parts[k].stride;
        out.extents.insert(out.extents.end(), parts[k].extents.begin(), parts[k].extents.end());
        out.strides.insert(out.strides.end(), parts[k].strides.begin(), parts[k].strides.end());
    }
    out.shape += ')', out.stride += ')';
    return out;
}
/// From CUTLASS, media/docs/cpp/cute/01_layout.md: the leaves of a mode count colexicographically.
model random_cute(plait_test::random_source& random) {
    std::vector<cute_text> modes;
    dim_t next = 1;
    for (dim_t k = random.between(1, 3); k > 0; --k) modes.push_back(random_mode(random, 2, next));
    // Modes may be in any order in memory: exchange the strides of two modes with equal extents.
    for (std::size_t a = 0; a < modes.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (modes[a].shape == modes[b].shape && random.once_in(2)) {
                std::swap(modes[a].stride, modes[b].stride);
                std::swap(modes[a].strides, modes[b].strides);
            }
    model m;
    for (const cute_text& mode : modes) m.extents.push_back(product(mode.extents));
    std::string stride;
    for (std::size_t a = 0; a < modes.size(); ++a) {
        m.text += (a == 0 ? "(" : ",") + modes[a].shape;
        stride += (a == 0 ? "(" : ",") + modes[a].stride;
    }
    m.text += "):" + stride + ")";
    m.offset = [=](const numbers& index) {
        dim_t at = 0;
        for (std::size_t a = 0; a < modes.size(); ++a) {
            dim_t left = index[a];
            for (std::size_t k = 0; k < modes[a].extents.size(); ++k) {
                at += left % modes[a].extents[k] * modes[a].strides[k];
                left /= modes[a].extents[k];
            }
        }
        return at;
    };
    return m;
}

TEST_CASE("notations: XLA's tiles have the offsets of a model from the definition of tiled layouts") {
    plait_test::random_source random(29);
    const auto parse = [](const std::string& text, const dims& d) { return parse_xla_layout(text, d); };
    const auto format = [](const layout& l) { return format_xla_layout(l); };
    // A tile of XLA may pad each tile before it, but a layout can only be padded at the end of an axis.
    comparison any{reason::extents_do_not_divide}, halves{reason::extents_do_not_divide};
    for (int k = 0; k < rounds; ++k) any.look_at(random_xla(random, false), parse, format);
    for (int k = 0; k < rounds; ++k) halves.look_at(random_xla(random, true), parse, format);
    CHECK(any.read > rounds / 2);
    CHECK(halves.read > rounds * 3 / 4);
}

TEST_CASE("notations: TVM's letters have the offsets of a model") {
    plait_test::random_source random(30);
    comparison all;
    for (int k = 0; k < rounds; ++k) {
        const model m = random_tvm(random);
        const auto letters = std::string_view("ABCD").substr(0, static_cast<std::size_t>(m.extents.size()));
        all.look_at(
            m, [&](const std::string& text, const dims& d) { return parse_tvm_layout(text, d, letters); },
            [&](const layout& l) { return format_tvm_layout(l, letters); });
    }
    CHECK(all.read == rounds);
}

TEST_CASE("notations: linalg.pack has the offsets of a model") {
    plait_test::random_source random(31);
    comparison all;
    for (int k = 0; k < rounds; ++k)
        all.look_at(
            random_pack(random), [](const std::string& text, const dims& d) { return parse_linalg_pack(text, d); },
            [](const layout& l) { return format_linalg_pack(l); });
    CHECK(all.read == rounds);
}

TEST_CASE("notations: CuTe's tuples have the offsets of a model") {
    plait_test::random_source random(32);
    comparison all{reason::strides_do_not_nest};
    for (int k = 0; k < rounds; ++k)
        all.look_at(
            random_cute(random), [](const std::string& text, const dims&) { return parse_cute_layout(text); },
            [](const layout& l) { return format_cute_layout(l); });
    CHECK(all.read > rounds / 2);
}

}}  // namespace test_io_notation_models
