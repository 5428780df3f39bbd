// Part of plait.cpp: functions that read or move data.

extern "C" {

plait_status_t plait_zero_pad(const plait_memory_desc_t* desc, void* data, size_t size) {
    return guarded([&] {
        descriptor d;
        c::data_span span;
        if (const outcome step = read_descriptor(d, desc, "desc"); !step) return step;
        if (const outcome step = check_data(span, d, data, size, plait::detail::buffer_role::buffer); !step)
            return step;
        if (span.empty()) return outcome{};
        if (const outcome step = answer(check_zero_pad(d), "desc"); !step) return step;
        return answer(zero_pad(d, data));
    });
}

plait_status_t plait_is_padding_zero(const plait_memory_desc_t* desc, const void* data, size_t size, int* out) {
    return guarded([&] {
        descriptor d;
        c::data_span span;
        if (const outcome step = check_pointer(out, "answer"); !step) return step;
        if (const outcome step = read_descriptor(d, desc, "desc"); !step) return step;
        if (const outcome step = check_data(span, d, data, size, plait::detail::buffer_role::buffer); !step)
            return step;
        if (!span.empty())
            if (const outcome step = answer(check_zero_pad(d), "desc"); !step) return step;
        *out = span.empty() || is_padding_zero(d, data) ? 1 : 0;
        return outcome{};
    });
}

plait_status_t plait_reorder_attributes_init(plait_reorder_attributes_t* attributes) {
    return guarded([&] {
        if (const outcome step = check_pointer(attributes, "attributes"); !step) return step;
        *attributes = {};
        attributes->version = PLAIT_REORDER_ATTRIBUTES_VERSION;
        attributes->src_scale.value = attributes->dst_scale.value = 1;
        return outcome{};
    });
}

plait_status_t plait_reorder_create(plait_reorder_t** out, const plait_memory_desc_t* src,
                                    const plait_memory_desc_t* dst, const plait_reorder_attributes_t* attributes) {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        std::unique_ptr<plait_planned_reorder> made(new (std::nothrow) plait_planned_reorder);
        if (made == nullptr) return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: for the plan of a reorder");
        if (const outcome step = c::make_reorder(*made, src, dst, attributes); !step) return step;
        *out = made.release();
        return outcome{};
    });
}

plait_status_t plait_reorder_execute(const plait_reorder_t* reorder, const void* src, size_t src_size, void* dst,
                                     size_t dst_size) {
    return guarded([&] {
        if (const outcome step = check_pointer(reorder, "reorder"); !step) return step;
        return c::run_reorder(reorder->parts, {src, src_size, dst, dst_size});
    });
}

plait_status_t plait_reorder_execute_bound(const plait_reorder_t* reorder, const plait_memory_desc_t* src_desc,
                                           const void* src, size_t src_size, const plait_memory_desc_t* dst_desc,
                                           void* dst, size_t dst_size, const plait_reorder_attributes_t* attributes) {
    return guarded([&] {
        if (const outcome step = check_pointer(reorder, "reorder"); !step) return step;
        return c::run_bound(*reorder, src_desc, dst_desc, {src, src_size, dst, dst_size}, attributes);
    });
}

plait_status_t plait_reorder_stop_trials(plait_reorder_t* reorder) {
    return guarded([&] {
        if (const outcome step = check_pointer(reorder, "reorder"); !step) return step;
        reorder->parts.plan.stop_trials();
        if (reorder->kept != nullptr) reorder->kept->stop_trials();
        return outcome{};
    });
}

plait_status_t plait_reorder_get_choice(const plait_reorder_t* reorder, char* text, size_t size) {
    return guarded([&] {
        if (const outcome step = check_pointer(reorder, "reorder"); !step) return step;
        if (const outcome step = check_pointer(text, "text"); !step) return step;
        if (const outcome step = c::check_planned(*reorder); !step) return step;
        const auto choice = reorder->parts.plan.choice();
        const auto needed = static_cast<std::size_t>(choice.size()) + 1;
        if (size < needed)
            return refuse(PLAIT_INVALID_ARGUMENTS, "buffer_is_too_small: text has %zu bytes, but the choice needs %zu",
                          size, needed);
        std::memcpy(text, choice.c_str(), needed);
        return outcome{};
    });
}

plait_status_t plait_reorder_set_choice(plait_reorder_t* reorder, const char* text) {
    return guarded([&] {
        if (const outcome step = check_pointer(reorder, "reorder"); !step) return step;
        if (const outcome step = check_pointer(text, "text"); !step) return step;
        if (const outcome step = c::check_planned(*reorder); !step) return step;
        constexpr std::size_t enough = 200;  // no choice is as long
        return answer(reorder->parts.plan.set_choice({text, ::strnlen(text, enough)}));
    });
}

void plait_reorder_destroy(plait_reorder_t* reorder) { delete reorder; }

plait_status_t plait_reorder(const plait_memory_desc_t* src_desc, const void* src, size_t src_size,
                             const plait_memory_desc_t* dst_desc, void* dst, size_t dst_size,
                             const plait_reorder_attributes_t* attributes) {
    return guarded([&] {
        c::planned_parts once;
        if (const outcome step = c::plan_reorder(once, src_desc, dst_desc, attributes); !step) return step;
        return c::run_reorder(once, {src, src_size, dst, dst_size});
    });
}

plait_status_t plait_table_reorder_create(plait_table_reorder_t** out, const plait_memory_desc_t* src,
                                          const plait_memory_desc_t* dst, const plait_table_axis_t* src_table,
                                          const plait_table_axis_t* dst_table,
                                          const plait_reorder_attributes_t* attributes) {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        std::unique_ptr<plait_planned_table_reorder> made(new (std::nothrow) plait_planned_table_reorder);
        if (made == nullptr) return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: for the plan of a reorder");
        if (const outcome step = c::make_table_reorder(*made, src, dst, src_table, dst_table, attributes); !step)
            return step;
        *out = made.release();
        return outcome{};
    });
}

plait_status_t plait_table_reorder_execute(const plait_table_reorder_t* reorder, const void* src, size_t src_size,
                                           void* dst, size_t dst_size, const plait_table_t* src_tables, int src_count,
                                           const plait_table_t* dst_tables, int dst_count) {
    return guarded([&] {
        if (const outcome step = check_pointer(reorder, "reorder"); !step) return step;
        return c::run_table_reorder(*reorder, {src, src_size, dst, dst_size},
                                    {src_tables, src_count, dst_tables, dst_count});
    });
}

plait_status_t plait_table_reorder_format_json(const plait_table_reorder_t* reorder, const plait_table_t* src_tables,
                                               int src_count, const plait_table_t* dst_tables, int dst_count,
                                               char* text, size_t size, size_t* needed) {
    return guarded([&] {
        if (const outcome step = check_pointer(reorder, "reorder"); !step) return step;
        return c::write_table_reorder_json(*reorder, {src_tables, src_count, dst_tables, dst_count}, text, size,
                                           needed);
    });
}

void plait_table_reorder_destroy(plait_table_reorder_t* reorder) { delete reorder; }

}  // extern "C"
