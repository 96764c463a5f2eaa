// SPDX-License-Identifier: BSD-3-Clause
// One end of a TCP connection without time: what it sends and when it must wait (Nagle's algorithm, the socket's
// buffer), and what it acknowledges at once. Who moves segments and knows the date is tcp.hpp.
#pragma once
#include "hw/machine/tcp_params.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace hypermon {

/// What an end has cut its data into, and what became of them. Data are counted from the connection's begin.
class TcpSender {
public:
  explicit TcpSender(const TcpParams& params);

  /// A message: writes of so many bytes each, behind earlier ones. Calls `taken` when the buffer has had room for the
  /// last one.
  void write(const std::vector<std::int64_t>& writes, std::function<void()> taken);
  /// The connection is there: what was written is sent as if it were written now.
  void open();
  bool is_open() const { return open_; }
  /// The other end has everything up to there.
  void acknowledge(std::int64_t upto);
  /// The next segments that wait for the interface: data of each. A transfer takes no more than so many, and ends with
  /// the segment in which a message does.
  std::vector<std::int64_t> take();
  /// Something has been cut into segments, and the other end has not said that it has it.
  bool awaits() const { return acknowledged_ < cut_; }
  /// Nothing more: whoever waits for room is let go.
  void close();

private:
  struct Write {
    std::int64_t left;
    std::function<void()> taken; // none: a later one of the same message tells
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
  std::deque<Write> writes_;       // that the buffer has no room for
  std::deque<std::int64_t> early_; // those that it took before the connection was there
  std::deque<std::int64_t> ends_;  // of messages that have not left
  std::int64_t asked_ = 0;         // to be written
  std::int64_t written_ = 0;       // into the buffer
  std::int64_t offered_ = 0;       // of it: may be cut
  std::int64_t cut_ = 0;           // of that: into segments
  std::int64_t small_ = 0;         // where the last one that was not full ends
  std::int64_t acknowledged_ = 0;
  std::int64_t left_ = 0;
  std::deque<std::int64_t> segments_; // that wait for the interface
};

/// What an end has received, and what of that it has said so.
class TcpReceiver {
public:
  explicit TcpReceiver(const TcpParams& params)
      : mss_(params.mss_bytes.number), delays_(Time(params.delayed_ack_ms) > Time{}), quick_(params.quick_acks) {}

  /// Returns what is to be acknowledged at once; 0: nothing.
  std::int64_t receive(const std::vector<std::int64_t>& segments);
  /// All that is here; it is acknowledged from now on.
  std::int64_t acknowledge() {
    acknowledged(received_);
    return received_;
  }
  std::int64_t received() const { return received_; }
  bool owes() const { return acknowledged_ < received_; }
  /// A delayed acknowledgement is off if anything was acknowledged since it was put off.
  std::uint64_t acknowledgements() const { return acknowledgements_; }

private:
  void acknowledged(std::int64_t upto) {
    acknowledged_ = upto;
    ++acknowledgements_;
  }

  std::int64_t mss_;
  bool delays_;
  std::int64_t quick_; // segments
  std::int64_t received_ = 0;
  std::int64_t acknowledged_ = 0;
  std::uint64_t acknowledgements_ = 0;
};

} // namespace hypermon
