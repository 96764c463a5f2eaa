// SPDX-License-Identifier: BSD-3-Clause
// One node's CPU in kernel mode. It serves events, system calls, interrupts and ticks in the order of their arrival;
// the program computes in the time that they leave.
//
// Requested work takes effect at once, unless an emission is held, which means that the monitor will report its end
// later. Then further work queues, and takes effect in the same order after that report. For this reason no function
// here returns a time: callers get it through then().
#pragma once
#include "hw/machine/node_clock.hpp"
#include "sw/instrumentation/event_volume.hpp"
#include "sw/monitors/monitor.hpp"
#include "sw/os/kernel_account.hpp"
#include "sw/os/work_of.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace hypermon {

/// One step of a running 64-bit hash: the finaliser of SplitMix64 over state and value.
inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  std::uint64_t x = hash * 0x9e3779b97f4a7c15U + value;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

/// Is told of work that interrupted a node's program, in order, as soon as its end is known.
class InterruptObserver {
public:
  virtual ~InterruptObserver() = default;
  /// `for_monitor`: the part of the interval that emitted events or was a monitor's own work.
  virtual void interrupted(NodeId node, Time begin, Time end, Time for_monitor) = 0;
};

class NodeKernel {
public:
  /// `catalogue` says which event each point emits. Catalogue, monitor and volume must outlive this object.
  NodeKernel(NodeId node, const NodeClock& clock, Monitor& monitor, EventVolume& volume,
             const Catalogue& catalogue = Catalogue::nx2())
      : node_(node), clock_(clock), monitor_(monitor), volume_(volume), catalogue_(catalogue) {}

  /// Events are emitted only while recording is on: from the program's start to its end, or as MPI_Pcontrol says.
  void record(bool on) { recording_ = on; }
  bool recording() const { return recording_; }

  /// Kernel work begins at `now`, or when earlier work ends.
  void open(Time now) {
    in_order([this, now] {
      if (free_at_ < now) free_at_ = now;
      if (account_) [[unlikely]]
        account_->forget(now);
      while (!recent_.empty() && recent_.front().end <= now) recent_.pop_front();
    });
  }
  /// Emits the point's event if the catalogue has one. The CPU is busy for the time that monitor and catalogue give.
  void emit(Point point, const PointData& data = {}, std::uint64_t message = 0, MessageSide side = MessageSide::none) {
    if (account_) [[unlikely]]
      account_->pass(point);
    if (!recording_) return;
    const auto type = catalogue_.type_of(point);
    if (!type) return;
    in_order([this, event = catalogue_.event(*type, data), message, side] { begin_emission(event, message, side); });
  }
  /// True if emit() would emit an event of the point now. If not, the CPU is not needed.
  bool emits(Point point) const { return recording_ && catalogue_.type_of(point); }
  /// Called by the monitor: the held emission ends at `end`.
  void emission_done(Time end) {
    end_emission(*std::exchange(held_, std::nullopt), end - free_at_);
    while (!held_ && !queue_.empty()) {
      const auto step = std::move(queue_.front());
      queue_.pop_front();
      step();
    }
  }
  /// Kernel work without an event.
  void spend(Time nominal) {
    in_order([this, cost = clock_.stretch(nominal)] {
      if (account_) [[unlikely]]
        account_->system.busy(free_at_, free_at_ + cost);
      free_at_ += cost;
    });
  }
  /// Calls f(end) as soon as the end of all work requested so far is known: at once if no emission is held.
  template <class F> void then(F&& f) {
    in_order([this, f = std::forward<F>(f)] { f(free_at_); });
  }
  /// False while an emission is held.
  bool settled() const { return !held_ && queue_.empty(); }

  /// Runs kernel work that interrupts the program: its duration is added to the time that the program has lost.
  template <class Work> void interrupt(Time now, Work&& work, WorkOf owner = WorkOf::system) {
    if (account_) [[unlikely]]
      ++account_->interrupts;
    open(now);
    then([this](Time begin) {
      interrupt_began_ = begin;
      emission_before_ = emission_time_;
    });
    work(*this);
    then([this, owner](Time end) {
      stolen_ += end - interrupt_began_;
      if (interrupts_ != nullptr) [[unlikely]]
        interrupts_->interrupted(node_, interrupt_began_, end,
                                 owner == WorkOf::monitor ? end - interrupt_began_ : emission_time_ - emission_before_);
    });
  }
  /// CPU time of the completed interrupts. Within then() it covers exactly the interrupts requested before it.
  Time stolen() const { return stolen_; }

