// SPDX-License-Identifier: BSD-3-Clause
// The exact text of HDTrace's files (docs/design/hdtrace.md): timestamps, states, headers.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::hdtrace {

/// A node of the topology: names from the host downwards, such as {"node00", "3", "0"}.
using Path = std::vector<std::string>;

/// A timestamp in a trace: seconds and six digits, as from gettimeofday.
std::string stamp(Time local);
/// The correction in a header. It has a fixed length, so that it can be overwritten later: [-]dddddddddd.ddddddddd,
/// with a blank instead of a missing sign.
std::string adjustment(Time shift);
/// Text for an attribute in single or double quotes.
std::string escaped(std::string_view text);

/// `<Name a='1' b='2'  time='0.1' end='0.2'/>`; each attribute is followed by a blank.
struct Attributes {
  std::string text;
  void add(std::string_view name, std::int64_t value);
  void add(std::string_view name, std::string_view value);
};
/// A state with nested elements has the form `<Wait  time='0.1' end='0.2'>`, one line per element, `</Wait>`.
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
/// The text is preceded by its length.
std::string statistics_begin(const Path& node, const std::string& group, const std::vector<Column>& columns,
                             Time shift);
/// Time of an entry, or begin of the first interval: seconds and nanoseconds, big-endian.
std::string statistics_stamp(Time local);
/// A big-endian value. Real numbers have single precision.
std::string statistics_value(Column::Type type, double value);

/// Project_host_rank_thread[_Group].suffix
std::string file_name(const std::string& project, const Path& node, const std::string& group, std::string_view suffix);

} // namespace hypermon::hdtrace
