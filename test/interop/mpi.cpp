// Run by mpirun on 1 to 4 ranks: all of them run the same cases in the same order.
#define DOCTEST_CONFIG_IMPLEMENT
#include <plait/interop/mpi.hpp>
#include <plait/plait.hpp>

#include "distribution/random_distributions.hpp"
#include "support/executors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace test_interop_mpi {

using namespace plait;
using namespace ranks_test;

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}
int ranks_of_world() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

/// Calls visit(number of an element, place) for each element that this rank has.
template <class Visit>
void for_each_mine(const distribution& d, Visit visit) {
    const std::vector<dim_t> copies = brute_copies(d);
    for (dim_t n = 0; n < volume(d.dims()); ++n) {
        const position at = position_of_number(d.dims(), n);
        for (const dim_t copy : copies)
            if (d.ranks.offset(at) + copy == rank_of_world()) visit(n, static_cast<std::size_t>(d.local.offset(at)));
    }
}
template <class T>
std::vector<T> memory_of(const distribution& d, T value) {
    return std::vector<T>(static_cast<std::size_t>(d.local.offset0) + d.local.element_span(), value);
}

/// Moves numbers, also on threads, and compares every place of the destination.
template <class T, class U>
bool moves(data_type from_type, const distribution& from, data_type to_type, const distribution& to,
           const reorder_attributes& attributes = {}) {
    std::vector<T> in = memory_of<T>(from, T{7});
    std::vector<U> out = memory_of<U>(to, U{3}), wanted = out;
    const auto number = [](dim_t n) { return static_cast<T>(n % 251) - static_cast<T>(20); };
    for_each_mine(from, [&](dim_t n, std::size_t place) { in[place] = static_cast<T>(number(n)); });
    for_each_mine(to, [&](dim_t n, std::size_t place) {
        wanted[place] =
            convert_with<U>(static_cast<T>(number(n)), U{3},
                            detail::attributes_by_position(attributes, to.dims()).at(position_of_number(to.dims(), n)));
    });
    const redistribution move = make_redistribution(from_type, from, to_type, to, MPI_COMM_WORLD, attributes).value();
    move(in.data(), out.data());
    bool same = out == wanted;
    if (attributes.beta == 0) {
        move(in.data(), out.data());  // again, with the same plan
        same = same && out == wanted;
        std::fill(out.begin(), out.end(), U{3});
        move(plait_test::new_threads{}, in.data(), out.data());
        same = same && out == wanted;
        std::fill(out.begin(), out.end(), U{3});
        same = same && move.start(in.data(), out.data()).has_value();
        same = same && move.start(in.data(), out.data()).error().reason == reason::redistribution_is_running;
        same = same && move.wait().has_value() && move.wait().has_value();
        same = same && out == wanted;
    }
    return same;
}

TEST_CASE("mpi: random pairs of distributions") {
    random_source random(13);
    for (int pairs = 0; pairs < 300; ++pairs) {
        const int n = static_cast<int>(random.number(1, 4));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.number(1, n == 1 ? 500 : n == 2 ? 40 : 9));
        const distribution from = random_distribution(random, extents, ranks_of_world());
        const distribution to = random_distribution(random, extents, ranks_of_world());
        CHECK(moves<double, double>(data_type::f64, from, data_type::f64, to));
    }
}

TEST_CASE("mpi: messages of several parcels, dense and not") {
    const dim_t ranks = ranks_of_world();
    const distribution rows = sharded(dims{700, 1300}, mesh{ranks}, {shard(0, 0)});
    const distribution columns = sharded(dims{700, 1300}, mesh{ranks}, {shard(1, 0)}, "ba");
    const distribution all = sharded(dims{700, 1300}, mesh{ranks}, {});
    CHECK(moves<double, double>(data_type::f64, rows, data_type::f64, columns));
    CHECK(moves<double, double>(data_type::f64, rows, data_type::f64, all));
    CHECK(moves<float, float>(data_type::f32, columns, data_type::f32, rows));
    // What each rank has already is not sent.
    const redistribution none = make_redistribution(data_type::f32, all, columns, MPI_COMM_WORLD).value();
    CHECK(none.bytes_sent() == 0);
    CHECK(none.in_size_in_bytes() == 700 * 1300 * 4);
}

