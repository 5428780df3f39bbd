// Layouts as functions from index to offset, checked on all elements.

#include "chains/judge.hpp"

#include <plait/algebra/operations.hpp>

using namespace plait;

namespace chains {
namespace {

/// Returns the offsets at the places of `numbers`: each number is the row-major number of an element of the other
/// layout.
element_map followed(const element_map& numbers, const element_map& offsets) {
    element_map out = numbers;
    for (dim_t& number : out.offsets) number = offsets.offsets[static_cast<std::size_t>(number)];
    return out;
}

/// Returns a map with the axes of the first, followed by those of the second; the offsets add up.
element_map beside(const element_map& first, const element_map& second) {
    element_map out{first.extents, {}};
    out.extents.insert(out.extents.end(), second.extents.begin(), second.extents.end());
    for (const dim_t offset : first.offsets)
        for (const dim_t more : second.offsets) out.offsets.push_back(offset + more);
    return out;
}

/// True if the numbers are 0, 1, ..., n - 1, each once.
bool is_each_once(const std::vector<dim_t>& numbers) {
    dim_t next = 0;
    for (const dim_t number : sorted(numbers))
        if (number != next++) return false;
    return true;
}

/// Returns places for copies of a tile that fill memory upwards from 0: each copy covers the first free place.
std::vector<dim_t> places_for_copies(const std::vector<dim_t>& tile, dim_t copies) {
    std::vector<dim_t> out;
    std::vector<bool> taken;
    dim_t free = 0;
    for (dim_t i = 0; i < copies; ++i) {
        for (; free < static_cast<dim_t>(taken.size()) && taken[static_cast<std::size_t>(free)]; ++free) {}
        out.push_back(free);
        for (const dim_t place : tile) {
            const auto at = static_cast<std::size_t>(free + place);
            if (taken.size() <= at) taken.resize(at + 1);
            taken[at] = true;
        }
    }
    return out;
}

/// The operations on functions include padding, and a description of the same memory may have more padding before or
/// after its elements.
const char* function_excuse(const layout& l, const verdict& why, const layout& other) {
    if (why.reason == reason::too_many_digits && l.digits.size() != other.digits.size())
        return "semantics 1: at most so many digits";
    const bool divides = why.reason == reason::extents_do_not_divide || why.reason == reason::digits_carry;
    for (int a = 0; divides && a < l.ndims(); ++a)
        if (room_of(other, a) > other.padded_dims[a])
            return "as a function, a part of a block is the block: its digits may divide where its own extent does not";
    if (l.padded_offsets != other.padded_offsets || places_of(l) != places_of(other))
        return "as functions, layouts that own other places are not the same";
    return nullptr;
}

/// Returns a layout of few elements; its offsets are usually numbers below `elements`.
layout random_numbers(random_source& random, dim_t elements) {
    for (;;) {
        layout out = hand_filled(random);
        if (out.volume() > 24 || out.ndims() > 2) continue;
        if (map_of(out, true).offsets.empty() || places_of(out).back() < elements || random.once_in(8)) return out;
        out.offset0 -= out.span_begin();
        if (places_of(out).back() < elements || random.once_in(8)) return out;
    }
}

void ask_compose(layout& l, random_source& random, judge& by) {
    const layout b = random_numbers(random, l.volume());
    const bool first = random.once_in(2);
    const layout& subject = first ? l : b;
    const layout& fixed = first ? b : l;
    const auto made = by.ask(
        first ? "compose (a)" : "compose (b)", "with" + to_text(fixed), subject,
        [&](const layout& x) {
            return first ? answer{check_compose(x, fixed), try_compose(x, fixed)}
                         : answer{check_compose(fixed, x), try_compose(fixed, x)};
        },
        [&](const layout& x, const layout& y) {
            const layout &a = first ? x : fixed, &inner = first ? fixed : x;
            return y.dims == inner.dims && (inner.volume() == 0 || map_of(y) == followed(map_of(inner), map_of(a)));
        },
        function_excuse);
    if (made) l = *made;
}

void ask_one_sided_inverses(const layout& l, judge& by) {
    [[maybe_unused]] const auto left = by.ask(
        "left_inverse", "", l,
        [](const layout& x) {
            return answer{check_left_inverse(x), try_left_inverse(x)};
        },
        [](const layout& x, const layout& y) {
            const element_map forth = map_of(x);
            const dim_t lowest = *std::min_element(forth.offsets.begin(), forth.offsets.end());
            for (const dim_t offset : forth.offsets) {
                const dim_t number = y.offset(offset - lowest);
                if (forth.offsets[static_cast<std::size_t>(number)] != offset) return false;
            }
            return y.ndims() == 1;
        },
        function_excuse);
    [[maybe_unused]] const auto right = by.ask(
        "right_inverse", "", l,
        [](const layout& x) {
            return answer{check_right_inverse(x), try_right_inverse(x)};
        },
        [](const layout& x, const layout& y) {
            const element_map forth = map_of(x), back = map_of(y);
            dim_t offset = x.offset0;
            for (const dim_t number : back.offsets)
                if (forth.offsets[static_cast<std::size_t>(number)] != offset++) return false;
            return y.ndims() == 1 && !back.offsets.empty();
        },
        function_excuse);
}

void ask_inverse(const layout& l, judge& by) {
    [[maybe_unused]] const auto made = by.ask(
        "inverse", "", l,
        [](const layout& x) {
            return answer{check_inverse(x), try_inverse(x)};
        },
        [](const layout& x, const layout& y) {
            const element_map forth = map_of(x), back = map_of(y);
            dim_t number = 0;
            for (const dim_t offset : forth.offsets)
                if (back.offsets[static_cast<std::size_t>(offset)] != number++) return false;
            return y.ndims() == 1 && back.offsets.size() == forth.offsets.size();
        },
        function_excuse);
}

void ask_complement(const layout& l, random_source& random, judge& by) {
    const std::vector<dim_t> places = places_of(l);
    const dim_t reach = places.empty() ? 1 : places.back() - places.front() + 1;
    const dim_t size = random.once_in(3) ? random.between(0, 300) : reach * random.between(1, 3);
    [[maybe_unused]] const auto made = by.ask(
        "complement", "up to " + std::to_string(size), l,
        [&](const layout& x) {
            return answer{check_complement(x, size), try_complement(x, size)};
        },
        [&](const layout& x, const layout& y) {
            const element_map free = map_of(y);
            element_map all = beside(map_of(x, true), free);
            for (dim_t& offset : all.offsets) offset -= x.span_begin();
            return y.ndims() == 1 && static_cast<dim_t>(all.offsets.size()) == size && is_each_once(all.offsets) &&
                   std::is_sorted(free.offsets.begin(), free.offsets.end());
        },
        function_excuse);
}

void ask_divide(layout& l, random_source& random, judge& by) {
    const layout b = random_numbers(random, l.volume());
    const auto made = by.ask(
        "divide", "by" + to_text(b), l,
        [&](const layout& x) {
            return answer{check_divide(x, b), try_divide(x, b)};
        },
        [&](const layout& x, const layout& y) {
            // At index 0 of the first axis, the result has the elements of b; and it has each element once.
            const element_map all = map_of(y), offsets = map_of(x), tile = followed(map_of(b), offsets);
            return std::equal(tile.offsets.begin(), tile.offsets.end(), all.offsets.begin()) &&
                   (b.is_padded() || sorted(all.offsets) == sorted(offsets.offsets));
        },
        function_excuse);
    if (made) l = *made;
}

void ask_product(layout& l, random_source& random, judge& by) {
    const layout b = random_numbers(random, 12);
    const auto made = by.ask(
        "product", "with" + to_text(b), l,
        [&](const layout& x) {
            return answer{check_product(x, b), try_product(x, b)};
        },
        [&](const layout& x, const layout& y) {
            std::vector<dim_t> tile = places_of(x);
            for (dim_t& place : tile) place -= x.span_begin();
            element_map copies = map_of(b);
            if (copies.offsets.empty()) return y.volume() == 0;
            const std::vector<dim_t> places =
                places_for_copies(tile, *std::max_element(copies.offsets.begin(), copies.offsets.end()) + 1);
            for (dim_t& number : copies.offsets) number = places[static_cast<std::size_t>(number)];
            return map_of(y) == beside(copies, map_of(x));
        },
        function_excuse);
    if (made) l = *made;
}

void ask_concatenate(layout& l, random_source& random, judge& by) {
    layout b = random_numbers(random, 30);
    const std::vector<dim_t> places = places_of(l);
    const dim_t wider = random.once_in(3) || places.empty() ? 1 : places.back() + 1;
    for (digit& d : b.digits) d.stride *= d.extent == 1 ? 1 : wider;
    if (!check_layout(b).ok()) return;
    const auto made = by.ask(
        "concatenate", "with" + to_text(b), l,
        [&](const layout& x) {
            return answer{check_concatenate(x, b), try_concatenate(x, b)};
        },
        [&](const layout& x, const layout& y) { return map_of(y) == beside(map_of(x), map_of(b)); }, function_excuse);
    if (made) l = *made;
}

}  // namespace

void ask_function(layout& l, random_source& random, judge& by) {
    switch (random.between(0, 6)) {
        case 0: return ask_compose(l, random, by);
        case 1: return ask_inverse(l, by);
        case 2: return ask_complement(l, random, by);
        case 3: return ask_divide(l, random, by);
        case 4: return ask_product(l, random, by);
        case 5: return ask_one_sided_inverses(l, by);
        default: return ask_concatenate(l, random, by);
    }
}

}  // namespace chains
