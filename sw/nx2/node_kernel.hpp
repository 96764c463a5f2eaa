// One node's CPU in kernel mode. Events and costs of system calls, interrupts and ticks follow each other on it, first
// come first served; the program computes in what they leave.
#pragma once
#include "platforms/ipsc2/node_clock.hpp"
#include "sw/monitors/monitor.hpp"

namespace hypermon {

/// A step of a running 64-bit hash (the finaliser of SplitMix64 over state and value).
inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  std::uint64_t x = hash * 0x9e3779b97f4a7c15U + value;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

class NodeKernel {
public:
  NodeKernel(NodeId node, const NodeClock& clock, Monitor& monitor) : node_(node), clock_(clock), monitor_(monitor) {}

  /// Events are emitted only while recording (from the program's start to its end, or as MPI_Pcontrol says).
  void record(bool on) { recording_ = on; }
  bool recording() const { return recording_; }

  /// Kernel work begins at `now`, or when earlier work ends.
  void open(Time now) {
    if (free_at_ < now) free_at_ = now;
  }
  /// Emits an event; the CPU is busy for as long as the monitor says.
  void emit(EventType type, std::array<std::uint32_t, 3> args = {}, std::uint64_t message = 0,
            MessageSide side = MessageSide::none) {
    if (!recording_) return;
    const Time cost = monitor_.emit({node_, {type, args}, free_at_, message, side});
    free_at_ += cost;
    emission_time_ += cost;
    ++events_;
    event_bytes_ += info(type).data_bytes();
    fingerprint_ =
        mix(fingerprint_, static_cast<std::uint64_t>(free_at_.ps()) ^ static_cast<std::uint64_t>(type) << 56);
    fingerprint_ = mix(fingerprint_, args[0] ^ static_cast<std::uint64_t>(args[1]) << 32 ^ args[2]);
  }
  /// Kernel work without an event.
  void spend(Time nominal) { free_at_ += clock_.stretch(nominal); }
  /// When the work opened so far is done.
  Time free_at() const { return free_at_; }

  /// Brackets work that interrupts the program: what it takes is added to what the program loses.
  template <class Work> void interrupt(Time now, Work&& work) {
    open(now);
    const Time before = free_at_;
    work(*this);
    stolen_ += free_at_ - before;
  }
  /// CPU time that interrupts have taken so far.
  Time stolen() const { return stolen_; }

  NodeId node() const { return node_; }
  const NodeClock& clock() const { return clock_; }
  Time emission_time() const { return emission_time_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t event_bytes() const { return event_bytes_; }
  /// Of all emissions: time, type and arguments.
  std::uint64_t fingerprint() const { return fingerprint_; }

private:
  NodeId node_;
  NodeClock clock_;
  Monitor& monitor_;
  bool recording_ = false;
  Time free_at_;
  Time stolen_;
  Time emission_time_;
  std::uint64_t events_ = 0;
  std::uint64_t event_bytes_ = 0;
  std::uint64_t fingerprint_ = 0;
};

} // namespace hypermon
