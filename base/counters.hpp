// SPDX-License-Identifier: BSD-3-Clause
// The counters of a run: which exist, what keeps them, and their values. A counter that no monitor requests is not kept
// and costs nothing.
#pragma once
#include "base/counter.hpp"
#include "base/json_value.hpp"
#include "base/time.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hypermon {

/// A part of the simulated system that keeps counters. `counter` is an index into counters().
class CounterSource {
public:
  CounterSource() = default;
  CounterSource(const CounterSource&) = delete;
  CounterSource& operator=(const CounterSource&) = delete;
  virtual ~CounterSource() = default;
  /// The counters that its Part declares.
  virtual std::span<const CounterInfo> counters() const = 0;
  /// Reason why this run does not have the counter; empty if it has.
  virtual std::string absence(std::size_t /*counter*/) const { return {}; }
  /// Keeps the counter from now on, because a monitor will read it. Called before the program starts, possibly more
  /// than once.
  virtual void keep(std::size_t counter) = 0;
  /// Number of processes, processors or interfaces of the node.
  virtual std::uint32_t parts(std::size_t counter, NodeId node) const = 0;
  /// Names of the items that the counter distinguishes so far, by number.
  virtual std::vector<std::string> items(std::size_t /*counter*/) const { return {}; }
  /// Number of the item of that name, even if the program has not named it yet; none if such an item is impossible.
  virtual std::optional<std::uint32_t> item(std::size_t /*counter*/, const std::string& /*name*/) { return {}; }
  /// Value at `now`, which must be SimGrid's time. 0 for an instance that does not exist.
  virtual std::int64_t read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const = 0;
};

class Counters {
public:
  Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
  ~Counters() = default;

  /// `source` must outlive this object.
  void add(CounterSource& source);

  /// The counter with that name, which is kept from now on. Throws UserError with `path`, the parameter that names it,
  /// if there is no such counter or this run does not have it. Call this before the program starts (Monitor's
  /// constructor or start).
  CounterId want(const std::string& name, const std::string& path);
  /// Calls want() for each word of `names`, which are separated by blanks or commas.
  std::vector<CounterId> want_all(const std::string& names, const std::string& path);

  const CounterInfo& info(CounterId counter) const { return *declared_[index(counter)].info; }
  std::uint32_t parts(CounterId counter, NodeId node) const;
  /// Names of the items that the counter distinguishes so far, by number. User counters and routines appear when the
  /// program names them.
  std::vector<std::string> items(CounterId counter) const;
  /// The item of that name. User counters and routines may be requested before the program names them. Throws UserError
  /// with `path` if there is none.
  std::uint32_t item(CounterId counter, const std::string& name, const std::string& path);
  /// Value of a requested counter at `now`, which must be SimGrid's time. Takes no simulated time: the monitor models
  /// the cost of reading (Daemon::compute).
  std::int64_t read(NodeId node, CounterInstance instance, CounterId counter, Time now) const;

private:
  struct Declared {
    const CounterInfo* info;
    CounterSource* source = nullptr;
    std::size_t place = 0; // index in the source's counters()
    bool wanted = false;
  };
  static std::size_t index(CounterId counter) { return static_cast<std::size_t>(counter); }

  std::vector<Declared> declared_;
};

/// Size class of a number of bytes: 0, 1, 2 to 3, 4 to 7, ..., each twice as wide as the one before.
std::uint32_t size_class(std::int64_t bytes);
inline constexpr std::uint32_t size_classes = 64;
std::string size_class_name(std::uint32_t size_class);
std::vector<std::string> size_class_names();
/// Index of `name` in `names`; none if it is missing.
std::optional<std::uint32_t> number_of(const std::string& name, const std::vector<std::string>& names);

std::string_view name_of(CounterKind kind);
std::string_view name_of(CounterOf owner);
std::string_view name_of(CounterBy by);

/// All counters that parts() declare, for `hypermon-sim --describe`.
Json describe_counters();

} // namespace hypermon
