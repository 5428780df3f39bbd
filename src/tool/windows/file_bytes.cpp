#include "../file_bytes.hpp"

#include "api.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

namespace tool {

namespace {

/// Reads everything up to the end.
std::string read_all(HANDLE file, const std::string& name) {
    std::string out;
    std::string part(std::size_t{1} << 20, '\0');
    while (true) {
        DWORD got = 0;
        const bool done = ReadFile(file, part.data(), static_cast<DWORD>(part.size()), &got, nullptr) != 0;
        if (!done && GetLastError() != ERROR_BROKEN_PIPE)  // the end of a pipe
            throw failure(name + ": cannot be read: " + system_reason());
        if (got == 0) return out;
        out.append(part, 0, got);
    }
}

/// The files that are mapped.
struct mapped_file {
    void* memory;
    std::size_t bytes;
    std::optional<file_number> number;
    bool is_copy = false;
};
std::vector<mapped_file> mapped_files;

struct open_file {
    HANDLE handle;
    bool is_ours;
    ~open_file() {
        if (is_ours && handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
    }
};

/// Returns the size of a regular file whose first byte is read next, else 0.
std::size_t size_from_begin(HANDLE file) {
    LARGE_INTEGER size{}, at{};
    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileSizeEx(file, &size)) return 0;
    if (!SetFilePointerEx(file, {}, &at, FILE_CURRENT) || at.QuadPart != 0) return 0;
    return static_cast<std::size_t>(size.QuadPart);
}

}  // namespace

buffer::buffer(std::size_t bytes) : size_(bytes) {
    void* const memory =
        VirtualAlloc(nullptr, std::max<std::size_t>(bytes, 1), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (memory == nullptr) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(memory);
}
buffer::~buffer() { VirtualFree(data_, 0, MEM_RELEASE); }

input_bytes::input_bytes(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    const DWORD attributes = path == "-" ? INVALID_FILE_ATTRIBUTES : GetFileAttributesW(wide(path).c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
        throw failure(name_ + ": is a directory");
    constexpr DWORD anyone = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const open_file file{path == "-" ? GetStdHandle(STD_INPUT_HANDLE)
                                     : CreateFileW(wide(path).c_str(), GENERIC_READ, anyone, nullptr, OPEN_EXISTING,
                                                   FILE_ATTRIBUTE_NORMAL, nullptr),
                         path != "-"};
    if (file.handle == INVALID_HANDLE_VALUE || file.handle == nullptr)
        throw failure(name_ + ": cannot be opened: " + system_reason());
    if (const std::size_t size = size_from_begin(file.handle); size > 0) {
        const HANDLE mapping = CreateFileMappingW(file.handle, nullptr, PAGE_READONLY, 0, 0, nullptr);
        if (mapping != nullptr) {
            mapped_ = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size);
            CloseHandle(mapping);
        }
        if (mapped_ != nullptr) {
            bytes_ = {static_cast<const std::byte*>(mapped_), size};
            mapped_files.push_back({mapped_, size, number_of(file.handle)});
            return;
        }
    }
    read_ = read_all(file.handle, name_);
    bytes_ = std::as_bytes(std::span(read_));
}
input_bytes::~input_bytes() {
    const auto file = std::find_if(mapped_files.begin(), mapped_files.end(),
                                   [this](const mapped_file& each) { return each.memory == mapped_; });
    if (file == mapped_files.end()) return;
    if (file->is_copy) VirtualFree(mapped_, 0, MEM_RELEASE);
    else UnmapViewOfFile(mapped_);
    mapped_files.erase(file);
}
void unmap_file(const std::string& path) {
    const std::optional<file_number> number = number_of_file(path);
    for (mapped_file& file : mapped_files) {
        if (!number || file.number != number || file.is_copy) continue;
        buffer copy(file.bytes);
        std::memcpy(copy.data(), file.memory, file.bytes);
        UnmapViewOfFile(file.memory);
        if (VirtualAlloc(file.memory, file.bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) != file.memory)
            throw std::bad_alloc();
        std::memcpy(file.memory, copy.data(), file.bytes);
        file.is_copy = true;
    }
}
void input_bytes::forget() const {
    // Unlocking pages that are not locked removes them from the process's memory.
    if (mapped_ != nullptr) VirtualUnlock(mapped_, bytes_.size());
}

}  // namespace tool
