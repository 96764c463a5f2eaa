// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/sexpr.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace hypermon::supermon {
namespace {

constexpr std::size_t deepest = 256;

enum Class : std::uint8_t { other, bare, blank };

constexpr std::array<Class, 256> classes = [] {
  std::array<Class, 256> all{};
  for (int c = 0x21; c < 0x7f; ++c) all[static_cast<std::size_t>(c)] = bare;
  for (const char c : {'(', ')', '"', ';', '\\'}) all[static_cast<unsigned char>(c)] = other;
  for (const char c : {' ', '\t', '\n', '\r'}) all[static_cast<unsigned char>(c)] = blank;
  return all;
}();

Class class_of(char c) { return classes[static_cast<unsigned char>(c)]; }
/// True if a quoted atom may contain it unescaped.
bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != 0x7f && c != '"' && c != '\\';
}
/// -1: not a hexadecimal digit.
int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

class Scanner {
public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  void skip_blanks() {
    while (at_ < text_.size() && class_of(text_[at_]) == blank) ++at_;
  }
  bool is_at_end() const { return at_ == text_.size(); }
  char peek() const { return text_[at_]; }
  void advance() { ++at_; }
  /// Moves behind the atom that begins here.
  void pass_atom() {
    if (peek() == '"') return pass_quoted();
    if (class_of(peek()) != bare) throw SexprError(at_, character_name(peek()) + " begins no expression");
    while (at_ < text_.size() && class_of(text_[at_]) == bare) ++at_;
    check_end("in an atom that is not quoted");
  }

private:
  void pass_quoted() {
    const std::size_t begin = at_++;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\')
        pass_escape();
      else if (!is_plain(text_[at_]))
        throw SexprError(at_, character_name(text_[at_]) + " in a quoted atom must be escaped");
    if (is_at_end()) throw SexprError(begin, "the quoted atom that begins here does not end");
    ++at_;
    check_end("behind a quoted atom without a blank");
  }
  /// Checks that the atom ends at the current position.
  void check_end(const char* where) const {
    if (at_ == text_.size() || text_[at_] == '(' || text_[at_] == ')' || class_of(text_[at_]) == blank) return;
    throw SexprError(at_, character_name(text_[at_]) + " " + where);
  }
  /// Moves to the escape's last character.
  void pass_escape() {
    const std::size_t begin = at_++;
    if (is_at_end()) throw SexprError(begin, "an escape that does not end");
    if (text_[at_] == 'x') {
      at_ += 2;
      if (at_ >= text_.size() || hex_digit(text_[at_ - 1]) < 0 || hex_digit(text_[at_]) < 0)
        throw SexprError(begin, "\\x must be followed by two hexadecimal digits");
    } else if (std::string_view("\"\\ntr").find(text_[at_]) == std::string_view::npos) {
      throw SexprError(begin, "there is no such escape");
    }
  }
  static std::string character_name(char c) {
    if (class_of(c) == bare || (c > 0x20 && c < 0x7f)) return std::string("'") + c + "'";
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    return std::string("byte 0x") + digits[byte >> 4U] + digits[byte & 15U];
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

} // namespace

Document::Document(Text text) : text_(std::move(text)) {
  const std::string_view all = *text_;
  if (all.size() >= std::numeric_limits<std::uint32_t>::max()) throw SexprError(0, "a text of 4 GiB or more");
  Scanner scan(all);
  std::vector<std::uint32_t> open;
  const auto here = [&] { return static_cast<std::uint32_t>(scan.at()); };
  const auto items = [&] { return static_cast<std::uint32_t>(items_.size()); };
  scan.skip_blanks();
  do {
    if (scan.is_at_end())
      throw open.empty() ? SexprError(scan.at(), "there is no expression")
                         : SexprError(items_[open.back()].begin, "the list that begins here does not end");
    if (scan.peek() == '(') {
      if (open.size() == deepest) throw SexprError(scan.at(), "lists are nested too deep");
      open.push_back(items());
      items_.push_back({here(), 0, 0, true});
      scan.advance();
    } else if (scan.peek() == ')' && !open.empty()) {
      scan.advance();
      Item& list = items_[open.back()];
      list.end = here();
      list.next = items();
      open.pop_back();
    } else {
      const std::uint32_t begin = here();
      scan.pass_atom();
      items_.push_back({begin, here(), items() + 1, false});
    }
    scan.skip_blanks();
  } while (!open.empty());
  if (!scan.is_at_end()) throw SexprError(scan.at(), "more behind the expression");
}

Sexpr Document::root() const { return {*this, 0}; }

void Sexpr::check_list() const {
  if (!is_list()) throw SexprError(at(), "must be a list");
}

std::string Sexpr::atom() const {
  if (is_list()) throw SexprError(at(), "must be an atom");
  std::string_view written = text();
  if (written.front() != '"') return std::string(written);
  written = written.substr(1, written.size() - 2);
  std::string characters;
  characters.reserve(written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '\\') {
      characters += written[i];
      continue;
    }
    switch (written[++i]) {
    case 'n':
      characters += '\n';
      break;
    case 't':
      characters += '\t';
      break;
    case 'r':
      characters += '\r';
      break;
    case 'x':
      characters += static_cast<char>(hex_digit(written[i + 1]) * 16 + hex_digit(written[i + 2]));
      i += 2;
      break;
    default:
      characters += written[i];
    }
  }
  return characters;
}

