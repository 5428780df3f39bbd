#include "blob_file.hpp"

#include "nearest_record_tag.hpp"
#include "output_bytes.hpp"

#include <plait/io/print_record.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tool {

void require_ok(const plait::verdict& why, const std::string& about) {
    if (!why.ok()) throw failure(about + ": " + plait::describe(why).c_str());
}

std::string in_words(const plait::record& r) { return plait::to_string(r); }

namespace {

/// Returns the options of a blob of these bytes, with their checksum. Calls `forget` after each window.
plait::blob_options options_for(std::span<const std::byte> data, const std::function<void()>& forget) {
    plait::blob_options out;
    for (std::size_t at = 0; at < data.size(); at += window_bytes) {
        out.checksum.add(data.subspan(at, std::min(window_bytes, data.size() - at)));
        forget();
    }
    return out;
}

}  // namespace

blob_file read_blob(const std::string& path) {
    blob_file out;
    out.bytes = std::make_unique<input_bytes>(path);
    const plait::expected<plait::blob> opened = plait::open_blob(out.bytes->bytes(), false);
    require_ok(opened.error(), out.bytes->name());
    out.content = *opened;
    if (opened->checksum == 0) return out;
    const std::uint64_t found = options_for(opened->data, [&out] { out.bytes->forget(); }).checksum.value();
    if (found != opened->checksum)
        require_ok({plait::reason::blob_data_is_damaged, -1, static_cast<plait::dim_t>(found),
                    static_cast<plait::dim_t>(opened->checksum)},
                   out.bytes->name());
    return out;
}

void write_blob(const std::string& path, const plait::record& r, const std::string& key, const fill_function& fill) {
    if (key.size() > plait::detail::blob_key_size)
        throw failure("key '" + key + "' has " + std::to_string(key.size()) + " letters, but at most " +
                      std::to_string(plait::detail::blob_key_size) + " have a place");
    const std::size_t header = plait::blob_header_size(r);
    output_bytes out(path, header + r.size_in_bytes());
    const std::span<std::byte> whole(out.data(), header + r.size_in_bytes()), data = whole.subspan(header);
    const auto forget = [&out] { out.forget(); };
    fill(data, forget);
    plait::write_blob_header(r, {}, whole, key, options_for(data, forget));
    out.commit();
}

plait::record_tag read_record_tag(const std::string& text) {
    const plait::expected<plait::record_tag> tag = plait::parse_record_tag(text);
    if (tag.has_value()) return *tag;
    const std::string nearest = nearest_record_tag(text);
    throw failure("record '" + text + "': " + plait::describe(tag.error()).c_str(),
                  nearest.empty() ? std::vector<std::string>() : std::vector{line("nearest", nearest)});
}

plait::record make_record(const plait::record_tag& tag, const plait::dims& dims) {
    const plait::expected<plait::record> r = plait::try_record(tag, dims);
    require_ok(r.error(), "record '" + plait::to_string(tag) + "' " + plait::to_string(dims));
    return *r;
}

plait::repack_options options_of(const std::vector<std::string>& parameters, const std::vector<std::string>& dropped) {
    plait::repack_options out;
    for (const std::string& text : parameters) {
        const std::size_t at = text.find('=');
        char* end = nullptr;
        const double number = at == std::string::npos ? 0 : std::strtod(text.c_str() + at + 1, &end);
        if (at == 0 || at > 15 || end == nullptr || *end != 0 || end == text.c_str() + at + 1 || !std::isfinite(number))
            throw failure("parameter '" + text + "' is not a name and a number", {line("nearest", "izp=3")});
        out.parameters.emplace_back(text.substr(0, at), number);
    }
    for (const std::string& name : dropped) out.dropped.push_back(name);
    return out;
}

}  // namespace tool
