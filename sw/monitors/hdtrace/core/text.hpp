// SPDX-License-Identifier: BSD-3-Clause
// What HDTrace's files say, as text, to the byte (docs/design/hdtrace.md): stamps, states, headers.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::hdtrace {

/// A node of the topology: names from the host down, like {"node00", "3", "0"}.
using Path = std::vector<std::string>;

/// Whole seconds and six digits, as gettimeofday's in a trace.
std::string stamp(Time local);
/// A header's, of fixed length, so that it can be put right afterwards: [-]dddddddddd.ddddddddd; a blank for no sign.
std::string adjustment(Time shift);
/// Of an attribute in quotes of either kind.
std::string escaped(std::string_view text);

/// `<Name a='1' b='2'  time='0.1' end='0.2'/>`, each attribute with a blank behind it.
struct Attributes {
  std::string text;
  void add(std::string_view name, std::int64_t value);
  void add(std::string_view name, std::string_view value);
};
/// With elements inside, if there are any: `<Wait  time='0.1' end='0.2'>`, a line each, `</Wait>`.
std::string state(std::string_view indent, std::string_view name, const Attributes& attributes, Time begin, Time end,
                  const std::vector<std::string>& elements = {});

std::string trace_begin(Time shift);
inline constexpr std::string_view trace_end = "</Program>\n\n";
std::string relations_begin(const std::string& host, std::int64_t process, std::int64_t topology, Time shift);
inline constexpr std::string_view relations_end = "</relation>\n";

/// A column of a statistics group.
struct Column {
  enum class Type : std::uint8_t { int32, int64, real };
  std::string name;
  Type type;
  std::string unit{};
  std::string grouping{};
};
/// With its length before it.
std::string statistics_begin(const Path& node, const std::string& group, const std::vector<Column>& columns,
                             Time shift);
/// Of an entry, or of the first interval's begin: seconds and nanoseconds, big-endian.
std::string statistics_stamp(Time local);
/// A value, big-endian; a real is single precision.
std::string statistics_value(Column::Type type, double value);

/// Project_host_rank_thread[_Group].suffix
std::string file_name(const std::string& project, const Path& node, const std::string& group, std::string_view suffix);

} // namespace hypermon::hdtrace
