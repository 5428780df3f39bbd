#include "explain_words.hpp"

#include <plait/algebra/same_memory.hpp>

namespace tool {

std::string describe_copy(const plait::layout& from, const plait::layout& to, bool converts) {
    const bool same_order = plait::same_memory(from, to);
    if (same_order && !converts)
        return from.is_dense() ? "a copy byte for byte, in the same order: what memcpy does"
                               : "a copy in the same order, byte for byte but for the gaps";
    if (same_order) return "a copy in the same order, each element converted";
    const std::string order = std::string("a copy into another order") + (converts ? ", each element converted" : "");
    return to.is_padded() ? order + "; padding to " + plait::to_string(to.padded_dims) + " is written as zeros" : order;
}

std::string describe_names(const named_layout& from, const named_layout& to) {
    if (from.tag.empty() || to.tag.empty()) return "";
    const int ndims = from.layout.ndims();
    const std::string ours = letters_of(from.tag, ndims), theirs = letters_of(to.tag, ndims);
    // Abstract letters number the axes, they do not name them.
    const std::string abstract = letters_of("", ndims);
    if (ours == theirs || ours == abstract || theirs == abstract) return "";
    std::string pairs;
    for (std::size_t a = 0; a < ours.size(); ++a)
        if (ours[a] != theirs[a])
            pairs += (pairs.empty() ? "axis " : ", axis ") + std::to_string(a) + " is " + ours[a] + " in " + from.tag +
                     " and " + theirs[a] + " in " + to.tag;
    return "the second names the axes differently: " + pairs + "; axes are paired by their number, not by their letter";
}

std::string legend() {
    static constexpr const char* entries[][2] = {
        {"reorder",
         "type, format and dims that are read, then those that are written; the instruction set of the plan"},
        {"copy", "whether elements keep their order, change their type, or both"},
        {"names", "where the two formats call the same axis by different letters"},
        {"memory", "how many elements move, and the bytes read, and written with padding"},
        {"stores", "whether they go past the cache, straight to memory, and why not"},
        {"loops",
         "outermost first: how often, and the step in elements on both sides; the tile is what is inside them"},
        {"bounds", "x, y, ...: axes whose end is inside a tile; places behind the elements are written as zeros"},
        {"staging", "loops that fill a small buffer first, so that the destination is written in whole cache lines"},
        {"tile", "the elements that one pass of the innermost code moves, all in registers at once"},
        {"bit", "element i of the tile has binary digits, bit 0 the lowest: what a step of each means on both sides"},
        {"lane", "the place of one element in a register"},
        {"load", "reads of neighbouring elements; a register may take several"},
        {"network", "the shuffles between load and store: which bits count lanes, which registers, after each"},
        {"table", "where lanes are no power of two: '2.3' is lane 3 of register 2"},
        {"store", "writes of neighbouring elements"},
        {"cost", "the instructions of one tile, and how many that is for each element"},
    };
    std::string out;
    for (const auto& entry : entries) out += line(entry[0], entry[1]) + '\n';
    return out;
}

}  // namespace tool
