#pragma once
// Memory for a layout, because a view does not own any.

#include <plait/view/tensor_view.hpp>

#include <new>

/// Owns the floats of a layout, aligned to 64 bytes, initially zero, including the padding.
template <class L>
class tensor {
public:
    tensor() { fill(0); }
    ~tensor() { ::operator delete(data_, alignment); }
    tensor(const tensor&) = delete;
    tensor& operator=(const tensor&) = delete;

    float* data() { return data_; }
    const float* data() const { return data_; }
    plait::tensor_view<float, L> view() { return {data_, L()}; }
    plait::tensor_view<const float, L> view() const { return {data_, L()}; }
    /// Sets every place to a value, including the padding.
    void fill(float value) {
        for (std::size_t i = 0; i < size; ++i) data_[i] = value;
    }

private:
    static constexpr std::size_t size = L::value.element_span();
    static constexpr std::align_val_t alignment{64};
    float* data_ = static_cast<float*>(::operator new(size * sizeof(float), alignment));
};
