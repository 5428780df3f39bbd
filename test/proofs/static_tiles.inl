// The code of static tiles. Read once in the namespace and target region of each instruction set.

namespace {

/// Moves a tile: whole, or what its bounds leave.
template <int ElementBytes, tile_pattern Pattern, class Tile>
struct compiled_tile {
    [[gnu::noinline]] static void move(const reorder_plan& plan, const remaining_extents<>& remaining, bool streams,
                                       const std::byte* src, std::byte* dst) {
        const typename Tile::offset_table offsets = Tile::find_offsets(plan, false);
        typename Tile::remaining_type state(typename Tile::elements{});
        for (int x = 0; x < listed_tiles::static_bounds; ++x) {
            state.valid[x] = remaining.valid[x];
            state.stored[x] = remaining.stored[x];
        }
        state.src_end = remaining.src_end;
        if (streams) Tile::template run<false, true>(plan, offsets, src, dst, state);
        else Tile::template run<false, false>(plan, offsets, src, dst, state);
    }
};

template <int ElementBytes>
struct compiled_tiles {
    using patterns = listed_tiles::compiled_patterns<this_isa, ElementBytes>;
    using types = moved_elements<ElementBytes>;

    template <std::size_t K>
    static constexpr listed_tiles::static_tile tile_at() {
        constexpr tile_pattern pattern = patterns::all[K].pattern;
        return {patterns::all[K].shape, pattern,
                &compiled_tile<ElementBytes, pattern, tile<types, pattern, listed_tiles::static_bounds>>::move};
    }
    template <std::size_t... K>
    static constexpr std::array<listed_tiles::static_tile, sizeof...(K)> every_tile(std::index_sequence<K...>) {
        return {tile_at<K>()...};
    }
    static constexpr auto tiles = every_tile(std::make_index_sequence<static_cast<std::size_t>(patterns::count)>{});

    // Interleaves, of each size of registers.
    static constexpr tile_pattern interleave_of(int lane_bits, int count, bool deals) {
        tile_pattern out;
        out.lane_bits = lane_bits;
        out.interleave = count;
        out.interleaves_source = deals;
        for (int lane = 0; lane < lane_bits; ++lane) out.dst_lanes.push_back(lane), out.bounds.push_back(0);
        return out;
    }
    static constexpr int narrowest = log2_of(16 / ElementBytes),
                         sizes = log2_of(vector_bytes(this_isa) / ElementBytes) - narrowest + 1;
    static constexpr int counts[] = {3, 5, 6, 7, 9};
    template <int K>
    static constexpr listed_tiles::static_interleave interleave_at() {
        constexpr int lane_bits = narrowest + K / 10, count = counts[K / 2 % 5];
        constexpr bool deals = K % 2 != 0;
        if constexpr (listed_tiles::is_listed_interleave(network_kind::constant, this_isa, ElementBytes, lane_bits,
                                                         count)) {
            constexpr tile_pattern pattern = interleave_of(lane_bits, count, deals);
            using interleave = interleave_tile<types, pattern, listed_tiles::static_bounds>;
            return {ElementBytes, lane_bits, count, deals, &compiled_tile<ElementBytes, pattern, interleave>::move};
        } else {
            return {};
        }
    }
    template <int... K>
    static constexpr std::array<listed_tiles::static_interleave, sizeof...(K)> every_interleave(
        std::integer_sequence<int, K...>) {
        return {interleave_at<K>()...};
    }
    static constexpr auto interleaves = every_interleave(indices<sizes * 10>{});

    // The shuffles of networks.
    template <int LaneBits, int Rule>
    [[gnu::noinline]] static void shuffle(std::byte* low, std::byte* high) {
        constexpr int bytes = ElementBytes << LaneBits;
        constexpr shuffle_rule rule = rules_of(this_isa, ElementBytes, LaneBits)[Rule];
        bits<bytes> a = vector<bytes>::load(low), b = vector<bytes>::load(high);
        access<types, (1 << LaneBits)>::template shuffle<rule>(a, b);
        vector<bytes>::store(low, a);
        vector<bytes>::store(high, b);
    }
    static constexpr int most_rules = 6;
    template <int K>
    static constexpr listed_tiles::static_shuffle shuffle_at() {
        constexpr int lane_bits = narrowest + K / most_rules, rule = K % most_rules;
        constexpr shuffle_rules all = rules_of(this_isa, ElementBytes, lane_bits);
        if constexpr (rule < all.size()) return {ElementBytes, lane_bits, all[rule], &shuffle<lane_bits, rule>};
        else return {};
    }
    template <int... K>
    static constexpr std::array<listed_tiles::static_shuffle, sizeof...(K)> every_shuffle(
        std::integer_sequence<int, K...>) {
        static_assert(rules_of(this_isa, 1, max_lane_bits).size() <= most_rules);
        return {shuffle_at<K>()...};
    }
    static constexpr auto shuffles = every_shuffle(indices<sizes * most_rules>{});

    static constexpr listed_tiles::static_code code{tiles, interleaves, shuffles};
};

}  // namespace
