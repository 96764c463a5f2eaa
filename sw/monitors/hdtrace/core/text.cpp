// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/core/text.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>

namespace hypermon::hdtrace {
namespace {

/// Rounded down, also for a clock below 0.
std::int64_t whole(std::int64_t value, std::int64_t unit) { return value / unit - (value % unit < 0 ? 1 : 0); }

std::string big_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int b = bytes - 1; b >= 0; --b) text.push_back(static_cast<char>(value >> (8 * b) & 0xff));
  return text;
}

} // namespace

std::string stamp(Time local) {
  const std::int64_t us = whole(local.ps(), (1_us).ps());
  const std::int64_t size = std::abs(us);
  char text[40];
  std::snprintf(text, sizeof text, "%s%lld.%06lld", us < 0 ? "-" : "", static_cast<long long>(size / 1'000'000),
                static_cast<long long>(size % 1'000'000));
  return text;
}

std::string adjustment(Time shift) {
  const std::int64_t ns = whole(shift.ps(), (1_ns).ps());
  const std::int64_t size = std::abs(ns);
  char text[40];
  std::snprintf(text, sizeof text, "%s%010lld.%09lld", ns < 0 ? "-" : "", static_cast<long long>(size / 1'000'000'000),
                static_cast<long long>(size % 1'000'000'000));
  return text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '\'':
      out += "&apos;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      // XML allows no other control characters, but a file's name may contain them.
      out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

void Attributes::add(std::string_view name, std::int64_t value) { add(name, std::to_string(value)); }

void Attributes::add(std::string_view name, std::string_view value) {
  text.append(name).append("='").append(escaped(value)).append("' ");
}

std::string state(std::string_view indent, std::string_view name, const Attributes& attributes, Time begin, Time end,
                  const std::vector<std::string>& elements) {
  std::string text(indent);
  text.append("<").append(name).append(" ").append(attributes.text);
  text.append(" time='").append(stamp(begin)).append("' end='").append(stamp(end));
  if (elements.empty()) return text.append("'/>\n");
  text.append("'>\n");
  for (const std::string& element : elements) text.append(indent).append("  <").append(element).append(" />\n");
  return text.append(indent).append("</").append(name).append(">\n");
}

std::string trace_begin(Time shift) { return "<Program timeAdjustment='" + adjustment(shift) + "'>\n"; }

std::string relations_begin(const std::string& host, std::int64_t process, std::int64_t topology, Time shift) {
  return "<relation version=\"1\" hostID=\"" + escaped(host) + "\" localToken=\"" + std::to_string(process) +
         "\" topologyNumber=\"" + std::to_string(topology) + "\" timeAdjustment=\"" + adjustment(shift) + "\">\n";
}

std::string statistics_begin(const Path& node, const std::string& group, const std::vector<Column>& columns,
                             Time shift) {
  std::string text = "<Statistics>\n<TopologyNode>\n";
  for (std::size_t depth = 1; depth <= node.size(); ++depth)
    text += std::string(2 * depth, ' ') + "<Label value=\"" + escaped(node[depth - 1]) +
            (depth == node.size() ? "\" />\n" : "\">\n");
  for (std::size_t depth = node.size() - 1; depth > 0; --depth) text += std::string(2 * depth, ' ') + "</Label>\n";
  text += "</TopologyNode>\n<Group name=\"" + escaped(group) + "\" timestampDatatype=\"EPOCH\" timeAdjustment=\"" +
          adjustment(shift) + "\">\n";
  for (const Column& column : columns) {
    constexpr const char* types[]{"INT32", "INT64", "FLOAT"};
    text +=
        "  <Value name=\"" + escaped(column.name) + "\" type=\"" + types[static_cast<std::size_t>(column.type)] + "\"";
    if (!column.unit.empty()) text += " unit=\"" + escaped(column.unit) + "\"";
    if (!column.grouping.empty()) text += " grouping=\"" + escaped(column.grouping) + "\"";
    text += " />\n";
  }
  text += "</Group>\n</Statistics>\n";
  char length[16];
  std::snprintf(length, sizeof length, "%05zu\n", text.size());
  return length + text;
}

std::string statistics_stamp(Time local) {
  const std::int64_t us = whole(local.ps(), (1_us).ps());
  const std::int64_t seconds = whole(us, 1'000'000);
  return big_endian(static_cast<std::uint64_t>(seconds), 4) +
         big_endian(static_cast<std::uint64_t>((us - seconds * 1'000'000) * 1000), 4);
}

std::string statistics_value(Column::Type type, double value) {
  switch (type) {
  case Column::Type::int32:
    return big_endian(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), 4);
  case Column::Type::int64:
    return big_endian(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), 8);
  case Column::Type::real:
    break;
  }
  return big_endian(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
}

std::string file_name(const std::string& project, const Path& node, const std::string& group, std::string_view suffix) {
  std::string text = project;
  const auto add = [&](const std::string& label) {
    text += '_';
    for (const char c : label)
      if (std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-").find(c) !=
          std::string_view::npos)
        text += c;
  };
  for (const std::string& label : node) add(label);
  if (!group.empty()) add(group);
  return text.append(suffix);
}

} // namespace hypermon::hdtrace
