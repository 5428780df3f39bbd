// BOTH: the_first_of_three_arguments_is_an_executor_which_has_concurrency_and_run

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

struct pool {
    int concurrency() const { return 2; }
#ifdef FIXED
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        for (int i = 0; i < chunks; ++i) chunk(i);
    }
#endif
};
void to_blocks(const float* in, float* out) {
    reorder(pool(), plait::tensor_view(in, plain()), plait::tensor_view(out, blocked()));
}