TEST_CASE("mpi: elements are converted, with attributes, before or after they are sent") {
    const dim_t ranks = ranks_of_world();
    const distribution from = block_cyclic(dims{90, 70}, dims{8, 8}, mesh{ranks, 1});
    const distribution to = sharded(dims{90, 70}, mesh{ranks}, {shard(1, 0)});
    CHECK(moves<float, double>(data_type::f32, from, data_type::f64, to));
    CHECK(moves<double, float>(data_type::f64, from, data_type::f32, to));
    CHECK(moves<float, std::int8_t>(data_type::f32, from, data_type::s8, to, {.src_scale = 0.3f, .dst_zero_point = 5}));
    CHECK(moves<std::int8_t, float>(data_type::s8, from, data_type::f32, to, {.src_scale = 0.3f, .src_zero_point = 5}));
    CHECK(moves<float, float>(data_type::f32, from, data_type::f32, to, {.src_scale = 2.0f, .beta = 0.5f}));
    CHECK(moves<float, std::int8_t>(data_type::f32, from, data_type::s8, to, {.beta = 1.0f}));
    const auto bytes = [&](data_type a, data_type b) {
        return make_redistribution(a, from, b, to, MPI_COMM_WORLD).value().bytes_sent();
    };
    CHECK(bytes(data_type::f64, data_type::s8) == bytes(data_type::u8, data_type::f32));
}

TEST_CASE("mpi: attributes with values by index") {
    random_source random(36);
    std::vector<float> scales(2000);
    std::vector<std::int32_t> zero_points(2000);
    for (std::size_t k = 0; k < scales.size(); ++k) {
        scales[k] = 0.25f * static_cast<float>(1 + k % 9);
        zero_points[k] = static_cast<std::int32_t>(k % 5);
    }
    for (int pairs = 0; pairs < 120; ++pairs) {
        const int n = static_cast<int>(random.number(1, 3));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.number(1, n == 1 ? 300 : n == 2 ? 40 : 9));
        const distribution from = random_distribution(random, extents, ranks_of_world());
        const distribution to = random_distribution(random, extents, ranks_of_world());
        const int mask = static_cast<int>(random.number(1, (1 << n) - 1));
        const auto count = static_cast<std::size_t>(mask_volume(extents, mask));
        const std::span<const float> some(scales.data(), count);
        const std::span<const std::int32_t> points(zero_points.data(), count);
        const reorder_attributes attributes{
            .src_scale = {some, mask}, .dst_scale = 2.0f, .dst_zero_point = {points, mask}};
        CHECK(moves<float, std::int8_t>(data_type::f32, from, data_type::s8, to, attributes));
        CHECK(moves<std::int8_t, float>(data_type::s8, from, data_type::f32, to, attributes));
        CHECK(moves<float, float>(data_type::f32, from, data_type::f32, to, {.dst_scale = {some, mask}, .beta = 0.5f}));
        // Values of another type.
        std::vector<bfloat16> small(count);
        for (std::size_t k = 0; k < count; ++k) small[k] = convert<bfloat16>(some[k]);
        CHECK(
            moves<float, float>(data_type::f32, from, data_type::f32, to, {.src_scale = values_by_mask(small, mask)}));
    }
}

