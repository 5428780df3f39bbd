#pragma once
// What a field is as a plain tensor: its type, its extents, how many pieces hold it.

#include <plait/packed/plain_tensors.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A field of a record, with all of its pieces, as programs outside of the record hold it.
struct plain_field {
    field_name name;
    data_type type = data_type::undef;  ///< of a plain tensor: that of the tag, u8 or s32 if the library has none
    int bits = 0;                       ///< of a value
    int pieces = 0;
    dims extents;            ///< of a plain tensor: one index for each value
    bool is_sum = false;     ///< computed from another field, and never given
    bool adds_sum = false;   ///< given, and a sum is added
    bool is_mapped = false;  ///< stored with inverted bits, multiplied, or minus a number
};

/// Returns the fields of a record by name, in the order of the tag.
constexpr inline_list<plain_field, max_record_pieces> plain_fields_of(const record& r) {
    inline_list<plain_field, max_record_pieces> out;
    for (const record_field& f : r.tag.fields) {
        int at = 0;
        while (at < out.size() && !(out[at].name == f.name)) ++at;
        if (at == out.size()) {
            plain_field made;
            made.name = f.name;
            made.type = f.type;
            for (int a = 0; a < r.ndims(); ++a) made.extents.push_back(value_digits_of(r, f.name, a).count(r.dims[a]));
            out.push_back(made);
        }
        plain_field& found = out[at];
        ++found.pieces;
        if (f.low != 0 || f.type != found.type) found.type = data_type::undef;
        found.bits = static_cast<int>(larger_of(dim_t{found.bits}, dim_t{f.low + f.width}));
        found.is_sum = found.is_sum || f.content.kind == field_content::sum;
        found.adds_sum = found.adds_sum || f.content.kind == field_content::added_sum;
        found.is_mapped = found.is_mapped || f.flipped != 0 || f.subtracted != 0 || f.factor != 1;
    }
    for (plain_field& found : out)
        if (found.type == data_type::undef) found.type = found.bits <= 8 ? data_type::u8 : data_type::s32;
    return out;
}

}  // namespace plait::detail
