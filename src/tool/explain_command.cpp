#include "array_type.hpp"
#include "commands.hpp"
#include "explain_words.hpp"
#include "isa_name.hpp"
#include "layout_json.hpp"
#include "record_commands.hpp"

#include <plait/algebra/same_memory.hpp>
#include <plait/contract/check_reorder.hpp>
#include <plait/io/explain.hpp>

#include <iostream>

namespace tool {
namespace {

/// Prints one line per instruction set.
void compare(const plait::layout& src, const plait::layout& dst, const plait::engine::element_sizes& sizes) {
    plait::detail::text_table table;
    table.add_row({"", "elements", "registers", "lanes", "loads", "shuffles", "stores", "instructions"});
    for (const plait::isa which : plait::every_isa) {
        const auto plan = plait::engine::make_plan(src, dst, sizes, which);
        if (!plan) throw failure("there is no plan: the layouts have no common refinement");
        const plait::detail::tile_instructions tile(*plan, which);
        std::vector<std::string> row{plait::to_string(which)};
        for (const plait::dim_t number : {tile.elements, plait::dim_t{tile.registers},
                                          plait::dim_t{plan->pattern.lanes()}, plait::dim_t{tile.loads + tile.joins},
                                          plait::dim_t{tile.shuffles}, plait::dim_t{tile.splits + tile.stores}})
            row.push_back(std::to_string(number));
        row.push_back(tile.for_an_element() + " an element");
        table.add_row(row);
    }
    std::cout << table.text("tiles");
}

}  // namespace

void explain(const explain_options& options) {
    if (options.legend) {
        std::cout << legend();
        if (options.arguments.empty()) return;
        std::cout << '\n';
    }
    if (options.arguments.size() == 1 && explain_blob(options.arguments[0], options.json)) return;
    const auto [src, dst] = read_two_layouts(options.arguments);
    const plait::data_type from = read_type(options.type),
                           to = options.to_type.empty() ? from : read_type(options.to_type);
    if (const plait::verdict why = plait::check_reorder(src.layout, dst.layout); !why.ok())
        throw failure("reorder " + src.text + " -> " + dst.text + ": " + plait::describe(why).c_str(),
                      {line("from", write_layout(src.layout, src.tag)), line("to", write_layout(dst.layout, dst.tag))});
    if (options.isa == "all" && options.json)
        throw wrong_usage("--json prints the plan of one instruction set, and --isa all asks for every one");
    if (options.isa == "all") return compare(src.layout, dst.layout, plait::detail::sizes_between(from, to));
    const plait::isa isa = read_isa(options.isa, ", all");
    const std::string plan = plait::explain(src.layout, dst.layout, from, to, isa),
                      copy = describe_copy(src.layout, dst.layout, from != to), names = describe_names(src, dst);
    if (options.json) {
        std::cout << json_of(reorder_summary{src, dst, plait::to_string(from), plait::to_string(to),
                                             plait::to_string(isa), copy, plan,
                                             plait::same_memory(src.layout, dst.layout)});
        return;
    }
    const std::size_t end = plan.find('\n') + 1;
    // Both sides have the letters that were typed.
    std::cout << line("reorder", std::string(plait::to_string(from)) + ' ' + write_layout(src.layout, src.tag) +
                                     " -> " + plait::to_string(to) + ' ' + write_layout(dst.layout, dst.tag) + ", " +
                                     plait::to_string(isa))
              << '\n'
              << line("copy", copy) << '\n';
    if (!names.empty()) std::cout << line("names", names) << '\n';
    std::cout << plan.substr(end);
}

}  // namespace tool
