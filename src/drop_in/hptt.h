#pragma once
/* The interface of HPTT, a library of tensor transpositions, on plait: for programs that include <hptt.h>. Link them
 * with plait::hptt (CMake), or libplait_hptt.
 *
 *     B[perm(i)] = alpha * A[i] + beta * B[perm(i)]
 *
 * perm = {1, 0, 2} says that B's first index is A's second. Indices are column-major, so that the first one counts
 * fastest, unless the call says row-major. `outerSizeA` and `outerSizeB` have the extents of the tensors that A and B
 * are parts of; null: of A and B themselves. If beta is 0, B is not read, and if alpha is 0, A is not. An extent of 0
 * moves nothing.
 *
 * As in HPTT, a call with wrong arguments prints what is wrong and ends the program with status -1; nothing is written.
 */

#ifdef __cplusplus
#include <complex>
#include <memory>
#include <vector>
#if defined(_OPENMP)
#include <omp.h>
#endif
extern "C" {
#else
#include <stdbool.h>
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Each of these plans and moves. Plans of the last shapes of a thread are kept. numThreads: the most threads that are
 * used; 0: all of the machine. */
void sTensorTranspose(const int* perm, int dim, float alpha, const float* A, const int* sizeA, const int* outerSizeA,
                      float beta, float* B, const int* outerSizeB, int numThreads, int useRowMajor);
void dTensorTranspose(const int* perm, int dim, double alpha, const double* A, const int* sizeA, const int* outerSizeA,
                      double beta, double* B, const int* outerSizeB, int numThreads, int useRowMajor);
#ifdef __GNUC__
__extension__ typedef float _Complex hptt_float_complex;
__extension__ typedef double _Complex hptt_double_complex;
#else
typedef float _Complex hptt_float_complex;
typedef double _Complex hptt_double_complex;
#endif
/* conjA: A is conjugated before it is multiplied. */
void cTensorTranspose(const int* perm, int dim, hptt_float_complex alpha, bool conjA, const hptt_float_complex* A,
                      const int* sizeA, const int* outerSizeA, hptt_float_complex beta, hptt_float_complex* B,
                      const int* outerSizeB, int numThreads, int useRowMajor);
void zTensorTranspose(const int* perm, int dim, hptt_double_complex alpha, bool conjA, const hptt_double_complex* A,
                      const int* sizeA, const int* outerSizeA, hptt_double_complex beta, hptt_double_complex* B,
                      const int* outerSizeB, int numThreads, int useRowMajor);

#ifdef __cplusplus
} /* extern "C" */

namespace hptt {

using FloatComplex = std::complex<float>;
using DoubleComplex = std::complex<double>;

/// How HPTT chooses an algorithm. plait makes a plan in microseconds; if a tensor is large, its first calls try orders
/// of loops, so that every method does the same.
enum SelectionMethod { ESTIMATE, MEASURE, PATIENT, CRAZY };

/// A planned transposition. Threads may execute one at the same time on different data only if each has a copy.
template <class floatType>
class Transpose {
public:
    Transpose(const int* sizeA, const int* perm, const int* outerSizeA, const int* outerSizeB, int dim,
              const floatType* A, floatType alpha, floatType* B, floatType beta, SelectionMethod selectionMethod,
              int numThreads, const int* threadIds = nullptr, bool useRowMajor = false);

    /// Has no effect: the plan is made when it is first needed.
    void createPlan() {}
    void execute() noexcept { run_all(); }
    /// Executes without a choice of stores, because the plan has it. If spawnThreads is false, each of the threads
    /// threadIds of an OpenMP region calls this function, and moves its part; the region has to wait for all of them.
    /// If betaIsZero, B is not read, whatever beta is.
    template <bool useStreamingStores = true, bool spawnThreads = true, bool betaIsZero = false>
    void execute_expert() noexcept {
        if (!spawnThreads) return run_share(index_of_thread(), betaIsZero ? floatType(0) : beta_);
        const floatType beta = beta_;
        if (betaIsZero) beta_ = floatType(0);
        run_all();
        beta_ = beta;
    }

    bool getConjA() const noexcept { return conjA_; }
    void setConjA(bool conjA) noexcept { conjA_ = conjA; }
    int getNumThreads() const noexcept { return numThreads_; }
    void setNumThreads(int numThreads) noexcept;
    floatType getAlpha() const noexcept { return alpha_; }
    floatType getBeta() const noexcept { return beta_; }
    void setAlpha(floatType alpha) noexcept { alpha_ = alpha; }
    void setBeta(floatType beta) noexcept { beta_ = beta; }
    void setInputPtr(const floatType* A) noexcept { A_ = A; }
    void setOutputPtr(floatType* B) noexcept { B_ = B; }
    const floatType* getInputPtr() const noexcept { return A_; }
    floatType* getOutputPtr() const noexcept { return B_; }
    /// Has no effect: see SelectionMethod.
    void setMaxAutotuningCandidates(int) noexcept {}
    void resetThreadIds() noexcept { threadIds_.clear(); }
    void addThreadId(int threadId) noexcept { threadIds_.push_back(threadId); }
    int getMasterThreadId() const noexcept { return threadIds_.empty() ? 0 : threadIds_[0]; }

private:
    struct planned;

    void run_all() noexcept;
    void run_share(int index, floatType beta) noexcept;
    /// Returns the place of this OpenMP thread among those of threadIds; -1 if it is none of them.
    int index_of_thread() const noexcept {
#if defined(_OPENMP)
        const int number = omp_get_thread_num();
#else
        const int number = getMasterThreadId();
#endif
        for (int k = 0; k < static_cast<int>(threadIds_.size()); ++k)
            if (threadIds_[static_cast<unsigned>(k)] == number) return k;
        return -1;
    }

