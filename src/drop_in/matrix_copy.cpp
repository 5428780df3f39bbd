#include "matrix_copy.hpp"

#include "kept_moves.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

// The program's, or that of its BLAS. Without one, the default of the reference BLAS is printed, without stopping.
extern "C" [[gnu::weak]] void xerbla_(const char* name, const int* argument, std::size_t name_length);

namespace plait_drop_in {
namespace {

void report(const char* name, int argument) {
    if (xerbla_ != nullptr) xerbla_(name, &argument, std::strlen(name));
    else std::fprintf(stderr, " ** On entry to %s parameter number %d had an illegal value\n", name, argument);
}

/// One matrix as it lies in memory: lines of elements, `line_stride` apart, which are `step` apart in a line.
struct lines {
    count number, length, line_stride, step;

    /// The number of the argument that is wrong: of the line stride or of the step; 0 if none is.
    int wrong_argument(int stride_argument, int step_argument, std::size_t element_size) const {
        if (step < 1) return step_argument;
        count span = 0, bytes = 0;
        // Steps larger than a line stride are lines, too, if they nest the other way round.
        const bool nest = !__builtin_mul_overflow(std::max<count>(length - 1, 0), step, &span) && line_stride > span;
        count across = 0;
        const bool nest_across = step > 1 && line_stride >= 1 &&
                                 !__builtin_mul_overflow(std::max<count>(number - 1, 0), line_stride, &across) &&
                                 step > across;
        if (!nest && !nest_across) return stride_argument;
        count lines_span = 0;
        if (__builtin_mul_overflow(std::max<count>(number - 1, 0), line_stride, &lines_span) ||
            __builtin_add_overflow(lines_span, span, &span) || __builtin_add_overflow(span, 1, &span) ||
            __builtin_mul_overflow(span, static_cast<count>(element_size), &bytes))
            return stride_argument;
        return 0;
    }
};

/// The checks that all calls share: the number of the first argument that is wrong, counted from 1, or 0. OpenBLAS has
/// the same order: the leading dimensions count last.
int wrong_argument(storage order, matrix_operation operation, count rows, count columns) {
    if (order == storage::unknown) return 1;
    if (operation == matrix_operation::unknown) return 2;
    if (rows < 0) return 3;
    if (columns < 0) return 4;
    return 0;
}

/// Returns the loops of a copy of `number` lines of `length` elements.
loop_nest loops_of(const lines& from, bool transposed, count to_stride, count to_step) {
    loop_nest nest;
    nest.insert({from.number, from.line_stride, transposed ? to_step : to_stride});
    nest.insert({from.length, from.step, transposed ? to_stride : to_step});
    nest.join();
    return nest;
}

/// Replaces a square matrix by its transpose. Each block above the diagonal changes places with that below it.
template <class T>
void transpose_square(T* a, count n, count stride, const scaling<T>& by) {
    constexpr count block = 64;
    alignas(64) std::byte memory[2][block * block * sizeof(T)];
    T* const upper = reinterpret_cast<T*>(memory[0]);
    T* const lower = reinterpret_cast<T*>(memory[1]);
    // Moves the block at (i, j), of rows x columns elements, to a dense buffer of its columns.
    const auto take = [&](count i, count j, count rows, count columns, T* to) {
        run_kept<T>(loops_of({rows, columns, stride, 1}, true, rows, 1), 1, a + i * stride + j, to, {});
    };
    const auto put = [&](count i, count j, count rows, count columns, const T* from) {
        run_kept<T>(loops_of({rows, columns, columns, 1}, false, stride, 1), 1, from, a + i * stride + j, by);
    };
    for (count i = 0; i < n; i += block) {
        const count rows = std::min(block, n - i);
        take(i, i, rows, rows, upper);
        put(i, i, rows, rows, upper);
        for (count j = i + block; j < n; j += block) {
            const count columns = std::min(block, n - j);
            take(i, j, rows, columns, upper);
            take(j, i, columns, rows, lower);
            put(j, i, columns, rows, upper);
            put(i, j, rows, columns, lower);
        }
    }
}

/// Moves lines within their memory, so that they are `to` apart instead of `from`.
template <class T>
void move_lines(T* a, count number, count length, count from, count to, const scaling<T>& by) {
    loop_nest line;
    line.insert({length, 1, 1});
    for (count k = 0; k < number; ++k) {
        const count i = to <= from ? k : number - 1 - k;  // no line is written before it is read
        if (from != to && i != 0)
            std::memmove(static_cast<void*>(a + i * to), a + i * from, static_cast<std::size_t>(length) * sizeof(T));
        strided_move<T>::run_directly(line, a + i * to, a + i * to, by);
    }
}

}  // namespace

template <class T>
void run(const matrix_copy<T>& call) {
    const int steps = call.has_steps ? 1 : 0;
    if (const int wrong = wrong_argument(call.order, call.operation, call.rows, call.columns); wrong != 0)
        return report(call.name, wrong);
    const bool by_rows = call.order == storage::row_major, transposed = transposes(call.operation);
    const lines from{by_rows ? call.rows : call.columns, by_rows ? call.columns : call.rows, call.lda, call.a_step};
    const lines to{transposed ? from.length : from.number, transposed ? from.number : from.length, call.ldb,
                   call.b_step};
    int wrong = from.wrong_argument(7, 8, sizeof(T));
    if (wrong == 0) wrong = to.wrong_argument(9 + steps, 10 + steps, sizeof(T));
    if (wrong != 0) return report(call.name, wrong);
    if (call.rows == 0 || call.columns == 0) return;
    const scaling<T> by{call.alpha, T{0}, conjugates(call.operation)};
    const loop_nest nest = loops_of(from, transposed, call.ldb, call.b_step);
    if (call.b == nullptr) return report(call.name, 8 + steps);
    if (call.alpha != T{0}) {
        if (call.a == nullptr) return report(call.name, 6);
        bool in_place = call.a == call.b;
        for (int k = 0; k < nest.size; ++k) in_place = in_place && nest[k].src == nest[k].dst;
        const auto distance = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(call.b) -
                                                          reinterpret_cast<std::uintptr_t>(call.a));
        if (!in_place && shares_bytes(nest, distance, sizeof(T))) return report(call.name, 8 + steps);
    }
    run_kept(nest, 1, call.a, call.b, by);
}

