#include "array_type.hpp"
#include "commands.hpp"
#include "output_bytes.hpp"

#include <plait/io/draw_distribution.hpp>
#include <plait/io/gspmd.hpp>

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

}  // namespace

void shard(const shard_options& options) {
    const plait::dims extents = read_dims(options.dims);
    const plait::distribution from = read_distribution(options.from, extents);
    if (!options.svg.empty()) {
        plait::drawing_options drawn;
        drawn.title = options.dims + "  " + options.from;
        write_file(options.svg, plait::draw(from, drawn));
        if (is_standard_output(options.svg)) return;
    }
    std::cout << plait::explain(from) << notations(from);
    if (options.to.empty()) return;
    const plait::distribution to = read_distribution(options.to, extents);
    std::cout << '\n' << plait::explain(to) << notations(to) << '\n';
    std::cout << plait::explain(from, to, read_type(options.type));
}

}  // namespace tool
