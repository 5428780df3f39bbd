#include "signals.hpp"

#include <fcntl.h>   // open
#include <signal.h>  // sigaction
#include <unistd.h>  // unlink, write

#include <algorithm>

namespace tool {

namespace {

// Plain memory: a signal's function may use nothing that allocates.
constexpr std::size_t longest = 4096;
char unfinished[longest];

void end_by(int signal) {
    if (unfinished[0] != '\0') ::unlink(unfinished);
    if (signal != SIGBUS) {
        ::raise(signal);  // its own function is gone (SA_RESETHAND): the process ends as if there had been none
        return;
    }
    constexpr char sentence[] = "plait: a file became shorter while it was read\n";
    [[maybe_unused]] const ssize_t done = ::write(STDERR_FILENO, sentence, sizeof(sentence) - 1);
    ::_exit(1);
}

/// Nothing: what was refused by the limit of a file's size says so itself.
void go_on(int) {}

}  // namespace

void prepare_process() {
    // The lowest free number is the one that is missing. What is opened the wrong way round fails when it is used.
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(standard, F_GETFD) < 0) (void)::open("/dev/null", standard == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGBUS}) {
        struct sigaction now {
        }, before{};
        now.sa_handler = end_by;
        now.sa_flags = static_cast<int>(SA_RESETHAND);
        // nohup and a shell's background jobs ignore some: that stays.
        if (::sigaction(signal, &now, &before) == 0 && before.sa_handler == SIG_IGN)
            ::sigaction(signal, &before, nullptr);
    }
    // A file that may not become as large is an error of the call that wanted it, with a sentence. It is not ignored,
    // which a program that the tool starts would inherit.
    struct sigaction limit {};
    limit.sa_handler = go_on;
    ::sigaction(SIGXFSZ, &limit, nullptr);
}

void set_unfinished_file(const std::string& path) {
    unfinished[0] = '\0';
    if (path.size() >= longest) return;
    // The first character last: until then there is no file.
    if (!path.empty()) std::copy(path.c_str() + 1, path.c_str() + path.size() + 1, unfinished + 1);
    if (!path.empty()) unfinished[0] = path[0];
}

}  // namespace tool
