// Arbitrary bytes as the tag of a record, with some extents. If it is one, its canonical text spells the same tag, and
// each value has bits of its own in the record.

#include "fuzz/bytes.hpp"

#include <plait/packed/record.hpp>

#include <vector>

using namespace plait;

namespace {

void check_places(const record& r) {
    const auto size = static_cast<std::size_t>(r.size_in_bits);
    if (size > 1 << 16) return;
    std::vector<int> owners(size, -1);  // the piece whose bits these are
    for (int p = 0; p < r.pieces.size(); ++p) {
        const record_piece& piece = r.pieces[p];
        const int width = r.field_of(piece).width;
        position index;
        for (const dim_t extent : r.dims) {
            if (extent == 0) return;
            index.push_back(0);
        }
        for (int a = 0; a >= 0;) {
            if (piece.holds(index)) {
                const dim_t place = piece.place(index);
                if (place < 0 || place + width > r.size_in_bits) fuzz::found("a place outside", "record", {});
                for (dim_t bit = place; bit < place + width; ++bit) {
                    int& owner = owners[static_cast<std::size_t>(bit)];
                    if (owner >= 0 && owner != p) fuzz::found("two pieces share a bit", "record", {});
                    owner = p;
                }
            }
            for (a = index.size() - 1; a >= 0 && ++index[a] == r.dims[a]; --a) index[a] = 0;
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const expected<record_tag> tag = parse_record_tag(text);
    if (!tag) {
        if (describe(tag.error()).size() == 0) fuzz::found("a refusal without a sentence", "record_tag", {});
        return 0;
    }
    const auto canonical = tag->text();
    const expected<record_tag> again = parse_record_tag(canonical.c_str());
    if (!again || !(*again == *tag)) fuzz::found("the canonical text is another tag", canonical.c_str(), {});
    if (!(again->text() == canonical)) fuzz::found("the canonical text is not the same again", canonical.c_str(), {});
    dims extents;
    for (int a = 0; a < tag->ndims(); ++a) extents.push_back((data[0] >> 2 * a % 6) % 4 * 5 + data[0] % 7);
    const expected<record> r = try_record(*tag, extents);
    if (!r && describe(r.error()).size() == 0) fuzz::found("a refusal without a sentence", "record", {});
    if (r) check_places(*r);
    return 0;
}
