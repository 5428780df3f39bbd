#include "diff_files_command.hpp"

#include "array_file.hpp"
#include "file_difference.hpp"
#include "json_text.hpp"
#include "nearest_text.hpp"
#include "signals.hpp"
#include "system.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>

namespace tool {

namespace {

/// A file of the command line, and the one array that is selected of it.
struct file_word {
    std::string path, name;
    bool is_named = false;
};

/// Returns where the colon of FILE:NAME is, behind the ending of an archive; npos if there is none.
std::size_t colon_behind_archive(const std::string& word) {
    for (const file_kind kind : {file_kind::npz, file_kind::safetensors}) {
        const std::string_view ending = file_endings[static_cast<int>(kind)];
        const std::size_t at = word.find(std::string(ending) + ":");
        if (at != std::string::npos) return at + ending.size();
    }
    return std::string::npos;
}

/// Reads FILE or FILE:NAME. A name begins after the ending of an archive, unless a file is called like the whole word.
file_word read_file_word(const std::string& word) {
    std::error_code ignored;
    if (std::filesystem::exists(path_of(word), ignored)) return {word, "", false};
    const std::size_t colon = colon_behind_archive(word);
    if (colon == std::string::npos) return {word, "", false};
    return {word.substr(0, colon), word.substr(colon + 1), true};
}

double read_tolerance(const std::string& option, const std::string& text) {
    if (text.empty()) return 0;
    char* end = nullptr;
    const double out = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(out) || out < 0)
        throw wrong_usage(option + ": '" + text + "' is no finite number from 0 on");
    return out;
}

/// Returns the arrays of a file as they are compared.
std::vector<stored_array> arrays_of(const array_file& file, const file_word& word, const diff_options& options) {
    const std::string& path = file.bytes->name();
    std::vector<std::string> names;
    std::vector<stored_array> out;
    for (const stored_array& array : file.arrays) {
        const std::string name = array.name.value_or("");
        if (array.name) names.push_back(name);
        const bool is_chosen = word.is_named ? array.is_npy && name == word.name
                                             : options.only.empty() || !array.name ||
                                                   std::count(options.only.begin(), options.only.end(), name) != 0;
        if (is_chosen) out.push_back(array);
    }
    if (word.is_named && out.empty()) {
        const std::string near = nearest_of(word.name, names);
        throw failure(path + ": has no array called '" + word.name + "'",
                      near.empty() ? std::vector<std::string>() : std::vector{line("nearest", path + ":" + near)});
    }
    if (word.is_named) out[0].name.reset();
    return out;
}

/// Applies --src-type to arrays of unsigned integers, whose bits they are. Returns true if it applies to any.
bool say_type(std::vector<stored_array>& arrays, const std::string& text) {
    const plait::data_type type = read_type(text);
    const int bits = plait::size_in_bits(type);
    bool is_applied = false;
    for (stored_array& array : arrays) {
        array_type& was = array.type;
        const bool is_unsigned = was.name.size() > 1 && was.name[1] == 'u' && was.safetensors.find("F8") != 0;
        if (array.unreadable || array.record || !is_unsigned || was.bytes != std::max(bits / 8, 1)) continue;
        if (bits % 8 != 0) {
            if (array.fortran_order || array.shape.empty() || array.shape.back() * 8 % bits != 0) continue;
            array.shape.back() = array.shape.back() * 8 / bits;
        }
        const int swapped = was.swapped;
        was = type_for(type);
        was.swapped = swapped;
        is_applied = true;
    }
    return is_applied;
}

std::string number_text(double number) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof(text), number, std::chars_format::general, 6).ptr};
}

template <class Thing>
std::string both(const Thing& first, const Thing& second) {
    return first == second ? first + " in both" : first + " and " + second;
}

std::string at_text(const element_pair& pair) {
    return "at " + as_text(pair.index) + ": " + pair.first + " and " + pair.second;
}

void print_values(const array_difference& a, const tolerance& allowed) {
    const element_difference& values = a.values;
    if (!a.why_not_compared.empty()) std::cout << line("values", a.why_not_compared) << '\n';
    if (values.count + values.within == 0) return;
    const std::string of = std::to_string(a.elements) + " elements";
    std::cout << line("differ", std::to_string(values.count) + " of " + of +
                                    (allowed.any() && values.has_errors
                                         ? ", and " + std::to_string(values.within) + " within the tolerance"
                                         : ""))
              << '\n'
              << line("first", at_text(values.first)) << '\n';
    if (!values.has_errors) return;
    std::cout << line("absolute",
                      "error at most " + number_text(values.absolute.absolute) + ", " + at_text(values.absolute))
              << '\n'
              << line("relative",
                      "error at most " + number_text(values.relative.relative) + ", " + at_text(values.relative))
              << '\n';
}

void print_array(const array_difference& a, const tolerance& allowed) {
    if (!a.name.empty()) std::cout << line("array", a.name) << '\n';
    std::cout << line("shape", both(as_text(a.shapes[0]), as_text(a.shapes[1]))) << '\n'
              << line("type", both(a.types[0], a.types[1])) << '\n';
    if (a.has_other_shape) std::cout << line("values", "not compared: the shapes differ") << '\n';
    print_values(a, allowed);
}

/// Returns what was compared, if it is equal: "120 elements of f32, (2, 3, 4, 5)", or "3 arrays, 360 elements".
std::string extent_of(const file_difference& found) {
    if (found.count == 1 && found.arrays.size() == 1 && found.arrays[0].name.empty())
        return std::to_string(found.arrays[0].elements) + " elements of " + found.arrays[0].types[0] + ", shape " +
               as_text(found.arrays[0].shapes[0]);
    std::uint64_t elements = 0;
    for (const array_difference& a : found.arrays) elements += a.elements;
    return std::to_string(found.count) + (found.count == 1 ? " array, " : " arrays, ") + std::to_string(elements) +
           " elements";
}

