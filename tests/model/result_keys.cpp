// SPDX-License-Identifier: BSD-3-Clause
// Keys of results: what the schema lists of a struct of keys, and what a result takes.
#include "base/results.hpp"
#include "tests/catch.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace hypermon;

namespace {

struct Keys {
  ResultKey<std::string> name{"monitor.name", "", "A name."};
  struct Inner {
    ResultKey<double> took_s{"monitor.inner.took_s", "s", "A time."};
    ResultKey<std::optional<double>> longest_ms{"monitor.inner.longest_ms", "ms", "A time, or null."};
    ResultKey<int> date_ps{"monitor.inner.date_ps", "ps", "A date."};
  } inner;
  struct Nodes {
    ResultList list{"monitor.nodes[]", ResultList::Elements::may_be_null};
    ResultKey<int> node{"monitor.nodes[].node", "", "A number."};
    ResultKey<std::vector<double>> shares{"monitor.nodes[].shares[]", "", "Some shares."};
  } nodes;
  std::array<ResultKey<int>, 2> counts{{{"monitor.counts.a", "", "A count."}, {"monitor.counts.b", "", "A count."}}};
  ResultKey<std::vector<std::string>> warnings{"warnings", "", "Texts."};
  ResultGroup group{"latency_us"};
  ResultKey<int> steps{"monitor.steps", "steps", "In a unit that is no time's."};
  ResultKey<double> rate{"monitor.rate", "B/s", "In a unit that is no time's."};
};
constexpr Keys keys{};

struct Others {
  ResultList list{"monitor.others[]"};
  ResultKey<int> node{"monitor.others[].node", "", "A number."};
};
constexpr Others others{};

} // namespace

TEST_CASE("the schema lists the members of a struct of keys in their order, with types from C++") {
  std::string found;
  for (const ResultInfo& key : keys_of(keys, others)) {
    if (key.sort != ResultInfo::Sort::value) continue;
    found += std::string(key.path) + " " + std::string(key.type.name) + (key.type.may_be_null ? " or null\n" : "\n");
  }
  CHECK(found == "monitor.name str\n"
                 "monitor.inner.took_s float\n"
                 "monitor.inner.longest_ms float or null\n"
                 "monitor.inner.date_ps int\n"
                 "monitor.nodes[].node int\n"
                 "monitor.nodes[].shares[] float\n"
                 "monitor.counts.a int\n"
                 "monitor.counts.b int\n"
                 "warnings list[str]\n"
                 "monitor.steps int\n"
                 "monitor.rate float\n"
                 "monitor.others[].node int\n");
}

TEST_CASE("values come into the result in the order in which they are written, at the paths of their keys") {
  Json json;
  Results results(json);
  results.set(keys.name, "x");
  results.set({keys.inner.took_s(1500_ms), keys.inner.longest_ms(2_us), keys.inner.date_ps(3_ns)});
  ResultRecords nodes(keys.nodes.list);
  nodes.add({keys.nodes.node(0), keys.nodes.shares(std::vector{0.5, 0.25})});
  nodes.add_null();
  results.set(std::move(nodes));
  results.set({keys.counts[1](7), keys.counts[0](std::uint64_t{8}), keys.group.null()});
  results.append(keys.warnings, "one");
  results.append(keys.warnings, "two");
  CHECK(json.dump() == R"({"monitor":{"name":"x","inner":{"took_s":1.5,"longest_ms":0.002,"date_ps":3000},)"
                       R"("nodes":[{"node":0,"shares":[0.5,0.25]},null],"counts":{"b":7,"a":8}},)"
                       R"("latency_us":null,"warnings":["one","two"]})");
}

TEST_CASE("what may be null is null if it is nothing") {
  Json json;
  Results results(json);
  results.set(keys.inner.longest_ms, std::optional<Time>());
  CHECK(json.dump() == R"({"monitor":{"inner":{"longest_ms":null}}})");
}

TEST_CASE("a key that is written twice is an internal error, in a record too") {
  Json json;
  Results results(json);
  results.set(keys.name, "x");
  CHECK_THROWS_AS(results.set(keys.name, "y"), std::logic_error);
  ResultRecords nodes(keys.nodes.list);
  CHECK_THROWS_AS(nodes.add({keys.nodes.node(0), keys.nodes.node(1)}), std::logic_error);
}

TEST_CASE("a record takes keys of its own list alone, and null only where the list says so") {
  ResultRecords nodes(keys.nodes.list);
  CHECK_THROWS_AS(nodes.add({others.node(1)}), std::logic_error);
  ResultRecords numbers(others.list);
  CHECK_THROWS_AS(numbers.add_null(), std::logic_error);
}

TEST_CASE("a time is written in the key's unit, which must be one of time") {
  CHECK_THROWS_AS(keys.rate(1000_ms), std::logic_error);
  CHECK_THROWS_AS(keys.steps(1000_ms), std::logic_error);
}
