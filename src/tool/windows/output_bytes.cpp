#include "../output_bytes.hpp"

#include "../errors.hpp"
#include "api.hpp"

#include <fcntl.h>  // _O_BINARY

#include <algorithm>
#include <cstring>
#include <utility>

namespace tool {

namespace {

/// Maps a new file of this size; null if that fails.
void* map_new(HANDLE file, std::size_t bytes) {
    LARGE_INTEGER size{};
    size.QuadPart = static_cast<LONGLONG>(bytes);
    // The size is set now, so that a full disk is an error here.
    if (!SetFilePointerEx(file, size, nullptr, FILE_BEGIN) || !SetEndOfFile(file)) return nullptr;
    const HANDLE mapping = CreateFileMappingW(file, nullptr, PAGE_READWRITE, 0, 0, nullptr);
    if (mapping == nullptr) return nullptr;
    void* const out = MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, bytes);
    CloseHandle(mapping);
    return out;
}

/// Returns true if the name is not a regular file but a device, such as NUL.
bool is_device(const std::string& path) {
    const HANDLE file =
        CreateFileW(wide(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    const bool out = GetFileType(file) != FILE_TYPE_DISK;
    CloseHandle(file);
    return out;
}

}  // namespace

output_bytes::output_bytes(const std::string& path, std::size_t bytes)
    : path_(path), bytes_(bytes), mapped_(std::max<std::size_t>(bytes, 1)), open_(open_descriptor(path)) {
    const DWORD attributes = open_ < 0 ? GetFileAttributesW(wide(path).c_str()) : INVALID_FILE_ATTRIBUTES;
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
        throw failure(path + ": cannot be written: Is a directory");
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0)
        SetLastError(ERROR_ACCESS_DENIED), fail();
    if (open_ < 0 && !is_device(path)) {
        path_ = behind_links(path);
        file_ = std::make_unique<unfinished_file>(path_);
        if (file_->descriptor() < 0) fail();
    }
    void* const memory = file_ && bytes_ > 0 ? map_new(handle_of(file_->descriptor()), bytes_)
                                             : VirtualAlloc(nullptr, mapped_, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (memory == nullptr) fail();
    data_ = static_cast<std::byte*>(memory);
}

output_bytes::~output_bytes() {
    if (data_ == nullptr) return;
    if (file_ && bytes_ > 0) UnmapViewOfFile(data_);
    else VirtualFree(data_, 0, MEM_RELEASE);
}

void output_bytes::forget() {
    if (file_) VirtualUnlock(data_, mapped_);  // removes pages from the process's memory
}

void output_bytes::fail() {
    const std::string reason = system_reason();
    throw failure((path_ == "-" ? "standard output" : path_) + ": cannot be written: " + reason);
}

void output_bytes::write_through(int descriptor) {
    for (std::size_t at = 0; at < bytes_;) {
        const auto part = static_cast<DWORD>(std::min<std::size_t>(bytes_ - at, 1u << 30));
        DWORD done = 0;
        if (!WriteFile(handle_of(descriptor), data_ + at, part, &done, nullptr)) fail();
        at += done;
    }
}

void output_bytes::commit() {
    if (open_ >= 0) return write_through(open_);
    if (!file_) {
        const int descriptor = _wopen(wide(path_).c_str(), _O_WRONLY | _O_BINARY);
        if (descriptor < 0) fail();
        try {
            write_through(descriptor);
        } catch (...) {
            _close(descriptor);
            throw;
        }
        _close(descriptor);
        return;
    }
    if (bytes_ > 0) UnmapViewOfFile(std::exchange(data_, nullptr));
    if (!file_->keep()) fail();
}

void write_file(const std::string& path, std::string_view content) {
    output_bytes out(path, content.size());
    if (!content.empty()) std::memcpy(out.data(), content.data(), content.size());
    out.commit();
}

}  // namespace tool
