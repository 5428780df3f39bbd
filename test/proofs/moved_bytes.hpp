#pragma once
// Bytes that say where they come from, between pages that cannot be accessed, and what was found about them.
//
// A kernel that moves bytes does the same with all values. One run is thus enough if each byte has a value of its own.
// A tile has up to 1024 bytes, so it is run once for each digit of their numbers. A byte that is a constant instead
// of a copy differs in at least one run, because the lowest bits of the first and the last digit are never equal.

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

namespace moved_bytes {

inline constexpr std::byte old_byte{0xee};  ///< of the destination before a run

/// Memory between two pages that cannot be accessed.
class guarded_memory {
public:
    explicit guarded_memory(std::size_t bytes) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        size_ = (bytes + page - 1) / page * page;
        mapped_ = size_ + 2 * page;
        void* const memory = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED ||
            mprotect(static_cast<std::byte*>(memory) + page, size_, PROT_READ | PROT_WRITE) != 0) {
            std::perror("mmap");
            std::exit(2);
        }
        map_ = static_cast<std::byte*>(memory);
        begin_ = map_ + page;
    }
    guarded_memory(const guarded_memory&) = delete;
    guarded_memory& operator=(const guarded_memory&) = delete;
    ~guarded_memory() { munmap(map_, mapped_); }

    std::byte* begin() const { return begin_; }
    std::byte* end() const { return begin_ + size_; }
    std::size_t size() const { return size_; }

private:
    std::size_t size_ = 0, mapped_ = 0;
    std::byte *map_ = nullptr, *begin_ = nullptr;
};

/// The unit that is moved: bytes, or halves of bytes.
enum class unit { byte, half_byte };

/// Returns the number of runs that tell all bytes of a tile apart.
constexpr int runs_for(unit of, int bytes) { return of == unit::half_byte ? 4 : bytes > 128 ? 2 : 1; }

/// Returns the value of byte `number` in a run.
constexpr std::byte value_of(unit of, std::uint32_t number, int run, int runs) {
    if (of == unit::half_byte) {
        const auto half = [&](std::uint32_t n) { return run == runs - 1 ? ~n & 15 : n >> (4 * run) & 15; };
        return static_cast<std::byte>(half(2 * number) | half(2 * number + 1) << 4);
    }
    // No value of a single run is zero, or old_byte.
    if (runs == 1) return static_cast<std::byte>(number + 1);
    return static_cast<std::byte>(run == 0 ? number : number >> 8 << 1 | (~number & 1));
}

/// The findings about one kind of tile with one instruction set. Threads share it.
class finding {
public:
    explicit finding(std::string of) : what(std::move(of)) {}
    const std::string what;
    std::atomic<std::uint64_t> cases{}, runs{}, wrong{};

    void fail(const std::string& how) {
        if (wrong++ == 0) {
            const std::lock_guard lock(mutex_);
            first_ = how;
        }
    }
    std::string first() const {
        const std::lock_guard lock(mutex_);
        return first_;
    }

private:
    mutable std::mutex mutex_;
    std::string first_;
};

/// The tile that this thread runs, for a message if it accesses memory outside.
class running {
public:
    /// Calls `text()` for the message, if it comes to that. The object stays the innermost one while it exists.
    template <class Text>
    explicit running(const Text& text)
        : text_(&text),
          describe_([](const void* of) -> std::string { return (*static_cast<const Text*>(of))(); }),
          outer_(now_) {
        now_ = this;
    }
    running(const running&) = delete;
    running& operator=(const running&) = delete;
    ~running() { now_ = outer_; }

    static std::string text() { return now_ == nullptr ? "nothing" : now_->describe_(now_->text_); }

private:
    const void* text_;
    std::string (*describe_)(const void*);
    running* outer_;
    static inline thread_local running* now_ = nullptr;
};
/// Prints what runs, and ends the program. Nothing of the program is used afterwards, so it may allocate.
inline void report_access(int) {
    const std::string line = "WRONG: memory outside of a tile is accessed: " + running::text() + "\n";
    _exit(write(STDOUT_FILENO, line.data(), line.size()) < 0 ? 3 : 1);
}
inline void report_accesses() {
    std::signal(SIGSEGV, report_access);
    std::signal(SIGBUS, report_access);
}

}  // namespace moved_bytes