TEST_CASE("mpi: refusals") {
    const dim_t ranks = ranks_of_world();
    const distribution from = sharded(dims{8, 12}, mesh{ranks}, {shard(0, 0)});
    const distribution to = sharded(dims{8, 12}, mesh{ranks}, {shard(1, 0)});
    const auto why = [&](data_type type, const distribution& a, const distribution& b,
                         const reorder_attributes& attributes = {}) {
        return make_redistribution(type, a, type, b, MPI_COMM_WORLD, attributes).error();
    };
    const std::vector<float> scales(12, 1.0f);
    const std::span<const float> eight(scales.data(), 8);
    CHECK(why(data_type::f32, from, to, {.src_scale = {scales, 2}, .dst_scale = {eight, 1}}) ==
          verdict{reason::mask_is_not_sent, -1, 1, 2});
    CHECK(why(data_type::f32, from, to, {.src_scale = {eight, 2}}).reason == reason::mask_has_other_values);
    CHECK(why(data_type::f32, from, to, {.src_scale = values_by_group(scales, {8, 12}, {8, 1})}).reason ==
          reason::mask_is_not_sent);
    CHECK(why(data_type::u4, from, to).reason == reason::data_type_is_unknown);  // elements that are not whole bytes
    CHECK(why(data_type::f32, from, to, {.dst_scale = 0.0f}).reason == reason::scale_is_invalid);
    CHECK(why(data_type::undef, from, to).reason == reason::data_type_is_unknown);
    CHECK(why(data_type::f32, from, sharded(dims{8, 7}, mesh{ranks}, {})) == verdict{reason::dims_differ, 1, 12, 7});
    const distribution many = sharded(dims{8, 12}, mesh{ranks + 1}, {shard(0, 0)});
    CHECK(why(data_type::f32, from, many) == verdict{reason::communicator_is_too_small, -1, ranks + 1, ranks});
    CHECK(make_redistribution(data_type::f32, from, to, MPI_COMM_NULL).error().reason == reason::mpi_refuses);
    if (ranks > 1) {
        // The last rank has another type, then another distribution, then another scale: all ranks refuse.
        const bool last = rank_of_world() == ranks - 1;
        const auto says = [&](const verdict& found, const std::string& what, const std::string& there,
                              const std::string& here) {
            CHECK(found.reason == reason::rank_arguments_differ);
            CHECK(found.first == ranks - 1);
            CHECK(std::string(describe(found).c_str()) ==
                  "rank_arguments_differ: " + what + " is " + there + " on rank " + std::to_string(ranks - 1) +
                      ", and " + here + " on rank 0, but all ranks must give the same arguments");
        };
        says(why(last ? data_type::s32 : data_type::f32, from, to), "the type of the source", "s32", "f32");
        const verdict ranks_differ = why(data_type::f32, from, last ? from : to);
        CHECK(ranks_differ.reason == reason::rank_arguments_differ);
        CHECK(ranks_differ.axis == static_cast<int>(rank_argument::to_ranks));
        says(why(data_type::f32, from, last ? sharded(dims{8, 13}, mesh{ranks}, {}) : to),
             "the number of axes, or an extent, of the destination", "13", "12");
        says(why(data_type::f32, from, to, {.src_scale = last ? 2.5f : 1.0f}), "a value of src_scale", "2.5", "1");
        says(why(data_type::f32, from, to, {.dst_scale = last ? 0.0f : 1.0f}), "a value of dst_scale", "0", "1");
        says(why(data_type::f32, from, to, {.src_zero_point = last ? -3 : 3}), "a value of src_zero_point", "-3", "3");
        says(why(data_type::f32, from, to, {.beta = last ? 0.25f : 0.0f}), "beta", "0.25", "0");
        // Arrays are compared value by value, also of other types; bits after the last packed value are none.
        std::vector<float> other(12, 1.0f);
        std::vector<std::int32_t> points(12, 7);
        for (std::size_t k = 0; k < 12; ++k) {
            other.assign(12, 1.0f);
            points.assign(12, 7);
            if (last) other[k] = 4, points[k] = 8;
            says(why(data_type::f32, from, to, {.src_scale = {other, 2}}), "a value of src_scale", "4", "1");
            says(why(data_type::f32, from, to, {.dst_scale = {other, 2}}), "a value of dst_scale", "4", "1");
            says(why(data_type::f32, from, to, {.dst_zero_point = {points, 2}}), "a value of dst_zero_point", "8", "7");
        }
        const std::vector<std::byte> nibbles = {std::byte{0x21}, std::byte{0x43}};
        const distribution odd = sharded(dims{3, ranks}, mesh{ranks}, {shard(1, 0)});
        std::vector<std::byte> same = nibbles;
        if (last) same[1] = std::byte{0xf3};
        CHECK(why(data_type::f32, odd, odd, {.src_zero_point = values_by_mask<u4>(same, 1)}).ok());
        if (last) same[1] = std::byte{0x44};
        says(why(data_type::f32, odd, odd, {.src_zero_point = values_by_mask<u4>(same, 1)}),
             "a value of src_zero_point", "4", "3");
        const std::vector<float> few(8, 1.0f);
        says(why(data_type::f32, from, to,
                 {.src_scale = last ? reorder_attributes::scale{few, 1} : reorder_attributes::scale{other, 2}}),
             "the mask of src_scale", "1", "2");
    }
    const redistribution move = make_redistribution(data_type::f32, from, to, MPI_COMM_WORLD).value();
    std::vector<float> in(96), out(96);
    if (ranks > 1) {
        // Values that change on one rank after the plan: no rank writes anything. When they are equal again, or have
        // changed on all ranks, the same plan moves.
        for (const bool by_scale : {true, false}) {
            std::vector<float> changing(12, 2.0f);
            std::vector<std::int32_t> points(8, 3);
            const reorder_attributes attributes = by_scale ? reorder_attributes{.src_scale = {changing, 2}}
                                                           : reorder_attributes{.dst_zero_point = {points, 1}};
            const redistribution scaled =
                make_redistribution(data_type::f32, from, data_type::f32, to, MPI_COMM_WORLD, attributes).value();
            CHECK(scaled.attempt(in.data(), out.data()).has_value());
            std::fill(out.begin(), out.end(), -1.0f);
            const bool last = rank_of_world() == ranks - 1;
            if (last) changing[11] = 5.0f, points[7] = 4;
            const verdict found = scaled.attempt(in.data(), out.data()).error();
            const rank_argument argument = by_scale ? rank_argument::src_scale : rank_argument::dst_zero_point;
            CHECK(found.reason == reason::rank_arguments_differ);
            CHECK(found.axis == static_cast<int>(argument));
            CHECK(found.first == ranks - 1);
            CHECK(std::string(describe(found).c_str()).find(by_scale ? "is 5 on rank" : "is 4 on rank") !=
                  std::string::npos);
            CHECK(std::count(out.begin(), out.end(), -1.0f) == 96);
            changing[11] = 5.0f, points[7] = 4;
            CHECK(scaled.attempt(in.data(), out.data()).has_value());
        }
    }
    // One rank may give a number as an array of one value.
    const float one_value = 2.0f;
    const reorder_attributes as_array{.src_scale = {std::span<const float>(&one_value, 1), 0}},
        as_number{.src_scale = 2.0f};
    CHECK(make_redistribution(data_type::f32, from, data_type::f32, to, MPI_COMM_WORLD,
                              rank_of_world() == 0 ? as_array : as_number)
              .value()
              .attempt(in.data(), out.data())
              .has_value());
    CHECK(move.attempt(nullptr, out.data()).error().reason == reason::buffer_is_null);
    CHECK(move.attempt(in.data(), nullptr).error().reason == reason::buffer_is_null);
    CHECK(move.attempt(in.data(), in.data()).error().reason == reason::spans_overlap);
    CHECK(move.attempt(in.data(), out.data()).has_value());
    CHECK(redistribution().attempt(in.data(), out.data()).error().reason == reason::reorder_is_not_planned);
}

