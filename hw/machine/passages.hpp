// SPDX-License-Identifier: BSD-3-Clause
// Transfers under way between interfaces, and the bytes that have passed each interface: byte counters grow during a
// transfer. The simulation kernel reports the progress of transfers that it carries (moved()); others have a constant
// rate.
#pragma once
#include "base/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hypermon {

class Passages {
public:
  using Id = std::uint64_t;
  static constexpr Id none = 0; ///< a transfer within a computer
  /// Times at which the first and the last byte pass an interface; never: not yet known.
  struct Span {
    Time begins;
    Time ends = Time::never();
  };
  struct Passage {
    std::size_t from; ///< numbers of the interfaces
    std::size_t to;
    std::int64_t bytes;
    Time flight; ///< time of flight of a byte after it has left
    Span out{};
    Span in{};                     ///< entry into the cable to the receiver; add `flight` for the arrival
    const void* carrier = nullptr; ///< the kernel's handle
  };
  struct Bytes {
    std::int64_t sent = 0;
    std::int64_t received = 0;
  };

  explicit Passages(std::size_t interfaces) : sums_(interfaces) {}

  /// Adds a transfer of constant rate.
  Id add(const Passage& passage) { return insert(passage); }
  /// Adds a transfer that the kernel carries from `now` on.
  Id add(std::size_t from, std::size_t to, std::int64_t bytes, Time flight, const void* carrier, Time now) {
    return insert({from, to, bytes, flight, {now}, {now}, carrier});
  }
  /// The last byte has left. From now on the sender's own counter includes the transfer.
  const Passage& leaves(Id id, Time now) {
    UnderWay& own = under_way_.at(id);
    if (own.passage.carrier != nullptr) {
      carried_.erase(own.passage.carrier);
      own.passage.carrier = nullptr;
      own.passage.out.ends = own.passage.in.ends = now;
    }
    own.has_left = true;
    summed_at_ = Time::never();
    return own.passage;
  }
  /// The last byte has arrived. From now on the receiver's own counter includes the transfer.
  Passage arrives(Id id) {
    const Passage passage = under_way_.at(id).passage;
    drop(id);
    return passage;
  }
  /// Aborts the transfer.
  void drop(Id id) {
    const auto found = under_way_.find(id);
    if (found == under_way_.end()) return;
    carried_.erase(found->second.passage.carrier);
    under_way_.erase(found);
    summed_at_ = Time::never();
  }

  /// Bytes that have passed the interface by `now` in transfers that its own counter does not include yet.
  /// `each_carried(moved)` calls moved(carrier, bytes) for the transfers that the kernel carries now; it is called once
  /// for each time, however many interfaces are read. A transfer that it omits has just ended.
  template <class EachCarried> const Bytes& passed(std::size_t interface, Time now, EachCarried&& each_carried) {
    if (summed_at_ != now) sum(now, each_carried);
    return sums_[interface];
  }

private:
  struct UnderWay {
    Passage passage;
    bool has_left = false;
    double moved = 0; // bytes moved until the time of the sums
  };

  Id insert(const Passage& passage) {
    under_way_.emplace(++last_, UnderWay{passage});
    if (passage.carrier != nullptr) carried_.emplace(passage.carrier, last_);
    summed_at_ = Time::never();
    return last_;
  }
  template <class EachCarried> void sum(Time now, EachCarried&& each_carried) {
    summed_at_ = now;
    std::fill(sums_.begin(), sums_.end(), Bytes{});
    if (under_way_.empty()) return;
    for (auto& [id, own] : under_way_) own.moved = static_cast<double>(own.passage.bytes);
    if (!carried_.empty())
      each_carried([this](const void* carrier, double bytes) {
        if (const auto found = carried_.find(carrier); found != carried_.end())
          under_way_.at(found->second).moved = bytes;
      });
    for (const auto& [id, own] : under_way_) {
      if (!own.has_left) sums_[own.passage.from].sent += sent(own, now);
      sums_[own.passage.to].received += received(own, now);
    }
  }
  static std::int64_t sent(const UnderWay& own, Time now) {
    if (own.passage.carrier != nullptr) return static_cast<std::int64_t>(own.moved);
    return static_cast<std::int64_t>(own.moved * part(own.passage.out, now));
  }
  /// A byte arrives one time of flight after it has left. If the rate changes, the mean rate is assumed for the bytes
  /// in flight, so that the counter never decreases.
  static std::int64_t received(const UnderWay& own, Time now) {
    Span span = own.passage.in;
    if (own.passage.carrier != nullptr) span.ends = now;
    return static_cast<std::int64_t>(own.moved * part(span, now - own.passage.flight));
  }
  static double part(const Span& span, Time date) {
    if (date >= span.ends) return 1;
    if (date <= span.begins) return 0;
    return static_cast<double>((date - span.begins).ps()) / static_cast<double>((span.ends - span.begins).ps());
  }

  Id last_ = none;
  std::unordered_map<Id, UnderWay> under_way_;
  std::unordered_map<const void*, Id> carried_;
  std::vector<Bytes> sums_; // by interface
  Time summed_at_ = Time::never();
};

} // namespace hypermon
