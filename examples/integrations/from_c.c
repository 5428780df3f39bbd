/* plait from C: describe a tensor, move it into blocks of 16 channels and back, and read why a call fails. */
#include <plait/plait.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const char* what, const plait_memory_desc_t* desc) {
    char name[1024];
    if (plait_memory_desc_format_name(desc, name, sizeof name) != PLAIT_SUCCESS) return;
    printf("%-8s %-12s %zu bytes\n", what, name, plait_memory_desc_get_size(desc));
}

static int fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, plait_last_refusal());
    return EXIT_FAILURE;
}

int main(void) {
    const plait_dim_t dims[4] = {2, 17, 5, 4}, joined[3] = {2, 17, 20};
    plait_memory_desc_t plain, blocked, flat;
    if (plait_memory_desc_init_by_tag(&plain, 4, dims, PLAIT_F32, "nchw") != PLAIT_SUCCESS) return fail("plain");
    if (plait_memory_desc_init_by_tag(&blocked, 4, dims, PLAIT_F32, "nChw16c") != PLAIT_SUCCESS) return fail("blocked");
    /* Joins height and width into one axis; the data stays in place. */
    if (plait_memory_desc_reshape(&flat, &blocked, 3, joined) != PLAIT_SUCCESS) return fail("reshape");
    print("plain", &plain);
    print("blocked", &blocked);
    print("flat", &flat);

    const size_t plain_size = plait_memory_desc_get_size(&plain), blocked_size = plait_memory_desc_get_size(&blocked);
    float *from = malloc(plain_size), *to = malloc(blocked_size), *back = malloc(plain_size);
    int result = EXIT_FAILURE;
    plait_reorder_t* into_blocks = NULL;
    if (from == NULL || to == NULL || back == NULL) goto done;
    for (size_t i = 0; i < plain_size / sizeof *from; ++i) from[i] = (float)i;

    /* Planned once; it may run often, and on several threads at the same time. */
    if (plait_reorder_create(&into_blocks, &plain, &blocked, NULL) != PLAIT_SUCCESS) {
        fail("create");
        goto done;
    }
    if (plait_reorder_execute(into_blocks, from, plain_size, to, blocked_size) != PLAIT_SUCCESS) {
        fail("execute");
        goto done;
    }
    printf("\nimage 0, row 0, column 0, channels 0 to 31:\n");
    for (int c = 0; c < 32; ++c) printf("%g ", (double)to[c < 16 ? c : 5 * 4 * 16 + c - 16]);

    /* Moved back in one call. */
    if (plait_reorder(&blocked, to, blocked_size, &plain, back, plain_size, NULL) != PLAIT_SUCCESS) {
        fail("reorder");
        goto done;
    }
    for (size_t i = 0; i < plain_size / sizeof *from; ++i)
        if (back[i] != from[i]) goto done;

    /* A call that fails writes nothing, and reports the reason. */
    if (plait_reorder_execute(into_blocks, from, plain_size, to, blocked_size - 1) == PLAIT_SUCCESS) goto done;
    printf("\n\nrefused: %s\n", plait_last_refusal());
    const plait_dim_t too_flat[2] = {2, 340};
    const plait_status_t status = plait_memory_desc_reshape(&flat, &blocked, 2, too_flat);
    printf("%s: %s\n", plait_status_string(status), plait_last_refusal());
    result = status == PLAIT_INVALID_ARGUMENTS ? EXIT_SUCCESS : EXIT_FAILURE;
done:
    plait_reorder_destroy(into_blocks);
    free(from);
    free(to);
    free(back);
    return result;
}
