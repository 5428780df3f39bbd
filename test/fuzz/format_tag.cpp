// Arbitrary bytes as a format tag. If the tag is valid, the name of its layout is a valid tag too.

#include "fuzz/bytes.hpp"

#include <plait/algebra/same_memory.hpp>

using namespace plait;

namespace {

using attention_axes = axis_names<"bhsd">;

/// Checks the layout of the tag, the layout's name, and the layout of that name.
void check_tag(const format_tag& tag, const dims& extents) {
    const expected<layout> l = try_layout(extents, tag);
    if (!l) return;
    if (!check_layout(*l).ok()) fuzz::found("a tag made what is no layout", "layout", *l);
    const layout_name name = format_name(*l);
    if (tag.kind != format_kind::blocked || l->is_dynamic()) return;
    if (!l->is_dense() && l->volume() != 0) fuzz::found("a layout of a tag is not dense", "is_dense", *l);
    const std::string_view text(name.c_str());
    const expected<format_tag> again = parse_format_tag(text);
    if (!again) fuzz::found("the name of a layout is no tag", name.c_str(), *l);
    const expected<layout> second = try_layout(extents, *again);
    if (!second) fuzz::found("the tag that names a layout makes none", name.c_str(), *l);
    if (!same_memory(*l, *second)) fuzz::found("the tag that names a layout makes another", name.c_str(), *l, *second);
    if (fuzz::is_small(*l))
        for (dim_t i = 0; i < l->volume(); ++i)
            if (l->linear_offset(i) != second->linear_offset(i))
                fuzz::found("same_memory, and another offset", name.c_str(), *l, *second);
}

/// Checks that the check and the parser agree. A refusal must have a column within the text, and a sentence.
void check_reading(std::string_view text, const verdict& why, const expected<format_tag>& tag, const dims& extents) {
    if (why.ok() != tag.has_value()) fuzz::found("the check and the parser disagree", "tag", {});
    if (!why.ok()) {
        if (describe(why).size() == 0) fuzz::found("a refusal without a sentence", "tag", {});
        if (why.first < 0 || why.first > static_cast<dim_t>(text.size()) + 1) fuzz::found("no such column", "tag", {});
        return;
    }
    if (tag->ndims() > max_ndims || tag->blocks.size() > max_inner_blocks) fuzz::found("a tag too large", "tag", {});
    dims fitting = extents;
    while (fitting.size() < tag->ndims()) fitting.push_back(fitting.size() % 3 + 1);
    while (fitting.size() > tag->ndims()) fitting.erase(fitting.size() - 1);
    check_tag(*tag, fitting);
    check_tag(*tag, extents);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::byte_source bytes(data, size);
    dims extents;
    for (int n = bytes.below(6); n > 0; --n) extents.push_back(bytes.once_in(8) ? bytes.number() : bytes.below(20));
    const std::string_view text = bytes.rest();
    check_reading(text, check_format_tag(text), parse_format_tag(text), extents);
    check_reading(text, attention_axes::check_tag(text), attention_axes::parse_tag(text), extents);
    return 0;
}
