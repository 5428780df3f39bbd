void cblas_somatcopy(int order, int trans, int rows, int cols, float alpha, const float* a, int lda, float* b, int ldb);

int main(void) {
    const float a[6] = {1, 2, 3, 4, 5, 6};
    float b[6] = {0};
    cblas_somatcopy(101, 112, 2, 3, 10, a, 3, b, 2);
    return b[1] == 40 && b[4] == 30 ? 0 : 1;
}
