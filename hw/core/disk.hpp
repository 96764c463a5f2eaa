// SPDX-License-Identifier: BSD-3-Clause
// A disk: an arm over turning tracks, one operation at a time. Time is exact, and what is under the head is a function
// of time alone: the same operations take the same time always.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hypermon {

/// Addresses are bytes from the disk's beginning; neighbouring ones lie behind each other on a track, and tracks beside
/// each other.
struct DiskGeometry {
  /// none: the bytes are under the head at once. half_turn: after half a turn, unless the operation continues where the
  /// last one ended. position: when they come round; a turn has as many bytes as the rate gives.
  enum class Rotation : std::uint8_t { none, half_turn, position };
  double mb_per_s = 1; ///< under the head
  Time turn{};         ///< of the platters; more than 0 unless rotation is none
  Rotation rotation = Rotation::none;
  Bytes near{}; ///< the arm moves less far than this from track to track,
  Time track_to_track{};
  Time average_seek{}; ///< else this long: if
  Time full_seek{};    ///< this is 0; else in proportion to the square root of the distance, up to this at
  Bytes capacity{};    ///< (not used without full_seek)
};

constexpr auto words_of(DiskGeometry::Rotation) { return words("none", "half_turn", "position"); }

class Disk {
public:
  explicit Disk(const DiskGeometry& geometry)
      : of_(geometry), track_bytes_(std::max<std::int64_t>(std::llround(of_.mb_per_s * 1e6 * of_.turn.seconds()), 1)) {}

  /// One operation, from `begin` on; the one before has ended. Returns its end.
  Time access(Time begin, std::int64_t address, std::int64_t bytes) {
    const Time there = begin + seek(address);
    const Time transfer = of_.rotation == DiskGeometry::Rotation::position ? passing(address + bytes) - passing(address)
                                                                           : transfer_time(bytes);
    const Time end = there + latency(there, address) + transfer;
    head_ = address + bytes;
    return end;
  }
  /// How long the arm moves to the address. The first operation's is an average seek: nobody knows where it was.
  Time seek(std::int64_t address) const {
    if (address == head_) return {};
    if (head_ < 0) return of_.average_seek;
    const std::int64_t distance = std::abs(address - head_);
    if (distance < of_.near) return of_.track_to_track;
    if (of_.full_seek == Time{}) return of_.average_seek;
    const double part = std::min(1.0, static_cast<double>(distance) / static_cast<double>(of_.capacity.number));
    const Time longest = of_.full_seek - of_.track_to_track;
    return of_.track_to_track + Time::from_ps(std::llround(static_cast<double>(longest.ps()) * std::sqrt(part)));
  }
  Time transfer_time(std::int64_t bytes) const {
    return Time::from_ns_rounded(static_cast<double>(bytes) / of_.mb_per_s * 1e3);
  }

private:
  /// Until the address is under the head, which is on its track.
  Time latency(Time there, std::int64_t address) const {
    if (of_.rotation == DiskGeometry::Rotation::none) return {};
    if (of_.rotation == DiskGeometry::Rotation::half_turn)
      return address == head_ ? Time{} : Time::from_ps(of_.turn.ps() / 2);
    const std::int64_t turned = (passing(address) - there).ps() % of_.turn.ps();
    return Time::from_ps(turned < 0 ? turned + of_.turn.ps() : turned);
  }
  /// When the address passes the head if its track's first byte does at a whole number of turns.
  Time passing(std::int64_t address) const {
    const double part = static_cast<double>(address % track_bytes_) / static_cast<double>(track_bytes_);
    return of_.turn * (address / track_bytes_) +
           Time::from_ps(static_cast<std::int64_t>(part * static_cast<double>(of_.turn.ps())));
  }

  DiskGeometry of_;
  std::int64_t track_bytes_;
  std::int64_t head_ = -1; // behind the last operation; -1: there was none
};

/// A disk that does what is asked in the order in which it is asked.
class FifoDisk {
public:
  explicit FifoDisk(const DiskGeometry& geometry) : disk_(geometry) {}
  struct Service {
    Time begin;
    Time end;
  };
  /// `now` does not go back from call to call.
  Service ask(Time now, std::int64_t address, std::int64_t bytes) {
    const Time begin = std::max(now, free_);
    return {begin, free_ = disk_.access(begin, address, bytes)};
  }

private:
  Disk disk_;
  Time free_;
};

} // namespace hypermon
