/* Stands for the BLAS that a program is linked with: its function writes nothing that the test accepts. */
void cblas_somatcopy(int order, int trans, int rows, int cols, float alpha, const float* a, int lda, float* b,
                     int ldb) {
    (void)order, (void)trans, (void)rows, (void)cols, (void)alpha, (void)a, (void)lda, (void)ldb;
    b[0] = -1;
}
