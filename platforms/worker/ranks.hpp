// SPDX-License-Identifier: BSD-3-Clause
// The ranks of the running program: the calling rank, and the addresses of its copy of the program.
#pragma once
#include "sw/workloads/loaded_object.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon {

/// The object that contains `address`.
LoadedObject object_at(const void* address);

/// The ranks of the process. A singleton, because callbacks from SMPI, signals and the C library carry no argument of
/// ours.
class Ranks {
public:
  /// Subsequent objects are loaded for `rank`, and their constructors run as that rank.
  void loading(int rank) { loading_ = rank; }
  void loaded(int rank, LoadedObject object);
  /// Called by the rank's actor when it starts.
  void begin(int rank);
  /// Marks the end of the simulation: no code runs as a rank any more.
  void end() {
    running_ = false;
    loading_ = -1;
  }

  /// Whether a rank's constructors are running; the rank is not yet an actor.
  bool is_loading() const { return loading_ >= 0; }
  /// The rank whose code is running; none for the simulator's own code.
  std::optional<int> current() const;
  const LoadedObject& object_of(int rank) const { return objects_[static_cast<std::size_t>(rank)]; }

private:
  bool running_ = false; // SimGrid can be queried for the running actor
  int loading_ = -1;
  std::vector<LoadedObject> objects_;
  std::vector<int> rank_of_pid_;
};

Ranks& ranks();

} // namespace hypermon
