// SPDX-License-Identifier: BSD-3-Clause
// One end of a TCP connection, without time: what it sends, when it must wait (Nagle's algorithm, the socket's buffer),
// and what it acknowledges at once. tcp.hpp moves the segments and knows the times.
#pragma once
#include "hw/machine/tcp_params.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace hypermon {

/// The sending side: the division of the data into segments, and their state. Positions count bytes from the
/// connection's begin.
class TcpSender {
public:
  explicit TcpSender(const TcpParams& params);

  /// Adds a message, as writes of the given sizes, after earlier ones. Calls `taken` when the buffer has accepted the
  /// last one.
  void write(const std::vector<std::int64_t>& writes, std::function<void()> taken);
  /// The connection exists: earlier writes are now sent as if they were written now.
  void open();
  bool is_open() const { return open_; }
  /// The other end has received everything up to `upto`.
  void acknowledge(std::int64_t upto);
  /// The next segments that wait for the interface, as numbers of bytes. One transfer takes a limited number of them,
  /// and ends with the segment that completes a message.
  std::vector<std::int64_t> take();
  /// Whether segments exist that the other end has not acknowledged.
  bool awaits() const { return acknowledged_ < cut_; }
  /// Ends the connection and releases every caller that waits for room.
  void close();

private:
  struct Write {
    std::int64_t left;
    std::function<void()> taken; // empty: a later write of the same message notifies
  };
  void fill();
  void offer(std::int64_t bytes);
  void cut();
  bool may_leave(std::int64_t small) const;

  Nagle nagle_;
  std::int64_t mss_;
  std::int64_t buffer_;
  std::size_t burst_;
  bool open_ = false;
  std::deque<Write> writes_;       // writes for which the buffer has no room
  std::deque<std::int64_t> early_; // writes that it accepted before the connection existed
  std::deque<std::int64_t> ends_;  // ends of messages that have not left
  std::int64_t asked_ = 0;         // end of the data passed to write()
  std::int64_t written_ = 0;       // end of the data in the buffer
  std::int64_t offered_ = 0;       // end of the data in the buffer that may be cut
  std::int64_t cut_ = 0;           // end of the data that are cut into segments
  std::int64_t small_ = 0;         // end of the last segment that was not full
  std::int64_t acknowledged_ = 0;
  std::int64_t left_ = 0;
  std::deque<std::int64_t> segments_; // segments that wait for the interface
};

/// The receiving side: received and acknowledged data.
class TcpReceiver {
public:
  explicit TcpReceiver(const TcpParams& params)
      : mss_(params.mss_bytes.number), delays_(Time(params.delayed_ack_ms) > Time{}), quick_(params.quick_acks) {}

  /// Returns the position to acknowledge at once; 0: none.
  std::int64_t receive(const std::vector<std::int64_t>& segments);
  /// Acknowledges all received data and returns their end.
  std::int64_t acknowledge() {
    acknowledged(received_);
    return received_;
  }
  std::int64_t received() const { return received_; }
  bool owes() const { return acknowledged_ < received_; }
  /// Number of acknowledgements. A delayed acknowledgement is dropped if the number has changed since it was delayed.
  std::uint64_t acknowledgements() const { return acknowledgements_; }

private:
  void acknowledged(std::int64_t upto) {
    acknowledged_ = upto;
    ++acknowledgements_;
  }

  std::int64_t mss_;
  bool delays_;
  std::int64_t quick_; // number of further segments that are acknowledged at once
  std::int64_t received_ = 0;
  std::int64_t acknowledged_ = 0;
  std::uint64_t acknowledgements_ = 0;
};

} // namespace hypermon
