// The program's point-to-point calls: each becomes the NX/2 calls that an iPSC/2 program would make, with their events
// and costs, around SMPI's, which move the data. Global operations: mpi_collectives.cpp. What is not modelled goes to
// SMPI as it is, without events and without start-up costs (docs/design/mpi.md).
#include "sw/nx2/mpi_calls.hpp"
#include "sw/instrumentation/system_calls.hpp"
#include "sw/nx2/clock_looks.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace hypermon {
namespace {

using Call = SystemCall;

/// What MPI_Send_init or MPI_Recv_init was told.
struct Persistent {
  bool is_send;
  bool synchronous;
  Communicator comm;
  std::int64_t bytes;
  int peer;
  int tag;
};

/// What a rank keeps between its calls. A persistent request is in `receives` or `sends` while it is active.
struct Calls {
  std::map<MPI_Request, std::shared_ptr<Receive>> receives;
  std::map<MPI_Request, std::shared_ptr<Message>> sends;
  std::map<MPI_Request, Persistent> persistent;
};

Calls& calls(const RankState& self) {
  static std::vector<Calls> all(nx2().ranks().size());
  return all[static_cast<std::size_t>(self.rank)];
}

void enter(NodeKernel& k, Call call) { k.emit(Point::syscall_entry, {.call = static_cast<std::uint32_t>(call)}); }
void leave(NodeKernel& k, Call call) { k.emit(Point::syscall_exit, {.call = static_cast<std::uint32_t>(call)}); }
void switch_out(NodeKernel& k) { k.emit(Point::switch_out, {.process = index(k.node())}); }
void switch_in(NodeKernel& k) { k.emit(Point::switch_in, {.process = index(k.node())}); }

/// A system call that waits for a message begins.
void begin_wait(RankState& self, Call call) {
  nx2().kernel_work(self, [&](NodeKernel& k) {
    enter(k, call);
    k.spend(nx2().syscall_cost());
  });
}

/// A system call that moves no data.
void plain_call(RankState& self, Call call) {
  nx2().kernel_work(self, [&](NodeKernel& k) {
    enter(k, call);
    k.spend(nx2().syscall_cost());
    leave(k, call);
  });
}

void begin_send(NodeKernel& k, Call call, const Message& m) {
  enter(k, call);
  k.spend(nx2().overhead(m.bytes));
  k.emit(Point::send_start, nx2().describe(m, m.destination), m.id, MessageSide::send);
}

std::shared_ptr<Receive> make_receive(const Communicator& comm, int from, int tag, std::int64_t room = 0) {
  auto receive = std::make_shared<Receive>();
  receive->room = room;
  receive->context = comm.context;
  receive->members = comm.members;
  if (from != MPI_ANY_SOURCE) receive->source = comm.world(from);
  if (tag != MPI_ANY_TAG) receive->tag = tag;
  return receive;
}

bool is_tag(int tag) { return tag >= 0 || tag == MPI_ANY_TAG; }

/// What may be sent to a member, or received from one; anything else is SMPI's to refuse or to ignore.
bool sendable(const Communicator* known, const void* data, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm) {
  return known != nullptr && known->has(to) && is_tag(tag) && is_good(data, count, type, comm);
}

bool receivable(const Communicator* known, const void* data, int count, MPI_Datatype type, int from, int tag,
                MPI_Comm comm) {
  return known != nullptr && (known->has(from) || from == MPI_ANY_SOURCE) && is_tag(tag) &&
         is_good(data, count, type, comm);
}

int source_in_world(const Communicator& comm, int from) { return from == MPI_ANY_SOURCE ? from : comm.world(from); }

/// What SMPI is given of a message. It keeps receives of few bytes apart from long messages, for short ones to find
/// them, and would never bring these together: it gets as much as is too much.
struct Payload {
  const void* data;
  int count;
  MPI_Datatype type;
};

Payload payload(const std::shared_ptr<Message>& m, const void* data, int count, MPI_Datatype type) {
  const auto receive = m->receive.lock();
  if (!receive || nx2().is_short(m->bytes) || !nx2().is_short(receive->room)) return {data, count, type};
  m->cut.resize(static_cast<std::size_t>(m->bytes));
  copy(data, count, type, m->cut.data(), static_cast<int>(m->bytes), MPI_BYTE);
  const std::int64_t sent = receive->room + (nx2().is_short(receive->room + 1) ? 1 : 0);
  m->cut.resize(static_cast<std::size_t>(sent));
  nx2().shorten(m, sent);
  return {m->cut.data(), static_cast<int>(sent), MPI_BYTE};
}

/// What a receive that SMPI has completed returns.
int told(const Receive& receive, int returned) {
  return returned == MPI_SUCCESS && receive.message && !receive.message->cut.empty() ? MPI_ERR_TRUNCATE : returned;
}

// Sends that do not wait for the receiver
// ---------------------------------------------------------------------------------------

/// An isend: `start()` gives the message to SMPI. A long one's data do not await the grant.
template <class Start>
int begin_isend(RankState& self, const Communicator& comm, std::int64_t bytes, int to, int tag, bool synchronous,
                std::shared_ptr<Message>& message, Start&& start) {
  Nx2& os = nx2();
  message = os.prepare(self.rank, comm.world(to), tag, comm.context, bytes, false, synchronous);
  os.kernel_work(self, [&](NodeKernel& k) { begin_send(k, Call::isend, *message); });
  os.send(message);
  const int status = start();
  os.kernel_work(self, [&](NodeKernel& k) {
    if (!message->is_short) k.emit(Point::request_sent, os.describe(*message, message->destination));
    leave(k, Call::isend);
  });
  return status;
}

using Isend = decltype(&::PMPI_Isend);

template <Isend MpiTable::*Real, bool synchronous>
int call_isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  const bool fits = Real != &MpiTable::Ibsend || is_bufferable(data, count, type, to, tag, comm);
  if (request == nullptr || !sendable(known, data, count, type, to, tag, comm) || !fits)
    return (smpi().*Real)(data, count, type, to, tag, comm, request);
  std::shared_ptr<Message> message;
  const int status = begin_isend(self, *known, bytes_of(count, type), to, tag, synchronous, message, [&] {
    const Payload p = payload(message, data, count, type);
    return (smpi().*Real)(p.data, p.count, p.type, to, tag, known->smpi, request);
  });
  if (status == MPI_SUCCESS) calls(self).sends[*request] = message;
  return status;
}

