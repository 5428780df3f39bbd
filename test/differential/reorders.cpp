// Random reorders, run by plait and by the installed oneDNN, and compared bit by bit: plait_differential_reorders
// [--count N] [--seed N]. Without --seed, the reorders are the same in each run.

#include "differential/compensation.hpp"
#include "differential/reorder_rules.hpp"

#include <plait/reorder/layout_reorder.hpp>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstring>
#include <tuple>

using namespace plait;

namespace differential { namespace {

/// Runs oneDNN's reorder. Returns its status; `code` is the name of the implementation that oneDNN chose. The
/// attributes are destroyed.
dnnl_status_t run_theirs(onednn& library, const dnnl_memory_desc_t& from, const void* in, const dnnl_memory_desc_t& to,
                         void* out, dnnl_primitive_attr_t how, std::string& code) {
    const owned<dnnl_primitive_attr_t, dnnl_primitive_attr_destroy> attributes(how);
    owned<dnnl_primitive_desc_t, dnnl_primitive_desc_destroy> description;
    dnnl_status_t status = dnnl_reorder_primitive_desc_create(&description.handle, &from, library.engine, &to,
                                                              library.engine, attributes.handle);
    if (status != dnnl_success) return status;
    const char* name = nullptr;
    dnnl_primitive_desc_query(description.handle, dnnl_query_impl_info_str, 0, static_cast<void*>(&name));
    code = name;
    owned<dnnl_primitive_t, dnnl_primitive_destroy> primitive;
    owned<dnnl_memory_t, dnnl_memory_destroy> source, target;
    status = dnnl_primitive_create(&primitive.handle, description.handle);
    if (status != dnnl_success) return status;
    dnnl_memory_create(&source.handle, &from, library.engine, const_cast<void*>(in));
    dnnl_memory_create(&target.handle, &to, library.engine, out);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, source.handle}, {DNNL_ARG_TO, target.handle}};
    status = dnnl_primitive_execute(primitive.handle, library.stream, 2, arguments);
    dnnl_stream_wait(library.stream);
    return status;
}

template <class T, class U>
dnnl_status_t run_theirs(onednn& library, const reorder_case<T, U>& question, U* out, std::string& code) {
    const dnnl_memory_desc_t from = to_onednn({data_type_of<T>, question.src});
    const dnnl_memory_desc_t to = to_onednn({data_type_of<U>, question.dst});
    return run_theirs(library, from, question.in.data(), to, out, their_attributes(question), code);
}

/// Tells the referee if oneDNN's elements equal plait's, and otherwise which rule gives the reason.
template <class T, class U>
void explain(const reorder_case<T, U>& question, const std::string& operation, const std::string& code,
             const std::vector<U>& ours, const U* theirs, referee& judge) {
    if (std::equal(ours.begin(), ours.end(), theirs, same_bits<U>)) return judge.agreed(operation.c_str(), true);
    std::vector<dim_t> numbers(ours.size(), -1);  // number of the element at each offset
    for (dim_t i = 0; i < question.dst.volume(); ++i)
        numbers[static_cast<std::size_t>(question.dst.linear_offset(i))] = i;
    const char* rule = nullptr;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        if (same_bits(ours[i], theirs[i])) continue;
        rule = numbers[i] < 0 ? padding_rule(question, i, theirs[i])
                              : element_rule(question, code, unravel(question.dst.dims, numbers[i]), i, theirs[i]);
        if (rule == nullptr) return judge.failed(operation.c_str(), code + question.text(i, ours[i], theirs[i]));
    }
    judge.differed(operation.c_str(), rule);
}

template <class T, class U>
void ask_reorder(onednn& library, random_source& random, referee& judge) {
    const reorder_case<T, U> question(random);
    const std::string operation = std::string(to_string(data_type_of<T>)) + " -> " + to_string(data_type_of<U>);
    std::vector<U> by_reference = question.old, ours = question.old;
    // Memory on both sides, to detect writes outside of the tensor.
    constexpr std::size_t room = 4096;
    std::vector<U> around(ours.size() + 2 * room);
    U* const theirs = around.data() + room;
    std::copy(ours.begin(), ours.end(), theirs);
    reference_reorder(question.src, question.in.data(), question.dst, by_reference.data(), question.attributes);
    reorder(question.src, question.in.data(), question.dst, ours.data(), question.attributes);
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (!same_bits(ours[i], by_reference[i]))
            return judge.failed(operation.c_str(),
                                "plait is not its own reference" + question.text(i, by_reference[i], ours[i]));
    std::string code;
    const dnnl_status_t status = run_theirs(library, question, theirs, code);
    if (status == dnnl_unimplemented) return judge.agreed(operation.c_str(), false);
    if (status != dnnl_success)
        return judge.failed(operation.c_str(),
                            std::string(dnnl_status2str(status)) + question.text(0, ours[0], theirs[0]));
    const auto is_zero = [](const U& x) { return same_bits(x, U{}); };
    if (!std::all_of(around.begin(), around.begin() + room, is_zero) ||
        !std::all_of(around.end() - room, around.end(), is_zero))
        return judge.failed(operation.c_str(), "oneDNN writes outside");
    explain(question, operation, code, by_reference, theirs, judge);
}

