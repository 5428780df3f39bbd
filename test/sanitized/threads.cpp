// What threads share: planned reorders that try orders of loops, copies of plans, plans of repacks. ThreadSanitizer
// finds accesses without an order between them; the bytes are compared as well.
#include <plait/packed.hpp>
#include <plait/plait.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace {
using namespace plait;

/// Calls what(0) to what(count - 1), each on a thread of its own, which begin together.
template <class What>
void on_threads(int count, const What& what) {
    std::atomic<int> waiting = count;
    std::vector<std::thread> threads;
    for (int t = 0; t < count; ++t)
        threads.emplace_back([&, t] {
            for (--waiting; waiting > 0;) std::this_thread::yield();
            what(t);
        });
    for (std::thread& thread : threads) thread.join();
}

/// An executor with a thread for each chunk.
struct std_threads {
    int count = 3;
    int concurrency() const { return count; }
    template <class Chunk>
    void run(int chunks, Chunk&& chunk) const {
        on_threads(chunks, [&](int number) { chunk(number); });
    }
};

template <class T>
std::vector<T> numbered(std::size_t count) {
    std::vector<T> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<T>(i * 37 % 65521);
    return out;
}

// A little more than the 2 MB, read and written, from which a plan tries orders with its first calls.
const descriptor rows(data_type::f32, layout({520, 520}, "ab")), columns(data_type::f32, layout({520, 520}, "ba"));

std::vector<float> transposed(const std::vector<float>& in) {
    std::vector<float> out(in.size());
    for (std::size_t i = 0; i < 520; ++i)
        for (std::size_t k = 0; k < 520; ++k) out[k * 520 + i] = in[i * 520 + k];
    return out;
}

