// libplait_hptt writes what plain loops write: random permutations, outer sizes, factors, threads, both interfaces.

#include "drop_in/drop_in_cases.hpp"

#include <doctest/doctest.h>

#include <hptt.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <numeric>
#include <thread>

namespace test_drop_in_hptt { namespace {

using namespace drop_in;

/// A transposition with everything that a call says.
struct tensors {
    int dim = 0;
    std::vector<int> perm, size, outer_a, outer_b;
    bool by_rows = false;

    tensors(random_bits& bits, int axes, int most) : dim(axes), by_rows(bits() % 2 == 0) {
        perm.resize(static_cast<std::size_t>(dim));
        std::iota(perm.begin(), perm.end(), 0);
        std::shuffle(perm.begin(), perm.end(), bits);
        for (int k = 0; k < dim; ++k) {
            size.push_back(number(bits, 1, most));
            outer_a.push_back(size.back() + number(bits, 0, 1) * number(bits, 0, 3));
        }
        for (const int k : perm)
            outer_b.push_back(size[static_cast<std::size_t>(k)] + number(bits, 0, 1) * number(bits, 0, 3));
    }
    std::vector<count> strides(const std::vector<int>& outer) const {
        std::vector<count> out(static_cast<std::size_t>(dim));
        count stride = 1;
        for (std::size_t k = 0; k < out.size(); ++k) {
            const std::size_t axis = by_rows ? out.size() - 1 - k : k;
            out[axis] = stride;
            stride *= outer[axis];
        }
        return out;
    }
    /// Calls f(a, b) with the offsets of each element.
    template <class F>
    void for_each(const F& f) const {
        const std::vector<count> in = strides(outer_a), out = strides(outer_b);
        std::vector<int> index(static_cast<std::size_t>(dim), 0);
        while (true) {
            count a = 0, b = 0;
            for (std::size_t k = 0; k < index.size(); ++k) a += index[k] * in[k];
            for (std::size_t k = 0; k < index.size(); ++k) b += index[static_cast<std::size_t>(perm[k])] * out[k];
            f(a, b);
            std::size_t k = 0;
            while (k < index.size() && ++index[k] == size[k]) index[k++] = 0;
            if (k == index.size()) return;
        }
    }
    std::size_t span(bool of_b) const {
        count last = 0;
        for_each([&](count a, count b) { last = std::max(last, of_b ? b : a); });
        return static_cast<std::size_t>(last) + 1;
    }
    template <class T>
    void plainly(T alpha, const T* a, bool conjugates, T beta, T* b) const {
        for_each([&](count from, count to) {
            b[to] =
                expected_element(alpha, alpha == T{0} ? T{0} : a[from], conjugates, beta, beta == T{0} ? T{0} : b[to]);
        });
    }
};

// The functions of C by type.
void c_transpose(const tensors& t, float alpha, bool, const float* a, float beta, float* b, int threads) {
    sTensorTranspose(t.perm.data(), t.dim, alpha, a, t.size.data(), t.outer_a.data(), beta, b, t.outer_b.data(),
                     threads, t.by_rows);
}
void c_transpose(const tensors& t, double alpha, bool, const double* a, double beta, double* b, int threads) {
    dTensorTranspose(t.perm.data(), t.dim, alpha, a, t.size.data(), t.outer_a.data(), beta, b, t.outer_b.data(),
                     threads, t.by_rows);
}
template <class C, class T>
C as_c(const T& x) {
    C out;
    std::memcpy(&out, &x, sizeof out);
    return out;
}
void c_transpose(const tensors& t, std::complex<float> alpha, bool conjugates, const std::complex<float>* a,
                 std::complex<float> beta, std::complex<float>* b, int threads) {
    using number = hptt_float_complex;
    cTensorTranspose(t.perm.data(), t.dim, as_c<number>(alpha), conjugates, reinterpret_cast<const number*>(a),
                     t.size.data(), t.outer_a.data(), as_c<number>(beta), reinterpret_cast<number*>(b),
                     t.outer_b.data(), threads, t.by_rows);
}
void c_transpose(const tensors& t, std::complex<double> alpha, bool conjugates, const std::complex<double>* a,
                 std::complex<double> beta, std::complex<double>* b, int threads) {
    using number = hptt_double_complex;
    zTensorTranspose(t.perm.data(), t.dim, as_c<number>(alpha), conjugates, reinterpret_cast<const number*>(a),
                     t.size.data(), t.outer_a.data(), as_c<number>(beta), reinterpret_cast<number*>(b),
                     t.outer_b.data(), threads, t.by_rows);
}

template <class T>
void check(random_bits& bits, const tensors& t, int threads) {
    const T alpha = random_factor<T>(bits), beta = random_factor<T>(bits);
    const bool conjugates = bits() % 2 == 0;
    CAPTURE(t.dim);
    CAPTURE(t.by_rows);
    CAPTURE(threads);
    fenced_numbers<T> a(t.span(false), random_fence(bits), bits), b(t.span(true), random_fence(bits), bits);
    const std::vector<T> before = b.values();
    std::vector<T> wanted = before;
    t.plainly(alpha, a.data(), conjugates, beta, wanted.data());
    const auto plan = hptt::create_plan(t.perm.data(), t.dim, alpha, a.data(), t.size.data(), t.outer_a.data(), beta,
                                        b.data(), t.outer_b.data(), hptt::ESTIMATE, threads, nullptr, t.by_rows);
    plan->setConjA(conjugates);
    for (int call = 0; call < 3; ++call) {
        CAPTURE(call);
        std::copy(before.begin(), before.end(), b.data());
        c_transpose(t, alpha, conjugates, a.data(), beta, b.data(), threads);
        REQUIRE(b.equals(wanted));
        std::copy(before.begin(), before.end(), b.data());
        plan->execute();
        REQUIRE(b.equals(wanted));
    }
}

TEST_CASE_TEMPLATE("hptt: random transpositions are those of plain loops", T, float, double, std::complex<float>,
                   std::complex<double>) {
    random_bits bits(11);
    for (int round = 0; round < 150; ++round) {
        const int dim = number(bits, 1, 6);
        check<T>(bits, {bits, dim, dim < 3 ? 70 : dim == 3 ? 20 : 8}, number(bits, 0, 3));
    }
}

TEST_CASE("hptt: more axes than plait's layouts have") {
    random_bits bits(12);
    for (int round = 0; round < 6; ++round) {
        tensors t(bits, 15, 2);
        check<float>(bits, t, 1);
        check<std::complex<double>>(bits, t, 1);
    }
}

TEST_CASE("hptt: large tensors on threads") {
    random_bits bits(13);
    for (const int threads : {1, 2, 3, 7}) {
        check<float>(bits, {bits, 2, 1500}, threads);
        check<double>(bits, {bits, 3, 110}, threads);
        check<std::complex<float>>(bits, {bits, 4, 32}, threads);
    }
    // A loop with fewer steps than there are threads is not cut.
    tensors flat(bits, 3, 3);
    flat.size = {3, 400, 500};
    flat.outer_a = {3, 400, 501};
    flat.perm = {2, 1, 0};
    flat.outer_b = {500, 400, 3};
    check<double>(bits, flat, 4);
}

TEST_CASE("hptt: without outer sizes; vectors; setters; copies of a plan") {
    const std::vector<int> perm{1, 0, 2}, size{5, 40, 3};
    std::vector<float> a(5 * 40 * 3), b(a.size(), 0.0f), other(a.size(), 0.0f);
    std::iota(a.begin(), a.end(), 1.0f);
    auto plan = hptt::create_plan(perm, 3, 2.0f, a.data(), size, {}, 0.0f, b.data(), {}, hptt::MEASURE, 1);
    plan->execute();
    // B[j, i, k] = 2 A[i, j, k], the first index the fastest.
    CHECK(b[7 + 40 * (3 + 5 * 2)] == 2 * a[3 + 5 * (7 + 40 * 2)]);
    hptt::Transpose<float> copy(*plan);
    copy.setAlpha(3);
    copy.setBeta(1);
    copy.setOutputPtr(other.data());
    copy.setNumThreads(2);
    CHECK(copy.getNumThreads() == 2);
    copy.execute();
    copy.execute();
    CHECK(other[7 + 40 * (3 + 5 * 2)] == 6 * a[3 + 5 * (7 + 40 * 2)]);
    CHECK(plan->getAlpha() == 2);
    std::vector<float> next(a.size(), 1.0f);
    plan->setInputPtr(next.data());
    plan->execute_expert<false, true, true>();
    CHECK(std::all_of(b.begin(), b.end(), [](float x) { return x == 2; }));
    plan->setBeta(5);
    plan->execute_expert<true, true, true>();  // B is not read
    CHECK(std::all_of(b.begin(), b.end(), [](float x) { return x == 2; }));
    CHECK(plan->getBeta() == 5);
    CHECK(plan->getInputPtr() == next.data());
    CHECK(plan->getOutputPtr() == b.data());
    const auto tried = hptt::create_plan(perm.data(), 3, 1.0, static_cast<const double*>(nullptr), size.data(), nullptr,
                                         0.0, static_cast<double*>(nullptr), nullptr, 10, 1);
    tried->setMaxAutotuningCandidates(3);
    CHECK(tried->getMasterThreadId() == 0);
}

TEST_CASE("hptt: with alpha 0, A is not read; with beta 0, B is not; extents of 0") {
    const int perm[] = {1, 0}, size[] = {40, 50};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> b(40 * 50, nan);
    sTensorTranspose(perm, 2, 0, nullptr, size, nullptr, 0, b.data(), nullptr, 1, 0);
    CHECK(std::all_of(b.begin(), b.end(), [](float x) { return x == 0; }));
    std::fill(b.begin(), b.end(), 3.0f);
    sTensorTranspose(perm, 2, 0, nullptr, size, nullptr, 2, b.data(), nullptr, 1, 0);
    CHECK(std::all_of(b.begin(), b.end(), [](float x) { return x == 6; }));
    const std::vector<float> a(40 * 50, 1.0f);
    std::fill(b.begin(), b.end(), nan);
    for (int call = 0; call < 2; ++call) {
        sTensorTranspose(perm, 2, 7, a.data(), size, nullptr, 0, b.data(), nullptr, 1, 0);
        CHECK(std::all_of(b.begin(), b.end(), [](float x) { return x == 7; }));
    }
    const int none[] = {40, 0};
    sTensorTranspose(perm, 2, 1, nullptr, none, nullptr, 0, nullptr, nullptr, 1, 0);
    dTensorTranspose(perm, 2, 1, nullptr, none, nullptr, 0, nullptr, nullptr, 0, 1);
}

TEST_CASE("hptt: threads that the program has started move their parts") {
    const std::vector<int> perm{1, 0}, size{1000, 900};
    std::vector<double> a(1000 * 900), b(a.size(), 0.0);
    std::iota(a.begin(), a.end(), 0.0);
    const auto plan =
        hptt::create_plan(perm, 2, 1.0, a.data(), size, {}, 0.0, b.data(), {}, hptt::ESTIMATE, 3, {4, 0, 9});
    CHECK(plan->getMasterThreadId() == 4);
    // Without OpenMP, this is the only thread there is: it is the first of the list.
    plan->resetThreadIds();
    plan->addThreadId(0);
    plan->execute_expert<true, false, true>();
    bool same = true;
    for (std::size_t i = 0; i < 1000; ++i)
        for (std::size_t j = 0; j < 900; ++j) same = same && b[j + 900 * i] == a[i + 1000 * j];
    CHECK(same);
}

TEST_CASE("hptt: threads may execute copies of one plan at the same time") {
    const std::vector<int> perm{2, 0, 1}, size{30, 40, 50};
    std::vector<float> a(60000);
    std::iota(a.begin(), a.end(), 0.0f);
    const auto plan =
        hptt::create_plan(perm, 3, 0.5f, a.data(), size, {}, 0.0f, static_cast<float*>(nullptr), {}, hptt::ESTIMATE, 1);
    std::vector<std::vector<float>> results(4, std::vector<float>(a.size(), 0.0f));
    std::vector<std::thread> threads;
    for (std::vector<float>& result : results)
        threads.emplace_back([&plan, &result] {
            hptt::Transpose<float> mine(*plan);
            mine.setOutputPtr(result.data());
            for (int call = 0; call < 20; ++call) mine.execute();
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<float>& result : results) CHECK(result == results[0]);
    CHECK(results[0][7 + 50 * (3 + 30 * 11)] == 0.5f * a[3 + 30 * (11 + 40 * 7)]);
}

/// Runs f in a process of its own, and returns its status: -1 if it did not exit. Standard error goes to *text.
template <class F>
int status_of(const F& f, std::string* text) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    std::fflush(nullptr);  // else the child would print it again
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        dup2(ends[1], 2);
        f();
        _exit(0);
    }
    close(ends[1]);
    text->clear();
    char part[256];
    for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;) text->append(part, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("hptt: wrong arguments are printed and end the program with -1; nothing is written") {
    float* const shared =
        static_cast<float*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    REQUIRE(shared != MAP_FAILED);
    std::fill_n(shared, 1024, 3.0f);
    const float a[1024] = {};
    const auto refused = [&](const char* sentence, std::vector<int> perm, int dim, std::vector<int> size,
                             std::vector<int> outer_a, std::vector<int> outer_b, const float* in, float* out) {
        std::string text;
        const int status = status_of(
            [&] {
                sTensorTranspose(perm.empty() ? nullptr : perm.data(), dim, 2, in, size.data(),
                                 outer_a.empty() ? nullptr : outer_a.data(), 1, out,
                                 outer_b.empty() ? nullptr : outer_b.data(), 1, 0);
            },
            &text);
        CAPTURE(sentence);
        CHECK(status == 255);
        CHECK(text.find(sentence) != std::string::npos);
        INFO(text);
        CHECK(std::all_of(shared, shared + 1024, [](float x) { return x == 3; }));
    };
    refused("ndims_is_out_of_range: dim is 0", {0}, 0, {1}, {}, {}, a, shared);
    refused("ndims_is_out_of_range: dim is 65", {0}, 65, {1}, {}, {}, a, shared);
    refused("pointer_is_null: perm", {}, 2, {4, 5}, {}, {}, a, shared);
    refused("not_a_permutation: perm[1] is 0, of 2 axes", {0, 0}, 2, {4, 5}, {}, {}, a, shared);
    refused("not_a_permutation: perm[0] is 2", {2, 0}, 2, {4, 5}, {}, {}, a, shared);
    refused("not_a_permutation: perm[1] is -1", {0, -1}, 2, {4, 5}, {}, {}, a, shared);
    refused("dim_is_negative: sizeA[1] is -5", {1, 0}, 2, {4, -5}, {}, {}, a, shared);
    refused("outerSizeA[1] is 4, but sizeA[1] is 5", {1, 0}, 2, {4, 5}, {4, 4}, {}, a, shared);
    refused("outerSizeB[0] is 4, but the size of axis 0 of B is 5", {1, 0}, 2, {4, 5}, {}, {4, 4}, a, shared);
    constexpr int huge = 1 << 30;
    refused("size_overflows: A", {1, 0, 2}, 3, {1, 1, 2}, {huge, huge, huge}, {}, a, shared);
    refused("size_overflows: B", {1, 0, 2}, 3, {1, 1, 2}, {}, {huge, huge, huge}, a, shared);
    refused("buffer_is_null: A", {1, 0}, 2, {4, 5}, {}, {}, nullptr, shared);
    refused("buffer_is_null: B", {1, 0}, 2, {4, 5}, {}, {}, a, nullptr);
    refused("spans_overlap: B begins 40 bytes after A", {1, 0}, 2, {4, 5}, {}, {}, shared, shared + 10);
    refused("spans_overlap: B begins 0 bytes after A", {1, 0}, 2, {4, 5}, {}, {}, shared, shared);
    std::string text;
    CHECK(status_of(
              [&] {
                  hptt::create_plan(std::vector<int>{0}, 2, 1.0f, a, std::vector<int>{4, 5}, {}, 0.0f, shared, {},
                                    hptt::ESTIMATE, 1);
              },
              &text) == 255);
    CHECK(text.find("rank_differs: perm has 1 numbers, but dim is 2") != std::string::npos);
    munmap(shared, 4096);
}

TEST_CASE("hptt: A and B may be one tensor that is scaled, or parts of one buffer") {
    std::vector<float> both(40 * 60);
    std::iota(both.begin(), both.end(), 0.0f);
    const std::vector<float> before = both;
    const int same[] = {0, 1}, swapped[] = {1, 0}, size[] = {40, 60};
    sTensorTranspose(same, 2, 2, both.data(), size, nullptr, 0, both.data(), nullptr, 1, 0);
    CHECK(both[77] == 2 * before[77]);
    sTensorTranspose(same, 2, 1, both.data(), size, nullptr, 1, both.data(), nullptr, 1, 0);
    CHECK(both[77] == 4 * before[77]);
    // The columns 0 to 19 of 40 rows are transposed to the columns 20 to 39 of 20 rows.
    both = before;
    const int part[] = {20, 30}, outer[] = {40, 60}, other[] = {40, 60};
    for (const float alpha : {1.0f, 2.0f})
        for (int call = 0; call < 2; ++call) {
            sTensorTranspose(swapped, 2, alpha, both.data(), part, outer, 0, both.data() + 40 * 30, other, 1, 0);
            CHECK(both[40 * 30 + 29 + 40 * 19] == alpha * before[19 + 40 * 29]);
        }
    const int square[] = {20, 20};
    for (int call = 0; call < 2; ++call)
        sTensorTranspose(swapped, 2, 1, both.data(), square, outer, 0, both.data() + 20, other, 1, 0);
    CHECK(both[20 + 3 + 40 * 17] == before[17 + 40 * 3]);
    CHECK(both[3 + 40 * 17] == before[3 + 40 * 17]);
}

}}  // namespace test_drop_in_hptt