/// The system keeps a copy: it goes on like an isend, and nobody waits for it.
int call_bsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (!sendable(known, data, count, type, to, tag, comm) || !is_bufferable(data, count, type, to, tag, comm))
    return smpi().Bsend(data, count, type, to, tag, comm);
  std::shared_ptr<Message> message;
  return begin_isend(self, *known, bytes_of(count, type), to, tag, false, message, [&] {
    const Payload p = payload(message, data, count, type);
    return smpi().Bsend(p.data, p.count, p.type, to, tag, known->smpi);
  });
}

// Receives
// ------------------------------------------------------------------------------------------------------

/// Makes the buffer known, with `start()` to SMPI; a request that waits for it is granted.
template <class Start>
std::shared_ptr<Receive> post(RankState& self, Call call, const Communicator& comm, std::int64_t room, int from,
                              int tag, Start&& start) {
  Nx2& os = nx2();
  auto receive = make_receive(comm, from, tag, room);
  os.kernel_work(self, [&](NodeKernel& k) {
    enter(k, call);
    k.emit(Point::receive_posted,
           {.peer = static_cast<std::uint32_t>(source_in_world(comm, from)), .tag = static_cast<std::uint32_t>(tag)});
  });
  os.post(self.rank, receive);
  start();
  if (receive->message && receive->message->request_noticed && !receive->message->granted)
    os.kernel_work(self, [&](NodeKernel& k) { os.grant(k, receive->message); });
  return receive;
}

template <class Start>
void begin_irecv(RankState& self, const Communicator& comm, std::int64_t room, int from, int tag,
                 const MPI_Request& request, Start&& start) {
  const auto receive = post(self, Call::irecv, comm, room, from, tag, start);
  nx2().kernel_work(self, [&](NodeKernel& k) {
    k.spend(nx2().syscall_cost());
    leave(k, Call::irecv);
  });
  calls(self).receives[request] = receive;
}

int call_irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !receivable(known, data, count, type, from, tag, comm))
    return smpi().Irecv(data, count, type, from, tag, comm, request);
  *request = MPI_REQUEST_NULL;
  int status = MPI_SUCCESS;
  begin_irecv(self, *known, bytes_of(count, type), from, tag, *request,
              [&] { status = smpi().Irecv(data, count, type, from, tag, known->smpi, request); });
  return status;
}

