#include "commands.hpp"

#include <iostream>

namespace tool {
namespace {

plait::data_type read_type(const std::string& text) {
    const std::optional<plait::data_type> type = plait::parse_data_type(text);
    if (type && *type != plait::data_type::undef) return *type;
    std::string names;
    for (const char* const name : plait::data_type_names)
        if (plait::parse_data_type(name) != plait::data_type::undef)
            names += (names.empty() ? "" : ", ") + std::string(name);
    throw failure("type '" + text + "' is none of " + names);
}

plait::isa read_isa(const std::string& text) {
    plait::isa widest = plait::isa::portable;
    std::string names;
    for (const plait::isa which : plait::every_isa) {
        if (text == plait::name(which)) return which;
        if (plait::is_of_this_architecture(which) && plait::cpu_has(which)) widest = which;
        names += plait::name(which) + std::string(", ");
    }
    if (!text.empty()) throw failure("instruction set '" + text + "' is none of " + names + "all");
    return widest;
}

plait::layout read_layout(const std::string& tag, const plait::dims& dims) {
    const plait::format_tag read = read_tag(tag);
    if (const plait::verdict why = plait::check_layout(dims, read); !why.ok())
        throw failure("layout " + tag + ' ' + plait::to_string(dims) + ": " + plait::describe(why).c_str());
    return plait::layout(dims, read);
}

/// One line an instruction set.
void compare(const plait::layout& src, const plait::layout& dst, const plait::engine::element_sizes& sizes) {
    plait::text_table table;
    table.add_row({"", "elements", "registers", "lanes", "loads", "shuffles", "stores", "instructions"});
    for (const plait::isa which : plait::every_isa) {
        const auto plan = plait::engine::make_plan(src, dst, sizes, which);
        if (!plan) throw failure("there is no plan: the layouts have no common refinement");
        const plait::tile_instructions tile(*plan, which);
        std::vector<std::string> row{plait::name(which)};
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
    const plait::dims dims = read_dims(options.dims);
    const plait::layout src = read_layout(options.from, dims), dst = read_layout(options.to, dims);
    const plait::data_type from = read_type(options.type),
                           to = options.to_type.empty() ? from : read_type(options.to_type);
    if (const plait::verdict why = plait::check_reorder(src, dst); !why.ok())
        throw failure("reorder " + options.from + " -> " + options.to + ": " + plait::describe(why).c_str());
    if (options.isa == "all") return compare(src, dst, plait::sizes_between(from, to));
    std::cout << plait::explain(src, dst, from, to, read_isa(options.isa));
}

}  // namespace tool
