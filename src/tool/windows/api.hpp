#pragma once
// The functions of Windows, and what the files of this folder share.

#include "../system.hpp"

#include <optional>
#include <string>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <io.h>  // _get_osfhandle

namespace tool {

/// Returns the handle of a descriptor of the C library.
inline HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)); }

/// Converts UTF-8, which the tool's names and sentences are, to what the functions of Windows take, and back.
inline std::wstring wide(const std::string& text) {
    const int bytes = static_cast<int>(text.size());
    std::wstring out(text.size(), L'\0');
    out.resize(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, out.data(), bytes)));
    return out;
}
inline std::string narrow(const std::wstring& text) {
    const int letters = static_cast<int>(text.size()), most = 3 * letters;
    std::string out(static_cast<std::size_t>(most), '\0');
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, text.data(), letters, out.data(), most, nullptr, nullptr);
    out.resize(static_cast<std::size_t>(bytes));
    return out;
}

/// Returns a sentence for an error number of Windows, by default the last one, without a line feed.
inline std::string system_reason(DWORD error = GetLastError()) {
    wchar_t text[512]{};
    DWORD size = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, error, 0, text,
                                sizeof(text) / sizeof(text[0]), nullptr);
    while (size > 0 && (text[size - 1] == L'\n' || text[size - 1] == L'\r' || text[size - 1] == L'.')) --size;
    return size > 0 ? narrow(std::wstring(text, size)) : "error " + std::to_string(error);
}

/// Returns the number of an open file; empty if it is none on a disk.
std::optional<file_number> number_of(HANDLE file);

/// Puts a copy of a file in place of its mappings, at the same addresses: a file that is mapped cannot be replaced.
void unmap_file(const std::string& path);

}  // namespace tool