TEST_CASE("threads: calls of one plan, while its first calls try orders") {
    const std::vector<float> in = numbered<float>(520 * 520), wanted = transposed(in);
    const planned_reorder planned = make_reorder(rows, columns).value();
    std::atomic<int> wrong = 0;
    on_threads(4, [&](int) {
        std::vector<float> out(in.size());
        for (int call = 0; call < 8; ++call) {
            out.assign(out.size(), -1);
            planned(in.data(), out.data());
            wrong += out != wanted;
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("threads: copies of a plan that others call, and of copies, some assigned over others") {
    const std::vector<float> in = numbered<float>(520 * 520), wanted = transposed(in);
    const planned_reorder planned = make_reorder(rows, columns).value();
    std::atomic<int> wrong = 0;
    on_threads(4, [&](int thread) {
        std::vector<float> out(in.size());
        planned_reorder kept = planned;
        for (int turn = 0; turn < 8; ++turn) {
            const planned_reorder copy = turn % 2 == 0 ? planned : kept;
            out.assign(out.size(), -1);
            (thread % 2 == 0 ? planned : copy)(in.data(), out.data());
            wrong += out != wanted;
            kept = planned;
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("threads: the choice of a plan is read, and given to copies, while others call it") {
    const std::vector<float> in = numbered<float>(520 * 520), wanted = transposed(in);
    const planned_reorder planned = make_reorder(rows, columns).value();
    std::atomic<int> wrong = 0;
    on_threads(4, [&](int thread) {
        std::vector<float> out(in.size());
        for (int turn = 0; turn < 6; ++turn) {
            planned_reorder copy = planned;
            wrong += !copy.set_choice(planned.choice().c_str()).ok();
            if (thread % 2 == 0) copy.stop_trials();
            out.assign(out.size(), -1);
            (turn % 2 == 0 ? planned : copy)(in.data(), out.data());
            wrong += out != wanted;
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("threads: chunks of one plan by two executors at the same time, of types with and without trials") {
    struct pair {
        descriptor src, dst;
    };
    const pair pairs[] = {
        {rows, columns},
        {rows, {data_type::bf16, columns.layout}},                                                      // converted
        {{data_type::u4, layout({2080, 1040}, "ab")}, {data_type::u4, layout({2080, 1040}, "ba")}},     // half bytes
        {{data_type::u4, layout({2080, 1040}, "ab")}, {data_type::u4, layout({2080, 1040}, "AB8b4a")}}  // in blocks
    };
    for (const pair& p : pairs) {
        const auto in = numbered<std::uint8_t>(p.src.buffer_size_in_bytes());
        std::vector<std::uint8_t> wanted(p.dst.buffer_size_in_bytes());
        make_reorder(p.src, p.dst).value()(in.data(), wanted.data());
        const planned_reorder planned = make_reorder(p.src, p.dst).value();
        std::atomic<int> wrong = 0;
        on_threads(2, [&](int) {
            for (int call = 0; call < 3; ++call) {
                std::vector<std::uint8_t> out(wanted.size());
                planned(std_threads(), in.data(), out.data());
                wrong += out != wanted;
            }
        });
        CHECK(wrong == 0);
    }
}

TEST_CASE("threads: the first plans of a program are made at the same time") {
    on_threads(4, [&](int thread) {
        const std::vector<float> in = numbered<float>(24);
        std::vector<float> out(24);
        const layout src({4, 6}, "ab"), dst({4, 6}, thread % 2 == 0 ? "ba" : "aB2b");
        reorder({data_type::f32, src}, in.data(), {data_type::f32, dst}, out.data());
    });
}

using bytes = std::vector<std::byte>;
bytes stored_bytes(std::size_t count) {
    bytes out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>(i * 37 % 251 & (i % 2 == 0 ? 255 : 63));
    return out;
}
constexpr const char *weights = "nk: nK(d:f16 /32k, q:u4 16k 2k@16)",
                     *panels = "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)",
                     *summed = "nk: N(K(q:u4^8 2k 8n 8k 2k@16), d:f16 K 8n /32k, s:s32 8n /k =sum(q))",
                     *turned = "nk: N(K(q:u8 4k-n 8n), d:f32 K 8n /32k)";

TEST_CASE("threads: one plan of a repack, its chunks and its copies") {
    const dims extents{512, 4096};
    const record from = *parse_record(weights, extents);
    const bytes in = stored_bytes(from.size_in_bytes());
    for (const char* text : {panels, summed}) {
        const record to = *parse_record(text, extents);
        bytes wanted(to.size_in_bytes());
        make_repack(from, to).value()(in, wanted);
        const planned_repack planned = make_repack(from, to).value();
        std::atomic<int> wrong = 0;
        on_threads(2, [&](int) { wrong += !verify(std_threads(), to, wanted).ok(); });
        on_threads(3, [&](int thread) {
            bytes out(wanted.size());
            for (int call = 0; call < 3; ++call) {
                const planned_repack copy = planned;
                std::fill(out.begin(), out.end(), std::byte{0x5a});
                if (thread == 0) planned(std_threads(), in, out);
                else if (thread == 1) copy(in, out);
                else
                    for (dim_t number = 0; number < planned.chunks(); ++number) {
                        const repack_chunk part = copy.chunk(number);
                        if (part.src_bytes == 0) return;
                        const auto at = [](dim_t n) { return static_cast<std::size_t>(n); };
                        planned.run_chunk(number, std::span(in).subspan(at(part.src_begin), at(part.src_bytes)),
                                          std::span(out).subspan(at(part.dst_begin), at(part.dst_bytes)));
                    }
                wrong += out != wanted;
            }
        });
        CHECK(wrong == 0);
    }
}

TEST_CASE("threads: copies of a plan of a repack outlive it, and the last one ends it") {
    const dims extents{16, 64};
    const record from = *parse_record(weights, extents), to = *parse_record(panels, extents);
    const bytes in = stored_bytes(from.size_in_bytes());
    bytes wanted(to.size_in_bytes());
    make_repack(from, to).value()(in, wanted);
    std::vector<planned_repack> owners(4);
    for (planned_repack& owner : owners) owner = owners[0] = make_repack(from, to).value();
    owners.assign(4, owners[0]);
    std::atomic<int> wrong = 0;
    on_threads(4, [&](int thread) {
        planned_repack mine = std::move(owners[static_cast<std::size_t>(thread)]);
        for (int turn = 0; turn < 200; ++turn) {
            const planned_repack copy = mine;
            bytes out(wanted.size());
            copy(in, out);
            wrong += out != wanted;
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("threads: plans are made, and records are packed and unpacked, at the same time") {
    const dims extents{32, 64};
    std::atomic<int> wrong = 0;
    on_threads(4, [&](int thread) {
        const record from = *parse_record(weights, extents),
                     to = *parse_record(thread % 2 == 0 ? turned : panels, extents);
        repack_options options;
        options.dropped.push_back("d");
        const record plain = *parse_record("nk: q:u4 nk", extents);
        const bytes in = stored_bytes(from.size_in_bytes());
        bytes there(plain.size_in_bytes()), again(there.size());
        make_repack(from, plain, options).value()(in, there);
        if (thread % 2 == 0) return;
        bytes between(to.size_in_bytes());
        make_repack(from, to).value()(in, between);
        make_repack(to, plain, options).value()(between, again);
        wrong += again != there;
    });
    CHECK(wrong == 0);
}

}  // namespace
