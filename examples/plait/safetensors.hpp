#pragma once
// The .safetensors files of Hugging Face: a JSON object of names, types, shapes and places, then the data.

#include "stored_array.hpp"

namespace tool {

/// Whether the bytes begin as those of such a file: a length that fits, and a brace.
bool is_safetensors(std::span<const std::byte> bytes);

/// All tensors, in the order of their data, and the text of __metadata__ as JSON, empty where there is none.
///
/// A type that the format does not have is kept, as its bytes.
///
/// Throws failure, with the place: a header that is anything but a JSON object of that form, with blanks behind it;
/// names that are there twice; places outside the file or of another size than shape and type need; tensors that
/// overlap; bytes that belong to no tensor.
struct safetensors_content {
    std::vector<stored_array> arrays;
    std::string metadata;
};
safetensors_content read_safetensors(const std::string& file, std::span<const std::byte> bytes);

/// The length and the JSON for tensors whose data follows without gaps, in this order; a multiple of 8 bytes.
std::string safetensors_header(const std::string& file, const std::vector<stored_array>& arrays,
                               const std::string& metadata);

}  // namespace tool
