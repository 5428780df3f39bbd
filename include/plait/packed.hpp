#pragma once
// Records of packed weights: values, scales and sums in one buffer; packed, read, written and saved.
// This header only includes others.

// As in plait.hpp: GCC looks up names of constructors and lambdas in the global namespace too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <plait/core/rejection.hpp>  // first, so that compile errors name few files before them
//
#include <plait/core/allowed.hpp>
//
#include <plait/packed/blob.hpp>               // make_blob, open_blob: a record with its description, for files
#include <plait/packed/formats.hpp>            // packed_formats: q4_0_8x8<N, K>, ...
#include <plait/packed/pack.hpp>               // pack, unpack: plain tensors to records and back
#include <plait/packed/record.hpp>             // record: fields, and their places in bits
#include <plait/packed/record_constant.hpp>    // record_constant, record_type, reads: records as types
#include <plait/packed/record_descriptor.hpp>  // as_record, as_descriptor: descriptors with compensation as records
#include <plait/packed/record_laws.hpp>        // check_fields_disjoint, is_dense, fibre
#include <plait/packed/record_layout.hpp>      // layout_of: a field as a layout
#include <plait/packed/record_memory.hpp>      // same_memory
#include <plait/packed/record_operations.hpp>  // permute_axes, split_axis, submemory, ... of records
#include <plait/packed/record_view.hpp>        // record_view: the values of a record in memory
#include <plait/packed/repack.hpp>             // make_repack, repack: records to records
#include <plait/packed/verify.hpp>             // verify

#pragma GCC diagnostic pop
