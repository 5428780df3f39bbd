// Decides the conversions of each instruction set that the CPU has, beside plait::convert and convert_with. Prints a
// line for each pair of types, and fails with the first input that differs. docs/design/proofs.md has its numbers.
#include "conversion_inputs.hpp"

#include <plait/contract/attributes.hpp>
#include <plait/contract/isa.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace conversions;
using plait::data_type;
using plait::detail::element_attributes;

constexpr std::size_t block = std::size_t{1} << 14;  // elements that are converted and compared together
constexpr int longest_row = 160;                     // rows of 1 to 160 elements end inside a register
constexpr std::size_t guard = 64;                    // bytes after a row that must keep their values
constexpr std::byte old_byte{0x5a};

struct options {
    std::uint64_t share = 1, shares = 1;           // of the inputs of 32 bits
    std::uint64_t drawn = std::uint64_t{1} << 24;  // inputs of a pair that are converted with attributes
    std::vector<data_type> sources;
    unsigned threads = std::max(1u, std::thread::hardware_concurrency());
};

std::vector<plait::isa> sets_of_this_cpu() {
    std::vector<plait::isa> out;
    for (const plait::isa set : plait::every_isa)
        if (plait::engine::has_compiled_kernels(set) && plait::cpu_has(set)) out.push_back(set);
    return out;
}

std::string hex(std::uint64_t bits, int width) {
    char text[24];
    std::snprintf(text, sizeof(text), "0x%0*llx", (width + 3) / 4, static_cast<unsigned long long>(bits));
    return text;
}

/// Writes what the contract says of `count` elements.
using contract_function = void (*)(const std::byte* in, std::byte* out, std::size_t count, const element_attributes*);
template <plait::element T, plait::element U>
void by_contract(const std::byte* in, std::byte* out, std::size_t count, const element_attributes* attributes) {
    using namespace plait::detail;
    for (std::size_t k = 0; k < count; ++k) {
        const auto place = static_cast<plait::dim_t>(k);
        const T x = load_element<T>(in, place);
        store_element<U>(out, place,
                         attributes != nullptr ? plait::convert_with<U>(x, U{}, *attributes) : plait::convert<U>(x));
    }
}
contract_function contract_of(data_type from, data_type to) {
    return plait::with_element_type(from, [&]<plait::element T>(T) {
        return plait::with_element_type(to,
                                        []<plait::element U>(U) -> contract_function { return &by_contract<T, U>; });
    });
}

bool is_nan(std::uint64_t bits, data_type type) {
    if (type == data_type::f32) return (bits << 33) > std::uint64_t{0xff} << 56;
    return type == data_type::f64 && (bits << 1) > std::uint64_t{0x7ff} << 53;
}

/// A pair of types, and what was found of it. Threads share it.
class pair {
public:
    pair(data_type from, data_type to, const std::vector<plait::isa>& sets)
        : from_(from), to_(to), sets_(sets), contract_(contract_of(from, to)), failures_(sets.size()) {}

    bool failed() const { return failed_; }
    const std::vector<std::string>& failures() const { return failures_; }

    /// Returns a reorder of a row for each instruction set. Fails if one is refused.
    std::vector<plait::planned_reorder> plan(std::size_t count, const element_attributes* with) {
        std::vector<plait::planned_reorder> out;
        plait::reorder_attributes attributes;
        if (with != nullptr) {
            attributes.src_scale = with->src_scale;
            attributes.dst_scale = with->dst_scale;
            attributes.src_zero_point = with->src_zero_point;
            attributes.dst_zero_point = with->dst_zero_point;
        }
        const plait::layout row({static_cast<plait::dim_t>(count)}, "a");
        for (std::size_t s = 0; s < sets_.size(); ++s) {
            auto planned = plait::engine::compiled_once::make(sets_[s], {from_, row}, {to_, row}, attributes);
            if (!planned) {
                fail(s, std::string("refused: ") + describe(planned.error()).c_str());
                return {};
            }
            out.push_back(*std::move(planned));
        }
        return out;
    }

