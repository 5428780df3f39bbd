#pragma once
// Compares where two records have the bits of their values.

#include <plait/packed/record_operations.hpp>

#include "packed/record_tags.hpp"
#include "support/static_check.hpp"

#include <vector>

namespace packed_test {

/// Returns where each bit of a value lies, by pieces: one list of places for an index.
inline std::vector<dim_t> places_of(const record& r, const field_name& name, const position& index) {
    std::vector<dim_t> out;
    for (const record_piece& piece : r.pieces) {
        const record_field& f = r.field_of(piece);
        if (!(f.name == name) || !piece.holds(index)) continue;
        out.push_back(f.low);
        out.push_back(f.width);
        out.push_back(piece.place(index));
    }
    return out;
}

/// Checks that each value of `now` has the places that it has in `before`, moved by `first_bit`.
template <class IndexBefore>
void check_same_places(const record& before, const record& now, IndexBefore index_before, dim_t first_bit = 0) {
    CAPTURE(before.tag.text().c_str());
    CAPTURE(now.tag.text().c_str());
    REQUIRE(before.tag.fields.size() == now.tag.fields.size());
    for (const record_field& f : now.tag.fields)
        for_each_index(now.dims, [&](const position& index) {
            std::vector<dim_t> wanted = places_of(before, f.name, index_before(index)),
                               found = places_of(now, f.name, index);
            for (std::size_t i = 2; i < found.size(); i += 3) found[i] += first_bit;
            REQUIRE(found == wanted);
        });
}

/// True if all indices of a record can be compared.
inline bool is_small(const record& r) { return volume(r.dims) <= 6000; }

}  // namespace packed_test
