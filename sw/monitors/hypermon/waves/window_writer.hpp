// SPDX-License-Identifier: BSD-3-Clause
// Writes a window of a run's waves while the run goes on. Before a trigger it keeps the last changes in memory.
#pragma once
#include "base/vcd_writer.hpp"
#include <deque>
#include <memory>
#include <optional>

namespace hypermon {

class WindowWriter {
public:
  /// A signal that is a trigger: an event that happens, or a level above `above`.
  struct Trigger {
    std::uint32_t signal;
    std::optional<std::uint64_t> above;
    std::size_t board;
  };
  /// Bounds of memory and of the file, in changes.
  struct Limits {
    std::uint64_t kept;
    std::uint64_t written;
  };

  WindowWriter(std::string path, std::vector<Signal> signals, std::vector<bool> wanted, Limits limits);

  /// Writes changes from `from` on and before `to`. The alternative is:
  void window(Time from, Time to);
  /// Writes changes from `pre` before the first trigger on and before `post` after it.
  void around(std::vector<Trigger> triggers, Time pre, Time post);
  /// A trigger that is not a signal happens at `time` and is found at `seen`. Writes from `pre` before `time` on and
  /// before `post` after `seen`. If the changes at `time` are forgotten, the first time that is known takes its place.
  void found(Time time, Time seen, std::size_t board);
  /// A trigger may happen from `time` on, though later changes have been added. Holds for the next add().
  void hold(Time time) { held_ = time; }

  /// The next changes, in order of time. Those before `until` are then complete.
  void add(std::span<const Change> changes, Time until);
  /// True if nothing more will be written.
  bool done() const { return done_; }
  /// Ends the file if there is one. All changes before `end` have been added.
  void finish(Time end);

  /// Description of the written file, after finish(); none if the trigger never happened.
  struct Written {
    Time from, to;
    std::optional<Time> trigger;
    std::size_t board = 0; ///< board of the trigger
    bool is_cut = false;   ///< a limit has made the window shorter
    std::vector<std::uint64_t> transitions;
  };
  const std::optional<Written>& written() const { return written_; }
  const std::vector<bool>& wanted() const { return wanted_; }

private:
  struct Value {
    bool known = false;
    std::uint64_t value = 0;
  };
  bool is_trigger(const Change& change);
  void pass(const Change& change);
  void open();
  void write(Change change);
  void forget_before(Time time);
  void forget_first();

  std::string path_;
  std::vector<Signal> signals_;
  std::vector<bool> wanted_;
  Limits limits_;
  std::vector<std::optional<Trigger>> triggers_; // by signal
  std::optional<Trigger> found_;                 // the trigger that happened; trigger_at_ is its time
  Time trigger_at_;
  Time pre_, post_;
  bool window_known_ = false;
  Time from_, to_ = Time::never();
  Time kept_from_;       // older changes are forgotten
  bool is_full_ = false; // true if changes were dropped because there were too many
  Time held_ = Time::never();
  std::deque<Change> kept_;
  std::vector<Value> values_; // by signal: value before the kept changes, then at from_
  std::vector<Change> at_from_;
  // by signal: amount subtracted, because the signal counts from the begin of the file
  std::vector<std::uint64_t> base_;
  std::unique_ptr<VcdWriter> writer_;
  std::uint64_t count_ = 0;
  bool done_ = false;
  bool is_cut_ = false;
  std::optional<Written> written_;
};

} // namespace hypermon
