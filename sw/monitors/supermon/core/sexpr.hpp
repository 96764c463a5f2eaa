// SPDX-License-Identifier: BSD-3-Clause
// S-expressions: the messages between Supermon's processes, and the data that processes write into the monhole.
//
//   expression = atom | "(" { expression } ")"
//   atom       = bare | quoted
//   bare       = one or more graphic characters of ASCII except parentheses, quotes ("), semicolons and backslashes
//   quoted     = '"' { any byte from 0x20 on except quotes, backslashes and 0x7f | escape } '"'
//   escape     = a backslash, then a quote, a backslash, n, t, r, or x and two hexadecimal digits (0-9, a-f)
//
// White space (space, tab, line feed, carriage return) may be anywhere between these tokens, and must be between two
// atoms. A text is one expression. The writer produces the canonical form: bare atoms where possible, one space between
// two expressions. Lists are nested at most 256 deep.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::supermon {

/// Shared by all processes that send or keep the text.
using Text = std::shared_ptr<const std::string>;

/// "malformed s-expression at byte 17: ...". Bytes are counted from 0.
class SexprError : public std::runtime_error {
public:
  SexprError(std::size_t at, const std::string& why)
      : std::runtime_error("malformed s-expression at byte " + std::to_string(at) + ": " + why), at_(at) {}
  std::size_t at() const { return at_; }

private:
  std::size_t at_;
};

class Sexpr;

/// A parsed text.
class Document {
public:
  /// Throws SexprError.
  explicit Document(Text text);
  explicit Document(std::string text) : Document(std::make_shared<const std::string>(std::move(text))) {}
  Sexpr root() const;
  const Text& text() const { return text_; }

private:
  friend class Sexpr;
  struct Item {
    std::uint32_t begin; // begin of its text
    std::uint32_t end;
    std::uint32_t next; // index of the next item after it and its elements
    bool is_list;
  };
  Text text_;
  std::vector<Item> items_; // in the order of their begins
};

/// An expression of a document, which must outlive it.
class Sexpr {
public:
  Sexpr(const Document& document, std::uint32_t item) : document_(&document), item_(item) {}

  bool is_list() const { return item().is_list; }
  /// Its text in the document.
  std::string_view text() const {
    return std::string_view(*document_->text_).substr(item().begin, item().end - item().begin);
  }
  /// Begin of its text.
  std::size_t at() const { return item().begin; }

  // --- of an atom: throw SexprError if it is no atom, or another kind of atom ---------------------------------------
  std::string atom() const;
  std::int64_t integer() const;
  /// A number that must not be negative.
  std::uint64_t number() const;
  /// True if it is this bare atom.
  bool is(std::string_view bare) const { return !is_list() && text() == bare; }

  // --- of a list: throw SexprError if it is no list -----------------------------------------------------------------
  class Iterator {
  public:
    Iterator(const Document& document, std::uint32_t item) : document_(&document), item_(item) {}
    Sexpr operator*() const { return {*document_, item_}; }
    Iterator& operator++() {
      item_ = document_->items_[item_].next;
      return *this;
    }
    bool operator==(const Iterator& other) const = default;

  private:
    const Document* document_;
    std::uint32_t item_;
  };
  Iterator begin() const {
    check_list();
    return {*document_, item_ + 1};
  }
  Iterator end() const { return {*document_, item().next}; }
  std::size_t size() const;
  /// The element with that index, from 0 on.
  Sexpr operator[](std::size_t place) const;
  /// True if its first element is this bare atom.
  bool is_named(std::string_view name) const;
  /// The element that is a list with that name. Throws SexprError if there is none.
  Sexpr named(std::string_view name) const;
  bool has(std::string_view name) const;

private:
  const Document::Item& item() const { return document_->items_[item_]; }
  void check_list() const;

  const Document* document_;
  std::uint32_t item_;
};

/// Writes one expression in its canonical form.
class SexprWriter {
public:
  SexprWriter& open();
  SexprWriter& open(std::string_view name) { return open().atom(name); }
  SexprWriter& close();
  SexprWriter& atom(std::string_view characters);
  SexprWriter& integer(std::int64_t value);
  SexprWriter& number(std::uint64_t value);
  /// Writes one or several expressions unchanged.
  SexprWriter& as_it_is(std::string_view expression);
  /// Returns the text and empties the writer.
  std::string take();
  std::size_t size() const { return text_.size(); }

private:
  void separate() {
    if (!text_.empty() && text_.back() != '(') text_ += ' ';
  }

  std::string text_;
  std::size_t open_ = 0;
};

} // namespace hypermon::supermon
