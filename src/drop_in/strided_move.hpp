#pragma once
// A planned move between two strided tensors, with numbers that scale it: what both drop-ins call.

#include "rows.hpp"

#include <plait/plait.h>

#include <atomic>
#include <memory>
#include <mutex>

namespace plait_drop_in {

struct destroy_reorder {
    void operator()(plait_reorder_t* reorder) const { plait_reorder_destroy(reorder); }
};

/// A reorder of plait, with the bytes of its buffers. There is none if plait refuses to plan it.
struct planned_box {
    std::unique_ptr<plait_reorder_t, destroy_reorder> reorder;
    std::size_t src_size = 0, dst_size = 0;

    /// Moves the box. Returns false if there is no plan or plait refuses the pointers; nothing is written then.
    bool run(const void* src, void* dst) const {
        return reorder != nullptr &&
               plait_reorder_execute(reorder.get(), src, src_size, dst, dst_size) == PLAIT_SUCCESS;
    }
};

/// The plans of the parts that threads move: a loop is cut into as many pieces. The first `longer` pieces have one step
/// more than the others.
struct part_plans {
    int loop = 0;
    count length = 0, longer = 0;
    float scale = 1;  ///< by which all elements are multiplied
    planned_box longer_plan, plan;
};

/// How a move is cut into cache blocks. Each is moved to a buffer, which is dense in the order of the destination, and
/// from there to the destination in rows.
struct block_plans {
    static constexpr count buffer_bytes = 16384;

    count block[loop_nest::most];  ///< the steps of each loop in a block
    count steps[loop_nest::most];  ///< the number of blocks along each loop
    count blocks = 1;              ///< the product of `steps`
    int cuts = 0;
    int cut[2];            ///< the loops whose last block is smaller than the others
    planned_box plans[4];  ///< bit k of the number says that the block is the last along cut[k]
};

/// Destination = alpha * source + beta * destination, for one nest of loops. Threads may share a move. The first call
/// that needs a plan makes it.
template <class T>
class strided_move {
public:
    /// `threads` is the most that a call uses, itself included; all of the machine if it is 0 or less.
    ///
    /// Pre:     the nest is made by loop_nest::insert and join; no two of its steps write the same element
    explicit strided_move(const loop_nest& nest, int threads = 1);

    const loop_nest& loops() const { return nest_; }

    /// Moves everything, on as many threads as pay.
    ///
    /// Pre:     shares_bytes is false for both sides; or `in` is `out` and the strides of both sides are equal
    void run(const T* in, T* out, const scaling<T>& by);
    /// The number of parts that run_part moves. No two parts write the same element.
    int parts() const { return parts_; }
    void run_part(const T* in, T* out, const scaling<T>& by, int part);

    /// Moves a nest without plans, element by element: for what is too small for a plan.
    static void run_directly(const loop_nest& nest, const T* in, T* out, const scaling<T>& by);

private:
    /// An object that the first thread which needs it makes.
    template <class Made>
    class made_once {
    public:
        made_once() = default;
        made_once(const made_once&) = delete;
        made_once& operator=(const made_once&) = delete;
        ~made_once() { delete made_.load(); }
        template <class Make>
        const Made& get(const Make& make) {
            if (const Made* ready = made_.load(std::memory_order_acquire)) return *ready;
            const std::lock_guard lock(making_);
            if (made_.load() == nullptr) made_.store(new Made(make()), std::memory_order_release);
            return *made_.load();
        }

    private:
        std::atomic<const Made*> made_{nullptr};
        std::mutex making_;
    };

    bool move_by_one_reorder(const T* in, T* out, const scaling<T>& by, int part);
    bool move_blocks(const T* in, T* out, const scaling<T>& by, int part);

    loop_nest nest_;
    int parts_;
    part_plans cut_;                        // without plans
    made_once<part_plans> plain_, scaled_;  // `scaled_` for the alpha of the first call that needs it
    made_once<block_plans> blocks_;
};

extern template class strided_move<float>;
extern template class strided_move<double>;
extern template class strided_move<std::complex<float>>;
extern template class strided_move<std::complex<double>>;

}  // namespace plait_drop_in
