// SPDX-License-Identifier: BSD-3-Clause
// The ranks of the program that runs: which of them calls, and where its copy of the program lies.
#pragma once
#include "sw/workloads/loaded_object.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon {

/// The object that `address` lies in.
LoadedObject object_at(const void* address);

/// All of them: SMPI, signals and the C library call us without an argument of ours.
class Ranks {
public:
  /// The next objects are loaded for `rank`: what their constructors do is the rank's.
  void loading(int rank) { loading_ = rank; }
  void loaded(int rank, LoadedObject object);
  /// Called by the rank's actor when it starts.
  void begin(int rank);
  /// From now on nobody is a rank; the simulation ends.
  void end() {
    running_ = false;
    loading_ = -1;
  }

  /// Are the current rank's constructors running? It is no actor yet.
  bool is_loading() const { return loading_ >= 0; }
  /// Whose code is running; nothing for ours.
  std::optional<int> current() const;
  const LoadedObject& object_of(int rank) const { return objects_[static_cast<std::size_t>(rank)]; }

private:
  bool running_ = false; // SimGrid can be asked who runs
  int loading_ = -1;
  std::vector<LoadedObject> objects_;
  std::vector<int> rank_of_pid_;
};

Ranks& ranks();

} // namespace hypermon
