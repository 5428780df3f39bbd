#pragma once
// A row of the suite: one loop twice, through a view and with arithmetic written by hand, each a function of its own.

#include <plait/plait.hpp>

#include <functional>
#include <string>
#include <vector>

namespace bench {

using namespace plait;

struct row {
    std::string name;
    double limit;     ///< what the time by hand is allowed to be multiplied with; at -O0 five times
    double elements;  ///< that one call visits
    std::function<double()> view, hand;
};

/// The type of the elements that are summed up. With floats, each sum would wait four cycles for the one before, and
/// any index would be ready by then.
using number = std::uint32_t;

std::vector<row> static_rows();
std::vector<row> convolution_rows();
std::vector<row> bound_rows();
std::vector<row> run_time_rows();

inline constexpr double limit_static = 1.05, limit_bound = 1.10, limit_run_time = 1.30, limit_unoptimized = 5.0,
                        limit_none = 1e9;  // told, and not promised

/// Memory for the elements of a layout, none of them 0, for as long as the program runs.
template <class T>
T* memory_of(const layout& l) {
    static std::vector<std::vector<T>> all;
    all.emplace_back(l.element_span());
    for (std::size_t i = 0; i < all.back().size(); ++i) all.back()[i] = static_cast<T>(i % 7 + 1);
    return all.back().data();
}

}  // namespace bench
