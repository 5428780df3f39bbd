// Answers requests about records of packed weights, a JSON object a line: test/witness/record_protocol.py describes
// them.

#include "support/executors.hpp"

#include <plait/packed/pack.hpp>
#include <plait/packed/verify.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {
using plait::dim_t, plait::record;
using json = nlohmann::json;
using bytes = std::vector<std::byte>;

bytes from_hex(const std::string& text) {
    bytes out(text.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::byte>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
    return out;
}
std::string to_hex(const bytes& data) {
    std::string out;
    for (const std::byte b : data)
        for (const int half : {static_cast<int>(b) >> 4, static_cast<int>(b) & 15}) out += "0123456789abcdef"[half];
    return out;
}

/// Memory to write to, with bytes before and after it. All have other values at each call, so that bits that nothing
/// writes show, and bytes that are written outside.
class written_bytes {
public:
    explicit written_bytes(std::size_t size) : all_(size + 2 * around) {
        for (std::byte& b : all_) b = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
        before_ = all_;
    }
    std::span<std::byte> inside() { return std::span(all_).subspan(around, all_.size() - 2 * around); }
    /// Returns the bytes, or throws if others were written.
    bytes get() {
        for (std::size_t i = 0; i < all_.size(); ++i)
            if ((i < around || i >= all_.size() - around) && all_[i] != before_[i])
                throw std::runtime_error("byte " + std::to_string(static_cast<dim_t>(i) - dim_t{around}) +
                                         " is written, of " + std::to_string(inside().size()));
        return {inside().begin(), inside().end()};
    }

private:
    static constexpr std::size_t around = 64;
    static inline std::uint32_t state = 1;
    bytes all_, before_;
};

/// A request that the library refuses.
struct refusal {
    plait::verdict why;
};
void insist(const plait::verdict& why) {
    if (!why.ok()) throw refusal{why};
}

plait::dims dims_of(const json& request) {
    plait::dims out;
    for (const auto& extent : request["dims"]) out.push_back(extent.get<dim_t>());
    return out;
}
record record_of(const json& request, const char* key = "tag") {
    const auto made = plait::parse_record(request[key].get<std::string>(), dims_of(request));
    insist(made.error());
    return *made;
}

/// The type of the elements of a field's plain tensor: its own, or, of a field in pieces or without a type, one of 8 or
/// 16 bits.
plait::data_type plain_type(const record& r, const std::string& name) {
    const plait::record_field* first = nullptr;
    int width = 0;
    bool same = true;
    for (const plait::record_field& f : r.tag.fields) {
        if (name != f.name.c_str()) continue;
        if (first == nullptr) first = &f;
        same = same && f.type == first->type && f.low == 0 && f.type != plait::data_type::undef;
        width = std::max(width, f.low + f.width);
    }
    if (first == nullptr) throw std::runtime_error("no field " + name);
    return same ? first->type : width <= 8 ? plait::data_type::u8 : plait::data_type::f16;
}
int width_of(const record& r, const std::string& name) {
    int width = 0;
    for (const plait::record_field& f : r.tag.fields)
        if (name == f.name.c_str()) width = std::max(width, f.low + f.width);
    return width;
}
plait::descriptor plain_descriptor(const record& r, const std::string& name) {
    plait::dims extents;
    plait::strides strides;
    for (int a = 0; a < r.ndims(); ++a) {
        extents.push_back(plait::detail::value_digits_of(r, plait::detail::field_name_of(name), a).count(r.dims[a]));
        strides.push_back(1);
    }
    for (int a = r.ndims() - 2; a >= 0; --a) strides[a] = strides[a + 1] * std::max(extents[a + 1], dim_t{1});
    return {plain_type(r, name), plait::layout(extents, strides)};
}
int threads_of(const json& request) { return request.value("threads", 1); }
/// With several threads, chunks are as small as they can be.
plait::repack_options options_of(const json& request) {
    plait::repack_options out;
    if (threads_of(request) > 1) out.chunk_bytes = 1;
    if (request.contains("parameters"))
        for (const auto& [name, value] : request["parameters"].items())
            out.parameters.emplace_back(name, value.get<double>());
    return out;
}

/// Calls what(low, place) for the pieces of a field, for each index in row-major order.
template <class What>
void for_each_place(const record& r, const std::string& name, const What& what) {
    plait::position index;
    for (int a = 0; a < r.ndims(); ++a) index.push_back(0);
    for (const dim_t extent : r.dims)
        if (extent == 0) return;
    for (int a = 0; a >= 0;) {
        std::map<int, dim_t> places;
        for (const plait::record_piece& piece : r.pieces)
            if (name == r.field_of(piece).name.c_str() && piece.holds(index))
                places[r.field_of(piece).low] = piece.place(index);
        for (const auto& [low, place] : places) what(low, place);
        for (a = r.ndims() - 1; a >= 0 && ++index[a] == r.dims[a]; --a) index[a] = 0;
    }
}

json answer_record(const json& request) {
    const record r = record_of(request);
    json fields = json::object();
    for (const plait::record_field& f : r.tag.fields) {
        const std::string name = f.name.c_str();
        std::uint64_t h = 0, w = 1;
        const auto add = [&](std::uint64_t x) { w *= 0x9E3779B97F4A7C15, h += (x + 1) * w; };
        for_each_place(r, name, [&](int low, dim_t place) {
            add(static_cast<std::uint64_t>(low));
            add(static_cast<std::uint64_t>(place));
        });
        std::string text = std::to_string(width_of(r, name)) + ' ';
        const plait::dims extents = plain_descriptor(r, name).layout.dims;
        for (int a = 0; a < extents.size(); ++a) text += (a == 0 ? "" : "x") + std::to_string(extents[a]);
        char hash[17];
        std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(h));
        fields[name] = text + ' ' + hash;
    }
    return {{"text", r.tag.text().c_str()}, {"size", r.size_in_bytes()}, {"fields", fields}};
}
json answer_places(const json& request) {
    std::vector<dim_t> out;
    for_each_place(record_of(request), request["field"], [&](int low, dim_t place) {
        if (out.size() < 65536) out.insert(out.end(), {dim_t{low}, place});
    });
    return {{"places", out}};
}

