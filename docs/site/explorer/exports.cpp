// The functions that the page calls: texts in, JSON out, which stays until the next call.

#include "explore.hpp"

namespace {

const char* keep(std::string answer) {
    static std::string kept;
    kept = std::move(answer);
    return kept.c_str();
}

}  // namespace

extern "C" {

const char* plait_explore_layout(const char* format, const char* dims, int width) {
    return keep(explorer::explore_layout(format, dims, width));
}
const char* plait_explore_place(const char* format, const char* dims, const char* offset) {
    return keep(explorer::explore_place(format, dims, offset));
}
const char* plait_explore_index(const char* format, const char* dims, const char* index) {
    return keep(explorer::explore_index(format, dims, index));
}
const char* plait_explore_reorder(const char* src_format, const char* src_dims, const char* dst_format,
                                  const char* dst_dims, const char* from, const char* to, const char* isa, int width) {
    return keep(explorer::explore_reorder({src_format, src_dims, dst_format, dst_dims, from, to, isa, width}));
}

}  // extern "C"
