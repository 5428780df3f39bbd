#pragma once
// What the rows of the reorder suite must reach, by the label of a row.

namespace bench {

/// A line of the table "What it must reach" of the issue that this suite belongs to.
struct demand {
    const char *id, *what;
    double least;
    enum { of_memcpy, of_like, of_30_ns, of_libdnnl } kind = of_memcpy;
};

inline constexpr demand demands[] = {
    {"block", "f32 plain <-> 16c, 8c in cache", 0.92},
    {"block tail", "f32 plain <-> 16c, 8c in cache, with tail", 0.75},
    {"nhwc", "f32 nchw <-> nhwc in cache", 0.85},
    {"nhwc memory", "f32 nchw <-> nhwc from memory", 0.9},
    {"block memory", "f32 plain <-> blocked from memory", 1.4},
    {"transpose 1024", "f32 ab -> ba 1024^2", 0.40},
    {"transpose 4096", "f32 ab -> ba 4096^2", 0.75},
    {"16 bits", "16-bit nchw <-> nhwc, <-> 16c, ab -> ba in cache", 0.7},
    {"8 bits", "8-bit nchw <-> nhwc, <-> 16c; RGB u8", 0.5},
    {"packed", "packed weights, 8 and 16 bits, both source orders", 0.5},
    {"convert", "f32 -> bf16, f16, s8, of the move without, by bytes", 1 / 1.3, demand::of_like},
    {"odd", "blocked 32 <-> 48, view() sources, gaps", 0.5},
    {"latency", "latency up to 1 KB: 30 ns", 1, demand::of_30_ns},
    {"latency", "latency up to 1 KB: of libdnnl", 8, demand::of_libdnnl},
};

}  // namespace bench
