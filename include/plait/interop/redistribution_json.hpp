#pragma once
// A plan of redistribution as JSON, for programs that move the bytes by other means: any transport, any language.

// As in plait.hpp: GCC looks up names of constructors and lambdas in the global namespace too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <plait/core/element_types.hpp>
#include <plait/distribution/plan_redistribution.hpp>
#include <plait/interop/json_text.hpp>
#include <plait/support/number_hash.hpp>

#include <cstdint>
#include <string>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns a number that tells distributions apart: equal for those that put each element on the same ranks and at the
/// same places. It is the same in every run and on every machine; it may change between versions of plait.
///
/// Pre:     check_distribution(d).ok()
/// Post:    distributions with the same ranks and places for all elements have the same digest
/// Cost:    linear in the digits and in the copies of an element
/// Source:  plait's own
/// Example: digest_of(from) is "digest" of "from" in redistribution_json(from, to, type)
[[nodiscard]] constexpr std::uint64_t digest_of(const distribution& d) {
    detail::number_hash hash;
    const detail::rank_sums sums(d);
    hash.add(d.ndims());
    for (int a = 0; a < d.ndims(); ++a) {
        hash.add(d.dims()[a]);
        hash.add(sums.digits.axes[a].digits.size());
        for (const auto& one : sums.digits.axes[a].digits) {
            hash.add(one.extent);
            hash.add(one.rank);
            hash.add(one.place);
        }
    }
    hash.add(d.ranks.offset0);
    hash.add(d.local.offset0);
    for (const dim_t copy : sums.copies) hash.add(copy);
    return hash.value();
}

namespace detail {
inline std::string json_side(const distribution& d, data_type type) {
    const auto span = static_cast<dim_t>(d.local.element_span());
    const dim_t places = span == 0 ? 0 : span + d.local.span_begin();
    return "{\"digest\": \"" + json_digest(digest_of(d)) + "\", \"type\": \"" + to_string(type) +
           "\", \"dims\": " + json_list(d.dims()) + ", \"ranks\": " + std::to_string(d.mesh.volume()) +
           ", \"places\": " + std::to_string(places) + "}";
}
inline std::string json_parts(const redistribution_plan& plan, const rank_message& message) {
    std::string out;
    plan.for_each_part(message, [&](const message_part& part) {
        out += (out.empty() ? "" : ",") + std::string("\n      {\"dims\": ") + json_list(part.sent.dims) +
               ", \"from\": " + json_place(part.sent.offset0, part.sent.strides()) +
               ", \"to\": " + json_place(part.received.offset0, part.received.strides()) + "}";
    });
    return out;
}
}  // namespace detail

/// Returns the whole plan of a redistribution as JSON: which elements go from the memory of which rank to that of which
/// other, or stay on their rank. A program without plait can execute it.
///
/// - "plait_redistribution": 1, the version of what follows
/// - "from", "to": of each side "digest" (digest_of, 16 hexadecimal digits), "type", "dims", "ranks", and "places": how
///   many elements the memory of a rank has room for
/// - "moves": of each pair of ranks "from", "to", "elements" and "parts"; each part is a loop nest: "dims", and for the
///   memory of the rank on each side "offset" and "strides", in elements
///
/// Refused: as check_plan_redistribution, check_descriptor of types
/// Pre:     none
/// Post:    the parts together write each element of each rank of `to` once
/// Cost:    the plans of all ranks; allocates
/// Source:  the manifests of Mooncake's resharding
/// Example: docs/distributed.md
[[nodiscard]] inline expected<std::string> try_redistribution_json(const distribution& from, const distribution& to,
                                                                   data_type from_type, data_type to_type) {
    if (const verdict why = check_plan_redistribution(from, to); !why.ok()) return why;
    for (const data_type type : {from_type, to_type})
        if (size_in_bits(type) <= 0) return verdict{reason::data_type_is_unknown, -1, static_cast<dim_t>(type), 0};
    std::string moves;
    for (dim_t rank = 0; rank < to.mesh.volume(); ++rank) {
        const redistribution_plan plan = plan_redistribution(from, to, rank);
        const auto add = [&](const rank_message& message, dim_t sender) {
            if (message.elements == 0) return;
            moves += (moves.empty() ? "" : ",") + std::string("\n    {\"from\": ") + std::to_string(sender) +
                     ", \"to\": " + std::to_string(rank) + ", \"elements\": " + std::to_string(message.elements) +
                     ", \"parts\": [" + detail::json_parts(plan, message) + "]}";
        };
        add(plan.kept, rank);
        for (const rank_message& message : plan.receives) add(message, message.peer);
    }
    return "{\n  \"plait_redistribution\": 1,\n  \"from\": " + detail::json_side(from, from_type) +
           ",\n  \"to\": " + detail::json_side(to, to_type) + ",\n  \"moves\": [" + moves + "]\n}\n";
}
/// Returns the plan as JSON, as try_redistribution_json does. A rejection is thrown.
///
/// Pre:     as try_redistribution_json
/// Post:    as try_redistribution_json
/// Cost:    that of try_redistribution_json
/// Source:  plait's own
/// Example: redistribution_json(cyclic, rows, data_type::f32)
[[nodiscard]] inline std::string redistribution_json(const distribution& from, const distribution& to, data_type type) {
    return try_redistribution_json(from, to, type, type).value();
}

}  // namespace plait

#pragma GCC diagnostic pop
