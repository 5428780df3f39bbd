#pragma once
// Reads the lines of test/data/suites, and computes the hash that stands for large results in them.

#include <plait/core/axis.hpp>

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace plait_test {

/// A value of JSON: a list, an object, or a text. Numbers, true, false and null are kept as text.
struct suite_value {
    std::string text{};
    std::vector<suite_value> list{};
    std::map<std::string, suite_value> fields{};

    bool has(const std::string& name) const { return fields.count(name) != 0; }
    const suite_value& operator[](const std::string& name) const { return fields.at(name); }
    bool is(const std::string& name) const { return has(name) && fields.at(name).text == "true"; }
    plait::dim_t number() const { return std::stoll(text); }
    /// Returns the numbers of a list as axis numbers, or as another list with push_back.
    template <class List>
    List numbers() const {
        List out;
        for (const suite_value& one : list) out.push_back(one.number());
        return out;
    }
};

/// Reads one line of JSON: objects, lists, and texts without escapes.
class suite_reader {
public:
    static suite_value read(const std::string& line) {
        suite_reader in(line);
        return in.value();
    }

private:
    const std::string& text_;
    std::size_t at_ = 0;
    explicit suite_reader(const std::string& text) : text_(text) {}

    char next() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (at_ == text_.size()) throw std::runtime_error("the line ends early: " + text_);
        return text_[at_];
    }
    bool take(char c) { return next() == c && ++at_ > 0; }
    suite_value value() {
        suite_value out;
        if (take('{')) {
            while (!take('}')) {
                const std::string name = value().text;
                if (!take(':')) throw std::runtime_error("no colon: " + text_);
                out.fields[name] = value();
                take(',');
            }
        } else if (take('[')) {
            while (!take(']')) {
                out.list.push_back(value());
                take(',');
            }
        } else if (take('"')) {
            for (; text_.at(at_) != '"'; ++at_) out.text += text_[at_];
            ++at_;
        } else {
            for (; at_ < text_.size() && std::string(",]} :").find(text_[at_]) == std::string::npos; ++at_)
                out.text += text_[at_];
            if (out.text.empty()) throw std::runtime_error("no value: " + text_);
        }
        return out;
    }
};

/// Returns all lines of a file in test/data/suites.
inline std::vector<suite_value> suite_rows(const std::string& directory, const std::string& name) {
    std::vector<suite_value> out;
    std::ifstream file(directory + "/suites/" + name + ".jsonl");
    for (std::string line; std::getline(file, line);) out.push_back(suite_reader::read(line));
    if (out.empty()) throw std::runtime_error("no cases in " + name);
    return out;
}

/// Returns the SHA-1 hash of bytes as hexadecimal digits, as defined in FIPS 180-4.
inline std::string sha1(const std::vector<unsigned char>& bytes) {
    std::vector<unsigned char> all = bytes;
    all.push_back(0x80);
    while (all.size() % 64 != 56) all.push_back(0);
    for (int shift = 56; shift >= 0; shift -= 8)
        all.push_back(static_cast<unsigned char>(static_cast<std::uint64_t>(bytes.size()) * 8 >> shift));
    std::array<std::uint32_t, 5> h{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    const auto turn = [](std::uint32_t x, int n) { return x << n | x >> (32 - n); };
    for (std::size_t block = 0; block < all.size(); block += 64) {
        std::array<std::uint32_t, 80> w{};
        for (std::size_t i = 0; i < 16; ++i)
            for (std::size_t k = 0; k < 4; ++k) w[i] = w[i] << 8 | all[block + 4 * i + k];
        for (std::size_t i = 16; i < 80; ++i) w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        auto [a, b, c, d, e] = h;
        for (std::size_t i = 0; i < 80; ++i) {
            const std::uint32_t f = i < 20   ? (b & c) | (~b & d)
                                    : i < 40 ? b ^ c ^ d
                                    : i < 60 ? (b & c) | (b & d) | (c & d)
                                             : b ^ c ^ d;
            constexpr std::uint32_t step[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
            const std::uint32_t next = turn(a, 5) + f + e + step[i / 20] + w[i];
            e = d, d = c, c = turn(b, 30), b = a, a = next;
        }
        h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
    }
    std::string out;
    for (const std::uint32_t word : h)
        for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[word >> shift & 15];
    return out;
}
inline std::string sha1(const std::string& text) { return sha1(std::vector<unsigned char>(text.begin(), text.end())); }

}  // namespace plait_test
