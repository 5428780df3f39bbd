// Records through the C interface: tags with arbitrary changes, plain tensors of any descriptors. No byte outside of
// the buffers is accessed, a refused call writes nothing, a repack writes each byte, in chunks as at once, and what was
// packed unpacks to values that pack to the same bytes. Tensors pack to the same bytes in any order of their elements.

#include "fuzz/c_api_arguments.hpp"

#include <plait/plait.h>

#include <string>
#include <vector>

using namespace fuzz;

namespace {

constexpr const char* tags[] = {
    "nk: nK(d:f16 /32k, q:u4 16k 2k@16)",
    "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)",
    "nk: N(K(w:s8 4n 4k), sums:s32 4n /k =sum(w)*16)",
    "nk: NK(s:ue4m3 32n 4n@32 4k /16k)",
    "nk: nK(s:u6 2k@64=0 /32k 2k@32, s.4:u2 2k@64=1 /32k 2k@32, s:u4 2k@64=1 /32k 2k@32)",
    "kn: w:f16 KN <512k 16n",
    "nk: N(a:u8 K 8n 2k!, _:%64, b:u1 8n /k)",
    "nk: nk(q:u3)",
    "nk: w:bf16*0.0625 NK 4k-n 8n",
    "n: N(x:u12 5n ~n, y:f32 /4n)",
};

/// A record that is destroyed at the end of its scope, or null.
struct held_record {
    held_record(const std::string& text, int ndims, const plait_dim_t* dims) {
        if (!succeeded(plait_record_create(&record, text.c_str(), ndims, dims)) && record != nullptr)
            broken("refused, and yet a record");
    }
    held_record(const held_record&) = delete;
    ~held_record() { plait_record_destroy(record); }
    plait_record_t* record = nullptr;
};

std::string tag_from(byte_source& bytes) {
    std::string text = tags[bytes.below(10)];
    for (int times = bytes.below(3); times > 0; --times) {
        const auto at = static_cast<std::size_t>(bytes.byte()) % text.size();
        const int c = bytes.byte();
        const char letter = c < 128 ? static_cast<char>(c) : "nkNK2348 @/^*~=<(),:u"[c % 21];
        if (bytes.once_in(3)) text.erase(at, 1);
        else if (bytes.once_in(2)) text.insert(at, 1, letter);
        else text[at] = letter;
        if (text.empty()) text = "n";
    }
    return text;
}

constexpr std::size_t most = 1 << 16;  // bytes of a buffer

/// Returns a descriptor for the values of a field, usually one that fits.
plait_memory_desc_t descriptor_for(const plait_record_field_t& field, int ndims, byte_source& bytes) {
    const char* orders[] = {"ab", "ba", "Ab4a", "Ba8b", "ABa2b3a"};
    plait_memory_desc_t out;
    if (bytes.once_in(12)) return descriptor_from(bytes);
    if (ndims == 2 && !bytes.once_in(3) &&
        plait_memory_desc_init_by_tag(&out, 2, field.dims, field.data_type, orders[bytes.below(5)]) == PLAIT_SUCCESS)
        return out;
    const plait_status_t status = plait_memory_desc_init_by_strides(&out, ndims, field.dims, nullptr, field.data_type);
    return status == PLAIT_SUCCESS ? out : descriptor_from(bytes);
}

/// A plain tensor, in a buffer of exactly its size.
struct tensor {
    tensor(const plait_record_field_t& field, const plait_memory_desc_t& d, byte_source& bytes)
        : name(field.name),
          stored_as(field.data_type),
          is_mapped((field.flags & PLAIT_FIELD_IS_MAPPED) != 0),
          adds_sum((field.flags & PLAIT_FIELD_ADDS_SUM) != 0),
          desc(d),
          size(plait_memory_desc_get_buffer_size(&d)),
          data(size > most ? 0 : size) {
        if (size > most) size = 0;
        for (std::size_t i = 0; i < size; ++i) data.data()[i] = static_cast<unsigned char>(bytes.byte() & 63);
    }
    /// The tensor of a field that has another one already, with another descriptor.
    tensor(const tensor& of, const plait_memory_desc_t& d)
        : name(of.name),
          stored_as(of.stored_as),
          is_mapped(of.is_mapped),
          adds_sum(of.adds_sum),
          desc(d),
          size(plait_memory_desc_get_buffer_size(&d)),
          data(size) {}

    /// True if a value may be rounded when it is read or written as the type that the record has: by a factor or a sum.
    bool rounds() const {
        const bool is_float = stored_as == PLAIT_F32 || stored_as == PLAIT_F16 || stored_as == PLAIT_BF16;
        return (is_mapped || adds_sum) && is_float;
    }
    /// True if values may be rounded on the way, by a conversion to another type, too.
    bool may_round() const { return desc.data_type != stored_as || rounds(); }

