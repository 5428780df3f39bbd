#include "check.hpp"

int wrong_products() {
    return wrong_kernels<product_case<product_sizes{32, 32, 48}>>("32 x 32 x 48") +
           wrong_kernels<product_case<product_sizes{45, 35, 17}>>("45 x 35 x 17") +
           wrong_kernels<product_case<product_sizes{1, 100, 5}>>("1 x 100 x 5", plus_one());
}
