// SPDX-License-Identifier: BSD-3-Clause
// The MPI library on a packet network (machine.messages = packets) for all ranks of a run: messages between two ranks,
// collective calls, and their requests. Data are copied here without simulated time; the time of a call follows from
// its steps and messages (core/). A program's request is an SMPI request that is never started: SMPI checks its
// arguments and keeps their types.
#pragma once
#include "sw/messages/collective_data.hpp"
#include "sw/messages/core/params.hpp"
#include "sw/messages/core/point_to_point.hpp"
#include "sw/mpi/communicator.hpp"
#include "sw/mpi/held.hpp"
#include "sw/mpi/layer.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace hypermon::messages {

/// A request under way or complete.
struct Request {
  bool done = false;
  std::function<void(MPI_Status&)> fill_status{}; // fills in the status of a completed request
  std::function<int()> take{}; // stores the data of a completed request; called once, in the rank's actor
  std::function<void()> cancel{};
  std::vector<Held> held{}; // objects that the request needs even if the program frees them
};
using RequestPtr = std::shared_ptr<Request>;

/// Requests of a rank between its calls.
struct RankRequests {
  std::map<MPI_Request, RequestPtr> active;
  std::map<MPI_Request, std::function<RequestPtr()>> persistent;
  std::vector<RequestPtr> freed; // freed requests whose data must still be taken
  simgrid::s4u::SemaphorePtr bell;
};

class Library {
public:
  Library(const PacketMessageParams& messages, const CollectivesParams& collectives, OperatingSystem& os,
          MpiLayer& mpi);
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();

  Wire& wire() { return wire_; }
  PointToPoint& messages() { return messages_; }
  const CollectivesParams& collectives() const { return collectives_; }
  RankRequests& requests_of(const RankState& rank) { return requests_[static_cast<std::size_t>(rank.rank)]; }

  /// The request is complete. Can be called from any actor or callback.
  void complete(const RankState& rank, Request& request);
  /// Wakes the rank if it waits for such an arrival.
  void ring(int rank);
  /// For MPI_Finalize: blocks until all requests that the program has freed are complete.
  void await_freed(RankState& self);
  /// Blocks the calling rank until `is_so()`, which is evaluated after each arrival.
  template <class IsSo> void await(RankState& self, const WaitsFor& what, IsSo&& is_so) {
    const Waiting waiting(self.waits_for, what);
    while (!is_so()) sleep(self);
    settle(self);
  }
  /// One step of the calling rank, which waits for its end.
  void step(RankState& self);
  /// A step of a call that programs repeat until something has arrived. It takes some time even on an ideal network, so
  /// that such loops end.
  void poll(RankState& self);
  /// The rank's next collective call in the communicator. All members share the object.
  CollectiveCall& next_call(const RankState& self, const Communicator& comm, const char* function);
  /// The rank has taken its result.
  void leave(CollectiveCall& call);

private:
  void sleep(RankState& self);
  /// Takes the data of requests that the program has freed.
  void settle(RankState& self);

  OperatingSystem& os_;
  CollectivesParams collectives_;
  Wire wire_;
  PointToPoint messages_;
  std::vector<RankRequests> requests_;
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> made_; // collective calls, by rank and context
  // collective calls by context and number
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::unique_ptr<CollectiveCall>> calls_;
};

/// The process has one library: MPI's functions get no argument from hypermon.
Library& library();

inline OperationId call_of(const RankState& rank) { return OperationId::of_call(rank.rank, rank.call.number); }
inline std::uint64_t context_of(const Communicator& comm) { return static_cast<std::uint64_t>(comm.context); }

// Building blocks of MPI calls.
RequestPtr begin_send(RankState& self, const Communicator& comm, const void* data, int count, MPI_Datatype type, int to,
                      int tag, bool synchronous);
RequestPtr begin_receive(RankState& self, const Communicator& comm, void* data, int count, MPI_Datatype type, int from,
                         int tag);
/// Makes a message or a receive without starting it.
std::shared_ptr<Message> make_message(const RankState& self, const Communicator& comm, Bytes data, int to, int tag);
std::shared_ptr<Receive> make_receive(const RankState& self, const Communicator& comm, int from, int tag);
/// Sets the status of a completed receive and the destination of its data.
void describe(Request& request, const std::shared_ptr<Receive>& receive, const Communicator& comm, void* data,
              int count, MPI_Datatype type);
void fill(MPI_Status& status, const Communicator& comm, const Message& message);
/// Blocks until the request is done and returns its result. `status` may be MPI_STATUS_IGNORE.
int finish(RankState& self, const RequestPtr& request, const WaitsFor& what, MPI_Status* status);
int taken(Request& request, MPI_Status* status);
/// Gives the program a request of which only the handle is SMPI's. `token`: result of the SMPI call that made the
/// handle.
int hand_out(RankState& self, MPI_Request* request, int token, const RequestPtr& under_way);

void add_point_to_point_calls(MpiTable& table);
void add_exchange_calls(MpiTable& table);
void add_persistent_calls(MpiTable& table);
void add_completion_calls(MpiTable& table);
void add_probe_calls(MpiTable& table);
void add_collective_calls(MpiTable& table);

} // namespace hypermon::messages
