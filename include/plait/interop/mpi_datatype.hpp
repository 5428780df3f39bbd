#pragma once
// A layout as a datatype of MPI, for programs that send tensors by calls of their own.

#include <plait/descriptor/descriptor.hpp>
#include <plait/interop/mpi_agreement.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// A datatype that is freed.
class own_datatype {
public:
    own_datatype() = default;
    explicit own_datatype(MPI_Datatype made) : handle_(made) {}
    own_datatype(own_datatype&& other) noexcept : handle_(std::exchange(other.handle_, MPI_DATATYPE_NULL)) {}
    own_datatype& operator=(own_datatype&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~own_datatype() {
        if (handle_ != MPI_DATATYPE_NULL) MPI_Type_free(&handle_);
    }
    MPI_Datatype get() const { return handle_; }
    MPI_Datatype release() { return std::exchange(handle_, MPI_DATATYPE_NULL); }

private:
    MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

/// Makes datatypes whose type map lists the elements in row-major order of their indices.
class datatype_maker {
public:
    explicit datatype_maker(dim_t size) : size_(size) {}

    verdict why;

    MPI_Datatype element(data_type type) const {
        switch (type) {
            case data_type::f64: return MPI_DOUBLE;
            case data_type::f32: return MPI_FLOAT;
            case data_type::s32: return MPI_INT32_T;
            case data_type::s8: return MPI_INT8_T;
            case data_type::u8: return MPI_UINT8_T;
            default: return size_ == 2 ? MPI_UINT16_T : MPI_UINT8_T;
        }
    }

    /// Returns `count` times the type, `stride` elements apart. Counts of MPI are int: more are made of groups.
    own_datatype repeat(MPI_Datatype inner, dim_t count, dim_t stride) {
        constexpr dim_t most = dim_t{1} << 30;
        own_datatype out;
        if (count <= most) return vector(inner, count, stride);
        const own_datatype group = vector(inner, most, stride);
        const own_datatype groups = repeat(group.get(), count / most, stride * most);
        const own_datatype rest = vector(inner, count % most, stride);
        return joined(groups.get(), rest.get(), count / most * most * stride);
    }
    /// Returns the first `count` indices of an axis, given its digits, innermost first.
    own_datatype indices(MPI_Datatype inner, const digit_list& digits, int level, dim_t count) {
        if (!why.ok()) return {};
        if (level == 0) return vector(inner, 1, 0);
        dim_t inside = 1;
        for (int k = 0; k + 1 < level; ++k) inside *= digits[k].extent;
        const dim_t whole = count / inside, rest = count % inside;
        const dim_t stride = digits[level - 1].stride;
        own_datatype out;
        if (whole > 0) {
            const own_datatype block = indices(inner, digits, level - 1, inside);
            out = repeat(block.get(), whole, stride);
        }
        if (rest == 0) return out;
        own_datatype tail = indices(inner, digits, level - 1, rest);
        return whole == 0 ? std::move(tail) : joined(out.get(), tail.get(), whole * stride);
    }
    /// Returns both types, the second one at an offset in elements.
    own_datatype joined(MPI_Datatype first, MPI_Datatype second, dim_t offset) {
        const int lengths[2] = {1, 1};
        const MPI_Aint places[2] = {0, static_cast<MPI_Aint>(offset * size_)};
        const MPI_Datatype types[2] = {first, second};
        MPI_Datatype made = MPI_DATATYPE_NULL;
        if (why.ok()) note(MPI_Type_create_struct(2, lengths, places, types, &made));
        return own_datatype(made);
    }
    void note(int code) {
        if (why.ok()) why = mpi_verdict(code);
    }

private:
    own_datatype vector(MPI_Datatype inner, dim_t count, dim_t stride) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        if (why.ok())
            note(MPI_Type_create_hvector(static_cast<int>(count), 1, static_cast<MPI_Aint>(stride * size_), inner,
                                         &made));
        return own_datatype(made);
    }

    dim_t size_;
};
}  // namespace detail

/// Returns a committed datatype of MPI with the elements of a tensor in row-major order of their indices, without
/// padding. A buffer points to offset 0. Types of two layouts with equal dims and element types match: what is sent
/// with one and received with the other is reordered. The caller frees it by MPI_Type_free.
///
/// Refused: mpi_is_not_running, mpi_refuses; as check_descriptor, check_size; data_type_is_unknown (elements that are not
///          whole bytes); descriptor_has_extra; axis_is_padded (in front of its elements)
/// Pre:     MPI is initialized
/// Post:    sending 1 of it sends volume * size_in_bytes(type) bytes
/// Cost:    some calls of MPI for each digit
/// Source:  the derived datatypes of MPI
/// Example: test/interop/mpi.cpp
inline expected<MPI_Datatype> mpi_type(const descriptor& d) {
    if (const verdict why = detail::check_mpi_runs(); !why.ok()) return why;
    if (const verdict why = check_descriptor(d); !why.ok()) return why;
    if (const verdict why = detail::check_static_layout(d.layout); !why.ok()) return why;
    if (!d.extra.empty()) return verdict{reason::descriptor_has_extra};
    const dim_t size = size_in_bytes(d.type);
    if (size_in_bits(d.type) % 8 != 0) return verdict{reason::data_type_is_unknown, -1, static_cast<dim_t>(d.type), 0};
    detail::datatype_maker make(size);
    position first;
    for (int a = 0; a < d.ndims(); ++a) first.push_back(0);
    const bool empty = !detail::has_elements(d.dims());
    const dim_t begin = empty ? 0 : d.layout.offset(first);
    detail::own_datatype made;
    {
        MPI_Datatype copy = MPI_DATATYPE_NULL;
        make.note(MPI_Type_dup(make.element(d.type), &copy));
        made = detail::own_datatype(copy);
    }
    for (int a = d.ndims() - 1; a >= 0; --a) {
        if (d.layout.padded_offsets[a] != 0)
            return verdict{reason::axis_is_padded, a, d.layout.padded_dims[a], d.dims()[a]};
        detail::digit_list digits;
        for (int k = d.layout.digits.size() - 1; k >= d.ndims(); --k)
            if (d.layout.digits[k].axis == a) digits.push_back(d.layout.digits[k]);
        digits.push_back(d.layout.digits[a]);
        if (!empty) made = make.indices(made.get(), digits, digits.size(), d.dims()[a]);
    }
    const int length = empty ? 0 : 1;
    const MPI_Aint place = static_cast<MPI_Aint>(begin * size);
    MPI_Datatype moved = MPI_DATATYPE_NULL;
    if (make.why.ok()) make.note(MPI_Type_create_hindexed(1, &length, &place, made.get(), &moved));
    detail::own_datatype out(moved);
    if (make.why.ok()) {
        MPI_Datatype handle = out.get();
        make.note(MPI_Type_commit(&handle));
    }
    if (!make.why.ok()) return make.why;
    return out.release();
}

}  // namespace plait
