// SPDX-License-Identifier: BSD-3-Clause
// What the oracle is made of: a FIFO that is an array, and a tally of the situations that it has seen.
#pragma once
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace oracle {

/// Entries in an array, the oldest at `head`. Misuse is a mistake of the oracle.
template <class T> class Fifo {
public:
  explicit Fifo(std::size_t depth) : slots(depth) {}
  std::size_t size() const { return count; }
  bool empty() const { return count == 0; }
  bool full() const { return count == slots.size(); }
  T& operator[](std::size_t i) { return slots[place(i)]; }
  T& front() { return filled().slots[head]; }
  T& back() { return filled().slots[place(count - 1)]; }
  void push(const T& entry) {
    if (full()) throw std::logic_error("oracle: push to a full FIFO");
    slots[place(count++)] = entry;
  }
  void pop() {
    filled().head = place(1);
    --count;
  }
  void pop_back() {
    filled();
    --count;
  }
  void erase(std::size_t i) {
    for (; i > 0; --i) (*this)[i] = (*this)[i - 1];
    pop();
  }

private:
  std::size_t place(std::size_t i) const { return head + i < slots.size() ? head + i : head + i - slots.size(); }
  Fifo& filled() {
    if (empty()) throw std::logic_error("oracle: empty FIFO");
    return *this;
  }
  std::vector<T> slots;
  std::size_t head = 0;
  std::size_t count = 0;
};

/// Situations that the tests must have met.
enum class Sighting : std::size_t {
  strobe_on_edge,
  strobe_on_window_boundary,
  strobes_of_one_input_at_once,
  strobes_of_several_inputs_at_once,
  strobe_held,
  newest_window_lost,
  oldest_window_lost,
  newest_window_lost_as_none_is_older,
  entry_taken_as_one_finds_no_room,
  empty_entry,
  empty_entry_lost,
  builder_held,
  newest_frame_lost,
  oldest_frame_lost,
  newest_frame_lost_as_older_ones_are_read,
  frame_leaves_as_one_finds_no_room,
  empty_frame_lost,
  frame_flagged,
  frame_not_flagged,
  reader_stalled,
  count_register_saturated,
  frames_came_after_status,
  silence_skipped,
  how_many
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Sighting::how_many)> sighting_names{
    "strobe on an edge",
    "strobe on a window boundary",
    "strobes of one input at once",
    "strobes of several inputs at once",
    "edges for which a strobe was held",
    "newest window lost",
    "oldest window lost",
    "newest window lost as none is older",
    "entry taken as one finds no room",
    "empty entry at a wrap",
    "empty entry lost",
    "edges for which the builder was held",
    "newest frame lost",
    "oldest frame lost",
    "newest frame lost as older ones are read",
    "frame leaves as one finds no room",
    "empty frame lost",
    "frame with a flagged word",
    "frame without a flagged word",
    "reader stalled",
    "frame count register saturated",
    "frames came between the reads of status and count",
    "silence skipped"};

class Sightings {
public:
  std::uint64_t& operator[](Sighting what) { return times[static_cast<std::size_t>(what)]; }
  std::uint64_t operator[](Sighting what) const { return times[static_cast<std::size_t>(what)]; }
  Sightings& operator+=(const Sightings& other) {
    for (std::size_t i = 0; i < times.size(); ++i) times[i] += other.times[i];
    return *this;
  }

private:
  std::array<std::uint64_t, static_cast<std::size_t>(Sighting::how_many)> times{};
};

} // namespace oracle
