// What the trials of a plan have decided, as text: another plan for the same reorder takes it, and every other plan and
// every other text is refused.

#include "laws/random_layouts.hpp"

#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace test_reorder_reorder_choice { namespace {

using namespace plait;
using plait_test::random_source;

planned_reorder plan_of(const dims& extents, const char* from, const char* to, data_type type = data_type::f32) {
    return make_reorder({type, layout(extents, from)}, {type, layout(extents, to)}).value();
}
std::string choice_of(const planned_reorder& planned) { return planned.choice().c_str(); }
/// Returns what comes after the last space.
std::string order_of(const planned_reorder& planned) {
    const std::string all = choice_of(planned);
    return all.substr(all.rfind(' ') + 1);
}
verdict fails(const char* part_of_text, const std::string& text, descriptor_part part) {
    return {reason::choice_does_not_fit, -1, static_cast<dim_t>(text.find(part_of_text)) + 1, 0,
            static_cast<dim_t>(part)};
}
verdict malformed(dim_t column) { return {reason::choice_is_malformed, -1, column}; }

/// A transpose of a little more than 2 MB, read and written, which tries orders.
const dims large{520, 520}, small{8, 8};

/// Calls a plan until its trials have ended.
void decide(const planned_reorder& planned) {
    const std::vector<float> in(520 * 520, 1.5f);
    std::vector<float> out(in.size());
    for (int call = 0; call <= engine::order_trials::calls_to_try(engine::most_orders); ++call)
        planned(in.data(), out.data());
    CHECK(out == in);
}

TEST_CASE("choice: open while orders are tried, then a number, which an equal plan takes") {
    const planned_reorder first = plan_of(large, "ab", "ba");
    CHECK(order_of(first) == "?/4");
    decide(first);
    const std::string decided = choice_of(first);
    CHECK(decided.find('?') == std::string::npos);
    for (const char* order : {"0", "1", "2", "3"}) {
        planned_reorder other = plan_of(large, "ab", "ba");
        const std::string text = decided.substr(0, decided.rfind(' ') + 1) + order + "/4";
        CHECK(other.set_choice(text).ok());
        CHECK(choice_of(other) == text);
        decide(other);
        CHECK(choice_of(other) == text);  // nothing is tried any more
        const planned_reorder copy = other;
        CHECK(choice_of(copy) == text);
    }
}

TEST_CASE("choice: an open one changes nothing; one of a plan that tries nothing is taken, and says so") {
    planned_reorder first = plan_of(large, "ab", "ba");
    const std::string open = choice_of(first);
    CHECK(first.set_choice(open).ok());
    CHECK(choice_of(first) == open);
    planned_reorder little = plan_of(small, "ab", "ba");
    const std::string nothing = choice_of(little);
    CHECK(order_of(little) == "0/1");
    CHECK(little.set_choice(nothing).ok());
    CHECK(choice_of(little) == nothing);
    // Conversions, single elements, and tensors without elements.
    planned_reorder others[] = {
        make_reorder({data_type::f32, layout(small, "ab")}, {data_type::s8, layout(small, "ba")}).value(),
        make_reorder({data_type::u4, layout({7, 9}, "ab")}, {data_type::u4, layout({7, 9}, "ba")}).value(),
        plan_of({0, 3}, "ab", "ba")};
    for (planned_reorder& other : others) {
        CHECK(order_of(other) == "0/1");
        CHECK(other.set_choice(choice_of(other)).ok());
        CHECK_FALSE(other.set_choice(nothing).ok());
        CHECK_FALSE(little.set_choice(choice_of(other)).ok());
    }
}

TEST_CASE("choice: that of another shape, layout, type or instruction set is refused, and the reason names it") {
    using enum descriptor_part;
    planned_reorder planned = plan_of(large, "ab", "ba");
    const std::string own = choice_of(planned), hash = own.substr(own.rfind(' ') - 16, 16);
    const planned_reorder shapes[] = {plan_of({520, 521}, "ab", "ba"),  plan_of({521, 520}, "ab", "ba"),
                                      plan_of({260, 1040}, "ab", "ba"), plan_of(large, "ab", "ab"),
                                      plan_of(large, "ba", "ab"),       plan_of(large, "ab", "bA8a"),
                                      plan_of(small, "ab", "ba")};
    for (const planned_reorder& other : shapes) {
        const std::string text = choice_of(other);
        if (text == own) continue;  // ba -> ab of a square is the same move
        CHECK(planned.set_choice(text) == fails(text.substr(text.rfind(' ') - 16, 16).c_str(), text, choice_layouts));
    }
    const std::string of_s32 = choice_of(plan_of(large, "ab", "ba", data_type::s32));
    CHECK(of_s32.find(hash) != std::string::npos);  // the same move, but of another type
    CHECK(planned.set_choice(of_s32) == fails("s32", of_s32, choice_source_type));
    const std::string sets = " " + own.substr(15, own.find(" f32") - 15) + " ";
    std::string other_set = own;
    other_set.replace(own.find(sets), sets.size(), " sse9 ");
    CHECK(planned.set_choice(other_set) == fails("sse9", other_set, choice_instructions));
    std::string destination = own;
    destination.replace(own.find("f32 f32") + 4, 3, "f16");
    CHECK(planned.set_choice(destination) == fails("f16", destination, choice_destination_type));
    std::string version = own;
    version.replace(version.find(" 1 "), 3, " 2 ");
    CHECK(planned.set_choice(version) == fails("2 ", version, choice_version));
    const std::string orders = own.substr(0, own.rfind('/')) + "/5";
    CHECK(planned.set_choice(orders) == verdict{reason::choice_does_not_fit, -1, static_cast<dim_t>(orders.size()), 0,
                                                static_cast<dim_t>(choice_orders)});
    CHECK(choice_of(planned) == own);
    CHECK(std::string(describe(planned.set_choice(of_s32)).c_str()) ==
          "choice_does_not_fit: the choice was made by another plan: in column " +
              std::to_string(of_s32.find("s32") + 1) + " its type of the source differs from that of this plan");
}

