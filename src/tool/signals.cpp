#include "signals.hpp"

#include <fcntl.h>   // open
#include <signal.h>  // sigaction
#include <unistd.h>  // unlink, write

#include <algorithm>
#include <iterator>  // std::size

namespace tool {

namespace {

// Static memory, because a signal handler must not use anything that allocates.
constexpr std::size_t longest = 4096;
char unfinished[longest];
constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t exit_code_of_short_file = 1;

void end_by(int signal) {
    if (unfinished[0] != '\0') ::unlink(unfinished);
    if (signal != SIGBUS) {
        ::raise(signal);  // the handler is reset (SA_RESETHAND), so the process ends as if there had been none
        return;
    }
    constexpr char sentence[] = "plait: a file became shorter while it was read\n";
    [[maybe_unused]] const ssize_t done = ::write(STDERR_FILENO, sentence, sizeof(sentence) - 1);
    ::_exit(exit_code_of_short_file);
}

/// Does nothing: a write that exceeds the file size limit returns an error itself.
void go_on(int) {}

}  // namespace

void prepare_process() {
    // open returns the lowest free number, the missing one. A file opened in the wrong mode fails when it is used.
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(standard, F_GETFD) < 0) (void)::open("/dev/null", standard == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGBUS}) {
        struct sigaction now {
        }, before{};
        now.sa_handler = end_by;
        now.sa_flags = static_cast<int>(SA_RESETHAND);
        // nohup and a shell's background jobs ignore some signals; these stay ignored.
        if (::sigaction(signal, &now, &before) == 0 && before.sa_handler == SIG_IGN)
            ::sigaction(signal, &before, nullptr);
    }
    // Exceeding the file size limit becomes an error of the call, with a sentence. The signal is handled, not ignored,
    // because programs that the tool starts would inherit that it is ignored.
    struct sigaction limit {};
    limit.sa_handler = go_on;
    ::sigaction(SIGXFSZ, &limit, nullptr);
}

held_signals::held_signals() {
    sigset_t all, before;
    ::sigemptyset(&all);
    for (const int signal : ending_signals) ::sigaddset(&all, signal);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    for (std::size_t i = 0; i < std::size(ending_signals); ++i)
        if (::sigismember(&before, ending_signals[i]) == 0) held_ |= 1u << i;
}
held_signals::~held_signals() {
    sigset_t held;
    ::sigemptyset(&held);
    for (std::size_t i = 0; i < std::size(ending_signals); ++i)
        if ((held_ & 1u << i) != 0) ::sigaddset(&held, ending_signals[i]);
    ::pthread_sigmask(SIG_UNBLOCK, &held, nullptr);
}

void set_exit_code_of_short_file(int exit_code) { exit_code_of_short_file = exit_code; }

void set_unfinished_file(const std::string& path) {
    unfinished[0] = '\0';
    if (path.size() >= longest) return;
    // Writes the first character last, so that a handler sees either no path or the whole path.
    if (!path.empty()) std::copy(path.c_str() + 1, path.c_str() + path.size() + 1, unfinished + 1);
    if (!path.empty()) unfinished[0] = path[0];
}

}  // namespace tool
