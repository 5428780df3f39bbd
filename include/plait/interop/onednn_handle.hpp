#pragma once
// Converts descriptors to and from dnnl_memory_desc_t of oneDNN 3, which is a handle: read by queries, made from tags
// and strides. Included by interop/onednn.hpp.

#include <plait/interop/onednn_fields.hpp>
#include <plait/interop/onednn_parent.hpp>

#include <dnnl.h>
#include <dnnl_debug.h>

#include <algorithm>
#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {

static_assert(dynamic == DNNL_RUNTIME_DIM_VAL && max_ndims == DNNL_MAX_NDIMS && max_inner_blocks == DNNL_MAX_NDIMS);
static_assert(dnnl_f16 == 1 && dnnl_bf16 == 2 && dnnl_f32 == 3 && dnnl_s32 == 4 && dnnl_s8 == 5 && dnnl_u8 == 6 &&
              dnnl_f64 == 7);

namespace detail {
/// The last data type that fields_of returns. An early 3.x rejects those that it does not know.
inline constexpr int onednn_last_type = 15;
}  // namespace detail

/// An owned memory descriptor of oneDNN.
class onednn_descriptor {
public:
    onednn_descriptor() = default;
    explicit onednn_descriptor(dnnl_memory_desc_t owned) : handle_(owned) {}
    onednn_descriptor(onednn_descriptor&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    onednn_descriptor& operator=(onednn_descriptor&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~onednn_descriptor() {
        if (handle_ != nullptr) dnnl_memory_desc_destroy(handle_);
    }
    /// Returns the handle for the C interface; it stays owned by this object.
    const_dnnl_memory_desc_t get() const { return handle_; }
    /// Releases the handle. The caller must destroy it, as dnnl::memory::desc does.
    dnnl_memory_desc_t release() { return std::exchange(handle_, nullptr); }

private:
    dnnl_memory_desc_t handle_ = nullptr;
};
namespace detail {
/// The parameter type for a memory descriptor of oneDNN that is read.
using onednn_source = const_dnnl_memory_desc_t;

/// Returns the type that functions of oneDNN take.
inline const_dnnl_memory_desc_t pointer_to(const onednn_descriptor& d) { return d.get(); }

/// Returns the kind for a number, not a name, because the name of `sparse` depends on how the library was built.
constexpr onednn_kind kind_of(int kind) {
    constexpr onednn_kind kinds[] = {onednn_kind::undef, onednn_kind::any, onednn_kind::blocked, onednn_kind::opaque,
                                     onednn_kind::sparse};
    return kind >= 0 && kind < 5 ? kinds[kind] : onednn_kind::unknown;
}
}  // namespace detail
static_assert(dnnl_format_kind_undef == 0 && dnnl_format_kind_any == 1 && dnnl_blocked == 2 &&
              dnnl_format_kind_opaque == 3);

namespace detail {
/// Queries of one descriptor. The first error is remembered.
class onednn_queries {
public:
    explicit onednn_queries(onednn_source of) : of_(of) {}
    template <class T>
    T number(dnnl_query_t what) {
        T out{};
        ask(what, &out);
        return out;
    }
    void numbers(dnnl_query_t what, dim_t (&to)[max_ndims], int count) {
        const dnnl_dims_t* list = nullptr;
        if (ask(what, &list)) std::copy_n(*list, std::clamp(count, 0, max_ndims), to);
    }
    verdict why() const {
        return status_ == dnnl_success ? verdict{} : verdict{reason::library_refuses, -1, static_cast<dim_t>(status_)};
    }

private:
    bool ask(dnnl_query_t what, void* to) {
        const dnnl_status_t status = dnnl_memory_desc_query(of_, what, to);
        if (status_ == dnnl_success) status_ = status;
        return status == dnnl_success;
    }
    onednn_source of_;
    dnnl_status_t status_ = dnnl_success;
};

/// Returns all fields that can be queried; extra cannot.
inline expected<onednn_fields> query_onednn(onednn_source from) {
    onednn_queries queries(from);
    onednn_fields out;
    out.ndims = queries.number<int>(dnnl_query_ndims_s32);
    out.format_kind = kind_of(queries.number<dnnl_format_kind_t>(dnnl_query_format_kind));
    out.data_type = queries.number<dnnl_data_type_t>(dnnl_query_data_type);
    out.offset0 = queries.number<dnnl_dim_t>(dnnl_query_submemory_offset_s64);
    queries.numbers(dnnl_query_dims, out.dims, out.ndims);
    queries.numbers(dnnl_query_padded_dims, out.padded_dims, out.ndims);
    queries.numbers(dnnl_query_padded_offsets, out.padded_offsets, out.ndims);
    if (out.format_kind == onednn_kind::blocked) {
        queries.numbers(dnnl_query_strides, out.strides, out.ndims);
        out.inner_nblks = queries.number<int>(dnnl_query_inner_nblks_s32);
        queries.numbers(dnnl_query_inner_blks, out.inner_blks, out.inner_nblks);
        queries.numbers(dnnl_query_inner_idxs, out.inner_idxs, out.inner_nblks);
    }
    return {out, queries.why()};
}

/// Makes descriptors with given fields by this version's functions. The result is read back and compared.
class onednn_maker {
public:
    explicit onednn_maker(const onednn_fields& wanted) : wanted_(wanted), layout_(blocked_layout_of(wanted)) {}

    expected<onednn_descriptor> make_blocked() {
        const bool is_static = !layout_.is_dynamic();
        if (wanted_.inner_nblks == 0) {
            try_strides({layout_.dims, {}});
            if (!found() && is_static) try_strides(parent_of(layout_, memory_order(layout_), parent_strides::said));
        } else {
            for (int i = dnnl_format_tag_undef + 2; i < dnnl_format_tag_last && !found(); ++i) {
                const auto tag = static_cast<dnnl_format_tag_t>(i);
                const expected<format_tag> read = parse_format_tag(std::string_view(dnnl_fmt_tag2str(tag)));
                if (!read || read->ndims() != wanted_.ndims || !has_block_sizes(*read)) continue;
                try_tag(tag, identity_permutation(wanted_.ndims), {layout_.dims, {}});
                if (!found() && is_static) try_part_of(tag, *read);
            }
        }
        if (found()) return {std::move(found_), {}};
        if (wanted_.inner_nblks == 0) return verdict{reason::library_refuses, -1, static_cast<dim_t>(status_)};
        return verdict{reason::library_has_no_tag, -1, wanted_.ndims, wanted_.inner_nblks};
    }
    /// Makes a descriptor by a tag without places in memory.
    expected<onednn_descriptor> make_placeless(dnnl_format_tag_t tag) {
        onednn_descriptor made = by_tag(tag, wanted_.dims);
        if (made.get() == nullptr) return verdict{reason::library_refuses, -1, static_cast<dim_t>(status_)};
        return {std::move(made), {}};
    }

private:
    bool found() const { return found_.get() != nullptr; }
    auto type() const { return static_cast<dnnl_data_type_t>(wanted_.data_type); }
    /// Returns the descriptor that a function makes; empty if the function fails.
    template <class Function, class... Arguments>
    onednn_descriptor made_by(Function* function, Arguments... arguments) {
        dnnl_memory_desc_t out = nullptr;
        status_ = function(&out, arguments...);
        return onednn_descriptor(status_ == dnnl_success ? out : nullptr);
    }
    onednn_descriptor by_tag(dnnl_format_tag_t tag, const dim_t* extents) {
        return made_by(dnnl_memory_desc_create_with_tag, wanted_.ndims, extents, type(), tag);
    }
    bool has_block_sizes(const format_tag& tag) const {
        if (tag.blocks.size() != wanted_.inner_nblks) return false;
        for (int k = 0; k < wanted_.inner_nblks; ++k)
            if (tag.blocks[k].size != wanted_.inner_blks[k]) return false;
        return true;
    }
    /// Returns the axis of the layout for each axis of a tag: by inner blocks, and for axes without blocks by their
    /// order in memory. If the blocks differ, the result may not be a permutation.
    permutation axes_of(const format_tag& tag) const {
        permutation out;
        for (int a = 0; a < wanted_.ndims; ++a) out.push_back(-1);
        unsigned taken = 0;
        for (int k = 0; k < tag.blocks.size(); ++k) {
            out[tag.blocks[k].axis] = wanted_.inner_idxs[k];
            taken |= 1u << wanted_.inner_idxs[k];
        }
        int next = 0;
        const auto order = memory_order(layout_);
        for (const int axis : tag.axes) {
            if (out[axis] >= 0) continue;
            while (next < order.size() && (taken >> order[next] & 1u) != 0) ++next;
            if (next < order.size()) out[axis] = order[next++];
        }
        return out;
    }
    void try_part_of(dnnl_format_tag_t tag, const format_tag& read) {
        const permutation axes = axes_of(read);
        if (!check_permutation(axes, wanted_.ndims).ok()) return;
        axis_order order;
        for (const int axis : read.axes) order.push_back(static_cast<int>(axes[axis]));
        try_tag(tag, axes, parent_of(layout_, order, parent_strides::of_extents));
    }
    void try_strides(const onednn_parent& parent) {
        take_part(made_by(dnnl_memory_desc_create_with_strides, wanted_.ndims, parent.whole.begin(), type(),
                          static_cast<const dim_t*>(wanted_.strides)),
                  parent);
    }
    void try_tag(dnnl_format_tag_t tag, const permutation& axes, const onednn_parent& parent) {
        dims extents;
        int numbers[max_ndims]{};
        for (int a = 0; a < wanted_.ndims; ++a) {
            numbers[a] = static_cast<int>(axes[a]);
            extents.push_back(parent.whole[numbers[a]]);
        }
        onednn_descriptor whole = by_tag(tag, extents.begin());
        if (whole.get() != nullptr && axes != identity_permutation(wanted_.ndims))
            whole = made_by(dnnl_memory_desc_permute_axes, whole.get(), static_cast<const int*>(numbers));
        take_part(std::move(whole), parent);
    }
    /// Keeps the part of a parent if it has the wanted fields.
    void take_part(onednn_descriptor whole, const onednn_parent& parent) {
        if (whole.get() == nullptr) return;
        if (!parent.first.empty())
            whole = made_by(dnnl_memory_desc_create_submemory, whole.get(), layout_.dims.begin(), parent.first.begin());
        if (whole.get() == nullptr) return;
        const expected<onednn_fields> back = query_onednn(whole.get());
        if (back && blocked_layout_of(*back) == layout_) found_ = std::move(whole);
        else status_ = dnnl_unimplemented;
    }

    const onednn_fields& wanted_;
    const layout layout_;
    onednn_descriptor found_;
    dnnl_status_t status_ = dnnl_success;
};

inline expected<onednn_descriptor> make_onednn(const onednn_fields& wanted) {
    if (wanted.flags != 0) return verdict{reason::descriptor_has_extra};
    onednn_maker maker(wanted);
    if (wanted.format_kind == onednn_kind::undef) return maker.make_placeless(dnnl_format_tag_undef);
    if (wanted.format_kind == onednn_kind::any) return maker.make_placeless(dnnl_format_tag_any);
    return maker.make_blocked();
}

/// Returns the fields after checking that there is no extra. oneDNN refuses to reshape a descriptor with extra, even to
/// its own dims. If the reshape fails for another reason, a descriptor made without extra must be equal.
inline expected<onednn_fields> read_onednn(onednn_source from) {
    const expected<onednn_fields> fields = query_onednn(from);
    if (!fields || fields->format_kind != onednn_kind::blocked || fields->ndims == 0) return fields;
    dnnl_memory_desc_t reshaped = nullptr;
    if (dnnl_memory_desc_reshape(&reshaped, from, fields->ndims, fields->dims) == dnnl_success) {
        dnnl_memory_desc_destroy(reshaped);
        return fields;
    }
    if (const expected<descriptor> read = descriptor_of_fields(*fields); !read) return read.error();
    const expected<onednn_descriptor> again = make_onednn(*fields);
    if (!again) return again.error();
    if (dnnl_memory_desc_equal(from, again->get()) == 0) return verdict{reason::descriptor_has_extra};
    return fields;
}
}  // namespace detail
}  // namespace plait
