// SPDX-License-Identifier: BSD-3-Clause
// The frame FIFO and the program that drains it, fed with frames alone: edge by edge where something happens, as
// CaptureBoard does it, for any reader and for both policies that drop.
#pragma once
#include "hw/core/fifo.hpp"
#include "hw/hypermon/core/reader.hpp"
#include <optional>

namespace hypermon {

/// Of each frame it holds an item: what whoever follows it wants to know of it.
template <class Item> class DrainedFifo {
public:
  /// After edge `now`.
  DrainedFifo(Fifo<Item> frames, const Reader& reader, Time read_time, Time now)
      : frames_(std::move(frames)), reader_(reader), read_time_(read_time), now_(now) {}

  const Fifo<Item>& frames() const { return frames_; }
  const Reader& reader() const { return reader_; }

  /// Edges before `limit`: left(item, edge) for each frame that leaves.
  template <class Left> void read_before(Time limit, Left&& left) {
    for (Time edge = reader_.next(now_, unread()); edge < limit; edge = reader_.next(now_, unread())) {
      read_at(edge, left);
      now_ = edge;
    }
  }
  /// Edges rise, and all before this one are done. What is lost, if something is.
  template <class Left> std::optional<Item> push(Time edge, const Item& item, Left&& left) {
    const std::size_t frames_before = frames_.size();
    read_at(edge, left);
    now_ = edge;
    return frames_.arrive(item, frames_before, reader_.reading() ? 1 : 0);
  }

private:
  std::size_t unread() const { return frames_.size() - (reader_.reading() ? 1 : 0); }
  template <class Left> void read_at(Time edge, Left&& left) {
    const std::size_t waiting = unread(); // before the edge
    if (reader_.ends_at(edge)) {
      const Item item = frames_.front();
      frames_.pop();
      reader_.end_frame(edge, 0_ps);
      left(item, edge);
    }
    if (reader_.starts_at(edge, waiting)) reader_.start_frame(edge, read_time_);
  }

  Fifo<Item> frames_;
  Reader reader_;
  Time read_time_;
  Time now_;
};

} // namespace hypermon
