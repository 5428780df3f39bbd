#include "array_type.hpp"
#include "commands.hpp"
#include "output_bytes.hpp"
#include "system.hpp"

#include <plait/interop/rank_files.hpp>
#include <plait/interop/redistribution_json.hpp>
#include <plait/io/draw_distribution.hpp>
#include <plait/io/gspmd.hpp>

#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>
#include <iostream>

namespace tool {
namespace {

/// Returns the number of ranks that a sharding of GSPMD names: the product of the numbers in its brackets; 0 if it has
/// none.
plait::dim_t ranks_of(const std::string& text) {
    const std::size_t open = text.find('['), close = text.find(']');
    if (open == std::string::npos || close == std::string::npos || close < open + 2) return 0;
    return plait::volume(read_dims(text.substr(open + 1, close - open - 1)));
}

/// Reads a distribution: "64x64@2x2" (blocks dealt to a mesh), "[Shard(0), Replicate()]@2x2" (DTensor), or
/// "{devices=[2,2]0,1,2,3}" (GSPMD; "{replicated}@4").
plait::distribution read_distribution(const std::string& text, const plait::dims& extents) {
    const std::size_t at = text.rfind('@');
    const std::string what = text.substr(0, at), on = at == std::string::npos ? "" : text.substr(at + 1);
    plait::expected<plait::distribution> made;
    if (what.rfind('{', 0) == 0) {
        const plait::dim_t ranks = on.empty() ? ranks_of(what) : plait::volume(read_dims(on));
        if (ranks < 1) throw failure("'" + text + "' does not say how many ranks there are: add @4");
        made = plait::parse_gspmd(what, extents, ranks);
    } else if (on.empty()) {
        throw failure("'" + text + "' has no mesh: 64x64@2x2, [Shard(0), Replicate()]@2x2, {devices=[2,2]0,1,2,3}");
    } else {
        const plait::dims mesh_dims = read_dims(on);
        const plait::layout order(mesh_dims, plait::detail::plain_tag(mesh_dims.size()));
        if (const plait::verdict why = plait::check_mesh(order); !why.ok())
            throw failure("mesh " + on + ": " + plait::describe(why).c_str());
        const plait::mesh ranks(order);
        made = what.rfind('[', 0) == 0 || what.rfind('(', 0) == 0
                   ? plait::parse_dtensor(what, extents, ranks)
                   : plait::try_block_cyclic(extents, read_dims(what), ranks);
    }
    if (!made) throw failure("distribution '" + text + "': " + plait::describe(made.error()).c_str());
    return *made;
}

/// Returns a line for each notation that can express a distribution.
std::string notations(const plait::distribution& d) {
    std::string out;
    // DTensor's placements are read with a mesh in row-major order.
    plait::distribution row_major = d;
    row_major.mesh = plait::mesh(d.mesh.ranks.dims);
    if (const auto text = plait::format_dtensor(row_major)) out += line("DTensor", *text) + '\n';
    if (d.mesh.volume() > 64) return out;
    if (const auto text = plait::format_gspmd(d)) out += line("GSPMD", *text) + '\n';
    return out;
}

/// Fails unless a plan in JSON has the version, digests and types of a plan that is made now.
void check_plan(const std::string& path, const std::string& wanted_text) {
    std::ifstream file(path_of(path), std::ios::binary);
    if (!file) throw failure("cannot read " + path);
    const nlohmann::json plan = nlohmann::json::parse(file, nullptr, false),
                         wanted = nlohmann::json::parse(wanted_text);
    const auto differs = [&](const std::string& what, const nlohmann::json& here, const nlohmann::json& there) {
        throw failure(path + " is no plan of these distributions: its " + what + " is " + there.dump() + ", and not " +
                      here.dump());
    };
    if (!plan.is_object()) throw failure(path + " is no JSON object");
    const auto member = [](const nlohmann::json& of, const char* name) {
        return of.is_object() && of.contains(name) ? of[name] : nlohmann::json();
    };
    if (const auto version = member(plan, "plait_redistribution"); version != wanted["plait_redistribution"])
        differs("plait_redistribution", wanted["plait_redistribution"], version);
    for (const char* side : {"from", "to"})
        for (const char* name : {"digest", "type"})
            if (const auto given = member(member(plan, side), name); given != wanted[side][name])
                differs(std::string(side) + "." + name, wanted[side][name], given);
}

/// Moves a tensor between files.
void move_files(const shard_options& options, const plait::distribution& from, const plait::distribution& to,
                plait::data_type from_type, plait::data_type to_type) {
    const auto planned = plait::make_local_redistribution(from_type, from, to_type, to);
    if (!planned) throw failure(plait::describe(planned.error()).c_str());
    const auto done = plait::try_redistribute_files(*planned, options.in, options.out);
    if (done) return;
    const plait::verdict why = done.error();
    if (why.reason != plait::reason::rank_file_refuses) throw failure(plait::describe(why).c_str());
    const auto rank = static_cast<std::size_t>(why.first), inputs = options.in.size();
    throw failure((rank < inputs ? options.in[rank] : options.out[rank - inputs]) + ": " +
                  std::strerror(static_cast<int>(why.second)));
}

}  // namespace

void shard(const shard_options& options) {
    const plait::dims extents = read_dims(options.dims);
    const plait::distribution from = read_distribution(options.from, extents);
    if (options.in.empty() != options.out.empty()) throw failure("--in and --out go together");
    if (options.to.empty() && (!options.in.empty() || !options.json.empty() || !options.check.empty()))
        throw failure("--json, --check, --in and --out need a second distribution");
    // A picture or a plan on standard output is alone there.
    const bool draws = is_standard_output(options.svg), lists = is_standard_output(options.json);
    if (draws && lists) throw failure("--svg and --json cannot both be standard output");
    if (!options.svg.empty()) {
        plait::drawing_options drawn;
        drawn.title = options.dims + "  " + options.from;
        write_file(options.svg, plait::draw(from, drawn));
    }
    const bool explains = !draws && !lists;
    if (explains) std::cout << plait::explain(from) << notations(from);
    if (options.to.empty()) return;
    const plait::distribution to = read_distribution(options.to, extents);
    const plait::data_type from_type = read_type(options.type),
                           to_type = options.to_type.empty() ? from_type : read_type(options.to_type);
    if (explains) {
        std::cout << '\n' << plait::explain(to) << notations(to) << '\n';
        std::cout << plait::explain(from, to, from_type);
    }
    if (!options.json.empty() || !options.check.empty()) {
        const plait::expected<std::string> plan = plait::try_redistribution_json(from, to, from_type, to_type);
        if (!plan) throw failure(plait::describe(plan.error()).c_str());
        if (!options.check.empty()) check_plan(options.check, *plan);
        if (!options.json.empty()) write_file(options.json, *plan);
    }
    if (!options.in.empty()) move_files(options, from, to, from_type, to_type);
}

}  // namespace tool