    std::string name;
    plait_data_type_t stored_as;
    bool is_mapped, adds_sum;
    plait_memory_desc_t desc;
    std::size_t size;
    exact<unsigned char> data;
};

/// The fields of a record, each with a tensor.
std::vector<tensor> tensors_of(const plait_record_t* record, bool with_sums, byte_source& bytes) {
    std::vector<tensor> out;
    for (int i = 0; i < plait_record_get_field_count(record); ++i) {
        plait_record_field_t field;
        if (!succeeded(plait_record_get_field(&field, record, i))) broken("a field of a record is refused");
        if (with_sums || (field.flags & PLAIT_FIELD_IS_SUM) == 0)
            out.emplace_back(field, descriptor_for(field, plait_record_get_ndims(record), bytes), bytes);
    }
    return out;
}

/// Packs into a buffer that has other bytes before, to find those that are not written.
bool packed(const plait_record_t* record, std::vector<tensor>& from, exact<unsigned char>& to, std::size_t size,
            unsigned char before) {
    std::vector<plait_field_values_t> values;
    for (tensor& t : from) values.push_back({t.name.c_str(), &t.desc, t.data.data(), t.size});
    std::memset(to.data(), before, size);
    const bool done =
        succeeded(plait_pack(record, static_cast<int>(values.size()), values.data(), to.data(), size, nullptr));
    for (std::size_t i = 0; !done && i < size; ++i)
        if (to.data()[i] != before) broken("refused, and yet written");
    return done;
}

/// Packs the same values from tensors in row-major order.
void check_packing_of_rows(const plait_record_t* record, const std::vector<tensor>& given,
                           exact<unsigned char>& packed_before, std::size_t size) {
    std::vector<tensor> rows;
    for (const tensor& t : given) {
        plait_memory_desc_t desc;
        if (!succeeded(plait_memory_desc_init_by_strides(&desc, t.desc.ndims, t.desc.dims, nullptr, t.desc.data_type)))
            return;
        rows.emplace_back(t, desc);
        if (!succeeded(plait_reorder(&t.desc, t.data.data(), t.size, &desc, rows.back().data.data(), rows.back().size,
                                     nullptr)))
            return;
    }
    exact<unsigned char> to(size);
    if (!packed(record, rows, to, size, 0xc3)) broken("only another order of the elements is packed");
    if (std::memcmp(packed_before.data(), to.data(), size) != 0) broken("the same values pack to other bytes");
}

void check_packing(const plait_record_t* record, byte_source& bytes) {
    const std::size_t size = plait_record_get_size(record);
    if (size > most) return;
    exact<unsigned char> first(size), second(size);
    std::vector<tensor> given = tensors_of(record, false, bytes), back = tensors_of(record, false, bytes);
    if (!packed(record, given, first, size, 0x5a)) return;
    check_packing_of_rows(record, given, first, size);
    bool rounds = false;
    for (const tensor& t : given) rounds = rounds || t.rounds();
    if (!succeeded(plait_record_verify(record, first.data(), size, nullptr)) && !rounds &&
        std::strncmp(plait_last_refusal(), "record_is_damaged", 17) == 0)
        broken("what was packed is damaged");
    std::vector<plait_field_target_t> targets;
    for (tensor& t : back) targets.push_back({t.name.c_str(), &t.desc, t.data.data(), t.size});
    if (!succeeded(plait_unpack(record, first.data(), size, static_cast<int>(targets.size()), targets.data()))) return;
    for (const tensor& t : back)
        if (t.may_round()) return;
    if (packed(record, back, second, size, 0xa5) && std::memcmp(first.data(), second.data(), size) != 0)
        broken("what was unpacked packs to other bytes");
}

void check_repack(const plait_record_t* src, const plait_record_t* dst) {
    plait_repack_t* plan = nullptr;
    const std::size_t from = plait_record_get_size(src), to = plait_record_get_size(dst);
    plait_repack_options_t options;
    if (!succeeded(plait_repack_options_init(&options))) broken("options are refused");
    options.chunk_bytes = 1 + static_cast<int64_t>(from % 1000);
    if (from > most || to > most || !succeeded(plait_repack_create(&plan, src, dst, &options))) return;
    exact<unsigned char> in(from), out(to), again(to);
    // Each second byte is small, so that most numbers are finite.
    for (std::size_t i = 0; i < from; ++i)
        in.data()[i] = static_cast<unsigned char>((i * 2654435761u >> 13) & (i % 2 == 0 ? 255 : 63));
    std::memset(out.data(), 0x5a, to);
    std::memset(again.data(), 0xa5, to);
    for (exact<unsigned char>* all : {&out, &again})
        if (!succeeded(plait_repack_execute(plan, in.data(), from, all->data(), to)))
            broken("a planned repack is refused");
    if (std::memcmp(out.data(), again.data(), to) != 0) broken("a repack keeps bits of the destination");
    for (plait_dim_t i = 0; i < plait_repack_get_chunk_count(plan); ++i) {
        plait_repack_chunk_t chunk;
        if (!succeeded(plait_repack_get_chunk(&chunk, plan, i))) broken("a chunk of a repack is refused");
        exact<unsigned char> read(chunk.src_size), written(chunk.dst_size);
        if (chunk.src_size > 0) std::memcpy(read.data(), in.data() + chunk.src_begin, chunk.src_size);
        if (succeeded(
                plait_repack_execute_chunk(plan, i, read.data(), chunk.src_size, written.data(), chunk.dst_size)) &&
            std::memcmp(written.data(), out.data() + chunk.dst_begin, chunk.dst_size) != 0)
            broken("a chunk has other bytes than the whole");
    }
    plait_repack_destroy(plan);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    byte_source bytes(data, size);
    const int ndims = bytes.once_in(16) ? bytes.below(4) : 2;
    plait_dim_t dims[3];
    for (plait_dim_t& extent : dims) extent = bytes.once_in(12) ? bytes.number() : bytes.below(70);
    const std::string text = tag_from(bytes);
    const held_record made(text, ndims, dims);
    if (made.record == nullptr) return 0;
    char canonical[1024];
    if (succeeded(plait_record_format_text(made.record, canonical, sizeof canonical)))
        if (const held_record again(canonical, ndims, dims); plait_record_equal(made.record, again.record) != 1)
            broken("the canonical text is another record");
    check_packing(made.record, bytes);
    const held_record other(tag_from(bytes), ndims, dims);
    if (other.record != nullptr) check_repack(made.record, other.record);
    return 0;
}