/// Quantises weights with compensation by plait's reference, by its plan, and by oneDNN.
void ask_compensation(onednn& library, random_source& random, referee& judge) {
    const compensated_case question(random);
    const std::string operation = std::string(plait::to_string(question.src.type)) + " -> s8 with compensation";
    const std::size_t bytes = question.dst.size_in_bytes();
    std::vector<std::byte> by_reference(bytes, std::byte{55}), ours = by_reference;
    reference_reorder(question.src, question.in.data(), question.dst, by_reference.data(), question.attributes);
    if (const plait::verdict why =
            reorder(question.src, question.in.data(), question.dst, ours.data(), question.attributes);
        !why.ok())
        return judge.failed(operation.c_str(), describe(why).c_str());
    if (ours != by_reference)
        return judge.failed(operation.c_str(),
                            "plait is not its own reference" + question.text(by_reference.data(), ours.data(), bytes));
    dnnl_primitive_attr_t attributes = nullptr;
    dnnl_primitive_attr_create(&attributes);
    if (!question.scales.empty())
        dnnl_primitive_attr_set_output_scales(attributes, static_cast<dim_t>(question.scales.size()),
                                              question.attributes.src_scale.mask, question.scales.data());
    std::string code;
    const dnnl_memory_desc_t from = question.their_source(), to = question.their_destination();
    std::vector<std::byte> theirs(dnnl_memory_desc_get_size(&to));  // oneDNN 2 needs space for more sums than it writes
    if (theirs.size() < bytes) return judge.failed(operation.c_str(), "smaller for oneDNN");
    const dnnl_status_t status = run_theirs(library, from, question.in.data(), to, theirs.data(), attributes, code);
    if (status == dnnl_unimplemented) return judge.agreed(operation.c_str(), false);
    if (status != dnnl_success) return judge.failed(operation.c_str(), dnnl_status2str(status));
    if (std::equal(ours.begin(), ours.end(), theirs.begin())) return judge.agreed(operation.c_str(), true);
    // For weights with one channel per group, oneDNN's jit:uni writes the elements but no sums. For abc with sums by a
    // and b, if c is the channel, it also ignores scale_adjust.
    const auto weights = static_cast<std::ptrdiff_t>(question.dst.layout.padded_volume());
    std::vector<std::byte> unadjusted(bytes);
    reference_reorder(question.src, question.in.data(), descriptor(data_type::s8, question.dst.layout),
                      unadjusted.data(), question.attributes);
    const bool has_no_sums =
        (std::equal(ours.begin(), ours.begin() + weights, theirs.begin()) ||
         std::equal(unadjusted.begin(), unadjusted.begin() + weights, theirs.begin())) &&
        std::all_of(theirs.begin() + weights, theirs.end(), [](std::byte b) { return b == std::byte{}; });
    const bool has_one_channel = question.dst.layout.dims[1] == 1 || question.elements_of_a_sum() == 1;
    if (code.starts_with("jit:uni") && has_one_channel && has_no_sums)
        return judge.differed(operation.c_str(),
                              "oneDNN's jit:uni writes no compensation where a group has one channel");
    judge.failed(operation.c_str(), code + question.text(ours.data(), theirs.data(), bytes));
}

using asker = void (*)(onednn&, random_source&, referee&);

/// Returns one function per pair of element types.
template <class... T>
std::vector<asker> all_pairs(std::tuple<T...>) {
    std::vector<asker> out;
    const auto from = [&]<class From>(From) { (out.push_back(ask_reorder<From, T>), ...); };
    (from(T{}), ...);
    return out;
}

}  // namespace
}  // namespace differential

int main(int argc, char** argv) {
    CLI::App app("Random reorders, run by plait and by oneDNN");
    long count = 200'000;
    std::uint64_t seed = 20'220'331;
    app.add_option("--count", count, "how many reorders")->capture_default_str();
    app.add_option("--seed", seed, "where the random numbers begin")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    using namespace differential;
    std::vector<asker> pairs =
        all_pairs(std::tuple<float, bfloat16, float16, std::int32_t, std::int8_t, std::uint8_t>());
    pairs.push_back(ask_compensation);
    onednn library;
    random_source random(seed);
    referee judge;
    const auto begin = std::chrono::steady_clock::now();
    for (long i = 0; i < count; ++i) pairs[static_cast<std::size_t>(i) % pairs.size()](library, random, judge);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    judge.print();
    std::printf("%ld reorders, seed %llu, oneDNN %d.%d: %ld differences that no rule explains; %.1f s\n", count,
                static_cast<unsigned long long>(seed), dnnl_version()->major, dnnl_version()->minor, judge.failures(),
                seconds.count());
    return judge.failures() == 0 ? 0 : 1;
}
