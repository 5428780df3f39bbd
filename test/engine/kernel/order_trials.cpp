#include <plait/engine/kernel/order_trials.hpp>

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace test_engine_kernel_order_trials { namespace {

using plait::engine::order_trials;

/// Makes a call that takes the time of its order, and returns the order.
int call(const order_trials& trials, const std::vector<float>& seconds) {
    const order_trials::call made = trials.next(static_cast<int>(seconds.size()));
    trials.end(made, seconds.at(static_cast<std::size_t>(made.order)));
    return made.order;
}

TEST_CASE("order_trials: two calls in succession try an order, the second counts, and then the fastest is used") {
    const std::vector<std::vector<float>> all{
        {1, 2, 3, 4, 5},        {5, 4, 3, 2, 1}, {3, 1, 2, 3, 3},      {2, 2, 2, 1.5f, 2},
        {1e-9f, 2e-9f, 9e-10f}, {0, 0, 0},       {1e20f, 1e10f, 1e4f}, {7}};
    for (const std::vector<float>& seconds : all) {
        const int orders = static_cast<int>(seconds.size());
        const order_trials trials;
        for (int round = 0; round < order_trials::rounds_of(orders); ++round)
            for (int order = 0; order < orders; ++order) {
                const order_trials::call first = trials.next(orders);
                CHECK(first.order == order);
                trials.end(first, 0);  // the least of all times, but it does not count
                CHECK(call(trials, seconds) == order);
            }
        int fastest = 0;
        for (int order = 1; order < orders; ++order)
            if (seconds[static_cast<std::size_t>(order)] < seconds[static_cast<std::size_t>(fastest)]) fastest = order;
        for (int more = 0; more < 1000; ++more) CHECK(call(trials, seconds) == fastest);
    }
}

TEST_CASE("order_trials: the trials end when each order was tried twice, or three times if there are two") {
    for (const int orders : {2, 3, 10, 62}) {
        CHECK(order_trials::calls_to_try(orders) == (orders == 2 ? 12 : 4 * orders));
        const order_trials trials;
        const std::vector<float> seconds(static_cast<std::size_t>(orders), 1.f);
        for (int i = 0; i < order_trials::calls_to_try(orders); ++i) {
            CHECK_FALSE(trials.is_decided());
            call(trials, seconds);
        }
        CHECK(trials.is_decided());
        CHECK_FALSE(trials.next(orders).is_trial);
    }
}

TEST_CASE("order_trials: decide and stop end the trials; what is stopped does not begin anew") {
    order_trials trials;
    trials.decide(2);
    CHECK((trials.is_decided() && trials.fastest() == 2));
    for (int i = 0; i < 3; ++i) CHECK(call(trials, {1, 2, 3}) == 2);
    trials.begin_anew();
    CHECK_FALSE(trials.is_decided());
    for (int i = 0; i < 4; ++i) call(trials, {3, 2, 1});
    trials.stop();  // in the middle: the plan's own order
    CHECK((trials.is_decided() && trials.fastest() == 0));
    trials.decide(1);
    CHECK(call(trials, {1, 2, 3}) == 1);
    trials.begin_anew();
    CHECK((trials.is_decided() && trials.fastest() == 0));
    order_trials decided;
    decided.decide(1);
    decided.stop();
    CHECK(order_trials(decided).fastest() == 1);
}

TEST_CASE("order_trials: a copy goes on by itself; an assignment begins anew") {
    order_trials trials;
    for (int i = 0; i < 11; ++i) call(trials, {1, 2, 3});
    const order_trials copy = trials;
    CHECK(call(trials, {1, 2, 3}) == 2);
    CHECK(call(copy, {1, 2, 3}) == 2);
    CHECK(call(copy, {1, 2, 3}) == 0);
    trials = {};
    for (int i = 0; i < 2; ++i) CHECK(call(trials, {1, 2, 3}) == 0);
    CHECK(call(trials, {1, 2, 3}) == 1);
}

TEST_CASE("order_trials: one interrupted call does not decide") {
    const order_trials trials;
    const std::vector<float> seconds{3, 2, 1}, interrupted{3, 2, 100};
    for (int i = 0; i < 12; ++i) call(trials, i == 5 ? interrupted : seconds);
    CHECK(call(trials, seconds) == 2);
}

TEST_CASE("order_trials: of two calls that run the same trial, the one that ends first counts") {
    const order_trials trials;
    call(trials, {1, 1, 1});  // does not count
    const order_trials::call one = trials.next(3), other = trials.next(3);
    CHECK(one.order == other.order);
    trials.end(one, 5);
    trials.end(other, 1);
    for (const int order : {1, 1, 2, 2, 0, 0, 1, 1, 2, 2, 1, 1}) CHECK(call(trials, {9, 3, 4}) == order);
}

TEST_CASE("order_trials: what is kept is kept after the trials, copied, and forgotten with the order") {
    const auto number_in = [](const order_trials& trials) {
        const int* const kept = trials.kept<int>();
        return kept == nullptr ? -1 : *kept;
    };
    order_trials trials;
    trials.keep(7);
    CHECK(number_in(trials) == -1);  // the trials have not ended
    for (int i = 0; i < order_trials::calls_to_try(3); ++i) call(trials, {3, 2, 4});
    CHECK(number_in(order_trials(trials)) == -1);
    trials.keep(1);
    trials.keep(9);
    CHECK(number_in(trials) == 1);
    order_trials copy = trials;
    CHECK(number_in(copy) == 1);
    copy.decide(2);
    CHECK((number_in(copy) == -1 && number_in(trials) == 1));
    copy.keep(2);
    CHECK(number_in(copy) == 2);
    copy.stop();
    CHECK(number_in(copy) == -1);
    copy.keep(3);
    copy.begin_anew();
    CHECK(number_in(copy) == -1);
    copy = trials;
    CHECK(number_in(copy) == 1);
    copy = {};
    CHECK(number_in(copy) == -1);
}

TEST_CASE("order_trials: threads keep one thing, whole, while others copy") {
    struct large {
        int numbers[600];
        bool is_whole() const {
            for (const int n : numbers)
                if (n != numbers[0]) return false;
            return true;
        }
    };
    order_trials trials;
    trials.decide(1);
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0, seen = 0;
    for (int k = 0; k < 4; ++k)
        threads.emplace_back([&, k] {
            for (int i = 0; i < 300; ++i) {
                const order_trials copy = trials;
                for (const order_trials* one : std::array<const order_trials*, 2>{&copy, &trials})
                    if (const large* const kept = one->kept<large>()) {
                        ++seen;
                        wrong += !kept->is_whole();
                    }
                large mine;
                for (int& n : mine.numbers) n = k;
                if (i == k) trials.keep(mine);
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    CHECK(seen > 0);
}

TEST_CASE("order_trials: threads share the trials of a plan") {
    const order_trials trials;
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k)
        threads.emplace_back([&] {
            for (int i = 0; i < 1000; ++i) call(trials, {3, 2, 1, 4, 5});
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(call(trials, {3, 2, 1, 4, 5}) == 2);
}

}}  // namespace test_engine_kernel_order_trials
