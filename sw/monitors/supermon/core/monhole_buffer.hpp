// What mon keeps of what processes of its node have written into the monhole, until sinks read it (paper 004 sec. 3.3).
// No simulation kernel: the caller says what time it is.
#pragma once
#include "hw/core/choice.hpp"
#include "hw/core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hypermon::supermon {

/// What a write, and what a read, does to what is there already.
enum class BufferPolicy : std::uint8_t {
  replace_read,  ///< a write replaces; a read leaves it
  fill_drain,    ///< writes append; a read empties
  replace_drain, ///< a write replaces; a read empties
  fill_k_read,   ///< writes append, of more than K the oldest is overwritten; a read leaves it
};

constexpr auto words_of(BufferPolicy) {
  return words("replace_read", "fill_drain", "replace_drain", "fill_k_read");
}

/// What was written at once.
struct Entry {
  std::uint64_t number = 0; ///< among all of the buffer, from 1 on
  std::string source;       ///< who writes: each source has a buffer of its own
  Time written;
  std::string text; ///< an s-expression
};

} // namespace hypermon::supermon
