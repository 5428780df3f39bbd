#include "support/static_check.hpp"

#include <plait/contract/executor.hpp>

#include <vector>

namespace test_contract_executor { namespace {

using namespace plait;
using namespace plait::detail;

struct without_concurrency {
    void run(int, const any_chunk&) const {}
};
struct runs_nothing {
    int concurrency() const { return 4; }
};
struct changes_as_it_runs {
    int runs = 0;
    int concurrency() const { return 2; }
    template <class Chunk>
    void run(int, const Chunk&) {
        ++runs;
    }
};

TEST_CASE("executor: the types that are executors, and some that are not") {
    STATIC_CHECK(executor<sequential_executor>);
    STATIC_CHECK(executor<const sequential_executor&>);
    STATIC_CHECK(executor<changes_as_it_runs&>);
    STATIC_CHECK(!executor<const changes_as_it_runs&>);
    STATIC_CHECK(!executor<without_concurrency>);
    STATIC_CHECK(!executor<runs_nothing>);
    STATIC_CHECK(!executor<float>);
    STATIC_CHECK(!executor<const float*>);
}

TEST_CASE("executor: sequential runs each chunk once, in order") {
    std::vector<int> seen;
    sequential.run(3, [&](int chunk) noexcept { seen.push_back(chunk); });
    CHECK(seen == std::vector<int>{0, 1, 2});
    STATIC_CHECK(sequential.concurrency() == 1);
}

TEST_CASE("executor: as many chunks as threads, but none smaller than pays for a thread") {
    STATIC_CHECK(chunks_for(0, 8) == 1);
    STATIC_CHECK(chunks_for(2 * least_chunk_bytes - 1, 8) == 1);
    STATIC_CHECK(chunks_for(2 * least_chunk_bytes, 8) == 2);
    STATIC_CHECK(chunks_for(100 * least_chunk_bytes, 8) == 8);
    STATIC_CHECK(chunks_for(INT64_MAX, 1) == 1);
    STATIC_CHECK(chunks_for(INT64_MAX, 0) == 1);
    STATIC_CHECK(chunks_for(INT64_MAX, -1) == 1);
    // Two threads move a tensor of 1 MB or more, because its source and its destination are 2 MB.
    STATIC_CHECK(chunks_for(dim_t{2} << 20, 2) == 2);
}

}}  // namespace test_contract_executor
