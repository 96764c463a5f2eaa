// SPDX-License-Identifier: BSD-3-Clause
// Building blocks of NX/2's point-to-point calls: their system calls, and the messages that a rank remembers between
// them.
#pragma once
#include "sw/mpi/arguments.hpp"
#include "sw/mpi/buffers.hpp"
#include "sw/nx2/calls.hpp"
#include "sw/nx2/protocol.hpp"
#include "sw/os/system_call.hpp"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace hypermon::point_to_point {

using namespace system_call;

/// Arguments of MPI_Send_init or MPI_Recv_init.
struct Persistent {
  bool is_send;
  bool synchronous;
  Communicator comm;
  std::int64_t bytes;
  int peer;
  int tag;
  std::function<int()> send{}; // for a short message: passes it to SMPI as a separate message
};

/// A request that the program freed before it was complete. SMPI still works with it.
struct Freed {
  MPI_Request request;
  bool is_persistent;
  std::shared_ptr<Receive> receive; // either this or a message
  std::shared_ptr<Message> message;
};

/// Requests of a rank between its calls. A persistent request is in `receives` or `sends` while it is active.
struct Calls {
  std::map<MPI_Request, std::shared_ptr<Receive>> receives;
  std::map<MPI_Request, std::shared_ptr<Message>> sends;
  std::map<MPI_Request, Persistent> persistent;
  std::vector<Freed> freed;
};

inline Calls& calls(const RankState& self) {
  static std::vector<Calls> all(rank_table().all().size());
  return all[static_cast<std::size_t>(self.rank)];
}

inline void begin_send(NodeKernel& k, Call call, const Message& m) {
  enter(k, call);
  k.spend(protocol().overhead(m.bytes));
  k.emit(Point::send_start, protocol().describe(m, m.destination), m.id, MessageSide::send);
}

/// `from`, `tag`: as in MPI, including MPI_ANY_SOURCE and MPI_ANY_TAG.
std::shared_ptr<Receive> make_receive(const Communicator& comm, int from, int tag, std::int64_t room = 0);

/// The data that SMPI gets for a message. SMPI keeps small receives apart, where only short messages find them, and
/// would never match one with a long message. A long message for a small receive is therefore shortened, to a size that
/// is still too large for the receive if possible.
struct Payload {
  const void* data;
  int count;
  MPI_Datatype type;
};

Payload payload(const std::shared_ptr<Message>& m, const void* data, int count, MPI_Datatype type);

/// Blocks for ever: the rank's call waits for a rank that has ended.
[[noreturn]] void wait_for_ever();

/// True if the only rank that could receive the message has ended. SMPI is not given such a message, because it would
/// end the run. A short message is sent all the same; a long one is never granted.
inline bool is_lost(const Message& message) { return rank_table().has_ended(message.destination); }

/// Reads the data as a send does, so that invalid arguments are found.
int read_data(const void* data, int count, MPI_Datatype type);
/// Makes a request for a message that SMPI does not see.
int make_lost_request(Message& message, MPI_Comm comm, MPI_Request* request);
/// Completes the request of such a message, or waits for ever.
int wait_for_apart(const Message& message, bool is_persistent, MPI_Request* request, MPI_Status* status);

/// Result of a receive that SMPI has completed with `returned`.
inline int result_of(const Receive& receive, int returned) {
  return returned == MPI_SUCCESS && receive.message && !receive.message->cut.empty() ? MPI_ERR_TRUNCATE : returned;
}

/// An isend: `start()` passes the message to SMPI. The data of a long message do not wait for the grant.
template <class Start>
int begin_isend(RankState& self, const Communicator& comm, std::int64_t bytes, int to, int tag, bool synchronous,
                std::shared_ptr<Message>& message, Start&& start) {
  message = protocol().prepare(self.rank, comm.world(to), tag, comm.context, bytes, false, synchronous);
  execution().kernel_work(self, [&](NodeKernel& k) { begin_send(k, Call::isend, *message); });
  protocol().send(message);
  const int status = start();
  execution().kernel_work(self, [&](NodeKernel& k) {
    if (!message->is_short) k.emit(Point::request_sent, protocol().describe(*message, message->destination));
    leave(k, Call::isend);
  });
  return status;
}

/// Posts a receive and passes it to SMPI with `start()`. If a long message's request is already waiting, grants it.
template <class Start>
std::shared_ptr<Receive> post(RankState& self, Call call, const Communicator& comm, std::int64_t room, int from,
                              int tag, Start&& start) {
  auto receive = make_receive(comm, from, tag, room);
  execution().kernel_work(self, [&](NodeKernel& k) {
    enter(k, call);
    k.emit(Point::receive_posted,
           {.peer = static_cast<std::uint32_t>(source_in_world(comm, from)), .tag = static_cast<std::uint32_t>(tag)});
  });
  protocol().post(self.rank, receive);
  start();
  if (receive->message && receive->message->request_noticed && !receive->message->granted)
    execution().kernel_work(self, [&](NodeKernel& k) { protocol().grant(k, receive->message); });
  return receive;
}

template <class Start>
void begin_irecv(RankState& self, const Communicator& comm, std::int64_t room, int from, int tag,
                 const MPI_Request& request, Start&& start) {
  const auto receive = post(self, Call::irecv, comm, room, from, tag, start);
  execution().kernel_work(self, [&](NodeKernel& k) {
    k.spend(execution().syscall_cost());
    leave(k, Call::irecv);
  });
  calls(self).receives[request] = receive;
}

/// SMPI reports `status` for `receive`: corrects the matching here if it differs.
void agree(const RankState& self, const std::shared_ptr<Receive>& receive, const MPI_Status& status);

/// After its sleep the rank processes the delivery that it waited for.
inline void take_delivery(NodeKernel& k, const Receive& receive) {
  if (receive.message && !receive.message->arrival_noticed) protocol().take_delivery(k, *receive.message);
}

/// Completes the freed requests whose data have arrived. Any call that waits may have let the rank notice them.
void settle(RankState& self);
/// For MPI_Finalize: waits for all freed requests.
void await_freed(RankState& self);

/// Completes a posted receive: if its data have not arrived, the rank sleeps until `wait(status)` returns.
template <class Wait>
int complete(RankState& self, Call call, const std::shared_ptr<Receive>& receive, MPI_Status* status, Wait&& wait) {
  const bool here = receive->message && receive->message->arrival_noticed;
  if (!here) {
    receive->blocked = true;
    execution().kernel_work(self, [&](NodeKernel& k) { switch_out(k); });
  }
  MPI_Status own{};
  if (status == MPI_STATUS_IGNORE) status = &own;
  const int returned = wait(status);
  agree(self, receive, *status);
  execution().kernel_work(self, [&](NodeKernel& k) {
    if (!here) {
      take_delivery(k, *receive);
      switch_in(k);
    }
    leave(k, call);
  });
  settle(self);
  return result_of(*receive, returned);
}

// Calls from which other calls are composed.
int call_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int call_recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status);
int call_irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request);
int call_wait(MPI_Request* request, MPI_Status* status);

} // namespace hypermon::point_to_point
