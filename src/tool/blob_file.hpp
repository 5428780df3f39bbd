#pragma once
// Files that hold a blob: a record of packed weights with its description.

#include "file_bytes.hpp"

#include <plait/packed/blob.hpp>
#include <plait/packed/repack_plan.hpp>

#include <functional>
#include <vector>

namespace tool {

/// An open blob; `content.data` points into `bytes`.
struct blob_file {
    std::unique_ptr<input_bytes> bytes;
    plait::blob content;
};
/// Opens a blob, and checks it part by part. Throws failure with the reason if it is none, truncated or damaged.
blob_file read_blob(const std::string& path);

/// Writes a blob, which replaces the old file only when it is complete. `fill` writes the bytes of the record; it may
/// call the function that it is given after each part, so that a large file does not fill the memory.
using fill_function = std::function<void(std::span<std::byte>, const std::function<void()>& forget)>;
void write_blob(const std::string& path, const plait::record& r, const std::string& key, const fill_function& fill);

/// How many bytes are read or written before their memory is returned.
inline constexpr std::size_t window_bytes = std::size_t{1} << 24;

/// Reads the tag of a record. Throws failure with the reason, and the column in the text.
plait::record_tag read_record_tag(const std::string& text);
/// Makes a record. Throws failure with the reason.
plait::record make_record(const plait::record_tag& tag, const plait::dims& dims);

/// Returns options from the words of the command line: parameters NAME=NUMBER, names of dropped fields.
plait::repack_options options_of(const std::vector<std::string>& parameters, const std::vector<std::string>& dropped);

/// Throws failure with the sentence of a verdict, preceded by what it is about.
void require_ok(const plait::verdict& why, const std::string& about);

/// Returns a record in one line: "nk: nk(q:u4) 64x256".
std::string in_words(const plait::record& r);

}  // namespace tool
