// Redistributions whose ranks have their memories in this process, or in files.
#include <plait/interop/local_redistribution.hpp>
#include <plait/interop/rank_files.hpp>
#include <plait/interop/redistribution_json.hpp>

#include "distribution/random_distributions.hpp"
#include "support/executors.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace test_interop_rank_memories { namespace {

using namespace plait;
using namespace ranks_test;
using reads = std::vector<std::span<const std::byte>>;
using writes = std::vector<std::span<std::byte>>;

reads read_all(const std::vector<std::vector<dim_t>>& memory, dim_t ranks) {
    reads out;
    for (dim_t r = 0; r < ranks; ++r) out.push_back(std::as_bytes(std::span(memory[static_cast<std::size_t>(r)])));
    return out;
}
writes write_all(std::vector<std::vector<dim_t>>& memory, dim_t ranks) {
    writes out;
    for (dim_t r = 0; r < ranks; ++r)
        out.push_back(std::as_writable_bytes(std::span(memory[static_cast<std::size_t>(r)])));
    return out;
}

TEST_CASE("local redistribution: random pairs of distributions, each element where brute force says") {
    random_source random(49);
    for (int pairs = 0; pairs < 400; ++pairs) {
        const int n = static_cast<int>(random.number(1, 4));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.number(0, n == 1 ? 400 : n == 2 ? 30 : 7));
        const distribution from = random_distribution(random, extents, 8), to = random_distribution(random, extents, 8);
        rank_memory before(from, from.mesh.volume()), after(to, to.mesh.volume()), wanted(to, to.mesh.volume());
        fill(before, from);
        fill(wanted, to);
        const local_redistribution move =  // f64 stands for eight bytes of any kind
            make_local_redistribution(data_type::f64, from, data_type::f64, to).value();
        move(read_all(before.of, from.mesh.volume()), write_all(after.of, to.mesh.volume()));
        CHECK(after.of == wanted.of);
    }
}

TEST_CASE("local redistribution: threads write the same bytes") {
    const distribution rows = sharded(dims{900, 1300}, mesh{3}, {shard(0, 0)});
    const distribution columns = block_cyclic(dims{900, 1300}, dims{64, 48}, mesh{2, 2}, "ba");
    rank_memory before(rows, 3), after(columns, 4), wanted(columns, 4);
    fill(before, rows);
    fill(wanted, columns);
    const local_redistribution move = make_local_redistribution(data_type::f64, rows, data_type::f64, columns).value();
    move(plait_test::new_threads{3}, read_all(before.of, 3), write_all(after.of, 4));
    CHECK(after.of == wanted.of);
}

TEST_CASE("local redistribution: elements are converted, with values by index") {
    const distribution from = block_cyclic(dims{30, 20}, dims{8, 4}, mesh{2, 2});
    const distribution to = sharded(dims{30, 20}, mesh{3}, {shard(1, 0)});
    std::vector<float> scales(20);
    for (std::size_t k = 0; k < 20; ++k) scales[k] = 0.25f * static_cast<float>(k + 1);
    const reorder_attributes attributes{.src_scale = {std::span<const float>(scales), 2}, .dst_zero_point = 3};
    const auto places = [](const distribution& d) { return d.local.element_span(); };
    std::vector<std::vector<float>> in(4, std::vector<float>(places(from), 0));
    std::vector<std::vector<std::int8_t>> out(3, std::vector<std::int8_t>(places(to), 99)), wanted = out;
    for (dim_t i = 0; i < 30; ++i)
        for (dim_t j = 0; j < 20; ++j) {
            const auto value = static_cast<float>(i * 3 - j * 2);
            in[static_cast<std::size_t>(from.rank_of(i, j))][static_cast<std::size_t>(from.local.offset(i, j))] = value;
            const float scaled = std::nearbyint(value * scales[static_cast<std::size_t>(j)] + 3);
            wanted[static_cast<std::size_t>(to.rank_of(i, j))][static_cast<std::size_t>(to.local.offset(i, j))] =
                static_cast<std::int8_t>(scaled < -128  ? -128.0f
                                         : scaled > 127 ? 127.0f
                                                        : scaled);
        }
    const local_redistribution move =
        make_local_redistribution(data_type::f32, from, data_type::s8, to, attributes).value();
    reads read;
    for (const auto& memory : in) read.push_back(std::as_bytes(std::span(memory)));
    writes written;
    for (auto& memory : out) written.push_back(std::as_writable_bytes(std::span(memory)));
    move(plait_test::new_threads{3}, read, written);
    CHECK(out == wanted);
}

