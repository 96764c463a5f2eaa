// SPDX-License-Identifier: BSD-3-Clause
// Which send a receive has taken, as observers of MPI calls can tell it: by communicator, source, destination and tag,
// in their order. For who judges timestamps by messages. Not of persistent requests.
#pragma once
#include "sw/mpi/observer.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace hypermon {

class MessagePairs {
public:
  struct Sent {
    int rank; ///< of MPI_COMM_WORLD, as those below
    Time stamp;
  };
  /// Does the call send a message that a receive may take?
  static bool sends(const MpiCall& call);
  /// At a call's entry, if it does. `stamp`: what its receive is told.
  void enter(int rank, const MpiCall& call, Time stamp);
  /// At its exit: the messages that it has received, each with its send, if that is known.
  std::vector<std::optional<Sent>> leave(int rank, const MpiCall& call);

private:
  /// A communicator's members; the same object for the same ones.
  using Members = std::vector<int>;
  using Envelope = std::tuple<const Members*, int, int, int>; // source, destination, tag
  const Members& members(int rank, MPI_Comm comm);
  std::optional<Sent> take(const Members& members, int rank, const MPI_Status& status);

  std::set<Members> known_;
  std::map<std::pair<int, MPI_Comm>, const Members*> of_rank_;
  std::map<std::pair<int, MPI_Request>, const Members*> posted_;
  std::map<Envelope, std::deque<Sent>> on_the_way_;
};

} // namespace hypermon