/// SMPI says that `receive` got `status`: our books shall say the same.
void agree(const RankState& self, const std::shared_ptr<Receive>& receive, const MPI_Status& status) {
  const auto& members = *receive->members;
  if (!receive->message || status.MPI_ERROR != MPI_SUCCESS || status.MPI_SOURCE < 0) return;
  if (!receive->message->cut.empty()) return;
  const int source = members[static_cast<std::size_t>(status.MPI_SOURCE)];
  const auto fits = [&](const Message& m) {
    return m.context == receive->context && m.source == source && m.tag == status.MPI_TAG && m.bytes == status.count;
  };
  if (fits(*receive->message)) return;
  for (const auto& [request, other] : calls(self).receives)
    if (other->message && fits(*other->message)) {
      const auto mine = receive->message;
      Matcher::match(receive, other->message);
      Matcher::match(other, mine);
      return;
    }
  nx2().matcher(self.rank).correct(receive, source, status.MPI_TAG, status.count);
}

/// The rank takes what it slept for.
void take_delivery(NodeKernel& k, const Receive& receive) {
  if (receive.message && !receive.message->arrival_noticed) nx2().take_delivery(k, *receive.message);
}

/// After a receive's post: if its data are not here yet the rank sleeps, until `wait(status)` returns.
template <class Wait>
int complete(RankState& self, Call call, const std::shared_ptr<Receive>& receive, MPI_Status* status, Wait&& wait) {
  Nx2& os = nx2();
  const bool here = receive->message && receive->message->arrival_noticed;
  if (!here) {
    receive->blocked = true;
    os.kernel_work(self, [&](NodeKernel& k) { switch_out(k); });
  }
  MPI_Status own{};
  if (status == MPI_STATUS_IGNORE) status = &own;
  const int returned = wait(status);
  agree(self, receive, *status);
  os.kernel_work(self, [&](NodeKernel& k) {
    if (!here) {
      take_delivery(k, *receive);
      switch_in(k);
    }
    leave(k, call);
  });
  return told(*receive, returned);
}

int call_wait(MPI_Request* request, MPI_Status* status);

int call_recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (!receivable(known, data, count, type, from, tag, comm))
    return smpi().Recv(data, count, type, from, tag, comm, status);
  return receive(self, *known, data, count, type, from, tag, status);
}

int call_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (!sendable(known, data, count, type, to, tag, comm)) return smpi().Send(data, count, type, to, tag, comm);
  return send(self, *known, data, count, type, to, tag);
}

int call_ssend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (!sendable(known, data, count, type, to, tag, comm)) return smpi().Ssend(data, count, type, to, tag, comm);
  return send(self, *known, data, count, type, to, tag, true);
}

/// Both halves are good, before one of them is begun.
bool exchangeable(const Communicator* known, const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag,
                  const void* in, int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm) {
  return (to == MPI_PROC_NULL ? is_tag(out_tag) && is_good(out, out_count, out_type, comm)
                              : sendable(known, out, out_count, out_type, to, out_tag, comm)) &&
         (from == MPI_PROC_NULL ? is_tag(in_tag) && is_good(in, in_count, in_type, comm)
                                : receivable(known, in, in_count, in_type, from, in_tag, comm));
}

int call_sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in, int in_count,
                  MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  const Communicator* known = find(nx2().self(), comm);
  if (!exchangeable(known, out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm))
    return smpi().Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
  if (nx2().is_short(bytes_of(out_count, out_type))) {
    const int sent = call_send(out, out_count, out_type, to, out_tag, comm);
    return sent == MPI_SUCCESS ? call_recv(in, in_count, in_type, from, in_tag, comm, status) : sent;
  }
  MPI_Request request = MPI_REQUEST_NULL; // a long send blocks until its receive is posted
  if (const int begun = call_irecv(in, in_count, in_type, from, in_tag, comm, &request); begun != MPI_SUCCESS)
    return begun;
  const int sent = call_send(out, out_count, out_type, to, out_tag, comm);
  const int received = call_wait(&request, status);
  return sent == MPI_SUCCESS ? received : sent;
}

int call_sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                          MPI_Comm comm, MPI_Status* status) {
  const Communicator* known = find(nx2().self(), comm);
  if (!exchangeable(known, data, count, type, to, out_tag, data, count, type, from, in_tag, comm))
    return smpi().Sendrecv_replace(data, count, type, to, out_tag, from, in_tag, comm, status);
  const auto bytes = static_cast<int>(bytes_of(count, type));
  std::vector<char> out(static_cast<std::size_t>(bytes));
  if (to != MPI_PROC_NULL)
    if (const int status = copy(data, count, type, out.data(), bytes, MPI_BYTE); status != MPI_SUCCESS) return status;
  return call_sendrecv(out.data(), bytes, MPI_BYTE, to, out_tag, data, count, type, from, in_tag, comm, status);
}

