// SPDX-License-Identifier: BSD-3-Clause
// What mon keeps of what processes of its node have written into the monhole, until sinks read it (TAU over Supermon
// sec. 3.3). No simulation kernel: the caller says what time it is, which never goes back.
//
// A read gives everything that is there: a sink does not say what it has read already. mon keeps books of that all the
// same, so that a ledger can tell what was read once, read again, and never.
#pragma once
#include "base/choice.hpp"
#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
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

constexpr auto words_of(BufferPolicy) { return words("replace_read", "fill_drain", "replace_drain", "fill_k_read"); }

/// What was written at once.
struct Entry {
  std::uint64_t number = 0; ///< among all of the buffer, from 1 on
  std::string source;       ///< who writes: each source has a buffer of its own
  Time written;
  std::string text; ///< an s-expression
};

struct BufferSetting {
  BufferPolicy policy = BufferPolicy::replace_read;
  std::size_t entries = 0; ///< K of fill_k_read, at least 1
  std::size_t memory = 0;  ///< bytes that the texts of all sources may take together; 0: any number
};

struct BufferAmount {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;

  BufferAmount& operator+=(const BufferAmount& other) {
    entries += other.entries;
    bytes += other.bytes;
    return *this;
  }
  friend bool operator==(const BufferAmount&, const BufferAmount&) = default;
};

/// Of every entry, once: generated = read + overwritten + refused + died + left_behind.
struct BufferLedger {
  BufferAmount generated;
  BufferAmount read;        ///< by one sink or more
  BufferAmount overwritten; ///< read by nobody
  BufferAmount refused;     ///< there was no memory
  BufferAmount died;        ///< with mon, read by nobody
  BufferAmount left_behind; ///< still there, read by nobody
  /// Readings behind an entry's first one, by whichever sink.
  BufferAmount read_again;

  BufferLedger& operator+=(const BufferLedger& other);
  friend bool operator==(const BufferLedger&, const BufferLedger&) = default;
};

/// The same seen from a sink: generated = seen + overwritten + drained + refused + died + left_behind.
struct SinkLedger {
  BufferAmount seen;
  BufferAmount overwritten; ///< before it came to read
  BufferAmount drained;     ///< by another sink before that
  BufferAmount refused;
  BufferAmount died;
  BufferAmount left_behind;
  BufferAmount repeated;         ///< readings of what it had seen
  std::uint64_t reads = 0;       ///< that it made
  std::uint64_t reads_of_no = 0; ///< of these, that brought nothing that it had not seen
  double ages_s = 0;             ///< sum of the ages of what it saw, when it saw it
  Time oldest;                   ///< the largest of these

  SinkLedger& operator+=(const SinkLedger& other);
};

/// When a buffer held the most.
struct BufferPeak {
  std::size_t bytes = 0;
  std::size_t entries = 0; ///< then
  Time at;                 ///< when it first did
};

class MonholeBuffer {
public:
  /// Sinks are 0 to `sinks` - 1, whether they ever read or not.
  MonholeBuffer(const BufferSetting& setting, std::uint32_t sinks);

  /// False: there is no memory for it, and what is there stays.
  bool write(Time now, std::string source, std::string text);
  /// Everything that is there, in the order in which it was written.
  std::vector<std::shared_ptr<const Entry>> read(Time now, std::uint32_t sink);
  /// What is there, for who looks without being a sink.
  std::vector<std::shared_ptr<const Entry>> kept() const;
  /// mon is gone, and what it kept.
  void die();

  std::uint32_t sinks() const { return static_cast<std::uint32_t>(sinks_.size()); }
  std::size_t bytes() const { return bytes_; }
  std::size_t entries() const { return kept_.size(); }
  const BufferPeak& peak() const { return peak_; }
  /// When a write was first refused.
  const std::optional<Time>& first_refused() const { return first_refused_; }
  /// As of now.
  BufferLedger ledger() const;
  SinkLedger ledger_of(std::uint32_t sink) const;

private:
  struct Sink {
    SinkLedger books;
    std::uint64_t newest = 0; ///< that it has seen: it has seen what was there until then
  };
  enum class End : std::uint8_t { overwritten, drained, died };

  void forget(const Entry& entry, End how);
  void forget_all(End how);

  std::size_t most_; ///< entries of a source
  bool drains_;
  std::size_t memory_;
  std::map<std::uint64_t, std::shared_ptr<const Entry>> kept_; ///< by number
  std::map<std::string, std::deque<std::uint64_t>> sources_;   ///< numbers of what is kept of each
  std::vector<Sink> sinks_;
  std::uint64_t written_ = 0;
  std::uint64_t newest_read_ = 0; ///< by whichever sink
  std::size_t bytes_ = 0;
  BufferPeak peak_;
  std::optional<Time> first_refused_;
  BufferLedger ledger_; ///< without what is left behind
};

} // namespace hypermon::supermon