TEST_CASE("mpi: a layout as a datatype: sent with one, received with another") {
    const int next = (rank_of_world() + 1) % ranks_of_world();
    const int before = (rank_of_world() + ranks_of_world() - 1) % ranks_of_world();
    const layout plain({2, 17, 3, 5}, "nchw"), blocked({2, 17, 3, 5}, "nChw8c"),
        backwards({2, 17, 3, 5}, {255, 15, 5, -1});
    for (const auto& [src, dst] :
         {std::pair{plain, blocked}, std::pair{blocked, plain}, std::pair{backwards, blocked}}) {
        const descriptor from(data_type::f32, src), to(data_type::f32, dst);
        std::vector<float> in(from.buffer_size_in_bytes() / 4), out(to.buffer_size_in_bytes() / 4, -1.0f), wanted = out;
        for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<float>(k);
        for (dim_t n = 0; n < src.volume(); ++n)
            wanted[static_cast<std::size_t>(dst.linear_offset(n))] = in[static_cast<std::size_t>(src.linear_offset(n))];
        MPI_Datatype sent = mpi_type(from).value(), received = mpi_type(to).value();
        MPI_Sendrecv(in.data(), 1, sent, next, 0, out.data(), 1, received, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        CHECK(out == wanted);
        int bytes = 0;
        MPI_Type_size(sent, &bytes);
        CHECK(bytes == 4 * src.volume());
        MPI_Type_free(&sent);
        MPI_Type_free(&received);
    }
    MPI_Datatype nothing = mpi_type({data_type::bf16, layout({0, 4}, "ab")}).value();
    int bytes = -1;
    MPI_Type_size(nothing, &bytes);
    CHECK(bytes == 0);
    MPI_Type_free(&nothing);
    // More elements than an int counts; the type alone is made.
    MPI_Datatype large = mpi_type({data_type::u8, layout({dim_t{5} << 30}, "a")}).value();
    MPI_Count size = 0;
    MPI_Type_size_x(large, &size);
    CHECK(size == dim_t{5} << 30);
    MPI_Type_free(&large);
    CHECK(mpi_type({data_type::f32, layout({dynamic}, "a")}).error().reason == reason::dim_is_dynamic);
    CHECK(mpi_type(descriptor()).error().reason == reason::layout_is_undefined);
    layout in_front({2, 5}, "aB8b");
    in_front.padded_offsets[1] = 3;
    CHECK(mpi_type({data_type::f32, in_front}).error() == verdict{reason::axis_is_padded, 1, 8, 5});
}

}  // namespace test_interop_mpi

int main(int argc, char** argv) {
    using namespace plait;
    const distribution one = sharded(dims{4}, mesh{1}, {});
    const verdict before = make_redistribution(data_type::f32, one, one, MPI_COMM_WORLD).error();
    const verdict type_before = mpi_type({data_type::f32, one.local}).error();
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    const int failed = doctest::Context(argc, argv).run();
    MPI_Finalize();
    const verdict after = make_redistribution(data_type::f32, one, one, MPI_COMM_WORLD).error();
    for (const verdict& why : {before, type_before, after})
        if (why.reason != reason::mpi_is_not_running) return 2;
    return failed;
}
