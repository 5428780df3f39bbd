#pragma once
// The functions of Windows, and what the files of this folder share.

#include <string>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <io.h>  // _get_osfhandle

namespace tool {

/// Returns the handle of a descriptor of the C library.
inline HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)); }

/// Returns a sentence for an error number of Windows, by default the last one, without a line feed.
inline std::string system_reason(DWORD error = GetLastError()) {
    char text[512]{};
    DWORD size = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, error, 0, text,
                                sizeof(text), nullptr);
    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r' || text[size - 1] == '.')) --size;
    return size > 0 ? std::string(text, size) : "error " + std::to_string(error);
}

/// Returns the whole path of a file as the functions for wide names take it. std::filesystem takes each char of a name
/// for a letter, whatever the code page is.
inline std::wstring wide_path(const std::string& path) {
    const int bytes = static_cast<int>(path.size());
    std::wstring name(path.size(), L'\0'), out(32768, L'\0');  // the longest path
    name.resize(static_cast<std::size_t>(MultiByteToWideChar(CP_ACP, 0, path.data(), bytes, name.data(), bytes)));
    out.resize(GetFullPathNameW(name.c_str(), static_cast<DWORD>(out.size()), out.data(), nullptr));
    return out;
}

/// Puts a copy of a file in place of its mappings, at the same addresses: a file that is mapped cannot be replaced.
void unmap_file(const std::string& path);

}  // namespace tool
