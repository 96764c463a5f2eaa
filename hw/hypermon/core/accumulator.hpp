// SPDX-License-Identifier: BSD-3-Clause
// Collects the data of one input to a word (docs/design/section6.md).
#pragma once
#include <cstdint>

namespace hypermon {

class Accumulator {
public:
  /// The first datum is the lowest.
  void add(std::uint32_t datum, std::uint32_t bits, bool flagged) {
    value_ |= datum << data_ * bits;
    ++data_;
    flagged_ |= flagged;
  }
  void clear() { *this = {}; }

  std::uint32_t value() const { return value_; }
  std::uint32_t data() const { return data_; } ///< how many have been collected
  bool flagged() const { return flagged_; }    ///< is one of them?

private:
  std::uint32_t value_ = 0;
  std::uint32_t data_ = 0;
  bool flagged_ = false;
};

} // namespace hypermon