  /// Call before the program starts. `observer` must outlive this object.
  void tell_of_interrupts(InterruptObserver& observer) { interrupts_ = &observer; }

  /// Keeps an account of this kernel's work from now on, for counters. Call before the program starts.
  void keep_account() {
    if (!account_) account_ = std::make_unique<KernelAccount>();
  }
  /// Null if no account is kept.
  const KernelAccount* account() const { return account_.get(); }
  /// CPU time until `now`, the simulated time; valid only if an account is kept. system_time() is without emissions.
  Time system_time(Time now) const { return account_->system.until(now); }
  Time emitting_time(Time now) const {
    return account_->emission.until(now) + (held_ ? std::max(now - free_at_, Time{}) : Time{});
  }

  NodeId node() const { return node_; }
  const NodeClock& clock() const { return clock_; }
  /// CPU time of the completed emissions. Within then() it covers exactly the emissions requested before it.
  Time emission_time() const { return emission_time_; }
  /// CPU time of emissions before `t`. `t` must not be earlier than the last open(); later work may be queued already.
  Time emission_time_until(Time t) const {
    Time until = emission_time_;
    for (const Emitting& e : recent_)
      if (e.end > t) until -= e.end - std::max(e.begin, t);
    return until;
  }
  std::uint64_t events() const { return events_; }
  std::uint64_t event_bytes() const { return event_bytes_; }
  /// Hash over the time, type and arguments of all emissions.
  std::uint64_t fingerprint() const { return fingerprint_; }

private:
  struct Emitting {
    Time begin;
    Time end;
  };
  template <class Step> void in_order(Step&& step) {
    if (settled())
      step();
    else
      queue_.emplace_back(std::forward<Step>(step));
  }
  void begin_emission(const Event& event, std::uint64_t message, MessageSide side) {
    volume_.add(free_at_, catalogue_.software_bytes(event.type));
    if (const auto cost = monitor_.emit({node_, event, free_at_, message, side}))
      end_emission(event, *cost);
    else
      held_ = event;
  }
  void end_emission(const Event& event, Time cost) {
    if (const Time own = catalogue_.cost(event.type); own > Time{}) cost += clock_.stretch(own);
    if (cost > Time{}) {
      // Adjacent emissions are merged: a node that never catches up would otherwise collect them without limit.
      if (!recent_.empty() && recent_.back().end == free_at_)
        recent_.back().end += cost;
      else
        recent_.push_back({free_at_, free_at_ + cost});
    }
    if (account_) [[unlikely]]
      account_->emission.busy(free_at_, free_at_ + cost);
    free_at_ += cost;
    emission_time_ += cost;
    ++events_;
    event_bytes_ += catalogue_.data_bytes(event.type);
    fingerprint_ =
        mix(fingerprint_, static_cast<std::uint64_t>(free_at_.ps()) ^ static_cast<std::uint64_t>(event.type) << 56);
    fingerprint_ = mix(fingerprint_, event.args[0] ^ static_cast<std::uint64_t>(event.args[1]) << 32 ^ event.args[2]);
  }

  NodeId node_;
  NodeClock clock_;
  Monitor& monitor_;
  EventVolume& volume_; // volume of all nodes
  const Catalogue& catalogue_;
  bool recording_ = false;
  Time free_at_; // end of the work that has taken effect
  std::optional<Event> held_;
  std::deque<std::function<void()>> queue_; // work requested after the held emission
  Time interrupt_began_;
  Time emission_before_; // emission time when the current interrupt began
  InterruptObserver* interrupts_ = nullptr;
  Time stolen_;
  Time emission_time_;
  std::deque<Emitting> recent_; // emissions that ended after the last open()
  std::uint64_t events_ = 0;
  std::uint64_t event_bytes_ = 0;
  std::uint64_t fingerprint_ = 0;
  std::unique_ptr<KernelAccount> account_; // null: no account is kept
};

} // namespace hypermon
