// plait's memory sizes equal the sizes that oneDNN recorded with its descriptors, unless more bytes are read.

#include "data/recorded_rules.hpp"

#include <plait/algebra/submemory.hpp>
#include <plait/descriptor/descriptor.hpp>

#include <string>

namespace test_data_onednn_sizes { namespace {

using namespace plait;
using plait_test::for_each_recorded, plait_test::recorded_case, plait_test::rule;

data_type type_of(const recorded_case& recorded, const char* key) {
    for (int t = 0; t < plait::detail::element_type_count; ++t)
        if (recorded.word(key) == to_string(static_cast<data_type>(t))) return static_cast<data_type>(t);
    throw std::invalid_argument(recorded.line());
}

/// True if an axis with elements has stride 0 or less than one block. oneDNN does not count the bytes of such an axis.
bool counts_too_little(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (l.padded_dims[a] < l.block_size(a) || (l.dims[a] > 1 && l.strides()[a] == 0)) return true;
    return false;
}

TEST_CASE("oneDNN's recorded cases: sizes in bytes are equal, or larger because plait counts what is read") {
    rule reads_more("semantics 4: what is read counts, also where strides are 0 or a part is less than a block");
    int more = 0, count = 0;
    const auto compare = [&](const layout& l, data_type type, const recorded_case& recorded) {
        if (!recorded.has("bytes") || !check_size(descriptor(type, l)).ok()) return;
        const descriptor d(type, l);
        const std::string size = std::to_string(d.memory_size_in_bytes());
        ++count;
        more += d.memory_size_in_bytes() > d.size_in_bytes();
        if (counts_too_little(l)) {
            reads_more.claims(recorded.word("bytes") != size);
            if (std::stoull(std::string(recorded.word("bytes"))) > d.memory_size_in_bytes())
                FAIL_CHECK(recorded.line());
        } else if (recorded.word("bytes") != size) {
            FAIL_CHECK(recorded.line());
        }
        CHECK(d.size_in_bytes() <= d.memory_size_in_bytes());
    };
    for (const char* operation : {"init_by_tag", "init_by_strides", "offsets"})
        for_each_recorded(operation, [&](const recorded_case& recorded) {
            if (!recorded.has("md.kind") || recorded.word("md.kind") != "blocked") return;
            const layout l = recorded.descriptor("md");
            if (check_layout(l).ok()) compare(l, type_of(recorded, "md.dtype"), recorded);
        });
    for_each_recorded("submemory", [&](const recorded_case& recorded) {
        const auto part =
            try_submemory(recorded.descriptor("md"), recorded.list<dims>("dims"), recorded.list<position>("offsets"));
        if (part) compare(*part, type_of(recorded, "md.dtype"), recorded);
    });
    CHECK(count > 6000);
    CHECK(more > 1000);
}

}}  // namespace test_data_onednn_sizes