json answer_pack(const json& request) {
    const record r = record_of(request);
    std::vector<bytes> data;
    std::vector<std::string> names;
    for (const auto& [name, hex] : request["values"].items()) {
        names.push_back(name);
        data.push_back(from_hex(hex));
    }
    std::vector<plait::field_values> values;
    for (std::size_t i = 0; i < data.size(); ++i) values.push_back({names[i], plain_descriptor(r, names[i]), data[i]});
    written_bytes out(r.size_in_bytes());
    insist(plait::try_pack(r, values, out.inside(), options_of(request)).error());
    return {{"bytes", to_hex(out.get())}};
}
json answer_unpack(const json& request) {
    const record r = record_of(request);
    std::map<std::string, written_bytes> data;
    for (const plait::record_field& f : r.tag.fields)
        if (const std::string name = f.name.c_str(); f.content.kind != plait::field_content::sum)
            data.try_emplace(name, plain_descriptor(r, name).buffer_size_in_bytes());
    std::vector<plait::field_target> targets;
    for (auto& [name, memory] : data) targets.push_back({name, plain_descriptor(r, name), memory.inside()});
    insist(plait::try_unpack(r, from_hex(request["bytes"]), targets, options_of(request)).error());
    json values = json::object();
    for (auto& [name, memory] : data) values[name] = to_hex(memory.get());
    return {{"values", values}};
}
json answer_verify(const json& request) {
    insist(plait::verify(record_of(request), from_hex(request["bytes"]), options_of(request)));
    return {{"ok", 1}};
}
json answer_repack(const json& request) {
    const record from = record_of(request), to = record_of(request, "to");
    plait::repack_options options = options_of(request);
    std::vector<std::string> dropped;
    if (request.contains("drop")) dropped = request["drop"].get<std::vector<std::string>>();
    for (const std::string& name : dropped) options.dropped.push_back(name);
    const auto planned = plait::make_repack(from, to, options);
    insist(planned.error());
    written_bytes out(to.size_in_bytes());
    insist(planned->attempt(plait_test::last_chunk_first{threads_of(request)}, from_hex(request["bytes"]), out.inside())
               .error());
    return {{"bytes", to_hex(out.get())}};
}

json answer(const json& request) {
    const std::string op = request["op"];
    if (op == "record") return answer_record(request);
    if (op == "places") return answer_places(request);
    if (op == "pack") return answer_pack(request);
    if (op == "unpack") return answer_unpack(request);
    if (op == "verify") return answer_verify(request);
    if (op == "repack") return answer_repack(request);
    return {{"error", "unknown op " + op}};
}

/// True if the first number of a reason is a column of the tag.
bool has_column(const plait::verdict& why) {
    const std::string text = plait::describe(why).c_str();
    return text.find("column " + std::to_string(why.first)) != std::string::npos;
}
}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        json out;
        try {
            out = answer(json::parse(line));
        } catch (const refusal& refused) {
            out = {{"refused", plait::to_string(refused.why.reason)},
                   {"column", has_column(refused.why) ? refused.why.first : 0},
                   {"sentence", plait::describe(refused.why).c_str()}};
        } catch (const std::exception& failed) {
            out = {{"error", failed.what()}};
        }
        std::cout << out.dump() << std::endl;
    }
}
