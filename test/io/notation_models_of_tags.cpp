// Compares random tags, and lines of oneDNN, with a model, as notation_models.cpp does for other notations.

#include "io/notation_model_cases.hpp"
#include "laws/random_layouts.hpp"

#include <plait/algebra/format_name.hpp>
#include <plait/io/onednn_format.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace test_io_notation_models_of_tags { namespace {

using namespace plait;
using namespace plait_test::notation_models;

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

}}  // namespace test_io_notation_models_of_tags
