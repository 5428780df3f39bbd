// libplait_hptt: HPTT's functions, see hptt.h.

#include "hptt.h"

#include "../printf_format.hpp"
#include "kept_moves.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

using plait_drop_in::count;
using plait_drop_in::loop_nest;
using plait_drop_in::move_loop;
using plait_drop_in::scaling;

namespace {

/// Prints what is wrong, and ends the program, as HPTT does.
[[noreturn, gnu::format(PLAIT_PRINTF_FORMAT, 1, 2)]] void refuse(const char* format, ...) {
    std::fputs("plait_hptt: ", stderr);
    std::va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::fputs("; nothing was written\n", stderr);
    std::exit(-1);
}

/// Sets the strides of a tensor with these outer extents. Refuses sizes beyond the address space.
void set_strides(count* strides, int dim, const int* outer, bool by_rows, std::size_t element_size, const char* name) {
    count stride = 1, bytes = 0;
    for (int k = 0; k < dim; ++k) {
        const int axis = by_rows ? dim - 1 - k : k;
        strides[axis] = stride;
        if (__builtin_mul_overflow(stride, count{outer[axis]}, &stride) ||
            __builtin_mul_overflow(stride, static_cast<count>(element_size), &bytes))
            refuse("size_overflows: %s has over 2^63 bytes with the outer size %d of its axis %d", name, outer[axis],
                   axis);
    }
}

/// Reads the arguments of a transposition, or ends the program.
loop_nest read_loops(const int* perm, int dim, const int* size, const int* outer_a, const int* outer_b, bool by_rows,
                     std::size_t element_size) {
    constexpr int most = 64;
    if (dim < 1 || dim > most) refuse("ndims_is_out_of_range: dim is %d, but has to be 1 to %d", dim, most);
    if (perm == nullptr || size == nullptr) refuse("pointer_is_null: %s is null", perm == nullptr ? "perm" : "sizeA");
    int size_b[most];
    bool used[most] = {}, is_empty = false;
    for (int k = 0; k < dim; ++k) {
        if (perm[k] < 0 || perm[k] >= dim || used[perm[k]])
            refuse("not_a_permutation: perm[%d] is %d, of %d axes", k, perm[k], dim);
        used[perm[k]] = true;
        if (size[k] < 0) refuse("dim_is_negative: sizeA[%d] is %d", k, size[k]);
        is_empty = is_empty || size[k] == 0;
    }
    for (int k = 0; k < dim; ++k) {
        size_b[k] = size[perm[k]];
        if (outer_a != nullptr && outer_a[k] < size[k])
            refuse("outer_size_is_too_small: outerSizeA[%d] is %d, but sizeA[%d] is %d", k, outer_a[k], k, size[k]);
        if (outer_b != nullptr && outer_b[k] < size_b[k])
            refuse("outer_size_is_too_small: outerSizeB[%d] is %d, but the size of axis %d of B is %d", k, outer_b[k],
                   k, size_b[k]);
    }
    loop_nest nest;
    if (is_empty) {
        nest.insert({0, 1, 1});
        return nest;
    }
    count strides_a[most], strides_b[most];
    set_strides(strides_a, dim, outer_a != nullptr ? outer_a : size, by_rows, element_size, "A");
    set_strides(strides_b, dim, outer_b != nullptr ? outer_b : size_b, by_rows, element_size, "B");
    for (int k = 0; k < dim; ++k) nest.insert({size_b[k], strides_a[perm[k]], strides_b[k]});
    nest.join();
    return nest;
}

/// Checks the pointers of a transposition, or ends the program.
template <class T>
void check_data(const loop_nest& nest, const T* a, const T* b, const scaling<T>& by) {
    if (nest.elements() == 0) return;
    if (b == nullptr) refuse("buffer_is_null: B is null");
    if (by.alpha == T{0}) return;
    if (a == nullptr) refuse("buffer_is_null: A is null");
    if (a == b) {
        bool in_place = true;
        for (int k = 0; k < nest.size; ++k) in_place = in_place && nest[k].src == nest[k].dst;
        if (in_place) return;
    }
    const auto distance =
        static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(b) - reinterpret_cast<std::uintptr_t>(a));
    if (shares_bytes(nest, distance, sizeof(T)))
        refuse("spans_overlap: B begins %td bytes after A, and elements of both share memory", distance);
}

