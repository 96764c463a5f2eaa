// SPDX-License-Identifier: BSD-3-Clause
// A statistics group in its file format: a header, then entries.
#pragma once
#include "sw/monitors/hdtrace/core/text.hpp"
#include "sw/monitors/hdtrace/output.hpp"
#include "sw/monitors/hdtrace/trace_ledger.hpp"

#include <initializer_list>
#include <span>

namespace hypermon::hdtrace {

class StatisticsFile {
public:
  /// `begin`: begin of the first entry's interval, by the clock of the entries.
  StatisticsFile(const std::filesystem::path& folder, const std::string& project, Path node, std::string group,
                 std::vector<Column> columns, Time begin, TraceLedger& ledger)
      : output_(folder, file_name(project, node, group, ".stat")), node_(std::move(node)), group_(std::move(group)),
        columns_(std::move(columns)), begin_(begin), ledger_(ledger) {}

  /// `local`: time by that clock. Values are in the order of the columns.
  std::size_t add(Time local, std::initializer_list<double> values) {
    return add(local, std::span(values.begin(), values.size()));
  }
  std::size_t add(Time local, std::span<const double> values) {
    std::string entry = statistics_stamp(local);
    auto column = columns_.begin();
    for (const double value : values) entry += statistics_value((column++)->type, value);
    output_.add(entry);
    ledger_.generate(entry.size(), 1);
    ledger_.deliver(entry.size(), 1);
    ++entries_;
    return entry.size();
  }
  void close(Time shift) {
    output_.close(statistics_begin(node_, group_, columns_, shift) + statistics_stamp(begin_), "");
  }
  const std::string& group() const { return group_; }
  std::uint64_t entries() const { return entries_; }

private:
  Output output_;
  Path node_;
  std::string group_;
  std::vector<Column> columns_;
  Time begin_;
  TraceLedger& ledger_;
  std::uint64_t entries_ = 0;
};

} // namespace hypermon::hdtrace
