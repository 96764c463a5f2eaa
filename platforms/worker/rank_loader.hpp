// SPDX-License-Identifier: BSD-3-Clause
// Loads an MPI program, built by smpicc as a shared object, once per rank, so that each rank has its own globals.
#pragma once
#include "platforms/worker/ranks.hpp"

#include <string>
#include <vector>

namespace hypermon {

class RankProgram {
public:
  using Main = int (*)(int, char**);
  /// Throws UserError if the object cannot be loaded or has no main.
  /// `program`: number of the monitored program (0) or of a neighbour, whose MPI_COMM_WORLD differs (worlds.hpp).
  explicit RankProgram(const std::string& shared_object, std::size_t program = 0);
  /// Runs main and returns its status. The arguments exclude the program's name.
  int run(const std::vector<std::string>& arguments) const;
  const LoadedObject& object() const { return object_; }
  /// Its destructor functions in order, to be run at the rank's end (rank_exit.hpp).
  const std::vector<void (*)()>& destructors() const { return destructors_; }

private:
  std::string name_;
  Main main_;
  LoadedObject object_;
  std::vector<void (*)()> destructors_;
};

} // namespace hypermon
