#include "read_rows.hpp"

#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/contract/check_reorder.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace bench {
namespace {

[[noreturn]] void refuse(const std::string& line, const std::string& why) {
    std::fprintf(stderr, "%s: %s\n", line.c_str(), why.c_str());
    std::exit(2);
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) out.push_back(part);
    return out;
}

template <class Numbers>
Numbers numbers_of(const std::string& text) {
    Numbers out;
    for (const std::string& number : split(text, 'x')) out.push_back(std::stoll(number));
    return out;
}

data_type type_of(const std::string& name) {
    const std::optional<data_type> type = plait::parse_data_type(name);
    if (!type || *type == data_type::undef) refuse(name, "no element type");
    return *type;
}

layout or_refused(const expected<layout>& made, const std::string& text) {
    if (!made) refuse(text, describe(made.error()).c_str());
    return *made;
}

/// As 1x64x56x56 nChw16c, and then: strides 64x8x2x1, part 1x16x56x56 0x8x0x0 (its extents, where it begins), broadcast
/// 0 32 (an axis, its extent).
layout layout_of(const std::string& text) {
    std::istringstream words(text);
    std::string extents, tag, word, numbers, first;
    words >> extents >> tag;
    const dims whole = numbers_of<dims>(extents);
    layout out = or_refused(try_layout(whole, tag), text);
    while (words >> word >> numbers) {
        if (word == "strides") {
            out = or_refused(try_layout(whole, tag, numbers_of<strides>(numbers)), text);
        } else if (word == "part" && words >> first) {
            out = or_refused(plait::try_submemory(out, numbers_of<dims>(numbers), numbers_of<position>(first)), text);
        } else if (word == "broadcast" && words >> first) {
            out = or_refused(plait::try_broadcast_axis(out, std::stoi(numbers), std::stoll(first)), text);
        } else {
            refuse(text, "not a layout");
        }
    }
    return out;
}

/// Scales by index: different ones, none of which is far from 1.
std::vector<float> some_scales(dim_t count) {
    std::vector<float> out;
    for (dim_t i = 0; i < count; ++i) out.push_back(0.25f + static_cast<float>(i % 13) * 0.125f);
    return out;
}

/// As "src_scale mask 2;dst_zero 3".
void add_attributes(row& r, const std::string& text) {
    for (const std::string& attribute : split(text, ';')) {
        std::istringstream words(attribute);
        std::string what, value;
        words >> what >> value;
        if (what == "src_scale" && value == "mask") {
            int mask = 0;
            words >> mask;
            r.scales = std::make_shared<const std::vector<float>>(some_scales(mask_volume(r.dst.dims, mask)));
            r.attributes.src_scale = {*r.scales, mask};
        } else if (what == "src_scale") {
            r.attributes.src_scale = std::stof(value);
        } else if (what == "dst_scale") {
            r.attributes.dst_scale = std::stof(value);
        } else if (what == "src_zero") {
            r.attributes.src_zero_point = std::stoi(value);
        } else if (what == "dst_zero") {
            r.attributes.dst_zero_point = std::stoi(value);
        } else if (what == "beta") {
            r.attributes.beta = std::stof(value);
        } else {
            refuse(text, "not attributes");
        }
    }
}

}  // namespace

drawn_rows read_rows(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line) || !line.starts_with("seed,")) refuse(file, "not written by draw.py");
    drawn_rows out{line.substr(line.find(',') + 1), {}};
    while (std::getline(in, line)) {
        const std::vector<std::string> parts = split(line, ',');
        if (parts.size() != 5 && parts.size() != 6) refuse(line, "not a row");
        row r{parts[0],          "drawn", "",      "",     layout_of(parts[3]), layout_of(parts[4]), type_of(parts[1]),
              type_of(parts[2]), {},      nullptr, nullptr};
        if (parts.size() == 6) add_attributes(r, parts[5]);
        if (const verdict why = check_reorder(r.src, r.dst, r.attributes); !why.ok())
            refuse(line, describe(why).c_str());
        out.rows.push_back(std::move(r));
    }
    return out;
}

void add_static_kernels(std::vector<row>& rows, const std::vector<row>& compiled) {
    std::map<std::string, row*> by_name;
    for (row& r : rows) by_name[r.name] = &r;
    for (const row& with : compiled) {
        const auto found = by_name.find(with.name);
        if (found == by_name.end()) refuse(with.name, "compiled, but not drawn");
        row& r = *found->second;
        if (r.src != with.src || r.dst != with.dst || r.src_type != with.src_type || r.dst_type != with.dst_type)
            refuse(with.name, "compiled for other layouts or types");
        r.kernel = with.kernel;
        r.avx2 = with.avx2;
    }
}

}  // namespace bench
