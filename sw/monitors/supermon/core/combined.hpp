// SPDX-License-Identifier: BSD-3-Clause
// What many nodes have as one: supermons combine the samples of what is below them, so that an answer does not grow
// with the nodes (TAU over Supermon sec. 7: aggregation). Every value of a counter, of whichever processor or process
// or node, counts alike; rows of what processes wrote into the monhole are combined by their name, place by place.
//
//   (combined NODES (kernel (COUNTER VALUES NUMBER)...) (rows (NAME ROWS NUMBER...)...))
//
// NUMBER is the sum, also for a mean, which its reader makes of it and of how many there were; or the least or the
// largest. Combining is associative: the tree's shape is in no number.
#pragma once
#include "base/choice.hpp"
#include "sw/monitors/supermon/core/sexpr.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace hypermon::supermon {

enum class Combining : std::uint8_t { none, sum, mean, min, max };
constexpr auto words_of(Combining) { return words("none", "sum", "mean", "min", "max"); }

/// A row of what a process wrote: a name and numbers.
struct Row {
  std::string name;
  std::vector<std::int64_t> numbers;
};
/// Of what a process wrote; none: it cannot be combined.
using RowsOf = std::function<std::vector<Row>(const Sexpr& text)>;

class Combined {
public:
  /// `how`: not none.
  explicit Combined(Combining how) : how_(how) {}

  /// (sample NODE SERIAL STAMP (kernel ...) (monhole ...)). Throws SexprError.
  void add_sample(const Sexpr& sample, const RowsOf& rows);
  /// (combined ...), by the same `how`. Throws SexprError.
  void add_combined(const Sexpr& combined);
  void write(SexprWriter& out) const;

  struct Value {
    std::uint64_t count = 0;
    std::vector<std::int64_t> numbers; ///< of a counter: one
  };
  std::uint64_t nodes() const { return nodes_; }
  const std::map<std::string, Value>& counters() const { return counters_; }
  const std::map<std::string, Value>& rows() const { return rows_; }
  /// A number as its reader wants it: of a mean, divided by how many there were.
  double shown(const Value& value, std::size_t place) const;

private:
  void add(Value& to, std::uint64_t count, const std::vector<std::int64_t>& numbers) const;
  static void write(SexprWriter& out, const char* name, const std::map<std::string, Value>& values);

  Combining how_;
  std::uint64_t nodes_ = 0;
  std::map<std::string, Value> counters_;
  std::map<std::string, Value> rows_;
};

} // namespace hypermon::supermon
