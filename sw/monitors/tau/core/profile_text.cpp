// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/core/profile_text.hpp"

#include <charconv>
#include <cstdio>

namespace hypermon::tau {
namespace {

constexpr std::string_view functions = " templated_functions_MULTI_TIME";
constexpr std::string_view columns = "# Name Calls Subrs Excl Incl ProfileCalls # ";
constexpr std::string_view end = "0 aggregates";

/// Format of TAU's "%.16G".
void add_microseconds(std::string& text, Time time) {
  char digits[32];
  const int size = std::snprintf(digits, sizeof digits, "%.16G", static_cast<double>(time.ps()) / 1e6);
  text.append(digits, static_cast<std::size_t>(size));
}

void add_escaped(std::string& text, std::string_view value) {
  for (const char c : value)
    if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else if (c == '&')
      text += "&amp;";
    else
      text += c;
}

/// Reads a text from its begin to its end.
class Reader {
public:
  explicit Reader(std::string_view text) : left_(text) {}

  bool next_line() {
    if (left_.empty()) return false;
    ++number_;
    const std::size_t size = left_.find('\n');
    if (size == std::string_view::npos) fail("has no end: the profile is cut");
    line_ = left_.substr(0, size);
    left_.remove_prefix(size + 1);
    return true;
  }
  std::string_view line() const { return line_; }
  bool take(std::string_view expected) {
    if (!line_.starts_with(expected)) return false;
    line_.remove_prefix(expected.size());
    return true;
  }
  void expect(std::string_view expected) {
    if (!take(expected)) fail("\"" + std::string(expected) + "\" expected");
  }
  std::string_view until(char c) {
    const std::size_t size = line_.find(c);
    if (size == std::string_view::npos) fail(std::string("'") + c + "' expected");
    const std::string_view found = line_.substr(0, size);
    line_.remove_prefix(size + 1);
    return found;
  }
  template <class Number> Number number() {
    Number value{};
    const auto [at, error] = std::from_chars(line_.data(), line_.data() + line_.size(), value);
    if (error != std::errc{} || at == line_.data()) fail("a number expected");
    line_.remove_prefix(static_cast<std::size_t>(at - line_.data()));
    return value;
  }
  Time microseconds() {
    const auto value = number<double>();
    if (!(value >= -9e12 && value <= 9e12)) fail("microseconds expected");
    return Time::from_ps(nearest(value * 1e6));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw ProfileError("line " + std::to_string(number_) + ": " + what);
  }

private:
  std::string_view left_;
  std::string_view line_;
  std::size_t number_ = 0;
};

} // namespace

std::string profile_text(const std::vector<Line>& lines, const Metadata& metadata) {
  std::string text = std::to_string(lines.size());
  text.append(functions).append("\n").append(columns).append("<metadata>");
  for (const auto& [name, value] : metadata) {
    text += "<attribute><name>";
    add_escaped(text, name);
    text += "</name><value>";
    add_escaped(text, value);
    text += "</value></attribute>";
  }
  text += "</metadata>\n";
  for (const Line& line : lines) {
    text.append("\"").append(line.name).append("\" ");
    text.append(std::to_string(line.calls)).append(" ").append(std::to_string(line.subroutines)).append(" ");
    add_microseconds(text, line.exclusive);
    text += ' ';
    add_microseconds(text, line.inclusive);
    text.append(" 0 GROUP=\"").append(line.group).append("\" \n");
  }
  return text.append(end).append("\n");
}

std::vector<Line> parse_profile(std::string_view text) {
  Reader reader(text);
  if (!reader.next_line()) throw ProfileError("line 1: a profile expected");
  const auto count = reader.number<std::uint64_t>();
  reader.expect(functions);
  if (!reader.next_line()) reader.fail("the profile is cut");
  reader.expect(columns);
  std::vector<Line> lines;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!reader.next_line()) reader.fail("the profile is cut");
    Line& line = lines.emplace_back();
    reader.expect("\"");
    line.name = reader.until('"');
    reader.expect(" ");
    line.calls = reader.number<std::uint64_t>();
    reader.expect(" ");
    line.subroutines = reader.number<std::uint64_t>();
    reader.expect(" ");
    line.exclusive = reader.microseconds();
    reader.expect(" ");
    line.inclusive = reader.microseconds();
    reader.expect(" 0 GROUP=\"");
    line.group = reader.until('"');
  }
  if (!reader.next_line()) reader.fail("the profile is cut");
  reader.expect(end);
  return lines;
}

} // namespace hypermon::tau