// Persistent requests
// -------------------------------------------------------------------------------------------

using SendInit = decltype(&::PMPI_Send_init);

template <SendInit MpiTable::*Real, bool synchronous>
int call_send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !sendable(known, data, count, type, to, tag, comm))
    return (smpi().*Real)(data, count, type, to, tag, comm, request);
  const int status = (smpi().*Real)(data, count, type, to, tag, known->smpi, request);
  if (status != MPI_SUCCESS) return status;
  calls(self).persistent.insert_or_assign(*request,
                                          Persistent{true, synchronous, *known, bytes_of(count, type), to, tag});
  return status;
}

int call_recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !receivable(known, data, count, type, from, tag, comm))
    return smpi().Recv_init(data, count, type, from, tag, comm, request);
  const int status = smpi().Recv_init(data, count, type, from, tag, known->smpi, request);
  if (status != MPI_SUCCESS) return status;
  calls(self).persistent.insert_or_assign(*request, Persistent{false, false, *known, bytes_of(count, type), from, tag});
  return status;
}

int call_start(MPI_Request* request) {
  if (request == nullptr) return smpi().Start(request);
  RankState& self = nx2().self();
  const auto it = calls(self).persistent.find(*request);
  if (it == calls(self).persistent.end()) return smpi().Start(request);
  const Persistent p = it->second;
  int status = MPI_SUCCESS;
  const auto start = [&] { return status = smpi().Start(request); };
  if (p.is_send)
    begin_isend(self, p.comm, p.bytes, p.peer, p.tag, p.synchronous, calls(self).sends[*request], start);
  else
    begin_irecv(self, p.comm, p.bytes, p.peer, p.tag, *request, start);
  return status;
}

int call_startall(int count, MPI_Request* requests) {
  if (requests == nullptr || std::find(requests, requests + std::max(count, 0), MPI_REQUEST_NULL) < requests + count)
    return smpi().Startall(count, requests);
  int status = MPI_SUCCESS;
  for (int i = 0; i < count && status == MPI_SUCCESS; ++i) status = call_start(&requests[i]);
  return status;
}

int call_request_free(MPI_Request* request) {
  if (request == nullptr) return smpi().Request_free(request);
  Calls& mine = calls(nx2().self());
  mine.receives.erase(*request);
  mine.sends.erase(*request);
  mine.persistent.erase(*request);
  return smpi().Request_free(request);
}

int call_cancel(MPI_Request* request) {
  if (request == nullptr) return smpi().Cancel(request);
  const RankState& self = nx2().self();
  const auto r = calls(self).receives.find(*request);
  if (r != calls(self).receives.end()) nx2().matcher(self.rank).withdraw(r->second);
  return smpi().Cancel(request);
}

// Completion
// ----------------------------------------------------------------------------------------------------

int call_wait(MPI_Request* request, MPI_Status* status) {
  if (request == nullptr) return smpi().Wait(request, status);
  RankState& self = nx2().self();
  Calls& mine = calls(self);
  const auto wait = [&](MPI_Status* s) {
    const Waiting waiting(self, {"MPI_Wait"});
    return smpi().Wait(request, s);
  };
  if (const auto r = mine.receives.find(*request); r != mine.receives.end()) {
    const auto receive = r->second;
    mine.receives.erase(r);
    begin_wait(self, Call::msgwait);
    return complete(self, Call::msgwait, receive, status, wait);
  }
  if (const auto s = mine.sends.find(*request); s != mine.sends.end()) {
    mine.sends.erase(s);
    begin_wait(self, Call::msgwait);
    const int result = wait(status);
    nx2().kernel_work(self, [&](NodeKernel& k) { leave(k, Call::msgwait); });
    return result;
  }
  return wait(status);
}

