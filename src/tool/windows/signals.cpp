#include "../signals.hpp"

#include <fcntl.h>  // _O_BINARY
#include <io.h>     // _setmode

namespace tool {

void prepare_process() {
    // Otherwise each line feed that is written becomes two bytes, and byte 26 ends what is read.
    for (const int standard : {0, 1, 2}) _setmode(standard, _O_BINARY);
}

// Windows removes an unfinished file when the process ends, however it ends (unfinished_file.cpp), and lets no program
// truncate a mapped file.
held_signals::held_signals() {}
held_signals::~held_signals() {}
void set_exit_code_of_short_file(int) {}
void set_unfinished_file(const std::string&) {}

}  // namespace tool
