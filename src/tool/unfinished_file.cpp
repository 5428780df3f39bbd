#include "unfinished_file.hpp"

#include "signals.hpp"
#include "system.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <fcntl.h>     // open, linkat
#include <sys/file.h>  // flock
#include <sys/stat.h>
#include <unistd.h>

namespace tool {

namespace {

constexpr int most_names = 1000;  // in a directory at the same time

std::string name_in(const std::string& directory, int number) {
    return directory + "/.plait-unfinished-" + std::to_string(number);
}

/// Returns the path by which the kernel finds an open file without a name.
std::string open_path(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

bool is_same_file(const std::string& name, int descriptor) {
    struct stat named {
    }, open{};
    return ::lstat(name.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 && named.st_dev == open.st_dev &&
           named.st_ino == open.st_ino;
}

/// Removes the file of a process that has ended: one of this user that is not locked. True if the name is now free.
bool remove_abandoned(const std::string& name) {
    const int there = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (there < 0) return errno == ENOENT;
    struct stat what {};
    const bool is_abandoned = ::fstat(there, &what) == 0 && S_ISREG(what.st_mode) && what.st_uid == ::geteuid() &&
                              ::flock(there, LOCK_EX | LOCK_NB) == 0 && is_same_file(name, there);
    const bool done = is_abandoned && ::unlink(name.c_str()) == 0;
    ::close(there);
    return done;
}

}  // namespace

unfinished_file::unfinished_file(std::string path)
    : path_(std::move(path)), directory_(text_of_path(path_of(path_).parent_path())) {
    if (directory_.empty()) directory_ = ".";
    for (int number = 0; number < most_names && ::access(name_in(directory_, number).c_str(), F_OK) == 0; ++number)
        remove_abandoned(name_in(directory_, number));
    // Without /proc such a file could not be given a name.
    if (::access(open_path(STDERR_FILENO).c_str(), F_OK) == 0)
        descriptor_ = ::open(directory_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX | LOCK_NB);
    else make_named();
}

unfinished_file::~unfinished_file() {
    const held_signals held;
    if (!name_.empty()) ::unlink(name_.c_str());
    set_name("");
    if (descriptor_ >= 0) ::close(descriptor_);
}

void unfinished_file::set_name(const std::string& name) {
    name_ = name;
    set_unfinished_file(name);
}

bool unfinished_file::make_named() {
    for (int number = 0; number < most_names; ++number) {
        const std::string name = name_in(directory_, number);
        const held_signals held;  // until the name is set
        descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (descriptor_ < 0 && errno != EEXIST) return false;
        if (descriptor_ < 0) {
            if (remove_abandoned(name)) --number;  // try the same name again
            continue;
        }
        ::flock(descriptor_, LOCK_EX | LOCK_NB);
        if (is_same_file(name, descriptor_)) return set_name(name), true;
        ::close(descriptor_), descriptor_ = -1;  // another run removed it as abandoned before it was locked
    }
    errno = EEXIST;
    return false;
}

bool unfinished_file::link_named() {
    for (int number = 0; number < most_names; ++number) {
        const std::string name = name_in(directory_, number);
        const held_signals held;  // until the name is set
        if (::linkat(AT_FDCWD, open_path(descriptor_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
            return set_name(name), true;
        if (errno != EEXIST) return false;
        if (remove_abandoned(name)) --number;
        errno = EEXIST;
    }
    return false;
}

bool unfinished_file::keep() {
    if (name_.empty()) {
        if (::linkat(AT_FDCWD, open_path(descriptor_).c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) == 0)
            return true;
        // An existing file can only be replaced by a rename.
        if (errno != EEXIST || !link_named()) return false;
    }
    const held_signals held;  // the name is free from now on
    if (::rename(name_.c_str(), path_.c_str()) != 0) return false;
    set_name("");
    return true;
}

}  // namespace tool
