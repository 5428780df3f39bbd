// Reorders and packs with kernels of each kind, and prints a checksum of each result.

#include <plait/packed.hpp>
#include <plait/plait.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

using plait::data_type;

std::vector<std::byte> bytes_of(std::size_t count) {
    std::vector<std::byte> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>((i * 37 + i / 7) % 64);
    return out;
}
void print_sum(const std::vector<std::byte>& bytes) {
    unsigned long long sum = 0;
    for (const std::byte b : bytes) sum = sum * 31 + static_cast<unsigned>(b) + 1;
    std::printf("%llx\n", sum);
}
void moves(data_type from, const char* src_tag, data_type to, const char* dst_tag,
           const plait::reorder_attributes& attributes = {}) {
    const plait::dims extents{2, 3, 18, 36};
    const plait::descriptor src(from, {extents, src_tag}), dst(to, {extents, dst_tag});
    const std::vector<std::byte> in = bytes_of(src.size_in_bytes());
    std::vector<std::byte> out(dst.size_in_bytes());
    plait::make_reorder(src, dst, attributes).value()(in.data(), out.data());
    print_sum(out);
}

int main() {
    moves(data_type::f32, "nchw", data_type::f32, "nChw16c");
    moves(data_type::u8, "nhwc", data_type::u8, "nchw");
    moves(data_type::bf16, "abcd", data_type::bf16, "dcba");
    moves(data_type::f32, "abcd", data_type::f32, "abdc", {.src_scale = 0.5f});
    moves(data_type::u4, "abcd", data_type::u4, "abdc");
    moves(data_type::s8, "nchw", data_type::f32, "nhwc", {.src_scale = 0.25f, .dst_zero_point = 3});
    moves(data_type::s8, "nchw", data_type::f64, "nChw8c");
    const plait::record to("nk: NK(d:f32 8n /32k, q:u4 2k 8n 8k 2k@16)", {16, 64});
    const std::vector<std::byte> scales = bytes_of(16 * 2 * 4), weights = bytes_of(16 * 64 / 2);
    std::vector<std::byte> packed(to.size_in_bytes());
    plait::pack(to,
                std::vector<plait::field_values>{{"d", {data_type::f32, {{16, 2}, "ab"}}, scales},
                                                 {"q", {data_type::u4, {{16, 64}, "ab"}}, weights}},
                packed);
    print_sum(packed);
}