    const floatType* A_;
    floatType* B_;
    floatType alpha_, beta_;
    int numThreads_;
    bool conjA_ = false;
    std::vector<int> threadIds_;
    std::shared_ptr<planned> plan_;
};

extern template class Transpose<float>;
extern template class Transpose<double>;
extern template class Transpose<FloatComplex>;
extern template class Transpose<DoubleComplex>;

// Plans a transposition. The last number but two, of candidates to try, has no effect: see SelectionMethod.
std::shared_ptr<Transpose<float>> create_plan(const int* perm, const int dim, const float alpha, const float* A,
                                              const int* sizeA, const int* outerSizeA, const float beta, float* B,
                                              const int* outerSizeB, const SelectionMethod selectionMethod,
                                              const int numThreads, const int* threadIds = nullptr,
                                              const bool useRowMajor = false);
std::shared_ptr<Transpose<double>> create_plan(const int* perm, const int dim, const double alpha, const double* A,
                                               const int* sizeA, const int* outerSizeA, const double beta, double* B,
                                               const int* outerSizeB, const SelectionMethod selectionMethod,
                                               const int numThreads, const int* threadIds = nullptr,
                                               const bool useRowMajor = false);
std::shared_ptr<Transpose<FloatComplex>> create_plan(const int* perm, const int dim, const FloatComplex alpha,
                                                     const FloatComplex* A, const int* sizeA, const int* outerSizeA,
                                                     const FloatComplex beta, FloatComplex* B, const int* outerSizeB,
                                                     const SelectionMethod selectionMethod, const int numThreads,
                                                     const int* threadIds = nullptr, const bool useRowMajor = false);
std::shared_ptr<Transpose<DoubleComplex>> create_plan(const int* perm, const int dim, const DoubleComplex alpha,
                                                      const DoubleComplex* A, const int* sizeA, const int* outerSizeA,
                                                      const DoubleComplex beta, DoubleComplex* B, const int* outerSizeB,
                                                      const SelectionMethod selectionMethod, const int numThreads,
                                                      const int* threadIds = nullptr, const bool useRowMajor = false);
std::shared_ptr<Transpose<float>> create_plan(const int* perm, const int dim, const float alpha, const float* A,
                                              const int* sizeA, const int* outerSizeA, const float beta, float* B,
                                              const int* outerSizeB, const int maxAutotuningCandidates,
                                              const int numThreads, const int* threadIds = nullptr,
                                              const bool useRowMajor = false);
std::shared_ptr<Transpose<double>> create_plan(const int* perm, const int dim, const double alpha, const double* A,
                                               const int* sizeA, const int* outerSizeA, const double beta, double* B,
                                               const int* outerSizeB, const int maxAutotuningCandidates,
                                               const int numThreads, const int* threadIds = nullptr,
                                               const bool useRowMajor = false);
std::shared_ptr<Transpose<FloatComplex>> create_plan(const int* perm, const int dim, const FloatComplex alpha,
                                                     const FloatComplex* A, const int* sizeA, const int* outerSizeA,
                                                     const FloatComplex beta, FloatComplex* B, const int* outerSizeB,
                                                     const int maxAutotuningCandidates, const int numThreads,
                                                     const int* threadIds = nullptr, const bool useRowMajor = false);
std::shared_ptr<Transpose<DoubleComplex>> create_plan(const int* perm, const int dim, const DoubleComplex alpha,
                                                      const DoubleComplex* A, const int* sizeA, const int* outerSizeA,
                                                      const DoubleComplex beta, DoubleComplex* B, const int* outerSizeB,
                                                      const int maxAutotuningCandidates, const int numThreads,
                                                      const int* threadIds = nullptr, const bool useRowMajor = false);
std::shared_ptr<Transpose<float>> create_plan(const std::vector<int>& perm, const int dim, const float alpha,
                                              const float* A, const std::vector<int>& sizeA,
                                              const std::vector<int>& outerSizeA, const float beta, float* B,
                                              const std::vector<int>& outerSizeB, const SelectionMethod selectionMethod,
                                              const int numThreads, const std::vector<int>& threadIds = {},
                                              const bool useRowMajor = false);
std::shared_ptr<Transpose<double>> create_plan(const std::vector<int>& perm, const int dim, const double alpha,
                                               const double* A, const std::vector<int>& sizeA,
                                               const std::vector<int>& outerSizeA, const double beta, double* B,
                                               const std::vector<int>& outerSizeB,
                                               const SelectionMethod selectionMethod, const int numThreads,
                                               const std::vector<int>& threadIds = {}, const bool useRowMajor = false);
std::shared_ptr<Transpose<FloatComplex>> create_plan(
    const std::vector<int>& perm, const int dim, const FloatComplex alpha, const FloatComplex* A,
    const std::vector<int>& sizeA, const std::vector<int>& outerSizeA, const FloatComplex beta, FloatComplex* B,
    const std::vector<int>& outerSizeB, const SelectionMethod selectionMethod, const int numThreads,
    const std::vector<int>& threadIds = {}, const bool useRowMajor = false);
std::shared_ptr<Transpose<DoubleComplex>> create_plan(
    const std::vector<int>& perm, const int dim, const DoubleComplex alpha, const DoubleComplex* A,
    const std::vector<int>& sizeA, const std::vector<int>& outerSizeA, const DoubleComplex beta, DoubleComplex* B,
    const std::vector<int>& outerSizeB, const SelectionMethod selectionMethod, const int numThreads,
    const std::vector<int>& threadIds = {}, const bool useRowMajor = false);

}  // namespace hptt
#endif

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
