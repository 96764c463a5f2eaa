// SPDX-License-Identifier: BSD-3-Clause
// Finds the send of each received message from the observed MPI calls: messages of the same communicator,
// source, destination and tag are paired in their order. Used to judge timestamps by messages. Persistent requests are
// left out.
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
    int rank; ///< rank in MPI_COMM_WORLD, as all ranks below
    Time stamp;
  };
  /// True if the call sends a message that a receive may take.
  static bool sends(const MpiCall& call);
  /// Call at the entry of a call for which sends() is true. `stamp`: timestamp that is kept for the matching receive.
  void enter(int rank, const MpiCall& call, Time stamp);
  /// Call at the exit of each call. Returns for each message that it has received the send, if that is known.
  std::vector<std::optional<Sent>> leave(int rank, const MpiCall& call);

private:
  /// A communicator's members. Communicators with the same members share one object.
  using Members = std::vector<int>;
  using Envelope = std::tuple<const Members*, int, int, int>; // members, source, destination, tag
  const Members& members(int rank, MPI_Comm comm);
  std::optional<Sent> take(const Members& members, int rank, const MPI_Status& status);

  std::set<Members> known_;
  std::map<std::pair<int, MPI_Comm>, const Members*> of_rank_;
  std::map<std::pair<int, MPI_Request>, const Members*> posted_;
  std::map<Envelope, std::deque<Sent>> on_the_way_;
};

} // namespace hypermon
