#pragma once
// plait diff of two files of arrays.

#include <string>
#include <vector>

namespace tool {

/// plait diff A.npy B.npy [--atol X] [--rtol X] [--only NAME] [--src-type TYPE] [--ignore-type]
struct diff_options {
    std::vector<std::string> arguments;  ///< two files; or a format, another one and dims; or two layouts
    std::string atol, rtol;              ///< empty: 0
    std::vector<std::string> only;       ///< names of arrays; empty: all
    std::string src_type;                ///< what unsigned integers of the same size are
    bool ignore_type = false, json = false;
};

/// Returns true if a word of the command line is a file of arrays, and not a layout: if it ends in .npy, .npz or
/// .safetensors, optionally followed by ":NAME", if it has a '/', or is "-".
bool is_array_file(const std::string& word);

/// Compares all arrays of two files, and prints how they differ. Throws `different` after printing; failure with the
/// exit code 2 if they cannot be compared; wrong_usage.
void diff_files(const diff_options& options);

}  // namespace tool
