// SPDX-License-Identifier: BSD-3-Clause
// A process's trace or relations: a buffer in its node's memory, and the file that it is written to.
#pragma once
#include "sw/monitors/hdtrace/output.hpp"
#include "sw/monitors/hdtrace/trace_ledger.hpp"

#include <string>

namespace hypermon::hdtrace {

class TraceStream {
public:
  TraceStream(Output output, std::string name, std::int64_t capacity, TraceLedger& ledger)
      : output_(std::move(output)), name_(std::move(name)), capacity_(static_cast<std::size_t>(capacity)),
        ledger_(ledger) {}

  const std::string& name() const { return name_; }
  bool fits(std::size_t bytes) const { return buffer_.size() + bytes <= capacity_; }
  bool empty() const { return buffer_.empty(); }
  std::size_t bytes() const { return buffer_.size(); }
  /// Stops recording because the disk is full.
  void stop() { stopped_ = true; }

  /// Adds formatted text. It is lost if there is no room.
  void add(const std::string& text, std::uint64_t events) {
    ledger_.generate(text.size(), events);
    if (stopped_) return ledger_.lose(Lost::disk_full, text.size(), events);
    if (!fits(text.size()) && in_transit_) return ledger_.lose(Lost::buffer_full, text.size(), events);
    buffer_ += text;
    events_ += events;
  }
  /// The content of a buffer on its way to a server; add() fills another buffer meanwhile.
  struct Parcel {
    std::string text;
    std::uint64_t events = 0;
  };
  Parcel take() {
    in_transit_ = true;
    return {std::exchange(buffer_, {}), std::exchange(events_, 0)};
  }
  bool in_transit() const { return in_transit_; }
  void delivered(const Parcel& parcel) {
    in_transit_ = false;
    output_.add(parcel.text);
    ledger_.deliver(parcel.text.size(), parcel.events);
  }
  void lost(const Parcel& parcel, Lost why) {
    in_transit_ = false;
    ledger_.lose(why, parcel.text.size(), parcel.events);
  }
  Output& output() { return output_; }

private:
  Output output_;
  std::string name_;
  std::size_t capacity_;
  TraceLedger& ledger_;
  std::string buffer_;
  std::uint64_t events_ = 0;
  bool in_transit_ = false;
  bool stopped_ = false;
};

} // namespace hypermon::hdtrace
