#pragma once
// Part of the stub of oneDNN 3; see dnnl.h.

#include "dnnl.h"

#ifdef __cplusplus
extern "C" {
#endif
const char* dnnl_fmt_tag2str(dnnl_format_tag_t tag);
#ifdef __cplusplus
}
#endif