    /// Converts a row with each plan, and compares it with the contract.
    void compare(const std::vector<plait::planned_reorder>& plans, const std::vector<std::byte>& in, std::size_t count,
                 const element_attributes* with) {
        const std::size_t bytes = bytes_of_row(to_, count);
        thread_local std::vector<std::byte> expected, out;
        expected.assign(bytes + guard, old_byte);
        contract_(in.data(), expected.data(), count, with);
        for (std::size_t s = 0; s < plans.size(); ++s) {
            out.assign(bytes + guard, old_byte);
            plans[s](in.data(), out.data());
            if (std::memcmp(out.data(), expected.data(), out.size()) != 0) explain(s, in, count, expected, out, with);
        }
    }

private:
    /// Keeps what an instruction set did first.
    void fail(std::size_t s, const std::string& what) {
        const std::lock_guard lock(mutex_);
        if (failures_[s].empty())
            failures_[s] = std::string(plait::to_string(from_)) + " -> " + plait::to_string(to_) + ", " +
                           plait::to_string(sets_[s]) + ": " + what;
        failed_ = true;
    }
    /// A NaN of f32 or f64 that is computed may have other bits, as the contract says. One that is only moved may not.
    void explain(std::size_t s, const std::vector<std::byte>& in, std::size_t count,
                 const std::vector<std::byte>& expected, const std::vector<std::byte>& out,
                 const element_attributes* with) {
        const int width = plait::size_in_bits(to_);
        const bool is_move = from_ == to_ && with == nullptr;
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint64_t want = bits_at(to_, expected.data(), k), have = bits_at(to_, out.data(), k);
            if (want == have || (!is_move && is_nan(want, to_) && is_nan(have, to_))) continue;
            std::string text = "element " + std::to_string(k) + " of " + std::to_string(count) + ": " +
                               hex(bits_at(from_, in.data(), k), plait::size_in_bits(from_)) + " becomes " +
                               hex(have, width) + ", and " + hex(want, width) + " by the contract";
            if (with != nullptr) {
                char attributes[120];
                std::snprintf(attributes, sizeof(attributes), "; scales %a, %a; zero points %d, %d",
                              static_cast<double>(with->src_scale), static_cast<double>(with->dst_scale),
                              with->src_zero_point, with->dst_zero_point);
                text += attributes;
            }
            return fail(s, text);
        }
        const std::size_t bits = count * static_cast<std::size_t>(width);
        const std::size_t end = bits / 8;  // of whole bytes; elements are equal but for NaN
        if (bits % 8 != 0 && (out[end] >> (bits % 8)) != (expected[end] >> (bits % 8)))
            return fail(s, "writes bits after a row of " + std::to_string(count));
        for (std::size_t b = bytes_of_row(to_, count); b < out.size(); ++b)
            if (out[b] != old_byte) return fail(s, "writes after a row of " + std::to_string(count));
    }

    data_type from_, to_;
    const std::vector<plait::isa>& sets_;
    contract_function contract_;
    std::mutex mutex_;
    std::vector<std::string> failures_;  // one for each set
    std::atomic<bool> failed_ = false;
};

/// Calls visit(number) for every number below `count`, on some threads.
template <class Visit>
void on_threads(unsigned threads, std::uint64_t count, const Visit& visit) {
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
            for (std::uint64_t k = t; k < count; k += threads) visit(k);
        });
    for (std::thread& thread : all) thread.join();
}

/// Converts the inputs of a pair of types. Returns how many there are.
std::uint64_t decide_numbers(pair& what, data_type from, data_type to, const options& with) {
    const inputs all(from, to, with.share, with.shares);
    const std::uint64_t blocks = (all.count() + block - 1) / block;
    const std::vector<plait::planned_reorder> plans = what.plan(block, nullptr);
    on_threads(with.threads, blocks, [&](std::uint64_t b) {
        if (what.failed()) return;
        thread_local std::vector<std::byte> in;
        in.resize(bytes_of_row(from, block));
        for (std::size_t k = 0; k < block; ++k) set_bits_at(from, in.data(), k, all.at((b * block + k) % all.count()));
        what.compare(plans, in, block, nullptr);
    });
    return all.distinct();
}

void decide_short_rows(pair& what, data_type from, const options& with) {
    on_threads(with.threads, longest_row, [&](std::uint64_t row) {
        if (what.failed()) return;
        const std::size_t count = row + 1;
        std::vector<std::byte> in(bytes_of_row(from, count));
        for (std::size_t k = 0; k < count; ++k) set_bits_at(from, in.data(), k, drawn_bits(from, row * 1000 + k));
        what.compare(what.plan(count, nullptr), in, count, nullptr);
    });
}

