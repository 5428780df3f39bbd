// The C interface: every function of plait/plait.h. Each function reads and checks its descriptors, calls plait, and
// writes the result last, so that `out` may be `in`, and a call that fails writes nothing.

#include "c_descriptor.hpp"
#include "c_record.hpp"
#include "c_reorder.hpp"
#include "c_table_reorder.hpp"
#include "data_span.hpp"
#include "refusal.hpp"

#include <plait/plait.h>
#include <plait/algebra/common_run.hpp>
#include <plait/algebra/operations.hpp>
#include <plait/algebra/rearrange_copy.hpp>
#include <plait/descriptor/copies.hpp>
#include <plait/descriptor/descriptor_of.hpp>
#include <plait/descriptor/operations.hpp>
#include <plait/descriptor/queries.hpp>
#include <plait/descriptor/recast.hpp>
#include <plait/packed/blob.hpp>
#include <plait/packed/record_layout.hpp>
#include <plait/packed/verify.hpp>
#include <plait/reorder/make_reorder.hpp>
#include <plait/version.hpp>

#include <cstring>

using namespace plait;
using c::answer;
using c::check_pointer;
using c::guarded;
using c::outcome;
using c::read_descriptor;
using c::read_numbers;
using c::refuse;
using c::write_descriptor;

extern "C" {

const char* plait_version(void) { return PLAIT_VERSION; }

const char* plait_status_string(plait_status_t status) { return to_string(static_cast<plait::status>(status)); }

const char* plait_data_type_string(plait_data_type_t type) { return to_string(static_cast<data_type>(type)); }

const char* plait_last_refusal(void) { return c::last_refusal; }

plait_status_t plait_get_last_refusal(plait_refusal_t* out) {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        *out = c::last_refusal_fields;
        return outcome{};
    });
}

}  // extern "C"

#include "memory_desc.inl"

#include "rearrange.inl"

#include "memory_desc_queries.inl"

#include "data.inl"

#include "record.inl"

#include "repack.inl"
