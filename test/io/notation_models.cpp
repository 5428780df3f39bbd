// Compares random texts of each notation, of tags and of oneDNN's lines with a model, which was written from the
// specification of the notation and shares no code with plait. The tests compare all offsets and the size with padding;
// then they write the layout as text and read it again.

#include "io/notation_model_cases.hpp"

#include "laws/random_layouts.hpp"

#include <plait/algebra/format_name.hpp>
#include <plait/io/cute_layout.hpp>
#include <plait/io/linalg_pack.hpp>
#include <plait/io/onednn_format.hpp>
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

/// From oneDNN, "Understanding memory formats": axes start with the outermost, in upper case if they have blocks, and
/// are followed by the blocks. `names` are the letters of the axes.
model random_tag(plait_test::random_source& random, std::string_view names) {
    const int axes = static_cast<int>(names.size());
    model m{"", random_extents(random, axes, 7), {}, 0};
    std::vector<letter> letters;
    std::string blocks;
    std::vector<bool> blocked(names.size(), false);
    for (const dim_t a : random.order(axes)) letters.push_back({static_cast<std::size_t>(a), 0});
    for (dim_t count = random.between(0, 3); count > 0; --count) {
        letters.push_back({static_cast<std::size_t>(random.between(0, axes - 1)), random.between(2, 5)});
        blocked[letters.back().axis] = true;
        blocks += std::to_string(letters.back().block) + names[letters.back().axis];
    }
    for (const letter& l : letters)
        if (l.block == 0) m.text += static_cast<char>(names[l.axis] - (blocked[l.axis] ? 'a' - 'A' : 0));
    m.text += blocks;
    place_by_letters(m, letters);
    return m;
}
/// Returns a tag with gaps between outermost blocks and with dense inner blocks. `strides` are those of the outermost
/// blocks, in the order of the axes.
model random_strided(plait_test::random_source& random, std::string_view names, numbers& strides) {
    model m = random_tag(random, names);
    const numbers extents = numbers_of(m.extents);
    std::vector<letter> outer, inner;
    for (std::size_t at = 0; at < m.text.size();) {
        std::size_t end = at;
        const dim_t block = m.text[at] > '9' ? 0 : std::stoll(m.text.substr(at), &end);
        at += block == 0 ? 0 : end;
        const auto axis = names.find(static_cast<char>(m.text[at] | 0x20));
        (block == 0 ? outer : inner).push_back({axis, block});
        ++at;
    }
    dim_t stride = 1;
    for (const letter& l : inner) stride *= l.block;
    strides.assign(names.size(), 0);
    std::vector<letter> blocks_of[12];
    for (const letter& l : inner) blocks_of[l.axis].push_back(l);
    const auto block_of = [&](std::size_t axis) {
        dim_t all = 1;
        for (const letter& l : blocks_of[axis]) all *= l.block;
        return all;
    };
    for (std::size_t k = outer.size(); k-- > 0;) {
        const std::size_t a = outer[k].axis;
        strides[a] = stride + (random.once_in(2) ? random.between(1, 9) : 0);
        stride = strides[a] * up(extents[a], block_of(a));
    }
    m.size = -1;
    numbers of_block;
    for (std::size_t a = 0; a < names.size(); ++a) of_block.push_back(block_of(a));
    m.offset = [=](const numbers& index) {
        dim_t at = place_by_letters(inner, of_block, index, false);  // the offset within a block
        for (std::size_t a = 0; a < index.size(); ++a) at += index[a] / of_block[a] * strides[a];
        return at;
    };
    return m;
}
/// A tag in a line of oneDNN 3.x, as its src/common/verbose.cpp prints it, with strides.
model random_onednn_strided(plait_test::random_source& random) {
    const auto names = std::string_view("abcd").substr(0, static_cast<std::size_t>(random.between(1, 4)));
    numbers strides;
    model m = random_strided(random, names, strides);
    const bool padded = try_layout(m.extents, m.text)->is_padded();
    m.text = std::string("f32:") + (padded ? "p" : "") + ":blocked:" + m.text + ":" + joined(strides, "x") + ":f0";
    return m;
}
/// A tag in a line of oneDNN of a dense tensor, without strides.
model random_onednn(plait_test::random_source& random) {
    model m = random_tag(random, std::string_view("abcd").substr(0, static_cast<std::size_t>(random.between(1, 4))));
    const bool padded = m.size != volume(m.extents);
    m.text = std::string("f32:") + (padded ? "p" : "") + ":blocked:" + m.text + "::f0";
    return m;
}

TEST_CASE("notations: tags and oneDNN's lines have the offsets of a model") {
    plait_test::random_source random(33);
    comparison lines, tags;
    for (int k = 0; k < rounds; ++k)
        lines.look_at(
            random_onednn(random),
            [](const std::string& text, const dims& d) -> expected<layout> {
                const expected<onednn_format> read = parse_onednn_format(text, d);
                return {read->layout, read.error()};
            },
            [](const layout& l) { return format_onednn_format(data_type::f32, l); });
    CHECK(lines.read == rounds);
    comparison strided;
    for (int k = 0; k < rounds; ++k)
        strided.look_at(
            random_onednn_strided(random),
            [](const std::string& text, const dims& d) -> expected<layout> {
                const expected<onednn_format> read = parse_onednn_format(text, d);
                return {read->layout, read.error()};
            },
            [](const layout& l) { return format_onednn_format(data_type::f32, l); });
    CHECK(strided.read == rounds);
    for (const std::string_view names : {"nchw", "oihw", "goihw", "abcde"})
        for (int k = 0; k < rounds / 4; ++k)
            tags.look_at(
                random_tag(random, names), [](const std::string& text, const dims& d) { return try_layout(d, text); },
                [](const layout& l) {
                    return expected<layout_name>{format_name(l), {}};
                });
    CHECK(tags.read == rounds);
}

}}  // namespace test_io_notation_models
