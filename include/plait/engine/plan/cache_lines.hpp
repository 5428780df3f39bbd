#pragma once
// Cache lines: how far behind one an address lies, and runs of bytes whose whole lines are stored past the caches.

#include <plait/core/axis.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/unit_flags.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>  // std::memcpy

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

inline constexpr int cache_line_bytes = 64;

/// Returns how many bytes a pointer is behind the start of a cache line.
inline dim_t bytes_behind_line(const void* pointer) {
    return static_cast<dim_t>(reinterpret_cast<std::uintptr_t>(pointer) % cache_line_bytes);
}

/// Copies a run by store_lines(from, to, bytes), which copies whole cache lines of the destination past the caches.
/// Parts of lines at both ends of the run are stored as usual, because the memory would have to read the rest of their
/// lines.
///
/// Pre:     bytes >= 0; from and to do not overlap
template <class StoreLines>
[[gnu::always_inline]] inline void copy_past_caches(const std::byte* from, std::byte* to, dim_t bytes,
                                                    StoreLines store_lines) {
    const dim_t behind = bytes_behind_line(to), to_line = behind == 0 ? 0 : cache_line_bytes - behind,
                head = bytes < to_line ? bytes : to_line, lines = (bytes - head) / cache_line_bytes * cache_line_bytes,
                rest = bytes - head - lines;
    std::memcpy(to, from, static_cast<std::size_t>(head));
    store_lines(from + head, to + head, lines);
    std::memcpy(to + head + lines, from + head + lines, static_cast<std::size_t>(rest));
}

}  // namespace plait::engine
