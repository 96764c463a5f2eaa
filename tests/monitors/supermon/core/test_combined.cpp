// SPDX-License-Identifier: BSD-3-Clause
// Combining on the way up against all values at once, whatever the tree; and which nodes a query is for.
#include "sw/monitors/supermon/core/combined.hpp"
#include "sw/monitors/supermon/core/sampling.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace hypermon;
using namespace hypermon::supermon;
using hypermon::testing::cases_wanted;
using hypermon::testing::Random;

namespace {

using Values = std::map<std::string, std::vector<std::int64_t>>;

/// An entry's text is a list of rows: ((NAME NUMBER)...).
std::vector<Row> rows_of(const Sexpr& text) {
  std::vector<Row> rows;
  for (const Sexpr row : text) rows.push_back({row[0].atom(), {row[1].integer()}});
  return rows;
}

/// A node's sample; what is in it is added to `values` and `rows`.
std::string drawn_sample(Random& random, std::uint32_t node, Values& values, Values& rows) {
  SexprWriter out;
  out.open("sample").number(node).number(random.between(1, 1000)).number(random.between(0, 1000));
  out.open("kernel");
  for (const char* counter : {"cpu.busy", "mpi.time", "net.bytes"}) {
    if (random.one_in(3)) continue;
    out.open(counter);
    for (std::int64_t n = random.between(1, 4); n > 0; --n) {
      values[counter].push_back(random.between(-1000, 1'000'000));
      out.integer(values[counter].back());
    }
    out.close();
  }
  out.close();
  if (random.one_in(2)) {
    out.open("monhole");
    for (std::int64_t entries = random.between(0, 3); entries > 0; --entries) {
      out.open("entry").atom("rank").number(1).number(2).open();
      for (const char* routine : {"MPI_Send()", "a routine"}) {
        rows[routine].push_back(random.between(0, 500));
        out.open(routine).integer(rows[routine].back()).close();
      }
      out.close().close();
    }
    out.close();
  }
  return out.close().take();
}

Combined combined(const std::vector<std::string>& parts, Combining how) {
  Combined all(how);
  for (const std::string& part : parts) {
    const Document document(part);
    if (document.root().is_named("sample"))
      all.add_sample(document.root(), rows_of);
    else
      all.add_combined(document.root());
  }
  return all;
}

/// Combines the parts over a random tree.
Combined over_a_tree(Random& random, std::vector<std::string> parts, Combining how) {
  while (parts.size() > 1 && !random.one_in(4)) {
    const auto from = static_cast<std::ptrdiff_t>(random.below(std::ssize(parts)));
    const std::ptrdiff_t to = random.between(from + 1, std::ssize(parts));
    SexprWriter out;
    combined({parts.begin() + from, parts.begin() + to}, how).write(out);
    parts.erase(parts.begin() + from, parts.begin() + to);
    parts.push_back(out.take());
  }
  return combined(parts, how);
}

std::int64_t naive(const std::vector<std::int64_t>& values, Combining how) {
  if (how == Combining::min) return *std::ranges::min_element(values);
  if (how == Combining::max) return *std::ranges::max_element(values);
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

void check(const Combined& got, const std::map<std::string, Combined::Value>& values, const Values& expected,
           Combining how) {
  REQUIRE(values.size() == expected.size());
  for (const auto& [name, all] : expected) {
    const Combined::Value& value = values.at(name);
    REQUIRE(value.count == all.size());
    REQUIRE(value.numbers == std::vector{naive(all, how)});
    const double share = how == Combining::mean ? static_cast<double>(all.size()) : 1;
    REQUIRE(got.shown(value, 0) == Approx(static_cast<double>(naive(all, how)) / share));
  }
}

} // namespace

TEST_CASE("what is combined on the way is what all values are at once, whatever the tree") {
  const std::uint64_t cases = cases_wanted(1000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const auto how = random.pick<Combining>({Combining::sum, Combining::mean, Combining::min, Combining::max});
    const auto nodes = static_cast<std::uint32_t>(random.between(1, 20));
    Values counters;
    Values rows;
    std::vector<std::string> samples;
    for (std::uint32_t node = 0; node < nodes; ++node) samples.push_back(drawn_sample(random, node, counters, rows));
    const Combined got = over_a_tree(random, samples, how);
    REQUIRE(got.nodes() == nodes);
    check(got, got.counters(), counters, how);
    check(got, got.rows(), rows, how);
  }
}

TEST_CASE("a query is for so many nodes as its share says, and for those that its client wants") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<NodeId> wanted;
    for (std::uint32_t node = 0; node < 60; ++node)
      if (random.one_in(2)) wanted.push_back(NodeId{node});
    if (wanted.empty()) continue;
    const NodeRuns all = NodeRuns::from_nodes(wanted);
    const NodeSample sample{static_cast<double>(random.between(1, 10)) / 10,
                            random.pick<NodeSampling>({NodeSampling::random, NodeSampling::rotate}), seed};
    const auto count = static_cast<std::size_t>((sample.share * static_cast<double>(wanted.size())) + 0.999999);
    for (std::uint64_t number = 0; number < 5; ++number) {
      const NodeRuns nodes = drawn(all, sample, number);
      CHECK(nodes == drawn(all, sample, number));
      CHECK(nodes.count() == count);
      CHECK(nodes.without(all).empty());
    }
  }
}

TEST_CASE("queries in turn ask every node as often as every other") {
  const NodeRuns all = NodeRuns::first(12);
  std::map<NodeId, int> asked;
  for (std::uint64_t number = 0; number < 12; ++number)
    for (const NodeId node : drawn(all, {0.3, NodeSampling::rotate, 1}, number).nodes()) ++asked[node];
  CHECK(asked.size() == 12);
  for (const auto& [node, times] : asked) CHECK(times == 4); // 0.3 of 12: 4
}

TEST_CASE("random queries ask every node about as often as every other, and clients differ") {
  const NodeRuns all = NodeRuns::first(20);
  std::map<NodeId, int> asked;
  int same = 0;
  const int queries = 4000;
  for (std::uint64_t number = 0; number < queries; ++number) {
    const NodeRuns nodes = drawn(all, {0.25, NodeSampling::random, 1}, number);
    for (const NodeId node : nodes.nodes()) ++asked[node];
    same += nodes == drawn(all, {0.25, NodeSampling::random, 2}, number) ? 1 : 0;
  }
  const double mean = 0.25 * queries;
  const double deviation = std::sqrt(mean * 0.75); // standard deviation of a binomial number
  for (const auto& [node, times] : asked) CHECK(std::abs(times - mean) < 5 * deviation);
  CHECK(same < queries / 100); // by chance, one in C(20, 5) = 15504
}
