#pragma once
// libdnnl's reorder of a row: the primitive and its memory made beforehand, executed and waited for; or made each time.

#include "row.hpp"

#include <memory>

namespace bench {

class libdnnl_reorder {
public:
    /// Empty where libdnnl has no such types, layouts or reorder; then `cannot` says which.
    static std::unique_ptr<libdnnl_reorder> make(const row&, void* in, void* out, std::string& cannot);
    virtual ~libdnnl_reorder() = default;
    virtual void operator()() = 0;
    /// Makes another primitive, runs it once, and destroys it. Memory, stream and attributes are there already.
    ///
    /// Pre:     forget_primitives() was called: libdnnl would find the one that it made before
    virtual void create_and_run() = 0;
    /// Returns libdnnl's name of the chosen implementation: jit, simple, or ref, which moves element by element.
    virtual std::string implementation() const = 0;
};

/// From now on each primitive is made anew: libdnnl keeps none.
void forget_primitives();

/// One thread, whatever the environment says.
void use_one_thread();

const char* libdnnl_version();

}  // namespace bench
