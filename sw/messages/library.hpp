// SPDX-License-Identifier: BSD-3-Clause
// MPI's library on a network of packets (machine.messages = packets), of all ranks of a run: messages of two ranks,
// collective calls, and the requests that stand for them. Data are copied here, and nothing of it takes time; what a
// call takes follows from its steps and messages (core/). A program's request is one of SMPI's that is never started:
// it checks the arguments and keeps their types.
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

/// Under way, or complete.
struct Request {
  bool done = false;
  std::function<void(MPI_Status&)> tell{}; // of one that is done
  std::function<int()> take{};             // of one that is done, once, in the rank's actor: its data to their places
  std::function<void()> cancel{};
  std::vector<Held> held{}; // what it works with, though the program may free it
};
using RequestPtr = std::shared_ptr<Request>;

/// What a rank keeps between its calls.
struct Books {
  std::map<MPI_Request, RequestPtr> active;
  std::map<MPI_Request, std::function<RequestPtr()>> persistent;
  std::vector<RequestPtr> freed; // whose data are still to be taken
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
  Books& books(const RankState& rank) { return books_[static_cast<std::size_t>(rank.rank)]; }

  /// The request is complete; from anywhere.
  void complete(const RankState& rank, Request& request);
  /// Something has come for the rank, which may wait for it.
  void ring(int rank);
  /// MPI_Finalize: blocks until all requests that the program has freed are complete.
  void await_freed(RankState& self);
  /// Blocks the calling rank until `is_so()`, which is asked whenever something has come.
  template <class IsSo> void await(RankState& self, const WaitsFor& what, IsSo&& is_so) {
    const Waiting waiting(self, what);
    while (!is_so()) sleep(self);
    settle(self);
  }
  /// A step of the calling rank, which waits for it.
  void step(RankState& self);
  /// The same for a call that programs make again and again until something has come: some time passes, even on an
  /// ideal network.
  void poll(RankState& self);
  /// The rank's next collective call of the communicator: what all its members share.
  CollectiveCall& next_call(const RankState& self, const Communicator& comm, const char* function);
  /// The rank has taken what it gets.
  void leave(CollectiveCall& call);

private:
  void sleep(RankState& self);
  /// Takes the data of requests that the program has freed.
  void settle(RankState& self);

  OperatingSystem& os_;
  CollectivesParams collectives_;
  Wire wire_;
  PointToPoint messages_;
  std::vector<Books> books_;
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> made_; // collective calls, by rank and context
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::unique_ptr<CollectiveCall>> calls_; // by context and number
};

/// The one of the process: MPI's functions have no argument of ours.
Library& library();

inline OperationId call_of(const RankState& rank) { return OperationId::of_call(rank.rank, rank.call_number); }
inline std::uint64_t context_of(const Communicator& comm) { return static_cast<std::uint64_t>(comm.context); }

// What calls are made of.
RequestPtr begin_send(RankState& self, const Communicator& comm, const void* data, int count, MPI_Datatype type, int to,
                      int tag, bool synchronous);
RequestPtr begin_receive(RankState& self, const Communicator& comm, void* data, int count, MPI_Datatype type, int from,
                         int tag);
/// A message and a receive, not begun.
std::shared_ptr<Message> make_message(const RankState& self, const Communicator& comm, Bytes data, int to, int tag);
std::shared_ptr<Receive> make_receive(const RankState& self, const Communicator& comm, int from, int tag);
/// What is said of it when it is done, and where its data go.
void describe(Request& request, const std::shared_ptr<Receive>& receive, const Communicator& comm, void* data,
              int count, MPI_Datatype type);
void fill(MPI_Status& status, const Communicator& comm, const Message& message);
/// Blocks until it is done; its result. `status` may be MPI_STATUS_IGNORE.
int finish(RankState& self, const RequestPtr& request, const WaitsFor& what, MPI_Status* status);
int taken(Request& request, MPI_Status* status);
/// Hands out a request of which nothing but the handle is SMPI's; `token` has made it.
int hand_out(RankState& self, MPI_Request* request, int token, const RequestPtr& under_way);

void add_point_to_point_calls(MpiTable& table);
void add_exchange_calls(MpiTable& table);
void add_persistent_calls(MpiTable& table);
void add_completion_calls(MpiTable& table);
void add_probe_calls(MpiTable& table);
void add_collective_calls(MpiTable& table);

} // namespace hypermon::messages
