// Planned reorders of the C interface with dynamic extents, which each call binds. Each writes what a reorder of the
// bound descriptors writes. The bound plan is kept for the next call with the same extents, also if many threads share
// the handle.

#include "c_api/c_descriptors.hpp"
#include "laws/random_layouts.hpp"

#include <plait/reorder/make_reorder.hpp>

#include "../../src/c_reorder.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

namespace test_c_api_bound_reorders { namespace {

using namespace plait;
using namespace plait_test;

/// A handle that is destroyed at the end of its scope.
struct handle {
    handle(const plait_memory_desc_t& src, const plait_memory_desc_t& dst,
           const plait_reorder_attributes_t* attributes = nullptr)
        : status(plait_reorder_create(&reorder, &src, &dst, attributes)) {}
    handle(const handle&) = delete;
    ~handle() { plait_reorder_destroy(reorder); }
    plait_reorder_t* reorder = nullptr;
    plait_status_t status;
};

template <class T, class U>
plait_status_t execute(const handle& h, const plait_memory_desc_t& src, const std::vector<T>& in,
                       const plait_memory_desc_t& dst, std::vector<U>& out,
                       const plait_reorder_attributes_t* attributes = nullptr) {
    return plait_reorder_execute_bound(h.reorder, &src, in.data(), in.size() * sizeof(T), &dst, out.data(),
                                       out.size() * sizeof(U), attributes);
}

plait_reorder_attributes_t with_scales(const std::vector<float>& scales, int mask) {
    plait_reorder_attributes_t out;
    REQUIRE(plait_reorder_attributes_init(&out) == PLAIT_SUCCESS);
    out.src_scale.mask = mask;
    out.src_scale.values = scales.data();
    out.src_scale.count = scales.size();
    return out;
}

std::size_t times_kept(const handle& h) { return h.reorder->kept->times_kept(); }

TEST_CASE("C bound reorder: dynamic extents give the result of the bound descriptors") {
    random_source random(91);
    int bound = 0, compensated = 0;
    for (int round = 0; round < 600; ++round) {
        const int n = static_cast<int>(random.between(1, 4));
        dims open, extents, others;
        for (int a = 0; a < n; ++a) {
            extents.push_back(random.between(0, 6));
            open.push_back(random.once_in(2) ? dynamic : extents[a]);
            others.push_back(open[a] == dynamic ? random.between(0, 6) : extents[a]);
        }
        const format_tag from = random.tag(n, 1, 4), to = random.tag(n, 2, 4);
        const auto src_type = static_cast<data_type>(random.between(1, 9)),
                   dst_type = static_cast<data_type>(random.between(1, 9));
        extra besides;
        if (dst_type == data_type::s8 && random.once_in(2)) {
            besides.s8s8_compensation = true;
            besides.s8s8_mask = static_cast<int>(random.between(0, (1 << n) - 1));
        }
        const handle h(to_c(descriptor(src_type, layout(open, from))),
                       to_c(descriptor(dst_type, layout(open, to), besides)));
        REQUIRE(h.status == PLAIT_SUCCESS);
        const bool is_dynamic = layout(open, from).is_dynamic() || layout(open, to).is_dynamic();
        CHECK((h.reorder->kept != nullptr) == is_dynamic);
        if (!is_dynamic) continue;
        ++bound;
        compensated += besides.has_buffers();
        for (const dims& now : {extents, extents, others}) {
            const plait_memory_desc_t src = to_c(descriptor(src_type, layout(now, from))),
                                      dst = to_c(descriptor(dst_type, layout(now, to), besides));
            std::vector<unsigned char> in(plait_memory_desc_get_buffer_size(&src)),
                out(plait_memory_desc_get_buffer_size(&dst), 0x5a);
            for (unsigned char& x : in) x = static_cast<unsigned char>(random.between(0, 63));
            std::vector<unsigned char> wanted = out;
            CHECK(execute(h, src, in, dst, out) == PLAIT_SUCCESS);
            CHECK(plait_reorder(&src, in.data(), in.size(), &dst, wanted.data(), wanted.size(), nullptr) ==
                  PLAIT_SUCCESS);
            CHECK(out == wanted);
        }
        CHECK(times_kept(h) == (extents == others ? 1 : 2));
    }
    CHECK(bound > 300);
    CHECK(compensated > 10);
}

TEST_CASE("C bound reorder: attributes come from the handle or the call, with one value per masked index") {
    const plait_memory_desc_t open = to_c(layout({dynamic, 2}, "ab")), two = to_c(layout({2, 2}, "ab")),
                              three = to_c(layout({3, 2}, "ab"));
    const std::vector<float> in{1, 2, 3, 4, 5, 6}, four{1, 2, 3, 4};
    std::vector<float> out(4), scales{2, 3};
    plait_reorder_attributes_t attributes = with_scales(scales, 1);
    const handle h(open, open, &attributes);
    REQUIRE(h.status == PLAIT_SUCCESS);
    scales = {7, 7};  // the handle has its own copy
    CHECK(execute(h, two, four, two, out) == PLAIT_SUCCESS);
    CHECK(out == std::vector<float>{2, 4, 9, 12});
    std::vector<float> six(6);
    CHECK(execute(h, three, in, three, six) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("mask_has_other_values: the mask 1 of an attribute needs 3 values, but 2 were given"));
    CHECK(six == std::vector<float>(6));
    // The call has values for these extents. The kept plan copies them, and is found again by comparing the values.
    std::vector<float> more{10, 20, 30};
    attributes = with_scales(more, 1);
    CHECK(execute(h, three, in, three, six, &attributes) == PLAIT_SUCCESS);
    CHECK(six == std::vector<float>{10, 20, 60, 80, 150, 180});
    CHECK(execute(h, three, in, three, six, &attributes) == PLAIT_SUCCESS);
    CHECK(times_kept(h) == 2);
    more[2] = 40;
    CHECK(execute(h, three, in, three, six, &attributes) == PLAIT_SUCCESS);
    CHECK(six == std::vector<float>{10, 20, 60, 80, 200, 240});
    CHECK(times_kept(h) == 3);
    // A call without attributes has those of the handle again.
    std::vector<float> others{10, 20};
    plait_reorder_attributes_t of_call = with_scales(others, 1);
    CHECK(execute(h, two, four, two, out, &of_call) == PLAIT_SUCCESS);
    CHECK(out == std::vector<float>{10, 20, 60, 80});
    CHECK(execute(h, two, four, two, out) == PLAIT_SUCCESS);
    CHECK(out == std::vector<float>{2, 4, 9, 12});
    attributes.reserved[0] = 1;
    CHECK(execute(h, three, in, three, six, &attributes) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("reserved_is_not_zero"));
    // If the mask includes dynamic extents, the values may be missing until the call.
    plait_reorder_attributes_t without = with_scales({}, 1);
    without.src_scale.values = nullptr;
    const handle later(open, open, &without);
    REQUIRE(later.status == PLAIT_SUCCESS);
    CHECK(execute(later, two, four, two, out) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("mask_has_no_values"));
    scales = {2, 3};
    attributes = with_scales(scales, 1);
    CHECK(execute(later, two, four, two, out, &attributes) == PLAIT_SUCCESS);
    CHECK(out == std::vector<float>{2, 4, 9, 12});
}

TEST_CASE("C bound reorder: a refused call writes nothing") {
    const plait_memory_desc_t open = to_c(layout({dynamic, 3}, "ab")), turned = to_c(layout({dynamic, 3}, "ba")),
                              src = to_c(layout({2, 3}, "ab")), dst = to_c(layout({2, 3}, "ba"));
    const std::vector<float> in{1, 2, 3, 4, 5, 6};
    std::vector<float> out(6, 7.0f);
    const handle h(open, turned);
    REQUIRE(h.status == PLAIT_SUCCESS);
    const auto refused = [&](plait_status_t status, const char* part) {
        INFO(std::string(plait_last_refusal()));
        CHECK(status == PLAIT_INVALID_ARGUMENTS);
        CHECK(says(part));
        CHECK(out == std::vector<float>(6, 7.0f));
    };
    refused(plait_reorder_execute(h.reorder, in.data(), 24, out.data(), 24),
            "src: dim_is_dynamic: the extent of axis 0");
    refused(execute(h, open, in, dst, out), "src: dim_is_dynamic: the extent of axis 0");
    refused(execute(h, src, in, to_c(layout({3, 3}, "ba")), out), "dims_differ: axis 0 has 2 elements in one");
    refused(execute(h, src, in, to_c(layout({2, 4}, "ba")), out), "dst: dims_differ: axis 1 has 4 elements in one");
    refused(execute(h, src, in, src, out), "dst: bound_descriptor_differs: the stride of axis 0 is 3 in the bound");
    refused(execute(h, to_c(layout({2, 3}, "ab"), data_type::s32), in, dst, out), "src: data_types_differ");
    refused(plait_reorder_execute_bound(h.reorder, &src, in.data(), 23, &dst, out.data(), 24, nullptr),
            "buffer_is_too_small: the source has 23 bytes");
    refused(plait_reorder_execute_bound(h.reorder, &src, in.data(), 24, &dst, out.data(), 20, nullptr),
            "buffer_is_too_small: the destination has 20 bytes");
    refused(plait_reorder_execute_bound(h.reorder, nullptr, in.data(), 24, &dst, out.data(), 24, nullptr),
            "src is null");
    refused(plait_reorder_execute_bound(h.reorder, &src, in.data(), 24, nullptr, out.data(), 24, nullptr),
            "dst is null");
    refused(plait_reorder_execute_bound(nullptr, &src, in.data(), 24, &dst, out.data(), 24, nullptr),
            "reorder is null");
    CHECK(times_kept(h) == 0);
    const handle known(src, dst);
    refused(execute(known, src, in, dst, out), "bound_values_do_not_match: 2 values were bound");
    const handle other(open, to_c(layout({dynamic, 4}, "ba")));
    CHECK(other.status == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("dims_differ: axis 1 has 3 elements in one layout and 4 in the other"));
    CHECK(other.reorder == nullptr);
}

TEST_CASE("C bound reorder: threads share one handle, with equal and with different extents") {
    const layout open({dynamic, 6}, "ab"), turned({dynamic, 6}, "ba");
    const handle h(to_c(open), to_c(turned));
    REQUIRE(h.status == PLAIT_SUCCESS);
    std::atomic<int> wrong{0};
    const auto work = [&](int k) {
        for (int times = 0; times < 400; ++times) {
            const dim_t n = 1 + (times % 8 == 0 ? k : times / 32) % 5 * 3;
            const plait_memory_desc_t src = to_c(bind(open, {n})), dst = to_c(bind(turned, {n}));
            std::vector<float> in(static_cast<std::size_t>(6 * n)), out(in.size());
            std::iota(in.begin(), in.end(), static_cast<float>(times));
            if (execute(h, src, in, dst, out) != PLAIT_SUCCESS) ++wrong;
            for (dim_t i = 0; i < 6 * n; ++i)
                if (out[static_cast<std::size_t>(i % 6 * n + i / 6)] != in[static_cast<std::size_t>(i)]) ++wrong;
        }
    };
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k) threads.emplace_back(work, k);
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
    CHECK(times_kept(h) > 0);
}

}}  // namespace test_c_api_bound_reorders
