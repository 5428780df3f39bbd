#pragma once
// The .safetensors files of Hugging Face: a JSON object of names, types, shapes and places, followed by the data.

#include "stored_array.hpp"

namespace tool {

/// Checks that the bytes begin like such a file: a length that fits, and a brace.
bool is_safetensors(std::span<const std::byte> bytes);

/// All tensors, in the order of their data, and the text of __metadata__ as JSON, empty if there is none.
///
/// A tensor whose type the format does not have is kept as bytes.
///
/// Throws failure, with the place: a header that is not a JSON object of that form, optionally followed by blanks;
/// duplicate names; places outside the file, or whose size does not match shape and type; tensors that overlap; bytes
/// that belong to no tensor.
struct safetensors_content {
    std::vector<stored_array> arrays;
    std::string metadata;
};
safetensors_content read_safetensors(const std::string& file, std::span<const std::byte> bytes);

/// Returns the length and the JSON for tensors whose data follows without gaps, in this order; a multiple of 8 bytes.
std::string safetensors_header(const std::string& file, const std::vector<stored_array>& arrays,
                               const std::string& metadata);

}  // namespace tool
