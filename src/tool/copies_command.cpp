#include "algebra_commands.hpp"
#include "layout_json.hpp"

#include <plait/algebra/count_copies.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace tool {

namespace {

constexpr std::size_t most_printed = 8;

/// Returns how wide a column of numbers is, with its title.
std::size_t width_of(const std::vector<plait::contiguous_copy>& copies, plait::dim_t plait::contiguous_copy::*number,
                     const std::string& title) {
    std::size_t width = title.size();
    for (const plait::contiguous_copy& c : copies) width = std::max(width, std::to_string(c.*number).size());
    return width;
}

}  // namespace

void copies(const algebra_options& options) {
    const auto [from, to] = read_two_layouts(options.arguments);
    const auto count = plait::try_count_copies(from.layout, to.layout);
    if (!count)
        throw failure("copies from " + from.text + " to " + to.text + ": " + plait::describe(count.error()).c_str(),
                      {line("from", write_layout(from.layout, from.tag)), line("to", write_layout(to.layout, to.tag))});
    std::vector<plait::contiguous_copy> first;
    if (*count > 0)
        plait::for_each_copy(from.layout, to.layout, [&first](const plait::contiguous_copy& c) {
            first.push_back(c);
            return first.size() < most_printed;
        });
    if (options.json) {
        std::cout << json_of_copies(from, to, *count, first);
        return;
    }
    std::cout << line("from", write_layout(from.layout, from.tag)) << '\n'
              << line("to", write_layout(to.layout, to.tag)) << '\n'
              << line("copies", std::to_string(*count)) << '\n';
    if (first.empty()) return;
    using plait::contiguous_copy;
    const auto dst = static_cast<int>(width_of(first, &contiguous_copy::dst, "to offset")),
               src = static_cast<int>(width_of(first, &contiguous_copy::src, "from offset")),
               elements = static_cast<int>(width_of(first, &contiguous_copy::count, "elements"));
    const auto row = [&](const auto& a, const auto& b, const auto& c) {
        std::cout << std::setw(dst) << a << "  " << std::setw(src) << b << "  " << std::setw(elements) << c << '\n';
    };
    std::cout << '\n';
    row("to offset", "from offset", "elements");
    for (const contiguous_copy& c : first) row(c.dst, c.src, c.count);
    if (const plait::dim_t more = *count - static_cast<plait::dim_t>(first.size()); more > 0)
        std::cout << "and " << more << " more\n";
}

}  // namespace tool
