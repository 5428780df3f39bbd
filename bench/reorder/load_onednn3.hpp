#pragma once
// oneDNN 3 beside libdnnl 2: what the module of onednn3.cpp exports.

#include "row.hpp"

namespace bench {

struct onednn3_functions {
    /// Prepares the reorder of a row, to be run on these buffers; empty if the library has no such reorder.
    std::function<void()> (*prepare)(const row&, const void* in, void* out);
    const char* version;  ///< major and minor
    const char* cannot;   ///< why the library takes no part; null if it does
};

/// Returns the functions of the module, which is loaded by the first call; all null if there is none. The reason why it
/// cannot take part is printed once.
const onednn3_functions& onednn3();

}  // namespace bench
