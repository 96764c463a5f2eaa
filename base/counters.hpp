// SPDX-License-Identifier: BSD-3-Clause
// The counters of a run: which there are, who keeps them, what they show. A counter that nobody wants is not kept, and
// costs nothing.
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

/// A part of the simulated system that keeps counters. `counter`: the place in counters().
class CounterSource {
public:
  CounterSource() = default;
  CounterSource(const CounterSource&) = delete;
  CounterSource& operator=(const CounterSource&) = delete;
  virtual ~CounterSource() = default;
  /// Those that its Part declares.
  virtual std::span<const CounterInfo> counters() const = 0;
  /// Why this run cannot have it; empty if it can.
  virtual std::string absence(std::size_t /*counter*/) const { return {}; }
  /// Somebody wants to read it: keep it from now on. Before the program starts; perhaps more than once.
  virtual void keep(std::size_t counter) = 0;
  /// How many processes, processors or interfaces the node has.
  virtual std::uint32_t parts(std::size_t counter, NodeId node) const = 0;
  /// What it counts apart so far, by number.
  virtual std::vector<std::string> items(std::size_t /*counter*/) const { return {}; }
  /// The number of the item of that name, which the program may be going to name; none if there cannot be one.
  virtual std::optional<std::uint32_t> item(std::size_t /*counter*/, const std::string& /*name*/) { return {}; }
  /// What it shows at `now`, which is SimGrid's date. 0 of an instance that does not exist.
  virtual std::int64_t read(std::size_t counter, NodeId node, CounterInstance of, Time now) const = 0;
};

class Counters {
public:
  Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
  ~Counters() = default;

  /// Which must live longer.
  void add(CounterSource& source);

  /// The counter of that name, which is kept from now on. Throws UserError with `path`, the parameter that names it, if
  /// there is none, or this run has not got it. Before the program starts (Monitor's constructor or start).
  CounterId want(const std::string& name, const std::string& path);
  /// The same of each word of `names`, blanks or commas between them.
  std::vector<CounterId> want_all(const std::string& names, const std::string& path);

  const CounterInfo& info(CounterId counter) const { return *declared_[index(counter)].info; }
  std::uint32_t parts(CounterId counter, NodeId node) const;
  /// What it counts apart so far, by number: user counters and routines appear as the program names them.
  std::vector<std::string> items(CounterId counter) const;
  /// The item of that name; user counters and routines may be asked for before the program names them. Throws UserError
  /// with `path` if there is none.
  std::uint32_t item(CounterId counter, const std::string& name, const std::string& path);
  /// What a counter that somebody wants shows at `now`: SimGrid's date, no other. Takes no simulated time: what reading
  /// costs is the monitor's to say (Daemon::compute).
  std::int64_t read(NodeId node, CounterInstance of, CounterId counter, Time now) const;

private:
  struct Declared {
    const CounterInfo* info;
    CounterSource* source = nullptr;
    std::size_t place = 0; // among the source's
    bool wanted = false;
  };
  static std::size_t index(CounterId counter) { return static_cast<std::size_t>(counter); }

  std::vector<Declared> declared_;
};

/// Size class of so many bytes: 0, 1, 2 to 3, 4 to 7, ... each twice as wide as the one before.
std::uint32_t size_class(std::int64_t bytes);
inline constexpr std::uint32_t size_classes = 64;
std::string size_class_name(std::uint32_t size_class);
std::vector<std::string> size_class_names();
/// Its place; none if it is not among them.
std::optional<std::uint32_t> number_of(const std::string& name, const std::vector<std::string>& names);

std::string_view name_of(CounterKind kind);
std::string_view name_of(CounterOf of);
std::string_view name_of(CounterBy by);

/// All that parts() declare, for `hypermon-sim --describe`.
Json describe_counters();

} // namespace hypermon
