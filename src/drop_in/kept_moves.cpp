#include "kept_moves.hpp"

#include <cstdint>
#include <new>

namespace plait_drop_in {
namespace {

template <class T>
struct kept_move {
    loop_nest nest;
    int threads = 0;
    std::uint64_t last_use = 0;             // 0: never
    std::unique_ptr<strided_move<T>> move;  // null: seen once
};

/// The moves of a thread. Its place in thread-local memory is plain, so that calls after the thread's end of life, from
/// destructors of other objects, find it gone instead of destroyed.
template <class T>
struct kept_moves {
    static constexpr int most = 8;
    kept_move<T> moves[most];
    std::uint64_t uses = 0;

    kept_move<T>& find(const loop_nest& nest, int threads) {
        kept_move<T>* oldest = moves;
        for (kept_move<T>& kept : moves) {
            if (kept.last_use != 0 && kept.threads == threads && kept.nest == nest) {
                kept.last_use = ++uses;
                return kept;
            }
            if (kept.last_use < oldest->last_use) oldest = &kept;
        }
        oldest->nest = nest;
        oldest->threads = threads;
        oldest->last_use = 0;
        oldest->move = nullptr;
        return *oldest;
    }
};

template <class T>
thread_local kept_moves<T>* of_thread = nullptr;
template <class T>
thread_local bool is_gone = false;

template <class T>
struct end_of_thread {
    ~end_of_thread() {
        delete of_thread<T>;
        of_thread<T> = nullptr;
        is_gone<T> = true;
    }
};

/// Returns the moves of this thread; null if it ends, or without memory.
template <class T>
kept_moves<T>* moves_of_thread() {
    if (of_thread<T> != nullptr || is_gone<T>) return of_thread<T>;
    thread_local end_of_thread<T> end;
    static_cast<void>(end);
    return of_thread<T> = new (std::nothrow) kept_moves<T>;
}

}  // namespace

template <class T>
void run_kept(const loop_nest& nest, int threads, const T* in, T* out, const scaling<T>& by) {
    constexpr count at_once = 65536;  // bytes of a tensor that is worth a plan for one call
    kept_moves<T>* const all = moves_of_thread<T>();
    if (all == nullptr) return strided_move<T>::run_directly(nest, in, out, by);
    kept_move<T>& kept = all->find(nest, threads);
    if (kept.move == nullptr) {
        const bool is_first = kept.last_use == 0;
        kept.last_use = ++all->uses;
        if (!is_first || nest.elements() * static_cast<count>(sizeof(T)) >= at_once)
            kept.move.reset(new (std::nothrow) strided_move<T>(nest, threads));
        if (kept.move == nullptr) return strided_move<T>::run_directly(nest, in, out, by);
    }
    kept.move->run(in, out, by);
}

template void run_kept(const loop_nest&, int, const float*, float*, const scaling<float>&);
template void run_kept(const loop_nest&, int, const double*, double*, const scaling<double>&);
template void run_kept(const loop_nest&, int, const std::complex<float>*, std::complex<float>*,
                       const scaling<std::complex<float>>&);
template void run_kept(const loop_nest&, int, const std::complex<double>*, std::complex<double>*,
                       const scaling<std::complex<double>>&);

}  // namespace plait_drop_in