MPI_Status* nth(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

int call_waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (count < 0 || requests == nullptr) return smpi().Waitall(count, requests, statuses);
  int result = MPI_SUCCESS;
  for (int i = 0; i < count; ++i)
    if (call_wait(&requests[i], nth(statuses, i)) != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
  return result;
}

/// What the books say of a request: SMPI alone knows those that NX/2 does not model.
enum class Progress : std::uint8_t { inactive, unknown, under_way, done };

Progress progress(const Calls& mine, MPI_Request request) {
  if (const auto r = mine.receives.find(request); r != mine.receives.end())
    return r->second->message && r->second->message->arrival_noticed ? Progress::done : Progress::under_way;
  if (const auto s = mine.sends.find(request); s != mine.sends.end())
    return s->second->is_short || s->second->arrived ? Progress::done : Progress::under_way;
  return request == MPI_REQUEST_NULL || mine.persistent.contains(request) ? Progress::inactive : Progress::unknown;
}

/// Nothing to wait for, or arguments to refuse: SMPI's.
bool all_inactive(const Calls& mine, int count, const MPI_Request requests[]) {
  return count <= 0 || requests == nullptr || std::all_of(requests, requests + count, [&](MPI_Request r) {
           return progress(mine, r) == Progress::inactive;
         });
}

/// Completes a request whose end the books have noted, in no time.
int take(RankState& self, MPI_Request* request, MPI_Status* status) {
  Calls& mine = calls(self);
  MPI_Status own{};
  if (status == MPI_STATUS_IGNORE) status = &own;
  const auto r = mine.receives.find(*request);
  const auto receive = r == mine.receives.end() ? nullptr : r->second;
  if (receive) mine.receives.erase(r);
  mine.sends.erase(*request);
  const int result = smpi().Wait(request, status);
  if (!receive) return result;
  agree(self, receive, *status);
  return told(*receive, result);
}

/// Is the request complete? Then takes it.
bool test_one(RankState& self, MPI_Request* request, MPI_Status* status, int& result) {
  const auto known = progress(calls(self), *request);
  if (known == Progress::under_way) return false;
  if (known == Progress::done) {
    result = take(self, request, status);
    return true;
  }
  int flag = 0;
  result = smpi().Test(request, &flag, status);
  return flag != 0;
}

/// Sleeps until one of the requests is complete; which.
int wait_any(RankState& self, int count, MPI_Request requests[], MPI_Status* status, int& result) {
  Nx2& os = nx2();
  Calls& mine = calls(self);
  begin_wait(self, Call::msgwait);
  for (int i = 0; i < count; ++i)
    if (progress(mine, requests[i]) == Progress::done) {
      result = take(self, &requests[i], status);
      return i;
    }
  std::vector<std::shared_ptr<Receive>> receives(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    if (const auto r = mine.receives.find(requests[i]); r != mine.receives.end()) {
      receives[static_cast<std::size_t>(i)] = r->second;
      r->second->blocked = true;
    }
  os.kernel_work(self, [&](NodeKernel& k) { switch_out(k); });
  const std::vector<MPI_Request> before(requests, requests + count);
  MPI_Status own{};
  if (status == MPI_STATUS_IGNORE) status = &own;
  int which = MPI_UNDEFINED;
  {
    const Waiting waiting(self, {"MPI_Waitany"});
    result = smpi().Waitany(count, requests, &which, status);
  }
  const auto taken = which == MPI_UNDEFINED ? nullptr : receives[static_cast<std::size_t>(which)];
  if (which != MPI_UNDEFINED) {
    mine.receives.erase(before[static_cast<std::size_t>(which)]);
    mine.sends.erase(before[static_cast<std::size_t>(which)]);
  }
  if (taken) {
    agree(self, taken, *status);
    result = told(*taken, result);
  }
  os.kernel_work(self, [&](NodeKernel& k) {
    if (taken) take_delivery(k, *taken);
    switch_in(k);
  });
  for (const auto& receive : receives)
    if (receive && receive != taken) os.unblock(*receive);
  return which;
}

int call_waitany(int count, MPI_Request requests[], int* which, MPI_Status* status) {
  RankState& self = nx2().self();
  if (which == nullptr || all_inactive(calls(self), count, requests))
    return smpi().Waitany(count, requests, which, status);
  int result = MPI_SUCCESS;
  *which = wait_any(self, count, requests, status, result);
  nx2().kernel_work(self, [&](NodeKernel& k) { leave(k, Call::msgwait); });
  return result;
}

/// Appends all that are complete.
int test_more(RankState& self, int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  int result = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    if (progress(calls(self), requests[i]) == Progress::inactive) continue;
    int status = MPI_SUCCESS;
    if (!test_one(self, &requests[i], nth(statuses, *done), status)) continue;
    if (status != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
    indices[(*done)++] = i;
  }
  return result;
}

int call_waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  RankState& self = nx2().self();
  if (done == nullptr || all_inactive(calls(self), count, requests))
    return smpi().Waitsome(count, requests, done, indices, statuses);
  int result = MPI_SUCCESS;
  indices[0] = wait_any(self, count, requests, nth(statuses, 0), result);
  *done = 1;
  if (result != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
  const int more = test_more(self, count, requests, done, indices, statuses);
  nx2().kernel_work(self, [&](NodeKernel& k) { leave(k, Call::msgwait); });
  return result == MPI_SUCCESS ? more : result;
}

int call_test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (request == nullptr || flag == nullptr) return smpi().Test(request, flag, status);
  RankState& self = nx2().self();
  const MPI_Request before = *request;
  nx2().compute(self, nx2().test_cost());
  // SMPI 3.32 never takes a tested request off its actor's list of activities, a waited one it does; and our own books
  // know without a simcall whether a message is here.
  if (calls(self).receives.contains(before)) {
    *flag = progress(calls(self), before) == Progress::done ? 1 : 0;
    return *flag == 0 ? MPI_SUCCESS : take(self, request, status);
  }
  const int result = smpi().Test(request, flag, status);
  if (*flag != 0) calls(self).sends.erase(before);
  return result;
}

int call_testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  if (count < 0 || requests == nullptr || flag == nullptr) return smpi().Testall(count, requests, flag, statuses);
  RankState& self = nx2().self();
  nx2().compute(self, nx2().test_cost());
  std::vector<int> unknown;
  for (int i = 0; i < count; ++i) {
    const auto known = progress(calls(self), requests[i]);
    if (known == Progress::under_way) {
      *flag = 0;
      return MPI_SUCCESS;
    }
    if (known == Progress::unknown) unknown.push_back(i);
  }
  int result = MPI_SUCCESS;
  std::vector<MPI_Request> theirs;
  for (const int i : unknown) theirs.push_back(requests[i]);
  std::vector<MPI_Status> their_statuses(theirs.size());
  *flag = 1;
  if (!theirs.empty())
    result = smpi().Testall(static_cast<int>(theirs.size()), theirs.data(), flag, their_statuses.data());
  for (std::size_t u = 0; u < unknown.size(); ++u) {
    requests[unknown[u]] = theirs[u];
    if (statuses != MPI_STATUSES_IGNORE) statuses[unknown[u]] = their_statuses[u];
  }
  if (*flag == 0) return result;
  for (int i = 0; i < count; ++i)
    if (std::find(unknown.begin(), unknown.end(), i) == unknown.end() &&
        take(self, &requests[i], nth(statuses, i)) != MPI_SUCCESS)
      result = MPI_ERR_IN_STATUS;
  return result;
}

