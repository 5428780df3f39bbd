#include <hptt.h>

int main(void) {
    const int perm[2] = {1, 0}, size[2] = {2, 3};
    const float a[6] = {1, 2, 3, 4, 5, 6};
    float b[6] = {0};
    sTensorTranspose(perm, 2, 10, a, size, 0, 0, b, 0, 1, 0);
    return b[1] == 30 && b[4] == 40 ? 0 : 1;
}
