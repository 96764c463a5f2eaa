// SPDX-License-Identifier: BSD-3-Clause
// Combined data of many nodes: supermons combine the samples below them, so that an answer does not grow with the
// number of nodes (TAU over Supermon sec. 7: aggregation). All values of a counter have equal weight, from any
// processor, process or node. Rows that processes wrote into the monhole are combined by name and position.
//
//   (combined NODES (kernel (COUNTER VALUES NUMBER)...) (rows (NAME ROWS NUMBER...)...))
//
// NUMBER is the sum, the smallest or the largest value. For a mean it is the sum, too, and the reader divides it by the
// number of values. Combining is associative, so no number depends on the tree's shape.
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

/// A row that a process wrote: a name and numbers.
struct Row {
  std::string name;
  std::vector<std::int64_t> numbers;
};
/// Extracts the rows of a text that a process wrote; none: it cannot be combined.
using RowsOf = std::function<std::vector<Row>(const Sexpr& text)>;

class Combined {
public:
  /// `how` must not be `none`.
  explicit Combined(Combining how) : how_(how) {}

  /// Adds (sample NODE SERIAL STAMP (kernel ...) (monhole ...)). Throws SexprError.
  void add_sample(const Sexpr& sample, const RowsOf& rows);
  /// Adds (combined ...) with the same `how`. Throws SexprError.
  void add_combined(const Sexpr& combined);
  void write(SexprWriter& out) const;

  struct Value {
    std::uint64_t count = 0;
    std::vector<std::int64_t> numbers; ///< numbers of the row; a counter has one
  };
  std::uint64_t nodes() const { return nodes_; }
  const std::map<std::string, Value>& counters() const { return counters_; }
  const std::map<std::string, Value>& rows() const { return rows_; }
  /// A number for the reader: a mean is divided by the number of values.
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