TEST_CASE("local redistribution: what is refused, and nothing is written") {
    const distribution from = sharded(dims{6, 4}, mesh{2}, {shard(0, 0)}),
                       to = sharded(dims{6, 4}, mesh{4}, {shard(1, 0)});
    rank_memory before(from, 2), after(to, 4);
    fill(before, from);
    const local_redistribution move = make_local_redistribution(data_type::f64, from, data_type::f64, to).value();
    const reads in = read_all(before.of, 2);
    const writes out = write_all(after.of, 4);
    const auto why = [&](const reads& read, const writes& written) { return move.attempt(read, written).error(); };
    CHECK(why({in[0]}, out) == verdict{reason::rank_memories_differ, -1, 2, 1, 1});
    CHECK(why(in, {out[0], out[1], out[2], out[3], out[0]}) == verdict{reason::rank_memories_differ, -1, 4, 5, 2});
    CHECK(why({in[0], in[1].first(12 * 8 - 3)}, out) == verdict{reason::rank_memory_is_too_small, -1, 1, 3, 1});
    CHECK(why(in, {out[0], out[1], out[2].first(1), out[3]}) ==
          verdict{reason::rank_memory_is_too_small, -1, 2, 47, 2});
    CHECK(why(in, {out[0], out[1], out[0], out[3]}).reason == reason::spans_overlap);
    std::vector<std::byte> one(1000);
    const auto part = [&](std::size_t at, std::size_t bytes) { return std::span(one).subspan(at, bytes); };
    CHECK(why({part(0, 96), part(0, 96)}, {part(96, 48), part(144, 48), part(192, 48), part(240, 48)}).ok());
    CHECK(why({part(0, 97), part(0, 96)}, {part(96, 48), part(144, 48), part(192, 48), part(240, 48)}).reason ==
          reason::spans_overlap);
    CHECK(why({part(0, 96), part(300, 96)}, {part(96, 48), part(143, 48), part(192, 48), part(240, 48)}).reason ==
          reason::spans_overlap);
    for (const auto& memory : after.of)
        for (const dim_t place : memory) CHECK(place == -1);
    CHECK(local_redistribution().attempt({}, {}).error().reason == reason::reorder_is_not_planned);
    CHECK(make_local_redistribution(data_type::u4, from, data_type::u4, to).error().reason ==
          reason::data_type_is_unknown);
    const distribution other = sharded(dims{6, 5}, mesh{4}, {shard(1, 0)});
    CHECK(make_local_redistribution(data_type::f64, from, data_type::f64, other).error() ==
          check_plan_redistribution(from, other));
    CHECK(std::string(describe({reason::rank_memory_is_too_small, -1, 2, 47, 2}).c_str()) ==
          "rank_memory_is_too_small: the memory of rank 2 of the destination has 47 bytes less than its part needs");
}

// ---- Files ----

struct folder {
    std::string path;
    folder() {
        char name[] = "/tmp/plait-ranks-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~folder() {
        for (const std::string& file : files) std::remove(file.c_str());
        ::rmdir(path.c_str());
    }
    std::string operator()(const std::string& name) {
        files.push_back(path + "/" + name);
        return files.back();
    }
    std::vector<std::string> files;
};
void write(const std::string& path, const std::vector<dim_t>& numbers) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    std::fwrite(numbers.data(), sizeof(dim_t), numbers.size(), file);
    std::fclose(file);
}
std::vector<dim_t> read(const std::string& path) {
    std::vector<dim_t> out(10000);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return {};
    out.resize(std::fread(out.data(), sizeof(dim_t), out.size(), file));
    std::fclose(file);
    return out;
}