int call_testany(int count, MPI_Request requests[], int* which, int* flag, MPI_Status* status) {
  RankState& self = nx2().self();
  if (which == nullptr || flag == nullptr || all_inactive(calls(self), count, requests))
    return smpi().Testany(count, requests, which, flag, status);
  nx2().compute(self, nx2().test_cost());
  int result = MPI_SUCCESS;
  *flag = 0;
  *which = MPI_UNDEFINED;
  for (int i = 0; i < count && *flag == 0; ++i)
    if (progress(calls(self), requests[i]) != Progress::inactive && test_one(self, &requests[i], status, result)) {
      *flag = 1;
      *which = i;
    }
  return result;
}

int call_testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  RankState& self = nx2().self();
  if (done == nullptr || all_inactive(calls(self), count, requests))
    return smpi().Testsome(count, requests, done, indices, statuses);
  nx2().compute(self, nx2().test_cost());
  *done = 0;
  return test_more(self, count, requests, done, indices, statuses);
}

int call_request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  RankState& self = nx2().self();
  nx2().compute(self, nx2().test_cost());
  const Calls& mine = calls(self);
  if (flag == nullptr || progress(mine, request) != Progress::under_way)
    return smpi().Request_get_status(request, flag, status);
  *flag = 0;
  return MPI_SUCCESS;
}

// Probes
// --------------------------------------------------------------------------------------------------------

void fill(MPI_Status* status, const Communicator& comm, const Message& m) {
  if (status == MPI_STATUS_IGNORE) return;
  const auto source = std::find(comm.members->begin(), comm.members->end(), m.source) - comm.members->begin();
  status->MPI_SOURCE = static_cast<int>(source);
  status->MPI_TAG = m.tag;
  status->MPI_ERROR = MPI_SUCCESS;
  status->count = static_cast<int>(m.bytes);
  status->cancelled = 0;
}

