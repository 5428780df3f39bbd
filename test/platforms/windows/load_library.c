/* Loads the library as ctypes of Python does: LoadLibrary by a path, and its functions by name.
 *
 * usage: load_library LIBRARY FUNCTION..., the functions that must be there */
#include <plait/plait.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

typedef plait_status_t (*init_function)(plait_memory_desc_t*, int, const plait_dim_t*, plait_data_type_t, const char*);
typedef plait_status_t (*reorder_function)(const plait_memory_desc_t*, const void*, size_t, const plait_memory_desc_t*,
                                           void*, size_t, const plait_reorder_attributes_t*);
typedef const char* (*text_function)(void);

/* Copies the address of a function, because compilers warn of a cast to another type of function. */
static int load(HMODULE library, const char* name, void* to) {
    FARPROC found = GetProcAddress(library, name);
    memcpy(to, &found, sizeof found);
    if (found == NULL) fprintf(stderr, "%s is missing\n", name);
    return found != NULL;
}

int main(int argc, char** argv) {
    if (argc < 3) return 1;
    HMODULE library = LoadLibraryA(argv[1]);
    if (library == NULL) {
        fprintf(stderr, "%s: cannot be loaded: error %lu\n", argv[1], GetLastError());
        return 2;
    }
    FARPROC any;
    for (int i = 2; i < argc; ++i)
        if (!load(library, argv[i], &any)) return 3;
    init_function init_by_tag;
    reorder_function reorder;
    text_function last_refusal;
    if (!load(library, "plait_memory_desc_init_by_tag", &init_by_tag) || !load(library, "plait_reorder", &reorder) ||
        !load(library, "plait_last_refusal", &last_refusal))
        return 3;

    const plait_dim_t dims[2] = {40, 50};
    plait_memory_desc_t rows, columns;
    static float in[40 * 50], out[40 * 50];
    for (int i = 0; i < 40 * 50; ++i) in[i] = (float)i;
    if (init_by_tag(&rows, 2, dims, PLAIT_F32, "ab") != PLAIT_SUCCESS) return 4;
    if (init_by_tag(&columns, 2, dims, PLAIT_F32, "ba") != PLAIT_SUCCESS) return 4;
    if (reorder(&rows, in, sizeof in, &columns, out, sizeof out, NULL) != PLAIT_SUCCESS) return 5;
    for (int a = 0; a < 40; ++a)
        for (int b = 0; b < 50; ++b)
            if (out[b * 40 + a] != in[a * 50 + b]) return 6;
    if (reorder(&rows, in, sizeof in - 1, &columns, out, sizeof out, NULL) == PLAIT_SUCCESS) return 7;
    if (strstr(last_refusal(), "8000") == NULL) return 8;
    printf("%d functions\n", argc - 2);
    return 0;
}
