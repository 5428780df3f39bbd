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

}  // namespace tool
