// SPDX-License-Identifier: BSD-3-Clause
// mon's buffer for data that processes of its node have written into the monhole, until sinks read them (TAU over
// Supermon sec. 3.3). It uses no simulation kernel: the caller passes the time, which must not decrease.
//
// A read returns everything in the buffer, because a sink does not say what it has read already. This class tracks it
// nevertheless, so that a ledger can distinguish entries read once, read again and never read.
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

/// Effect of a write, and of a read, on the entries in the buffer.
enum class BufferPolicy : std::uint8_t {
  replace_read,  ///< writes replace entries; reads leave them
  fill_drain,    ///< writes append entries; reads remove them
  replace_drain, ///< writes replace entries; reads remove them
  fill_k_read,   ///< writes append entries, and overwrite the oldest if there are more than K; reads leave them
};

constexpr auto words_of(BufferPolicy) { return words("replace_read", "fill_drain", "replace_drain", "fill_k_read"); }

/// The data of one write.
struct Entry {
  std::uint64_t number = 0; ///< number among all entries of the buffer, from 1 on
  std::string source;       ///< the writer: each source has its own buffer
  Time written;
  std::string text; ///< an s-expression
};

struct BufferSetting {
  BufferPolicy policy = BufferPolicy::replace_read;
  std::size_t entries = 0; ///< K of fill_k_read, at least 1
  std::size_t memory = 0;  ///< largest sum of the text bytes of all sources; 0: no limit
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

/// Counts every entry once: generated = read + overwritten + refused + died + left_behind.
struct BufferLedger {
  BufferAmount generated;
  BufferAmount read;        ///< read by at least one sink
  BufferAmount overwritten; ///< never read
  BufferAmount refused;     ///< refused for lack of memory
  BufferAmount died;        ///< lost with the mon, and never read
  BufferAmount left_behind; ///< still in the buffer, never read
  /// Number of readings after an entry's first one, by any sink.
  BufferAmount read_again;

  BufferLedger& operator+=(const BufferLedger& other);
  friend bool operator==(const BufferLedger&, const BufferLedger&) = default;
};

/// The ledger of one sink: generated = seen + overwritten + drained + refused + died + left_behind.
struct SinkLedger {
  BufferAmount seen;
  BufferAmount overwritten; ///< overwritten before this sink read it
  BufferAmount drained;     ///< removed by another sink before this one read it
  BufferAmount refused;
  BufferAmount died;
  BufferAmount left_behind;
  BufferAmount repeated;         ///< readings of entries that this sink had already seen
  std::uint64_t reads = 0;       ///< number of its reads
  std::uint64_t reads_of_no = 0; ///< reads without a new entry
  double ages_s = 0;             ///< sum of the entries' ages when it saw them first
  Time oldest;                   ///< the largest of these ages

  SinkLedger& operator+=(const SinkLedger& other);
};

/// The largest content of the buffer.
struct BufferPeak {
  std::size_t bytes = 0;
  std::size_t entries = 0; ///< at that time
  Time at;                 ///< time at which it was first reached
};

class MonholeBuffer {
public:
  /// Sinks have the numbers 0 to `sinks` - 1, even if they never read.
  MonholeBuffer(const BufferSetting& setting, std::uint32_t sinks);

  /// Returns false if there is no memory for the text. The content is then unchanged.
  bool write(Time now, std::string source, std::string text);
  /// All entries, in the order in which they were written.
  std::vector<std::shared_ptr<const Entry>> read(Time now, std::uint32_t sink);
  /// The content, for an observer that is not a sink.
  std::vector<std::shared_ptr<const Entry>> kept() const;
  /// mon has died, and its entries are lost.
  void die();

  std::uint32_t sinks() const { return static_cast<std::uint32_t>(sinks_.size()); }
  std::size_t bytes() const { return bytes_; }
  std::size_t entries() const { return kept_.size(); }
  const BufferPeak& peak() const { return peak_; }
  /// When a write was first refused.
  const std::optional<Time>& first_refused() const { return first_refused_; }
  /// State at this moment.
  BufferLedger ledger() const;
  SinkLedger ledger_of(std::uint32_t sink) const;

private:
  struct Sink {
    SinkLedger ledger;
    std::uint64_t newest = 0; ///< number of the most recent entry that it has seen; it has seen all before
  };
  enum class End : std::uint8_t { overwritten, drained, died };

  void forget(const Entry& entry, End how);
  void forget_all(End how);

  std::size_t most_; ///< largest number of entries of a source
  bool drains_;
  std::size_t memory_;
  std::map<std::uint64_t, std::shared_ptr<const Entry>> kept_; ///< by number
  std::map<std::string, std::deque<std::uint64_t>> sources_;   ///< numbers of the entries of each source
  std::vector<Sink> sinks_;
  std::uint64_t written_ = 0;
  std::uint64_t newest_read_ = 0; ///< by any sink
  std::size_t bytes_ = 0;
  BufferPeak peak_;
  std::optional<Time> first_refused_;
  BufferLedger ledger_; ///< without left_behind
};

} // namespace hypermon::supermon
