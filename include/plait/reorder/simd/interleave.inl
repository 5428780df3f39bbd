// Tiles of a few elements that alternate in memory on one side, as RGB does. Read in the same way as tile.inl.

#include <plait/reorder/simd/limits.inl>

/// One tile; `Elements` loads and stores, and Left has it as `how` where it is not empty.
template <class Path, tile_pattern Pattern, int Limits, class Elements = access<Path, Pattern.lanes()>,
          class Left = remaining<Limits>>
struct interleave_tile {
    using elements = Elements;
    using reg = typename elements::reg;
    using whole_register = vector<Pattern.lanes() * elements::work_bytes>;
    using left = Left;
    static constexpr int count = Pattern.interleave;
    static constexpr int piece = 16 / elements::work_bytes;  // lanes that are dealt out together
    static constexpr bool deals = Pattern.interleaves_source;
    using every_register = indices<count>;

    struct places {
        dim_t step_src, step_dst;  ///< from one of those that alternate to the next, in bytes
        dim_t lane_src, lane_dst;
        dim_t weight;
        constexpr explicit places(const reorder_plan& plan)
            : step_src(plan.interleaved.src * plan.sizes.src),
              step_dst(plan.interleaved.dst * plan.sizes.dst),
              lane_src(plan.bits[0].src * plan.sizes.src),
              lane_dst(plan.bits[0].dst * plan.sizes.dst),
              weight(plan.bits[0].weight) {}
    };
    static constexpr places find_places(const reorder_plan& plan, bool) { return places(plan); }

    /// The register numbered `number` of a run, in which each 128-bit part has `count` pieces in a row.
    template <int Lanes>
    [[gnu::always_inline]] static inline auto load_run(const elements& how, const std::byte* src, int number) {
        if constexpr (Lanes == piece)
            return how.template load<Lanes>(src + number * piece * static_cast<int>(sizeof(from)));
        else
            return vector<Lanes * elements::work_bytes>::join(
                load_run<Lanes / 2>(how, src, number),
                load_run<Lanes / 2>(how, src + Lanes / 2 * count * static_cast<int>(sizeof(from)), number));
    }
    template <int Lanes, bool Stream, class Register>
    [[gnu::always_inline]] static inline void store_run(const elements& how, std::byte* dst, int number,
                                                        Register value) {
        if constexpr (Lanes == piece)
            how.template store<Lanes, Stream>(dst + number * piece * static_cast<int>(sizeof(to)), value);
        else {
            using whole = vector<Lanes * elements::work_bytes>;
            store_run<Lanes / 2, Stream>(how, dst, number, whole::template half<false>(value));
            store_run<Lanes / 2, Stream>(how, dst + Lanes / 2 * count * static_cast<int>(sizeof(to)), number,
                                         whole::template half<true>(value));
        }
    }

    template <int To, int From>
    [[gnu::always_inline]] static inline void gather_one(reg& sum, reg value) {
        static constexpr byte_table table = make_byte_table(count, elements::work_bytes, To, From, deals);
        if constexpr (table.any) sum = whole_register::bit_or(sum, whole_register::pick_bytes(value, table.from));
    }
    template <int To, int... From>
    [[gnu::always_inline]] static inline reg gather(const reg (&r)[count], std::integer_sequence<int, From...>) {
        reg sum{};
        (gather_one<To, From>(sum, r[From]), ...);
        return sum;
    }

    template <bool Stream, int... R>
    [[gnu::always_inline]] static inline void move(const elements& how, const places& at, const std::byte* src,
                                                   std::byte* dst, std::integer_sequence<int, R...>) {
        constexpr int lanes = Pattern.lanes();
        reg r[count];
        if constexpr (deals) {
            ((r[R] = load_run<lanes>(how, src, R)), ...);
            (how.template store<lanes, Stream>(dst + R * at.step_dst, gather<R>(r, every_register{})), ...);
        } else {
            ((r[R] = how.template load<lanes>(src + R * at.step_src)), ...);
            (store_run<lanes, Stream>(how, dst, R, gather<R>(r, every_register{})), ...);
        }
    }

    /// A tile that passes the end of an axis, element by element: at most one in a row.
    [[gnu::noinline]] static void move_part(const reorder_plan& plan, const places& at, const std::byte* src,
                                            std::byte* dst, const left& rest) noexcept {
        const auto how = elements_of(rest).one();
        const int along = plan.pattern.limits[0];  // an open pattern has none
        for (int lane = 0; lane < Pattern.lanes(); ++lane) {
            bool valid = true, stored = true;
            for (int x = 0; x < plan.limits.size(); ++x) {
                const dim_t index = x == along ? lane * at.weight : 0;
                valid = valid && index < rest.valid[x];
                stored = stored && index < rest.stored[x];
            }
            for (int c = 0; stored && c < count; ++c) {
                std::byte* const to_here = dst + lane * at.lane_dst + c * at.step_dst;
                if (valid)
                    how.template store<1, false>(to_here,
                                                 how.template load<1>(src + lane * at.lane_src + c * at.step_src));
                else std::memset(to_here, 0, sizeof(to));
            }
        }
    }

    template <bool Settled, bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const places& at, const std::byte* src,
                                                  std::byte* dst, const left& rest) {
        constexpr bool never[Limits > 0 ? Limits : 1]{};
        if (rest.whole(plan, never, indices<Limits>{})) move<Stream>(elements_of(rest), at, src, dst, every_register{});
        else if (rest.any(indices<Limits>{})) move_part(plan, at, src, dst, rest);
    }

private:
    [[gnu::always_inline]] static inline elements elements_of(const left& rest) {
        if constexpr (requires { rest.how; }) return rest.how;
        else return {};
    }
    using from = typename Path::from;
    using to = typename Path::to;
};
