/* A program that knows nothing of plait: it is linked with a BLAS, and prints what its ?omatcopy wrote. */
#include <stdio.h>

void cblas_somatcopy(int order, int trans, int rows, int cols, float alpha, const float* a, int lda, float* b, int ldb);

int main(void) {
    const float a[6] = {1, 2, 3, 4, 5, 6};
    float b[6] = {0, 0, 0, 0, 0, 0};
    int i;
    cblas_somatcopy(101, 112, 2, 3, 10, a, 3, b, 2);
    for (i = 0; i < 6; ++i) printf("%g ", (double)b[i]);
    cblas_somatcopy(101, 112, 2, 3, 10, a, 2, b, 2); /* lda is too small */
    puts("");
    return 0;
}
