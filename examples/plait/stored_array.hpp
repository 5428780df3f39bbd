#pragma once
// An array as a file has it, whatever file that is.

#include "file_bytes.hpp"
#include "numpy_type.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace tool {

/// Bytes of a file: mapped, or made anew each time that they are wanted, such as those of a deflated array, so that no
/// two of them are held in memory.
struct stored_bytes {
    std::span<const std::byte> mapped;
    std::uint64_t size = 0;
    std::function<std::shared_ptr<buffer>()> make;  ///< empty if they are mapped
    std::size_t begin = 0;                          ///< where they begin in what is made
};
/// Such bytes while they are used.
struct held_bytes {
    std::span<const std::byte> bytes;
    std::shared_ptr<buffer> memory;
};
held_bytes hold(const stored_bytes& from);

/// An array, or another member of an archive.
struct stored_array {
    std::optional<std::string> name;  ///< in an archive
    array_type type;
    bool fortran_order = false;       ///< the first axis is the fastest
    std::vector<std::int64_t> shape;  ///< elements
    stored_bytes data;
    std::shared_ptr<const numpy_type> record;   ///< of a structured array
    std::shared_ptr<const failure> unreadable;  ///< why nothing but `member` is known of it
    stored_bytes member;                        ///< of .npz: the whole .npy file, which is kept as it is
    bool is_npy = true;                         ///< a member of .npz whose name ends in .npy
};

/// "in.npz: 'w'", or the file alone if the array has no name.
std::string called(const std::string& file, const stored_array& array);

/// The array that one field of a structured one is: "a", or "position.x" of fields in fields; a title is as good as a
/// name. Throws failure, which lists the fields, if there is none of this name, or several.
stored_array field_of(const std::string& file, const stored_array& array, const std::string& path);
/// The elements in C order, the lowest byte of each number first: as they are written.
std::shared_ptr<buffer> plain_copy(const stored_array& array);
/// Turns the bytes of each number round, if the type is big-endian.
void swap_bytes(const array_type& type, std::byte* data, std::size_t size);
/// "--field a, --field b": what picks a field.
std::string field_options(const stored_array& array);

/// "(2, 17, 5, 4)", "(7,)", as Python has it.
std::string as_text(const std::vector<std::int64_t>& shape);

/// The bytes that the shape and the type need; throws failure where 63 bits do not count them.
std::int64_t bytes_of(const std::string& file, const array_type& type, const std::vector<std::int64_t>& shape);

}  // namespace tool