void print(const file_difference& found, const std::string (&files)[2], const diff_options& options,
           const tolerance& allowed) {
    const bool is_within = std::any_of(found.arrays.begin(), found.arrays.end(),
                                       [](const array_difference& a) { return a.values.within != 0; });
    const std::string equal = is_within ? " are equal within the tolerance: " : " are equal: ";
    std::cout << in_one_line(files[0]) << " and " << in_one_line(files[1])
              << (found.is_same(options.ignore_type) ? equal + extent_of(found) : " differ") << '\n';
    for (const array_difference& a : found.arrays)
        if (!a.is_same(false) || a.values.within != 0) print_array(a, allowed);
    for (const std::string& name : found.other_structure)
        std::cout << line("type", (name.empty() ? "" : name + ": ") + "only one is structured, of several fields")
                  << '\n';
    for (const int side : {0, 1})
        for (const std::string& name : found.only_in[side])
            std::cout << line("only in", in_one_line(files[side]) + ": " + name) << '\n';
}

/// Returns a number for JSON, which has neither infinities nor NaN, as text if it is one of them.
json number_of(double number) { return std::isfinite(number) ? json(number) : json(number_text(number)); }

json json_of(const element_pair& pair, bool has_errors) {
    json out{{"index", list_of(pair.index)}, {"values", {pair.first, pair.second}}};
    if (has_errors) out["absolute"] = number_of(pair.absolute);
    if (has_errors) out["relative"] = number_of(pair.relative);
    return out;
}

std::string json_of(const file_difference& found, bool ignores_type) {
    json arrays = json::array();
    for (const array_difference& a : found.arrays) {
        json one{{"name", a.name},
                 {"same", a.is_same(ignores_type)},
                 {"shapes", {list_of(a.shapes[0]), list_of(a.shapes[1])}},
                 {"types", {a.types[0], a.types[1]}},
                 {"elements", a.elements},
                 {"differ", a.values.count},
                 {"within", a.values.within}};
        if (a.values.count + a.values.within != 0) {
            one["first"] = json_of(a.values.first, a.values.has_errors);
            if (a.values.has_errors) one["worst_absolute"] = json_of(a.values.absolute, true);
            if (a.values.has_errors) one["worst_relative"] = json_of(a.values.relative, true);
        }
        arrays.push_back(std::move(one));
    }
    const json out{{"same", found.is_same(ignores_type)},
                   {"arrays", std::move(arrays)},
                   {"only_in_first", found.only_in[0]},
                   {"only_in_second", found.only_in[1]},
                   {"other_structure", found.other_structure}};
    return tool::text_of(out);
}

/// Returns true if nothing differs.
bool compare_files(const diff_options& options) {
    const tolerance allowed{read_tolerance("--atol", options.atol), read_tolerance("--rtol", options.rtol)};
    const file_word words[2] = {read_file_word(options.arguments[0]), read_file_word(options.arguments[1])};
    if (words[0].path == "-" && words[1].path == "-") throw wrong_usage("diff reads only one file from standard input");
    if (!options.only.empty() && (words[0].is_named || words[1].is_named))
        throw wrong_usage("--only: a file is followed by the name of its array already");
    const array_file first = read_array_file(words[0].path), second = read_array_file(words[1].path);
    const std::string files[2] = {first.bytes->name() + (words[0].is_named ? ":" + words[0].name : ""),
                                  second.bytes->name() + (words[1].is_named ? ":" + words[1].name : "")};
    std::vector<stored_array> of_first = arrays_of(first, words[0], options),
                              of_second = arrays_of(second, words[1], options);
    if (!options.src_type.empty()) {
        const bool is_applied = say_type(of_first, options.src_type);
        if (!say_type(of_second, options.src_type) && !is_applied)
            throw failure("--src-type " + options.src_type + ": no array that is compared has unsigned integers of " +
                          std::to_string(std::max(plait::size_in_bits(read_type(options.src_type)), 8)) + " bits");
    }
    const file_difference found = difference_of(of_first, of_second, files, options.only, allowed);
    if (options.json) std::cout << json_of(found, options.ignore_type);
    else print(found, files, options, allowed);
    std::cout.flush();
    if (!std::cout) throw failure("standard output: cannot be written");
    return found.is_same(options.ignore_type);
}

}  // namespace

bool is_array_file(const std::string& word) {
    return word == "-" || word.find('/') != std::string::npos || has_file_ending(word) ||
           colon_behind_archive(word) != std::string::npos;
}

void diff_files(const diff_options& options) {
    set_exit_code_of_short_file(exit_code_of_trouble);
    if (options.arguments.size() != 2)
        throw wrong_usage("diff compares two files, and there are " + std::to_string(options.arguments.size()) +
                          " words");
    bool is_same = false;
    try {
        is_same = compare_files(options);
    } catch (const failure& why) {
        throw failure(why.what(), why.below(), exit_code_of_trouble);
    } catch (const std::bad_alloc&) {
        throw failure("there is not enough memory for this tensor", {}, exit_code_of_trouble);
    } catch (const wrong_usage&) {
        throw;
    } catch (const std::exception& why) {
        throw failure(why.what(), {}, exit_code_of_trouble);
    }
    if (!is_same) throw different();
}

}  // namespace tool
