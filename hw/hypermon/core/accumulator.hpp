// SPDX-License-Identifier: BSD-3-Clause
// Collects the data of one input into a word (docs/design/section6.md).
#pragma once
#include <cstdint>

namespace hypermon {

class Accumulator {
public:
  /// The first datum takes the lowest bits of the word.
  void add(std::uint32_t datum, std::uint32_t bits, bool flagged) {
    value_ |= datum << data_ * bits;
    ++data_;
    flagged_ |= flagged;
  }
  void clear() { *this = {}; }

  std::uint32_t value() const { return value_; }
  std::uint32_t data() const { return data_; } ///< number of collected data
  bool flagged() const { return flagged_; }    ///< whether one of the collected data is flagged

private:
  std::uint32_t value_ = 0;
  std::uint32_t data_ = 0;
  bool flagged_ = false;
};

} // namespace hypermon
