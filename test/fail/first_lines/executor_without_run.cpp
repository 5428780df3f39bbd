// BOTH: the first argument of this reorder is no executor: an executor e has e.concurrency()

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
void to_blocks(const float* in, float* out) { plait::reorder<plain::value, blocked::value>(pool(), in, out); }