TEST_CASE("set_choice: text that no plan writes is refused at its column") {
    planned_reorder planned = plan_of(large, "ab", "ba");
    const std::string own = choice_of(planned), head = own.substr(0, own.rfind(' ') + 1);
    const auto last = static_cast<dim_t>(head.size());
    CHECK(planned.set_choice("") == malformed(1));
    CHECK(planned.set_choice("plait-choice") == malformed(1));
    CHECK(planned.set_choice(" " + own) == malformed(1));
    CHECK(planned.set_choice("Plait-choice" + own.substr(12)) == malformed(1));
    CHECK(planned.set_choice("plait-choice x " + own.substr(15)) == malformed(14));
    CHECK(planned.set_choice("plait-choice 01 " + own.substr(15)) == malformed(14));
    CHECK(planned.set_choice("plait-choice 1") == malformed(14));
    CHECK(planned.set_choice("plait-choice 1 ") == malformed(16));
    CHECK(planned.set_choice(head) == malformed(last + 1));
    for (const char* order : {"4/4", "-1/4", "1 /4", "01/4", "/4", "1234567890123/4", "?1/4"}) {
        INFO(std::string(order));
        CHECK(planned.set_choice(head + order) == malformed(last + 1));
    }
    CHECK(planned.set_choice(head + "1/4 ") == malformed(last + 3));
    CHECK(planned.set_choice(head + "1/") == malformed(last + 3));
    CHECK(planned.set_choice(head + "1/0") == malformed(last + 3));
    CHECK(planned.set_choice(own + std::string(1, '\0')) == malformed(last + 3));
    CHECK(choice_of(planned) == own);
    planned_reorder little = plan_of(small, "ab", "ba");
    std::string open = choice_of(little);
    open.replace(open.rfind(' ') + 1, 1, "?");
    CHECK(little.set_choice(open).reason == reason::choice_is_malformed);
}

TEST_CASE("set_choice: a text with any change of its bytes is refused, or is another order of the same plan") {
    random_source random(7);
    planned_reorder planned = plan_of(large, "ab", "ba");
    const std::string own = choice_of(planned), head = own.substr(0, own.rfind(' ') + 1);
    int refused = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text = random.once_in(2) ? own : head + "2/4";
        for (auto changes = random.between(1, 3); changes > 0; --changes) {
            const auto at = static_cast<std::size_t>(random.between(0, static_cast<dim_t>(text.size())));
            const char byte = static_cast<char>(random.between(0, 255));
            if (random.once_in(3)) text.insert(at, 1, byte);
            else if (at < text.size() && random.once_in(2)) text.erase(at, 1);
            else if (at < text.size()) text[at] = byte;
        }
        const verdict why = planned.set_choice(text);
        refused += !why.ok();
        const bool is_order = text.size() == head.size() + 3 && text.compare(0, head.size(), head) == 0 &&
                              std::string("0123?").find(text[head.size()]) != std::string::npos &&
                              text.substr(head.size() + 1) == "/4";
        CHECK(why.ok() == is_order);
    }
    CHECK(refused > 15000);
}

TEST_CASE("stop_trials: all calls are the same, with the plan's own order, or with the order that was decided") {
    planned_reorder planned = plan_of(large, "ab", "ba");
    planned.stop_trials();
    CHECK(order_of(planned) == "0/4");
    decide(planned);
    CHECK(order_of(planned) == "0/4");
    std::string text = choice_of(planned);
    text.replace(text.rfind('/') - 1, 1, "2");
    CHECK(planned.set_choice(text).ok());
    CHECK(order_of(planned) == "2/4");
    planned.stop_trials();
    CHECK(order_of(planned) == "2/4");
    planned_reorder tried = plan_of(large, "ab", "ba");
    decide(tried);
    const std::string decided = choice_of(tried);
    tried.stop_trials();
    CHECK(choice_of(tried) == decided);
}

TEST_CASE("bind: other extents have a choice of their own; stop_trials stays") {
    planned_reorder planned =
        *make_reorder({data_type::f32, layout({dynamic, 520}, "ab")}, {data_type::f32, layout({dynamic, 520}, "ba")});
    CHECK(planned.choice().size() == 0);
    CHECK(planned.set_choice("") == verdict{reason::dim_is_dynamic, 0});
    REQUIRE(planned.bind(large).ok());
    CHECK(order_of(planned) == "?/4");
    std::string text = choice_of(planned);
    CHECK(text == choice_of(plan_of(large, "ab", "ba")));
    text.replace(text.rfind('?'), 1, "3");
    CHECK(planned.set_choice(text).ok());
    CHECK(planned.bind(large).ok());
    CHECK(choice_of(planned) == text);
    CHECK(planned.bind({521, 520}).ok());
    CHECK(order_of(planned) == "?/4");
    planned.stop_trials();
    CHECK(planned.bind(large).ok());
    CHECK(order_of(planned) == "0/4");
    CHECK(planned.set_choice(text).ok());
    CHECK(choice_of(planned) == text);
    CHECK(planned.bind({521, 520}).ok());
    CHECK(order_of(planned) == "0/4");
}

TEST_CASE("choice: a reorder that is not planned has none") {
    planned_reorder none;
    CHECK(none.choice().size() == 0);
    CHECK(none.set_choice("plait-choice 1") == verdict{reason::reorder_is_not_planned});
    none.stop_trials();
}

}}  // namespace test_reorder_reorder_choice