int call_iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  RankState& self = nx2().self();
  plain_call(self, Call::iprobe);
  const Communicator* known = find(self, comm);
  if (flag == nullptr || !receivable(known, nullptr, 0, MPI_BYTE, from, tag, comm))
    return smpi().Iprobe(from, tag, comm, flag, status);
  const auto message = nx2().probe(self.rank, *make_receive(*known, from, tag));
  *flag = message != nullptr ? 1 : 0;
  if (message) fill(status, *known, *message);
  return MPI_SUCCESS;
}

int call_improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  plain_call(nx2().self(), Call::iprobe);
  return smpi().Improbe(from, tag, comm, flag, message, status);
}

int call_probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (!receivable(known, nullptr, 0, MPI_BYTE, from, tag, comm)) return smpi().Probe(from, tag, comm, status);
  begin_wait(self, Call::cprobe);
  const auto wanted = make_receive(*known, from, tag);
  auto message = nx2().probe(self.rank, *wanted);
  if (!message) {
    nx2().kernel_work(self, [&](NodeKernel& k) { switch_out(k); });
    const Waiting waiting(self, {"MPI_Probe", " for ", from, tag});
    while (!(message = nx2().probe(self.rank, *wanted))) nx2().await_notice(self.rank);
    nx2().kernel_work(self, [&](NodeKernel& k) { switch_in(k); });
  }
  nx2().kernel_work(self, [&](NodeKernel& k) { leave(k, Call::cprobe); });
  fill(status, *known, *message);
  return MPI_SUCCESS;
}

double call_wtime() {
  read_clock(nx2().self());
  return smpi().Wtime();
}

} // namespace

void read_clock(RankState& self) { plain_call(self, Call::mclock); }

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::int64_t>(count) * size;
}

int send(RankState& self, const Communicator& comm, const void* data, int count, MPI_Datatype type, int to, int tag,
         bool synchronous) {
  Nx2& os = nx2();
  const int there = comm.world(to);
  const auto message = os.prepare(self.rank, there, tag, comm.context, bytes_of(count, type), true, synchronous);
  os.kernel_work(self, [&](NodeKernel& k) { begin_send(k, Call::csend, *message); });
  os.send(message);
  const Waiting waiting(self, {"MPI_Send", " to ", there, tag});
  if (message->is_short) {
    const int status = smpi().Send(data, count, type, to, tag, comm.smpi);
    os.kernel_work(self, [&](NodeKernel& k) { leave(k, Call::csend); });
    return status;
  }
  os.kernel_work(self, [&](NodeKernel& k) {
    k.emit(Point::request_sent, os.describe(*message, message->destination));
    switch_out(k);
  });
  message->grant->acquire();
  os.kernel_work(self, [&](NodeKernel& k) { os.take_grant(k, *message); });
  const Payload p = payload(message, data, count, type);
  const int status = synchronous ? smpi().Ssend(p.data, p.count, p.type, to, tag, comm.smpi)
                                 : smpi().Send(p.data, p.count, p.type, to, tag, comm.smpi);
  os.kernel_work(self, [&](NodeKernel& k) {
    os.finish_departure(k, *message);
    switch_in(k);
    leave(k, Call::csend);
  });
  return status;
}

int receive(RankState& self, const Communicator& comm, void* data, int count, MPI_Datatype type, int from, int tag,
            MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  int begun = MPI_SUCCESS;
  const auto receive = post(self, Call::crecv, comm, bytes_of(count, type), from, tag,
                            [&] { begun = smpi().Irecv(data, count, type, from, tag, comm.smpi, &request); });
  if (begun != MPI_SUCCESS) return begun; // the arguments were good
  return complete(self, Call::crecv, receive, status, [&](MPI_Status* s) {
    const Waiting waiting(self, {"MPI_Recv", " from ", source_in_world(comm, from), tag});
    return smpi().Wait(&request, s);
  });
}

int send_receive(RankState& self, const Communicator& comm, const void* out, int out_count, MPI_Datatype out_type,
                 int to, int out_tag, void* in, int in_count, MPI_Datatype in_type, int from, int in_tag,
                 MPI_Status* status) {
  if (nx2().is_short(bytes_of(out_count, out_type))) {
    const int sent = send(self, comm, out, out_count, out_type, to, out_tag);
    const int received = receive(self, comm, in, in_count, in_type, from, in_tag, status);
    return sent == MPI_SUCCESS ? received : sent;
  }
  MPI_Request request = MPI_REQUEST_NULL; // a long send blocks until its receive is posted
  int begun = MPI_SUCCESS;
  begin_irecv(self, comm, bytes_of(in_count, in_type), from, in_tag, request,
              [&] { begun = smpi().Irecv(in, in_count, in_type, from, in_tag, comm.smpi, &request); });
  const int sent = send(self, comm, out, out_count, out_type, to, out_tag);
  const int received = call_wait(&request, status);
  if (begun != MPI_SUCCESS) return begun;
  return sent == MPI_SUCCESS ? received : sent;
}

int copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type) {
  std::vector<char> packed(static_cast<std::size_t>(bytes_of(from_count, from_type)));
  const auto size = static_cast<int>(packed.size());
  const auto element = static_cast<int>(bytes_of(1, to_type));
  if (size == 0 || element == 0) return size == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
  int position = 0;
  if (const int status = PMPI_Pack(from, from_count, from_type, packed.data(), size, &position, MPI_COMM_SELF);
      status != MPI_SUCCESS)
    return status;
  position = 0;
  const int status =
      PMPI_Unpack(packed.data(), size, &position, to, std::min(to_count, size / element), to_type, MPI_COMM_SELF);
  return status == MPI_SUCCESS && bytes_of(to_count, to_type) < size ? MPI_ERR_TRUNCATE : status;
}

MpiTable nx2_mpi() {
  MpiTable table = smpi();
  add_session_calls(table);
  table.Wtime = call_wtime;
  table.Send = call_send;
  table.Rsend = call_send;
  table.Ssend = call_ssend;
  table.Bsend = call_bsend;
  table.Isend = call_isend<&MpiTable::Isend, false>;
  table.Irsend = call_isend<&MpiTable::Irsend, false>;
  table.Issend = call_isend<&MpiTable::Issend, true>;
  table.Ibsend = call_isend<&MpiTable::Ibsend, false>;
  table.Send_init = call_send_init<&MpiTable::Send_init, false>;
  table.Rsend_init = call_send_init<&MpiTable::Rsend_init, false>;
  table.Ssend_init = call_send_init<&MpiTable::Ssend_init, true>;
  table.Bsend_init = call_send_init<&MpiTable::Bsend_init, false>;
  table.Recv = call_recv;
  table.Irecv = call_irecv;
  table.Recv_init = call_recv_init;
  table.Sendrecv = call_sendrecv;
  table.Sendrecv_replace = call_sendrecv_replace;
  table.Start = call_start;
  table.Startall = call_startall;
  table.Request_free = call_request_free;
  table.Cancel = call_cancel;
  table.Wait = call_wait;
  table.Waitall = call_waitall;
  table.Waitany = call_waitany;
  table.Waitsome = call_waitsome;
  table.Test = call_test;
  table.Testall = call_testall;
  table.Testany = call_testany;
  table.Testsome = call_testsome;
  table.Request_get_status = call_request_get_status;
  table.Iprobe = call_iprobe;
  table.Improbe = call_improbe;
  table.Probe = call_probe;
  add_communicator_calls(table);
  add_collective_calls(table);
  return table;
}

} // namespace hypermon

using namespace hypermon;

extern "C" {

/// sw/include/hypermon.h
void hypermon_compute(double operations, double ns_per_operation) {
  catch_up(nx2().self());
  const double ns = operations * ns_per_operation;
  nx2().check_reach(ns * 1e-9);
  nx2().charge(nx2().self(), Time::from_ns_rounded(ns));
}

/// sw/workloads/trace/trace.cpp
void hypermon_execute(double flops) { nx2().execute(nx2().self(), flops); }

/// sw/workloads/trace/trace.cpp
void hypermon_sleep(double seconds) { nx2().sleep_for(seconds); }

/// sw/include/hypermon.h
void hypermon_emit(unsigned kind, unsigned a, unsigned b, unsigned c) {
  if (kind >= user_kinds) return;
  RankState& self = nx2().self();
  catch_up(self);
  for (MpiObserver* observer : nx2().mpi_observers(self)) observer->emit(self, {kind, a, b, c});
  nx2().emit(self, user_point(kind), {.a = a, .b = b, .c = c});
}

/// sw/include/hypermon.h
void hypermon_event(unsigned char value) {
  RankState& self = nx2().self();
  catch_up(self);
  for (MpiObserver* observer : nx2().mpi_observers(self)) observer->event(self, value);
  nx2().kernel_work(self, [&](NodeKernel& k) { k.emit(Point::user, {.value = value}); });
}
}
