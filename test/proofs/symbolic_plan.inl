// Plans with symbolic numbers. Included by the text that symbolic_engine.py makes.

inline constexpr int max_nodes = 8, max_loops = 16, max_bounds = 6;

struct element_sizes {
    int src = 1, dst = 1, work = 1;
};
struct tile_pattern {
    inline_list<int, 12> bounds;
};
struct reorder_plan {
    number src_offset, dst_offset, src_end, elements;
    element_sizes sizes;
    tile_pattern pattern;
    inline_list<tile_bit, 12> bits;
    tile_bit interleaved;
    inline_list<plan_loop, max_loops + 2> loops;
    uneven_step_list uneven_steps;
    int staged_from = -1;
    int staged_run = 0;
    inline_list<plan_bound, max_bounds> bounds;

    /// How large a tensor is decides whether tiles may overlap: both are tried, because streaming_bytes is 1 here.
    number bytes_moved() const { return the_search().any_number(2); }
};
struct node_bit {
    int node = 0, bit = 0;
};
struct tile_choice {
    tile_pattern pattern;
    inline_list<node_bit, 12> bits;
    int taken[max_nodes] = {};
    int interleaved = -1;
};
struct nodes_of_axes {
    inline_list<reorder_node, max_nodes> nodes;
    inline_list<axis_bound, max_nodes> bounds;
    number src_offset, dst_offset, src_end;
    uneven_step_list uneven_steps;
    int half_bytes = -1;
};
