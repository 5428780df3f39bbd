// BOTH: of a vector v, of v.data()

#include <plait/plait.hpp>

#include <vector>

float first(std::vector<float>& data) {
#ifdef FIXED
    return plait::tensor_view(data.data(), plait::nChw16c<1, 64, 56, 56>())(0, 0, 0, 0);
#else
    return plait::tensor_view(data, plait::nChw16c<1, 64, 56, 56>())(0, 0, 0, 0);
#endif
}
