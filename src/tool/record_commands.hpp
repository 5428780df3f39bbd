#pragma once
// The commands on records of packed weights: record, pack, unpack, repack, verify; and explain of a blob.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tool {

/// The options that these commands share.
struct record_options {
    std::string in, out;
    std::string tag, dims;
    std::string key;                      ///< of the blob: what it is packed for
    std::vector<std::string> fields;      ///< NAME=PATTERN: the arrays that become a field
    std::vector<std::string> parameters;  ///< NAME=NUMBER: what sums are multiplied by
    std::vector<std::string> dropped;     ///< fields that the new record does not have
    std::vector<std::string> packed;      ///< fields whose arrays have several values in each byte
    bool json = false;
    bool ignore_padding = false;  ///< of verify
};

/// plait record TAG DIMS [--json]: the fields of a record, and where they lie.
void show_record(const record_options& options);
/// plait pack IN OUT --record TAG [--dims 64x256] [--field q=*.qweight]: arrays of files as blobs.
void pack(const record_options& options);
/// plait unpack IN.plait OUT [--parameter izp=3]: the fields of a blob as arrays.
void unpack(const record_options& options);
/// plait repack IN.plait TAG OUT.plait [--drop d]: a blob as another record.
void repack(const record_options& options);
/// plait verify FILE.plait [--ignore-padding]: checks the bytes of a blob.
void verify(const record_options& options);
/// plait explain FILE.plait [--json]: what a blob holds. Returns false if the word is not the name of a file.
bool explain_blob(const std::string& file, bool as_json);

/// Adds these commands, except explain.
void add_record_commands(CLI::App& app);

}  // namespace tool
