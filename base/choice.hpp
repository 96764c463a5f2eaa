// SPDX-License-Identifier: BSD-3-Clause
// Choices: an enum in C++ and, for users, a word for each of its values. The words are declared once, beside the enum
// and in its order:
//
//   enum class Messages { nx2, smpi };
//   constexpr auto words_of(Messages) { return words("nx2", "smpi"); }
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace hypermon {

template <class... Word> constexpr std::array<std::string_view, sizeof...(Word)> words(Word... word) {
  return {word...};
}

template <class T>
concept Choice = std::is_enum_v<T> && requires(T value) {
  words_of(value).size();
};

/// The word of a value.
template <Choice E> constexpr std::string_view word(E value) {
  return words_of(value).at(static_cast<std::size_t>(value));
}

/// The words of a choice, or of some of its values, in their order. Users may write these.
template <Choice E> inline constexpr auto all_words = words_of(E{});
template <auto... some> inline constexpr std::array words_for{word(some)...};

/// Reference to a choice of any enum type: it is read and set by its words.
class ChoiceAt {
public:
  template <Choice E>
  explicit ChoiceAt(E& at)
      : at_(&at), word_([](const void* from) { return hypermon::word(*static_cast<const E*>(from)); }),
        set_([](void* to, std::string_view text) {
          constexpr auto all = words_of(E{});
          const auto found = std::ranges::find(all, text);
          if (found == all.end()) throw std::logic_error("no such choice: " + std::string(text));
          *static_cast<E*>(to) = static_cast<E>(found - all.begin());
        }) {}

  std::string_view word() const { return word_(at_); }
  /// Throws std::logic_error for an unknown word: callers must have checked the word against the allowed values.
  void set(std::string_view text) { set_(at_, text); }

private:
  void* at_;
  std::string_view (*word_)(const void*);
  void (*set_)(void*, std::string_view);
};

} // namespace hypermon