/// Each block has other attributes.
std::uint64_t decide_attributes(pair& what, data_type from, const options& with) {
    const std::uint64_t blocks = (with.drawn + block - 1) / block;
    on_threads(with.threads, blocks, [&](std::uint64_t b) {
        if (what.failed()) return;
        const element_attributes attributes = drawn_attributes(b);
        thread_local std::vector<std::byte> in;
        in.resize(bytes_of_row(from, block));
        for (std::size_t k = 0; k < block; ++k) set_bits_at(from, in.data(), k, drawn_bits(from, b * block + k));
        what.compare(what.plan(block, &attributes), in, block, &attributes);
    });
    return blocks * block;
}

[[noreturn]] void usage() {
    std::puts(
        "usage: plait_conversions [--types TYPE,...] [--share N/M] [--drawn COUNT] [--threads COUNT]\n"
        "  --types    only conversions from these types\n"
        "  --share    of the 2^32 inputs of f32 and s32, the N-th of M shares; all other inputs are converted in each\n"
        "  --drawn    inputs of each pair that are converted with scales and zero points; 2^24 unless you say other");
    std::exit(2);
}
std::uint64_t read_number(std::string_view text) {
    std::uint64_t out = 0;
    if (text.empty() || text.size() > 12) usage();
    for (const char c : text) {
        if (c < '0' || c > '9') usage();
        out = 10 * out + static_cast<std::uint64_t>(c - '0');
    }
    return out;
}
options read_options(int count, char** argument) {
    options out;
    for (int i = 1; i < count; i += 2) {
        const std::string_view name = argument[i];
        if (i + 1 == count) usage();
        std::string_view value = argument[i + 1];
        if (name == "--drawn") out.drawn = read_number(value);
        else if (name == "--threads") out.threads = std::max(1u, static_cast<unsigned>(read_number(value)));
        else if (name == "--share") {
            const std::size_t slash = value.find('/');
            if (slash == value.npos) usage();
            out.share = read_number(value.substr(0, slash)), out.shares = read_number(value.substr(slash + 1));
            if (out.share < 1 || out.share > out.shares) usage();
        } else if (name == "--types") {
            while (!value.empty()) {
                const std::size_t end = std::min(value.find(','), value.size());
                const auto type = plait::parse_data_type(value.substr(0, end));
                if (!type || *type == data_type::undef) usage();
                out.sources.push_back(*type);
                value.remove_prefix(std::min(end + 1, value.size()));
            }
        } else usage();
    }
    if (out.sources.empty())
        for (int t = 1; t < plait::detail::element_type_count; ++t) out.sources.push_back(static_cast<data_type>(t));
    return out;
}

}  // namespace

int main(int count, char** argument) {
    const options with = read_options(count, argument);
    const std::vector<plait::isa> sets = sets_of_this_cpu();
    for (const plait::isa set : sets) std::printf("%s ", plait::to_string(set));
    std::puts("beside the contract");
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto seconds = [&](auto since) { return std::chrono::duration<double>(now() - since).count(); };
    const auto begin = now();
    std::uint64_t pairs = 0, inputs = 0, with_attributes = 0, wrong = 0;
    for (const data_type from : with.sources)
        for (int t = 1; t < plait::detail::element_type_count; ++t) {
            const auto to = static_cast<data_type>(t);
            const auto start = now();
            pair what(from, to, sets);
            const std::uint64_t numbers = decide_numbers(what, from, to, with);
            decide_short_rows(what, from, with);
            const std::uint64_t drawn = decide_attributes(what, from, with);
            ++pairs, inputs += numbers, with_attributes += drawn;
            wrong += what.failed();
            for (const std::string& failure : what.failures())
                if (!failure.empty()) std::printf("WRONG %s\n", failure.c_str());
            if (!what.failed())
                std::printf("%-8s -> %-8s %10llu inputs, %llu with attributes, %6.2f s\n", plait::to_string(from),
                            plait::to_string(to), static_cast<unsigned long long>(numbers),
                            static_cast<unsigned long long>(drawn), seconds(start));
            std::fflush(stdout);
        }
    std::printf("%llu pairs of types, %llu inputs, %llu with attributes, each with %zu instruction sets, in %.0f s; ",
                static_cast<unsigned long long>(pairs), static_cast<unsigned long long>(inputs),
                static_cast<unsigned long long>(with_attributes), sets.size(), seconds(begin));
    std::printf("%llu pairs are wrong\n", static_cast<unsigned long long>(wrong));
    return wrong == 0 ? 0 : 1;
}