TEST_CASE("rank files: the bytes of a redistribution in memory; what is refused makes no file") {
    folder in_folder;
    const distribution from = block_cyclic(dims{50, 40}, dims{8, 8}, mesh{2, 1}),
                       to = sharded(dims{50, 40}, mesh{3}, {shard(1, 0)});
    rank_memory before(from, 2), wanted(to, 3);
    fill(before, from);
    fill(wanted, to);
    std::vector<std::string> in, out;
    for (int rank = 0; rank < 2; ++rank) {
        in.push_back(in_folder("in" + std::to_string(rank)));
        write(in.back(), before.of[static_cast<std::size_t>(rank)]);
    }
    for (int rank = 0; rank < 3; ++rank) out.push_back(in_folder("out" + std::to_string(rank)));
    const local_redistribution move = make_local_redistribution(data_type::f64, from, data_type::f64, to).value();
    const auto why = [&](const std::vector<std::string>& a, const std::vector<std::string>& b) {
        return try_redistribute_files(move, a, b).error();
    };
    CHECK(why({in[0]}, out) == verdict{reason::rank_memories_differ, -1, 2, 1, 1});
    CHECK(why(in, {out[0]}) == verdict{reason::rank_memories_differ, -1, 3, 1, 2});
    CHECK(why({in[0], in_folder("absent")}, out) == verdict{reason::rank_file_refuses, -1, 1, ENOENT});
    CHECK(why({in[0], in_folder.path}, out) == verdict{reason::rank_file_refuses, -1, 1, EINVAL});
    const std::string small = in_folder("small");
    write(small, {1, 2, 3});
    CHECK(why({small, in[1]}, out).reason == reason::rank_memory_is_too_small);
    for (const std::string& path : out) CHECK(read(path).empty());
    CHECK(why(in, {out[0], in_folder.path + "/no/file", out[2]}) == verdict{reason::rank_file_refuses, -1, 3, ENOENT});
    CHECK(why(in, {out[0], in[1], out[2]}).reason == reason::spans_overlap);
    CHECK(why(in, {out[0], out[0], out[2]}).reason == reason::spans_overlap);
    CHECK(read(in[1]) == before.of[1]);
    // A file that is too long keeps its end.
    std::vector<dim_t> longer = wanted.of[1];
    longer.push_back(77);
    write(out[1], std::vector<dim_t>(longer.size() - 1, 5));
    std::FILE* file = std::fopen(out[1].c_str(), "ab");
    std::fwrite(&longer.back(), sizeof(dim_t), 1, file);
    std::fclose(file);
    CHECK(why(in, out).ok());
    // Places without elements, of the last rank, are zero in a file that was made.
    for (dim_t& place : wanted.of[2])
        if (place == -1) place = 0;
    CHECK(read(out[0]) == wanted.of[0]);
    CHECK(read(out[1]) == longer);
    CHECK(read(out[2]) == wanted.of[2]);
    for (const std::string& path : in) CHECK(!read(path).empty());
}

TEST_CASE("digest_of: equal exactly if the elements are at the same places of the same ranks") {
    random_source random(50);
    const auto places = [](const distribution& d) {
        std::vector<dim_t> out;
        for (dim_t n = 0; n < volume(d.dims()); ++n) {
            const position at = position_of_number(d.dims(), n);
            out.push_back(d.ranks.offset(at));
            out.push_back(d.local.offset(at));
        }
        for (const dim_t copy : brute_copies(d)) out.push_back(copy);
        return out;
    };
    int same = 0;
    for (int pairs = 0; pairs < 3000; ++pairs) {
        const dims extents{random.number(2, 3), random.number(2, 3)};
        const distribution a = random_distribution(random, extents, 4), b = random_distribution(random, extents, 4);
        if (digest_of(a) == digest_of(b)) CHECK(places(a) == places(b));
        if (a == b) CHECK(digest_of(a) == digest_of(b));
        same += digest_of(a) == digest_of(b);
    }
    CHECK(same > 30);
    // Blocks as large as the part of a rank are the part.
    const distribution dealt = block_cyclic(dims{8, 6}, dims{4, 6}, mesh{2, 1}),
                       cut = sharded(dims{8, 6}, mesh{2, 1}, {shard(0, 0)});
    CHECK(digest_of(dealt) == digest_of(cut));
}

TEST_CASE("redistribution_json: what it has of a small move") {
    const distribution from = sharded(dims{4}, mesh{2}, {shard(0, 0)}), to = sharded(dims{4}, mesh{1}, {});
    const std::string text = redistribution_json(from, to, data_type::f32);
    for (const char* part :
         {"\"plait_redistribution\": 1,", "\"type\": \"f32\", \"dims\": [4], \"ranks\": 2, \"places\": 2}",
          "{\"from\": 0, \"to\": 0, \"elements\": 2, \"parts\": [",
          "{\"from\": 1, \"to\": 0, \"elements\": 2, \"parts\": [",
          "{\"dims\": [2], \"from\": {\"offset\": 0, \"strides\": [1]}, \"to\": {\"offset\": 2, \"strides\": [1]}}"})
        CHECK(text.find(part) != std::string::npos);
    CHECK(try_redistribution_json(from, sharded(dims{5}, mesh{1}, {}), data_type::f32, data_type::f32).error().reason ==
          reason::dims_differ);
    CHECK(try_redistribution_json(from, to, data_type::undef, data_type::f32).error().reason ==
          reason::data_type_is_unknown);
}

}}  // namespace test_interop_rank_memories
