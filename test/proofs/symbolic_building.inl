// What building a plan needs. Included by the text that symbolic_engine.py makes.

inline const number streaming_bytes = 1;
inline number stored_elements(const refinement&) { return 0; }
/// The bits of a tile are the lowest ones of a node here, whose steps rise.
inline bool masks_can_bound(const reorder_plan&, int) { return true; }
template <int Count>
using indices = std::make_integer_sequence<int, Count>;
