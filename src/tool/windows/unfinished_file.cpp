// On Windows the file has a name from the beginning, and is deleted when it is closed, also if the process is killed,
// unless keep() was called. While it is open, no other program can delete it.

#include "../unfinished_file.hpp"

#include "api.hpp"

#include <fcntl.h>  // _O_BINARY

#include <cstring>
#include <filesystem>
#include <vector>

namespace tool {

namespace {

constexpr int most_names = 1000;  // in a directory at the same time

bool delete_when_closed(HANDLE file, bool yes) {
    FILE_DISPOSITION_INFO what{};
    what.DeleteFile = yes;
    return SetFileInformationByHandle(file, FileDispositionInfo, &what, sizeof(what)) != 0;
}

}  // namespace

unfinished_file::unfinished_file(std::string path)
    : path_(std::move(path)), directory_(text_of_path(path_of(path_).parent_path())) {
    if (directory_.empty()) directory_ = ".";
    make_named();
}

unfinished_file::~unfinished_file() {
    if (descriptor_ >= 0) _close(descriptor_);
}

bool unfinished_file::make_named() {
    for (int number = 0; number < most_names; ++number) {
        const std::string name = directory_ + "\\.plait-unfinished-" + std::to_string(number);
        DeleteFileW(wide(name).c_str());  // of a process that has ended; fails if it is open
        const HANDLE file = CreateFileW(wide(name).c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, 0, nullptr,
                                        CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
        if (file == INVALID_HANDLE_VALUE) {
            const DWORD why = GetLastError();
            if (why == ERROR_PATH_NOT_FOUND) return false;
            continue;  // there is one that is open, or is being deleted
        }
        delete_when_closed(file, true);  // before it is mapped
        descriptor_ = _open_osfhandle(reinterpret_cast<std::intptr_t>(file), _O_BINARY);
        if (descriptor_ < 0) CloseHandle(file);
        return descriptor_ >= 0;
    }
    return false;
}

bool unfinished_file::keep() {
    const HANDLE file = handle_of(descriptor_);
    const std::wstring name = std::filesystem::absolute(path_of(path_)).wstring();
    std::vector<std::byte> room(sizeof(FILE_RENAME_INFO) + name.size() * sizeof(wchar_t));
    auto& what = *reinterpret_cast<FILE_RENAME_INFO*>(room.data());
    what.ReplaceIfExists = TRUE;
    what.FileNameLength = static_cast<DWORD>(name.size() * sizeof(wchar_t));
    std::memcpy(what.FileName, name.data(), what.FileNameLength);
    unmap_file(path_);
    if (!delete_when_closed(file, false)) return false;
    if (SetFileInformationByHandle(file, FileRenameInfo, room.data(), static_cast<DWORD>(room.size()))) return true;
    const DWORD why = GetLastError();
    delete_when_closed(file, true);
    SetLastError(why);
    return false;
}

}  // namespace tool
