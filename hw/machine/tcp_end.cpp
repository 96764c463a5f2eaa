// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/tcp_end.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermon {

TcpSender::TcpSender(const TcpParams& params)
    : nagle_(params.nagle), mss_(params.mss_bytes.number),
      buffer_(std::max<std::int64_t>(std::llround(params.buffer_kb * 1000), 1)),
      burst_(static_cast<std::size_t>(params.burst_segments)) {}

void TcpSender::write(const std::vector<std::int64_t>& writes, std::function<void()> taken) {
  for (const std::int64_t bytes : writes) {
    writes_.push_back({bytes, nullptr});
    asked_ += bytes;
  }
  ends_.push_back(asked_);
  writes_.back().taken = std::move(taken);
  fill();
}

void TcpSender::open() {
  open_ = true;
  for (const std::int64_t bytes : std::exchange(early_, {})) offer(bytes);
}

void TcpSender::acknowledge(std::int64_t upto) {
  if (upto <= acknowledged_) return;
  acknowledged_ = upto;
  cut(); // waiting data precede data for which there was no room
  fill();
}

void TcpSender::close() {
  const auto waiting = std::exchange(writes_, {});
  early_.clear();
  segments_.clear();
  for (const Write& write : waiting)
    if (write.taken) write.taken();
}

/// The kernel copies as much as there is room for, and sends what it may after each copy. A segment of a long write
/// that begins within the buffer is accepted as a whole.
void TcpSender::fill() {
  while (!writes_.empty()) {
    const std::int64_t room = buffer_ - (written_ - acknowledged_);
    if (room <= 0 && writes_.front().left > 0) return;
    const std::int64_t bytes = std::min((room + mss_ - 1) / mss_ * mss_, writes_.front().left);
    written_ += bytes;
    if (open_)
      offer(bytes);
    else
      early_.push_back(bytes);
    if ((writes_.front().left -= bytes) > 0) continue;
    const auto taken = std::move(writes_.front().taken);
    writes_.pop_front();
    if (taken) taken();
  }
}

void TcpSender::offer(std::int64_t bytes) {
  offered_ += bytes;
  cut();
}

void TcpSender::cut() {
  for (; offered_ - cut_ >= mss_; cut_ += mss_) segments_.push_back(mss_);
  const std::int64_t rest = offered_ - cut_;
  if (rest == 0 || !may_leave(rest)) return;
  segments_.push_back(rest);
  small_ = cut_ += rest;
}

bool TcpSender::may_leave(std::int64_t small) const {
  switch (nagle_) {
  case Nagle::off:
    return true;
  case Nagle::rfc896:
    return cut_ == acknowledged_;
  case Nagle::linux_2_2:
    return cut_ == acknowledged_ || small >= mss_ / 2;
  case Nagle::minshall:
    return small_ <= acknowledged_;
  }
  return true;
}

std::vector<std::int64_t> TcpSender::take() {
  std::vector<std::int64_t> burst;
  bool ends = false;
  while (!ends && !segments_.empty() && burst.size() < burst_) {
    burst.push_back(segments_.front());
    segments_.pop_front();
    for (left_ += burst.back(); !ends_.empty() && ends_.front() <= left_; ends_.pop_front()) ends = true;
  }
  return burst;
}

// Linux 2.2 acknowledges when data for two full segments have arrived; the remainder waits.
std::int64_t TcpReceiver::receive(const std::vector<std::int64_t>& segments) {
  std::int64_t at_once = 0;
  for (const std::int64_t bytes : segments) {
    received_ += bytes;
    const bool is_quick = quick_ > 0;
    if (is_quick) --quick_;
    if (!is_quick && delays_ && received_ - acknowledged_ < 2 * mss_) continue;
    acknowledged(received_);
    at_once = received_;
  }
  return at_once;
}

} // namespace hypermon
