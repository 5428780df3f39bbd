/* Checks the header and the library of an installed C interface with one reorder. */
#include <plait/plait.h>

int main(void) {
    const plait_dim_t dims[2] = {2, 3};
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {0};
    plait_memory_desc_t src, dst;
    if (plait_memory_desc_init_by_tag(&src, 2, dims, PLAIT_F32, "ab") != PLAIT_SUCCESS) return 1;
    if (plait_memory_desc_init_by_tag(&dst, 2, dims, PLAIT_F32, "ba") != PLAIT_SUCCESS) return 2;
    if (plait_reorder(&src, in, sizeof in, &dst, out, sizeof out, NULL) != PLAIT_SUCCESS) return 3;
    return out[1] == 4 && out[4] == 3 ? 0 : 4;
}