template <class T>
void transpose(const int* perm, int dim, T alpha, bool conjugates, const T* a, const int* size, const int* outer_a,
               T beta, T* b, const int* outer_b, int threads, int by_rows) {
    const loop_nest nest = read_loops(perm, dim, size, outer_a, outer_b, by_rows != 0, sizeof(T));
    const scaling<T> by{alpha, beta, conjugates};
    check_data(nest, a, b, by);
    if (nest.elements() != 0) plait_drop_in::run_kept(nest, threads, a, b, by);
}

}  // namespace

extern "C" {

void sTensorTranspose(const int* perm, int dim, float alpha, const float* A, const int* sizeA, const int* outerSizeA,
                      float beta, float* B, const int* outerSizeB, int numThreads, int useRowMajor) {
    transpose<float>(perm, dim, alpha, false, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, useRowMajor);
}
void dTensorTranspose(const int* perm, int dim, double alpha, const double* A, const int* sizeA, const int* outerSizeA,
                      double beta, double* B, const int* outerSizeB, int numThreads, int useRowMajor) {
    transpose<double>(perm, dim, alpha, false, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, useRowMajor);
}
void cTensorTranspose(const int* perm, int dim, hptt_float_complex alpha, bool conjA, const hptt_float_complex* A,
                      const int* sizeA, const int* outerSizeA, hptt_float_complex beta, hptt_float_complex* B,
                      const int* outerSizeB, int numThreads, int useRowMajor) {
    using number = std::complex<float>;
    transpose<number>(perm, dim, {__real__ alpha, __imag__ alpha}, conjA, reinterpret_cast<const number*>(A), sizeA,
                      outerSizeA, {__real__ beta, __imag__ beta}, reinterpret_cast<number*>(B), outerSizeB, numThreads,
                      useRowMajor);
}
void zTensorTranspose(const int* perm, int dim, hptt_double_complex alpha, bool conjA, const hptt_double_complex* A,
                      const int* sizeA, const int* outerSizeA, hptt_double_complex beta, hptt_double_complex* B,
                      const int* outerSizeB, int numThreads, int useRowMajor) {
    using number = std::complex<double>;
    transpose<number>(perm, dim, {__real__ alpha, __imag__ alpha}, conjA, reinterpret_cast<const number*>(A), sizeA,
                      outerSizeA, {__real__ beta, __imag__ beta}, reinterpret_cast<number*>(B), outerSizeB, numThreads,
                      useRowMajor);
}

}  // extern "C"

