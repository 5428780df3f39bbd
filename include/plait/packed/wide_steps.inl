// The inner loops of tables of bits, in the vectors of one instruction set.
// Included by wide_steps.hpp once for each set, in its namespace, after `vector_bytes` and `shuffles`.

/// Makes the targets of a table of shuffles, each of the bytes that its terms pick from sixteen bytes of the source.
template <class Shuffles>
inline void run_shuffles([[maybe_unused]] const shuffle_table& table, [[maybe_unused]] const std::byte* src,
                         [[maybe_unused]] std::byte* dst) {
    if constexpr (Shuffles::exist) {
        const shuffle_group* group = table.groups.data();
        const std::uint32_t* from = table.terms.data();
        const std::byte* bytes = table.bytes.data();
        for (const shuffle_target& target : table.targets) {
            auto out = Shuffles::load(bytes);
            bytes += vector_bytes;
            for (int g = 0; g < target.groups; ++g, ++group) {
                auto picked = Shuffles::pick(src + *from++, bytes);
                bytes += vector_bytes;
                for (int t = 1; t < group->terms; ++t, bytes += vector_bytes)
                    picked = Shuffles::both(picked, Shuffles::pick(src + *from++, bytes));
                out = Shuffles::add(out, Shuffles::shift(picked, group->left, group->right), bytes);
                bytes += vector_bytes;
            }
            Shuffles::store(dst + target.dst, out, target.length);
        }
    }
}

struct code {
    static constexpr step_code functions = {vector_bytes, shuffles::exist, run_shuffles<shuffles>};
};
