// SPDX-License-Identifier: BSD-3-Clause
// A disk: an arm over rotating tracks, one operation at a time. Time is exact, and the rotational position is a
// function of time alone, so that equal operations at equal times take equal time.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hypermon {

/// Addresses are bytes from the disk's beginning. Consecutive addresses follow each other on a track, and consecutive
/// tracks are adjacent.
struct DiskGeometry {
  /// none: no rotational latency. half_turn: half a turn, unless the operation continues at the end of the last one.
  /// position: time until the bytes reach the head; the number of bytes per turn follows from the rate.
  enum class Rotation : std::uint8_t { none, half_turn, position };
  double mb_per_s = 1; ///< transfer rate under the head
  Time turn{};         ///< time of one rotation; more than 0 unless rotation is none
  Rotation rotation = Rotation::none;
  Bytes near{}; ///< the arm moves over less than this distance in track_to_track
  Time track_to_track{};
  Time average_seek{}; ///< time of a longer seek if full_seek is 0
  Time full_seek{};    ///< if not 0: time of a seek over the whole capacity; shorter seeks grow with the square root of
                       ///< the distance
  Bytes capacity{};    ///< used only with full_seek
};

constexpr auto words_of(DiskGeometry::Rotation) { return words("none", "half_turn", "position"); }

class Disk {
public:
  explicit Disk(const DiskGeometry& geometry)
      : of_(geometry), track_bytes_(std::max<std::int64_t>(std::llround(of_.mb_per_s * 1e6 * of_.turn.seconds()), 1)) {}

  /// Starts an operation at `begin`, after the end of the one before. Returns its end.
  Time access(Time begin, std::int64_t address, std::int64_t bytes) {
    const Time there = begin + seek(address);
    const Time transfer = of_.rotation == DiskGeometry::Rotation::position ? passing(address + bytes) - passing(address)
                                                                           : transfer_time(bytes);
    const Time end = there + latency(there, address) + transfer;
    head_ = address + bytes;
    return end;
  }
  /// Time of moving the arm to the address. The first operation has an average seek, because the arm's position is
  /// unknown.
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
  /// Time until the address is under the head, which is already on its track.
  Time latency(Time there, std::int64_t address) const {
    if (of_.rotation == DiskGeometry::Rotation::none) return {};
    if (of_.rotation == DiskGeometry::Rotation::half_turn)
      return address == head_ ? Time{} : Time::from_ps(of_.turn.ps() / 2);
    const std::int64_t turned = (passing(address) - there).ps() % of_.turn.ps();
    return Time::from_ps(turned < 0 ? turned + of_.turn.ps() : turned);
  }
  /// Time at which the address passes the head if its track's first byte passes at whole numbers of turns.
  Time passing(std::int64_t address) const {
    const double part = static_cast<double>(address % track_bytes_) / static_cast<double>(track_bytes_);
    return of_.turn * (address / track_bytes_) +
           Time::from_ps(static_cast<std::int64_t>(part * static_cast<double>(of_.turn.ps())));
  }

  DiskGeometry of_;
  std::int64_t track_bytes_;
  std::int64_t head_ = -1; // end of the last operation; -1: there was none
};

/// A disk that performs operations in the order of requests.
class FifoDisk {
public:
  explicit FifoDisk(const DiskGeometry& geometry) : disk_(geometry) {}
  struct Service {
    Time begin;
    Time end;
  };
  /// `now` must not decrease from call to call.
  Service ask(Time now, std::int64_t address, std::int64_t bytes) {
    const Time begin = std::max(now, free_);
    return {begin, free_ = disk_.access(begin, address, bytes)};
  }

private:
  Disk disk_;
  Time free_;
};

} // namespace hypermon
