#include "api.hpp"

#include <process.h>   // _wspawnvp
#include <shellapi.h>  // CommandLineToArgvW

#include <cerrno>

namespace tool {

std::optional<file_number> number_of(HANDLE file) {
    BY_HANDLE_FILE_INFORMATION what{};
    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileInformationByHandle(file, &what)) return {};
    return file_number{what.dwVolumeSerialNumber, std::uintmax_t{what.nFileIndexHigh} << 32 | what.nFileIndexLow};
}

std::string reason_of(const std::error_code& error) { return system_reason(static_cast<DWORD>(error.value())); }

std::vector<std::string> words_of_command_line(int argc, const char* const* argv) {
    int words = 0;
    wchar_t** const wide_words = CommandLineToArgvW(GetCommandLineW(), &words);
    if (wide_words == nullptr) return {argv, argv + argc};
    std::vector<std::string> out;
    for (int k = 0; k < words; ++k) out.push_back(narrow(wide_words[k]));
    LocalFree(wide_words);
    return out;
}

std::optional<file_number> number_of_file(const std::string& path) {
    constexpr DWORD anyone = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE file =
        CreateFileW(wide(path).c_str(), 0, anyone, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (file == INVALID_HANDLE_VALUE) return {};
    const std::optional<file_number> out = number_of(file);
    CloseHandle(file);
    return out;
}
std::optional<file_number> number_of_file(int descriptor) { return number_of(handle_of(descriptor)); }

std::size_t longest_name_in(const std::string&) { return 255; }

std::string make_directory_in(const std::string& directory) {
    for (int number = 0; number < 1000; ++number) {
        const std::string name =
            directory + "\\plait-" + std::to_string(GetCurrentProcessId()) + '-' + std::to_string(number);
        if (CreateDirectoryW(wide(name).c_str(), nullptr)) return name;
        if (GetLastError() != ERROR_ALREADY_EXISTS) break;
    }
    errno = EACCES;
    return "";
}

bool is_terminal(int descriptor) {
    DWORD mode = 0;
    return GetConsoleMode(handle_of(descriptor), &mode) != 0;
}

int terminal_columns() {
    CONSOLE_SCREEN_BUFFER_INFO screen{};
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &screen)) return 0;
    return screen.srWindow.Right - screen.srWindow.Left + 1;
}

std::optional<int> run_program(std::vector<std::string> words) {
    std::vector<std::wstring> quoted;
    for (const std::string& word : words)  // file names have no quotes on Windows
        quoted.push_back(wide(word.find(' ') == word.npos ? word : '"' + word + '"'));
    std::vector<const wchar_t*> arguments;
    for (const std::wstring& word : quoted) arguments.push_back(word.c_str());
    arguments.push_back(nullptr);
    const std::intptr_t answer = _wspawnvp(_P_WAIT, wide(words[0]).c_str(), arguments.data());
    return answer < 0 ? std::nullopt : std::optional(static_cast<int>(answer));
}

}  // namespace tool