namespace {

template <class Number> Number number_of(const Sexpr& expression, const char* what) {
  Number value = 0;
  const std::string_view text = expression.text();
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (expression.is_list() || error != std::errc() || stop != text.data() + text.size())
    throw SexprError(expression.at(), what);
  return value;
}

} // namespace

std::int64_t Sexpr::integer() const { return number_of<std::int64_t>(*this, "must be an integer of 64 bits"); }
std::uint64_t Sexpr::number() const { return number_of<std::uint64_t>(*this, "must be a number of 64 bits"); }

std::size_t Sexpr::size() const {
  std::size_t count = 0;
  for (Iterator i = begin(); i != end(); ++i) ++count;
  return count;
}

Sexpr Sexpr::operator[](std::size_t place) const {
  Iterator i = begin();
  for (; place > 0 && i != end(); --place) ++i;
  if (i == end()) throw SexprError(at(), "a list that is too short");
  return *i;
}

bool Sexpr::is_named(std::string_view name) const { return is_list() && begin() != end() && (*begin()).is(name); }

Sexpr Sexpr::named(std::string_view name) const {
  for (const Sexpr element : *this)
    if (element.is_named(name)) return element;
  throw SexprError(at(), "a list without (" + std::string(name) + " ...)");
}

bool Sexpr::has(std::string_view name) const {
  for (const Sexpr element : *this)
    if (element.is_named(name)) return true;
  return false;
}

SexprWriter& SexprWriter::open() {
  separate();
  text_ += '(';
  ++open_;
  return *this;
}

SexprWriter& SexprWriter::close() {
  if (open_ == 0) throw std::logic_error("no list is open");
  text_ += ')';
  --open_;
  return *this;
}

SexprWriter& SexprWriter::atom(std::string_view characters) {
  separate();
  bool is_bare = !characters.empty();
  for (const char c : characters) is_bare = is_bare && class_of(c) == bare;
  if (is_bare) {
    text_ += characters;
    return *this;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  text_ += '"';
  for (const char c : characters) {
    if (is_plain(c)) {
      text_ += c;
      continue;
    }
    text_ += '\\';
    switch (c) {
    case '\n':
      text_ += 'n';
      break;
    case '\t':
      text_ += 't';
      break;
    case '\r':
      text_ += 'r';
      break;
    case '"':
    case '\\':
      text_ += c;
      break;
    default:
      text_ += 'x';
      text_ += digits[static_cast<unsigned char>(c) >> 4U];
      text_ += digits[static_cast<unsigned char>(c) & 15U];
    }
  }
  text_ += '"';
  return *this;
}

SexprWriter& SexprWriter::integer(std::int64_t value) {
  separate();
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
  text_.append(digits.data(), end);
  return *this;
}

SexprWriter& SexprWriter::number(std::uint64_t value) {
  separate();
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
  text_.append(digits.data(), end);
  return *this;
}

SexprWriter& SexprWriter::as_it_is(std::string_view expression) {
  separate();
  text_ += expression;
  return *this;
}

std::string SexprWriter::take() {
  if (open_ != 0) throw std::logic_error("a list is still open");
  return std::exchange(text_, {});
}

} // namespace hypermon::supermon