namespace hptt {

/// The plan that copies of a transposition share.
template <class T>
struct Transpose<T>::planned {
    plait_drop_in::strided_move<T> move;
};

template <class T>
Transpose<T>::Transpose(const int* sizeA, const int* perm, const int* outerSizeA, const int* outerSizeB, int dim,
                        const T* A, T alpha, T* B, T beta, SelectionMethod, int numThreads, const int* threadIds,
                        bool useRowMajor)
    : A_(A),
      B_(B),
      alpha_(alpha),
      beta_(beta),
      numThreads_(numThreads),
      plan_(new planned{plait_drop_in::strided_move<T>(
          read_loops(perm, dim, sizeA, outerSizeA, outerSizeB, useRowMajor, sizeof(T)), numThreads)}) {
    if (threadIds != nullptr && numThreads > 0) threadIds_.assign(threadIds, threadIds + numThreads);
    else
        for (int k = 0; k < std::max(1, numThreads); ++k) threadIds_.push_back(k);
}

template <class T>
void Transpose<T>::setNumThreads(int numThreads) noexcept {
    if (numThreads == numThreads_) return;
    numThreads_ = numThreads;
    plan_.reset(new planned{plait_drop_in::strided_move<T>(plan_->move.loops(), numThreads)});
}

template <class T>
void Transpose<T>::run_all() noexcept {
    const scaling<T> by{alpha_, beta_, conjA_};
    check_data(plan_->move.loops(), A_, B_, by);
    plan_->move.run(A_, B_, by);
}

template <class T>
void Transpose<T>::run_share(int index, T beta) noexcept {
    if (index < 0) return;
    const scaling<T> by{alpha_, beta, conjA_};
    check_data(plan_->move.loops(), A_, B_, by);
    // There may be fewer parts than threads, or more.
    for (int part = index; part < plan_->move.parts(); part += static_cast<int>(threadIds_.size()))
        plan_->move.run_part(A_, B_, by, part);
}

template class Transpose<float>;
template class Transpose<double>;
template class Transpose<FloatComplex>;
template class Transpose<DoubleComplex>;

namespace {

template <class T>
std::shared_ptr<Transpose<T>> make(const int* perm, int dim, T alpha, const T* a, const int* size, const int* outer_a,
                                   T beta, T* b, const int* outer_b, int threads, const int* ids, bool by_rows) {
    return std::make_shared<Transpose<T>>(size, perm, outer_a, outer_b, dim, a, alpha, b, beta, ESTIMATE, threads, ids,
                                          by_rows);
}
/// Returns a vector's numbers: null if it is empty.
const int* numbers_of(const std::vector<int>& all, int dim, const char* name) {
    if (all.empty()) return nullptr;
    if (static_cast<int>(all.size()) < dim)
        refuse("rank_differs: %s has %zu numbers, but dim is %d", name, all.size(), dim);
    return all.data();
}

}  // namespace

std::shared_ptr<Transpose<float>> create_plan(const int* perm, const int dim, const float alpha, const float* A,
                                              const int* sizeA, const int* outerSizeA, const float beta, float* B,
                                              const int* outerSizeB, const SelectionMethod, const int numThreads,
                                              const int* threadIds, const bool useRowMajor) {
    return make(perm, dim, alpha, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, threadIds, useRowMajor);
}
std::shared_ptr<Transpose<double>> create_plan(const int* perm, const int dim, const double alpha, const double* A,
                                               const int* sizeA, const int* outerSizeA, const double beta, double* B,
                                               const int* outerSizeB, const SelectionMethod, const int numThreads,
                                               const int* threadIds, const bool useRowMajor) {
    return make(perm, dim, alpha, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, threadIds, useRowMajor);
}
std::shared_ptr<Transpose<FloatComplex>> create_plan(const int* perm, const int dim, const FloatComplex alpha,
                                                     const FloatComplex* A, const int* sizeA, const int* outerSizeA,
                                                     const FloatComplex beta, FloatComplex* B, const int* outerSizeB,
                                                     const SelectionMethod, const int numThreads, const int* threadIds,
                                                     const bool useRowMajor) {
    return make(perm, dim, alpha, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, threadIds, useRowMajor);
}
std::shared_ptr<Transpose<DoubleComplex>> create_plan(const int* perm, const int dim, const DoubleComplex alpha,
                                                      const DoubleComplex* A, const int* sizeA, const int* outerSizeA,
                                                      const DoubleComplex beta, DoubleComplex* B, const int* outerSizeB,
                                                      const SelectionMethod, const int numThreads, const int* threadIds,
                                                      const bool useRowMajor) {
    return make(perm, dim, alpha, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, threadIds, useRowMajor);
}
std::shared_ptr<Transpose<float>> create_plan(const int* perm, const int dim, const float alpha, const float* A,
                                              const int* sizeA, const int* outerSizeA, const float beta, float* B,
                                              const int* outerSizeB, const int, const int numThreads,
                                              const int* threadIds, const bool useRowMajor) {
    return make(perm, dim, alpha, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, threadIds, useRowMajor);
}
std::shared_ptr<Transpose<double>> create_plan(const int* perm, const int dim, const double alpha, const double* A,
                                               const int* sizeA, const int* outerSizeA, const double beta, double* B,
                                               const int* outerSizeB, const int, const int numThreads,
                                               const int* threadIds, const bool useRowMajor) {
    return make(perm, dim, alpha, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, threadIds, useRowMajor);
}
std::shared_ptr<Transpose<FloatComplex>> create_plan(const int* perm, const int dim, const FloatComplex alpha,
                                                     const FloatComplex* A, const int* sizeA, const int* outerSizeA,
                                                     const FloatComplex beta, FloatComplex* B, const int* outerSizeB,
                                                     const int, const int numThreads, const int* threadIds,
                                                     const bool useRowMajor) {
    return make(perm, dim, alpha, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, threadIds, useRowMajor);
}
std::shared_ptr<Transpose<DoubleComplex>> create_plan(const int* perm, const int dim, const DoubleComplex alpha,
                                                      const DoubleComplex* A, const int* sizeA, const int* outerSizeA,
                                                      const DoubleComplex beta, DoubleComplex* B, const int* outerSizeB,
                                                      const int, const int numThreads, const int* threadIds,
                                                      const bool useRowMajor) {
    return make(perm, dim, alpha, A, sizeA, outerSizeA, beta, B, outerSizeB, numThreads, threadIds, useRowMajor);
}
std::shared_ptr<Transpose<float>> create_plan(const std::vector<int>& perm, const int dim, const float alpha,
                                              const float* A, const std::vector<int>& sizeA,
                                              const std::vector<int>& outerSizeA, const float beta, float* B,
                                              const std::vector<int>& outerSizeB, const SelectionMethod,
                                              const int numThreads, const std::vector<int>& threadIds,
                                              const bool useRowMajor) {
    return make(numbers_of(perm, dim, "perm"), dim, alpha, A, numbers_of(sizeA, dim, "sizeA"),
                numbers_of(outerSizeA, dim, "outerSizeA"), beta, B, numbers_of(outerSizeB, dim, "outerSizeB"),
                numThreads, numbers_of(threadIds, numThreads, "threadIds"), useRowMajor);
}
std::shared_ptr<Transpose<double>> create_plan(const std::vector<int>& perm, const int dim, const double alpha,
                                               const double* A, const std::vector<int>& sizeA,
                                               const std::vector<int>& outerSizeA, const double beta, double* B,
                                               const std::vector<int>& outerSizeB, const SelectionMethod,
                                               const int numThreads, const std::vector<int>& threadIds,
                                               const bool useRowMajor) {
    return make(numbers_of(perm, dim, "perm"), dim, alpha, A, numbers_of(sizeA, dim, "sizeA"),
                numbers_of(outerSizeA, dim, "outerSizeA"), beta, B, numbers_of(outerSizeB, dim, "outerSizeB"),
                numThreads, numbers_of(threadIds, numThreads, "threadIds"), useRowMajor);
}
std::shared_ptr<Transpose<FloatComplex>> create_plan(const std::vector<int>& perm, const int dim,
                                                     const FloatComplex alpha, const FloatComplex* A,
                                                     const std::vector<int>& sizeA, const std::vector<int>& outerSizeA,
                                                     const FloatComplex beta, FloatComplex* B,
                                                     const std::vector<int>& outerSizeB, const SelectionMethod,
                                                     const int numThreads, const std::vector<int>& threadIds,
                                                     const bool useRowMajor) {
    return make(numbers_of(perm, dim, "perm"), dim, alpha, A, numbers_of(sizeA, dim, "sizeA"),
                numbers_of(outerSizeA, dim, "outerSizeA"), beta, B, numbers_of(outerSizeB, dim, "outerSizeB"),
                numThreads, numbers_of(threadIds, numThreads, "threadIds"), useRowMajor);
}
std::shared_ptr<Transpose<DoubleComplex>> create_plan(const std::vector<int>& perm, const int dim,
                                                      const DoubleComplex alpha, const DoubleComplex* A,
                                                      const std::vector<int>& sizeA, const std::vector<int>& outerSizeA,
                                                      const DoubleComplex beta, DoubleComplex* B,
                                                      const std::vector<int>& outerSizeB, const SelectionMethod,
                                                      const int numThreads, const std::vector<int>& threadIds,
                                                      const bool useRowMajor) {
    return make(numbers_of(perm, dim, "perm"), dim, alpha, A, numbers_of(sizeA, dim, "sizeA"),
                numbers_of(outerSizeA, dim, "outerSizeA"), beta, B, numbers_of(outerSizeB, dim, "outerSizeB"),
                numThreads, numbers_of(threadIds, numThreads, "threadIds"), useRowMajor);
}

}  // namespace hptt
