#pragma once
// Records of packed weights: values, scales and sums in one buffer, read, written and saved.
// This header only includes others.

#include <plait/core/rejection.hpp>  // first, so that compile errors name few files before them
//
#include <plait/core/allowed.hpp>
//
#include <plait/packed/blob.hpp>             // make_blob, open_blob: a record with its description, for files
#include <plait/packed/record_constant.hpp>  // record_constant, record_type, reads: records as types
#include <plait/packed/record_view.hpp>      // record_view: the values of a record in memory