template <class T>
void run(const matrix_change<T>& call) {
    if (const int wrong = wrong_argument(call.order, call.operation, call.rows, call.columns); wrong != 0)
        return report(call.name, wrong);
    const bool by_rows = call.order == storage::row_major, transposed = transposes(call.operation);
    const lines from{by_rows ? call.rows : call.columns, by_rows ? call.columns : call.rows, call.lda, 1};
    const lines to{transposed ? from.length : from.number, transposed ? from.number : from.length, call.ldb, 1};
    int wrong = from.wrong_argument(7, 7, sizeof(T));
    if (wrong == 0) wrong = to.wrong_argument(9, 9, sizeof(T));  // OpenBLAS's number, although it has 8 arguments
    if (wrong != 0) return report(call.name, wrong);
    if (call.rows == 0 || call.columns == 0) return;
    if (call.a == nullptr) return report(call.name, 6);
    const scaling<T> by{call.alpha, T{0}, conjugates(call.operation)};
    if (call.alpha == T{0}) {
        loop_nest zeros = loops_of({to.number, to.length, call.ldb, 1}, false, call.ldb, 1);
        return run_kept<T>(zeros, 1, call.a, call.a, by);
    }
    if (!transposed) return move_lines(call.a, from.number, from.length, call.lda, call.ldb, by);
    if (from.number == from.length && call.lda == call.ldb) return transpose_square(call.a, from.number, call.lda, by);
    const count elements = from.number * from.length;
    T* const buffer = static_cast<T*>(std::malloc(static_cast<std::size_t>(elements) * sizeof(T)));
    if (buffer == nullptr) {
        // OpenBLAS ends the program, too: there is no result, and no way to say so.
        std::fprintf(stderr, "%s: no memory for a buffer of %lld elements\n", call.name,
                     static_cast<long long>(elements));
        std::exit(1);
    }
    run_kept(loops_of(from, true, to.length, 1), 1, call.a, buffer, by);
    run_kept<T>(loops_of({to.number, to.length, to.length, 1}, false, call.ldb, 1), 1, buffer, call.a, {});
    std::free(buffer);
}

template void run(const matrix_copy<float>&);
template void run(const matrix_copy<double>&);
template void run(const matrix_copy<std::complex<float>>&);
template void run(const matrix_copy<std::complex<double>>&);
template void run(const matrix_change<float>&);
template void run(const matrix_change<double>&);
template void run(const matrix_change<std::complex<float>>&);
template void run(const matrix_change<std::complex<double>>&);

}  // namespace plait_drop_in
