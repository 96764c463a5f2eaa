// The program's MPI calls, seen through the profiling interface: each becomes the NX/2 calls that an iPSC/2 program
// would make, with their events and costs, around SMPI's PMPI_* that moves the data.
//
// Global operations are the library's, over point-to-point messages: dimension exchange and binomial trees (facts:
// Network). They cover MPI_COMM_WORLD; calls on other communicators, and those not wrapped here, go to SMPI as they
// are, without events and without start-up costs.
#include "platforms/cosim/smpi_world.hpp"
#include "platforms/spec/user_error.hpp"
#include "sw/instrumentation/system_calls.hpp"
#include "sw/nx2/nx2.hpp"

#include <smpi/smpi.h>

#include <bit>
#include <cstring>
#include <map>
#include <vector>

namespace hypermon {
namespace {

using Call = SystemCall;

/// What a rank keeps between its calls.
struct Calls {
  // MPI_COMM_WORLD under another name: SimGrid 3.32 looks its group up in the actor that runs, and crashes when a send
  // meets a receive from any source, for then that is maestro.
  MPI_Comm world = MPI_COMM_NULL;
  MPI_Comm collective = MPI_COMM_NULL;
  std::map<MPI_Request, std::shared_ptr<Receive>> receives;
  std::map<MPI_Request, std::shared_ptr<Message>> sends;
};

Calls& calls(int rank) {
  static std::vector<Calls> all(static_cast<std::size_t>(nx2().world_size()));
  return all[static_cast<std::size_t>(rank)];
}

/// Whose messages `comm` carries, if they are ours to model; `comm` becomes the communicator that SMPI is given.
std::optional<Context> context_of(const RankState& self, MPI_Comm& comm) {
  if (!nx2().models_messages()) return std::nullopt;
  if (comm == MPI_COMM_WORLD) {
    comm = calls(self.rank).world;
    return Context::program;
  }
  if (comm == calls(self.rank).collective) return Context::collective;
  return std::nullopt;
}

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::int64_t>(count) * size;
}

void enter(NodeKernel& k, Call call) { k.emit(Point::syscall_entry, {.call = static_cast<std::uint32_t>(call)}); }
void leave(NodeKernel& k, Call call) { k.emit(Point::syscall_exit, {.call = static_cast<std::uint32_t>(call)}); }
void switch_out(NodeKernel& k) { k.emit(Point::switch_out, {.process = index(k.node())}); }
void switch_in(NodeKernel& k) { k.emit(Point::switch_in, {.process = index(k.node())}); }

/// Does NX/2's library do the global operations of `comm`?
bool is_ours(MPI_Comm comm) { return nx2().models_messages() && comm == MPI_COMM_WORLD; }

/// A system call that moves no data.
void plain_call(RankState& self, Call call) {
  if (!nx2().models_messages()) return;
  nx2().kernel_work(self, [&](NodeKernel& k) {
    enter(k, call);
    k.spend(nx2().syscall_cost());
    leave(k, call);
  });
}

std::string describe(const char* call, int peer, int tag, const char* direction) {
  return std::string(call) + direction + (peer == MPI_ANY_SOURCE ? "any rank" : "rank " + std::to_string(peer)) +
         ", tag " + (tag == MPI_ANY_TAG ? "any" : std::to_string(tag));
}

/// Names what the rank is blocked on while it is.
class Waiting {
public:
  Waiting(RankState& self, std::string what) : self_(self) { self_.waits_for = std::move(what); }
  ~Waiting() { self_.waits_for.clear(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

private:
  RankState& self_;
};

void begin_send(NodeKernel& k, Call call, const Message& m) {
  enter(k, call);
  k.spend(nx2().overhead(m.bytes));
  k.emit(Point::send_start, nx2().describe(m, m.destination), m.id, MessageSide::send);
}

int send(RankState& self, Context context, const void* data, int count, MPI_Datatype type, int to, int tag,
         MPI_Comm comm) {
  Nx2& os = nx2();
  const auto message = os.prepare(self.rank, to, tag, context, bytes_of(count, type), true);
  os.kernel_work(self, [&](NodeKernel& k) { begin_send(k, Call::csend, *message); });
  os.send(message);
  const Waiting waiting(self, describe("MPI_Send", to, tag, " to "));
  if (message->is_short) {
    const int status = PMPI_Send(data, count, type, to, tag, comm);
    os.kernel_work(self, [&](NodeKernel& k) { leave(k, Call::csend); });
    return status;
  }
  os.kernel_work(self, [&](NodeKernel& k) {
    k.emit(Point::request_sent, os.describe(*message, to));
    switch_out(k);
  });
  message->grant->acquire();
  os.kernel_work(self, [&](NodeKernel& k) { os.take_grant(k, *message); });
  const int status = PMPI_Send(data, count, type, to, tag, comm);
  os.kernel_work(self, [&](NodeKernel& k) {
    os.finish_departure(k, *message);
    switch_in(k);
    leave(k, Call::csend);
  });
  return status;
}

std::shared_ptr<Receive> make_receive(Context context, int from, int tag) {
  auto receive = std::make_shared<Receive>();
  receive->context = context;
  if (from != MPI_ANY_SOURCE) receive->source = from;
  if (tag != MPI_ANY_TAG) receive->tag = tag;
  return receive;
}

/// After a receive's post: if its data are not here yet the rank sleeps, until `wait` returns.
template <class Wait> int complete(RankState& self, Call call, Receive& receive, Wait&& wait) {
  Nx2& os = nx2();
  const bool here = receive.message && receive.message->arrival_noticed;
  if (!here) {
    receive.blocked = true;
    os.kernel_work(self, [&](NodeKernel& k) { switch_out(k); });
  }
  const int status = wait();
  os.kernel_work(self, [&](NodeKernel& k) {
    if (!here) {
      os.take_delivery(k, *receive.message);
      switch_in(k);
    }
    leave(k, call);
  });
  return status;
}

/// Makes the buffer known; a request that waits for it is granted.
std::shared_ptr<Receive> post(RankState& self, Call call, Context context, void* data, int count, MPI_Datatype type,
                              int from, int tag, MPI_Comm comm, MPI_Request* request) {
  Nx2& os = nx2();
  auto receive = make_receive(context, from, tag);
  os.kernel_work(self, [&](NodeKernel& k) {
    enter(k, call);
    k.emit(Point::receive_posted, {.peer = static_cast<std::uint32_t>(from), .tag = static_cast<std::uint32_t>(tag)});
  });
  os.post(self.rank, receive);
  PMPI_Irecv(data, count, type, from, tag, comm, request);
  if (receive->message && receive->message->request_noticed)
    os.kernel_work(self, [&](NodeKernel& k) { os.grant(k, receive->message); });
  return receive;
}

void fill(MPI_Status* status, const Message& m) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = m.source;
  status->MPI_TAG = m.tag;
  status->MPI_ERROR = MPI_SUCCESS;
  status->count = static_cast<int>(m.bytes);
}

// Global operations
// -----------------------------------------------------------------------------------------------------

constexpr int collective_tag = 1;

int exchange(RankState& self, const void* out, void* in, int count, MPI_Datatype type, int partner) {
  const MPI_Comm comm = calls(self.rank).collective;
  return MPI_Sendrecv(out, count, type, partner, collective_tag, in, count, type, partner, collective_tag, comm,
                      MPI_STATUS_IGNORE);
}

std::size_t extent_of(int count, MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return static_cast<std::size_t>(extent) * static_cast<std::size_t>(count);
}

/// Binomial tree rooted at `root`: at every node the lowest set bit of its relative rank names its parent.
int broadcast(RankState& self, void* data, int count, MPI_Datatype type, int root) {
  const MPI_Comm comm = calls(self.rank).collective;
  const int size = nx2().world_size();
  const int relative = (self.rank - root + size) % size;
  int mask = 1;
  for (; mask < size; mask <<= 1) {
    if ((relative & mask) == 0) continue;
    MPI_Recv(data, count, type, (relative - mask + root) % size, collective_tag, comm, MPI_STATUS_IGNORE);
    break;
  }
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (relative + mask < size) MPI_Send(data, count, type, (relative + mask + root) % size, collective_tag, comm);
  return MPI_SUCCESS;
}

/// The same tree, from the leaves to the root. `result` holds the rank's own contribution at first.
int reduce(RankState& self, void* result, int count, MPI_Datatype type, MPI_Op op, int root) {
  const MPI_Comm comm = calls(self.rank).collective;
  const int size = nx2().world_size();
  const int relative = (self.rank - root + size) % size;
  std::vector<char> other(extent_of(count, type));
  for (int mask = 1; mask < size; mask <<= 1) {
    if ((relative & mask) != 0)
      return MPI_Send(result, count, type, (relative - mask + root) % size, collective_tag, comm);
    if (relative + mask >= size) continue;
    MPI_Recv(other.data(), count, type, (relative + mask + root) % size, collective_tag, comm, MPI_STATUS_IGNORE);
    PMPI_Reduce_local(other.data(), result, count, type, op);
  }
  return MPI_SUCCESS;
}

/// Dimension exchange; every rank combines in rank order, so that all get the same bits.
int all_reduce(RankState& self, void* result, int count, MPI_Datatype type, MPI_Op op) {
  const auto size = static_cast<unsigned>(nx2().world_size());
  if (!std::has_single_bit(size)) {
    reduce(self, result, count, type, op, 0);
    return broadcast(self, result, count, type, 0);
  }
  std::vector<char> other(extent_of(count, type));
  for (unsigned mask = 1; mask < size; mask <<= 1) {
    const int partner = self.rank ^ static_cast<int>(mask);
    exchange(self, result, other.data(), count, type, partner);
    if (partner < self.rank) {
      PMPI_Reduce_local(other.data(), result, count, type, op);
    } else {
      PMPI_Reduce_local(result, other.data(), count, type, op);
      std::memcpy(result, other.data(), other.size());
    }
  }
  return MPI_SUCCESS;
}

} // namespace
} // namespace hypermon

using namespace hypermon;

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const int status = PMPI_Init(argc, argv);
  RankState& self = nx2().self();
  if (nx2().models_messages()) {
    PMPI_Comm_dup(MPI_COMM_WORLD, &calls(self.rank).world);
    PMPI_Comm_dup(MPI_COMM_WORLD, &calls(self.rank).collective);
  } else {
    MPI_COMM_WORLD = simgrid_compat::world_communicator(); // the same on every rank; smpirun has it so, too
  }
  nx2().begin(self);
  return status;
}

int MPI_Finalize() {
  RankState& self = nx2().self();
  nx2().end(self);
  if (nx2().models_messages()) {
    PMPI_Comm_free(&calls(self.rank).collective);
    PMPI_Comm_free(&calls(self.rank).world);
  }
  const Waiting waiting(self, "MPI_Finalize");
  return PMPI_Finalize();
}

int MPI_Abort(MPI_Comm, int status) {
  fail_rank(nx2().self().rank, "called MPI_Abort with code " + std::to_string(status));
}

int MPI_Pcontrol(const int level, ...) {
  RankState& self = nx2().self();
  if (level > 0)
    nx2().begin_measured(self);
  else
    Nx2::end_measured(self);
  return MPI_SUCCESS;
}

double MPI_Wtime() {
  plain_call(nx2().self(), Call::mclock);
  return PMPI_Wtime();
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  RankState& self = nx2().self();
  const auto context = context_of(self, comm);
  if (!context || to == MPI_PROC_NULL) return PMPI_Send(data, count, type, to, tag, comm);
  return send(self, *context, data, count, type, to, tag, comm);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  RankState& self = nx2().self();
  const auto context = context_of(self, comm);
  if (!context || from == MPI_PROC_NULL) return PMPI_Recv(data, count, type, from, tag, comm, status);
  MPI_Request request = MPI_REQUEST_NULL;
  const auto receive = post(self, Call::crecv, *context, data, count, type, from, tag, comm, &request);
  return complete(self, Call::crecv, *receive, [&] {
    const Waiting waiting(self, describe("MPI_Recv", from, tag, " from "));
    return PMPI_Wait(&request, status);
  });
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = nx2().self();
  Nx2& os = nx2();
  const auto context = context_of(self, comm);
  if (!context || to == MPI_PROC_NULL) return PMPI_Isend(data, count, type, to, tag, comm, request);
  const auto message = os.prepare(self.rank, to, tag, *context, bytes_of(count, type), false);
  os.kernel_work(self, [&](NodeKernel& k) { begin_send(k, Call::isend, *message); });
  os.send(message);
  const int status = PMPI_Isend(data, count, type, to, tag, comm, request); // a long one's data do not await the grant
  os.kernel_work(self, [&](NodeKernel& k) {
    if (!message->is_short) k.emit(Point::request_sent, os.describe(*message, to));
    leave(k, Call::isend);
  });
  calls(self.rank).sends[*request] = message;
  return status;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = nx2().self();
  const auto context = context_of(self, comm);
  if (!context || from == MPI_PROC_NULL) return PMPI_Irecv(data, count, type, from, tag, comm, request);
  const auto receive = post(self, Call::irecv, *context, data, count, type, from, tag, comm, request);
  nx2().kernel_work(self, [&](NodeKernel& k) {
    k.spend(nx2().syscall_cost());
    leave(k, Call::irecv);
  });
  calls(self.rank).receives[*request] = receive;
  return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  RankState& self = nx2().self();
  Nx2& os = nx2();
  auto& mine = calls(self.rank);
  const auto wait = [&] {
    const Waiting waiting(self, "MPI_Wait");
    return PMPI_Wait(request, status);
  };
  if (const auto r = mine.receives.find(*request); r != mine.receives.end()) {
    const auto receive = r->second;
    mine.receives.erase(r);
    os.kernel_work(self, [&](NodeKernel& k) {
      enter(k, Call::msgwait);
      k.spend(os.syscall_cost());
    });
    return complete(self, Call::msgwait, *receive, wait);
  }
  if (const auto s = mine.sends.find(*request); s != mine.sends.end()) {
    mine.sends.erase(s);
    os.kernel_work(self, [&](NodeKernel& k) {
      enter(k, Call::msgwait);
      k.spend(os.syscall_cost());
    });
    const int result = wait();
    os.kernel_work(self, [&](NodeKernel& k) { leave(k, Call::msgwait); });
    return result;
  }
  return wait();
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!nx2().models_messages()) {
    const Waiting waiting(nx2().self(), "MPI_Waitall");
    return PMPI_Waitall(count, requests, statuses);
  }
  for (int i = 0; i < count; ++i)
    MPI_Wait(&requests[i], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  RankState& self = nx2().self();
  if (!nx2().models_messages()) return PMPI_Test(request, flag, status);
  const MPI_Request before = *request;
  nx2().compute(self, nx2().test_cost());
  // SMPI 3.32 never takes a tested request off its actor's list of activities, a waited one it does; and our own books
  // know without a simcall whether a message is here.
  auto& receives = calls(self.rank).receives;
  if (const auto r = receives.find(before); r != receives.end()) {
    *flag = r->second->message && r->second->message->arrival_noticed ? 1 : 0;
    if (*flag == 0) return MPI_SUCCESS;
    receives.erase(r);
    return PMPI_Wait(request, status);
  }
  const int result = PMPI_Test(request, flag, status);
  if (*flag != 0) {
    calls(self.rank).receives.erase(before);
    calls(self.rank).sends.erase(before);
  }
  return result;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  RankState& self = nx2().self();
  plain_call(self, Call::iprobe);
  const auto context = context_of(self, comm);
  if (!context) return PMPI_Iprobe(from, tag, comm, flag, status);
  const auto message = nx2().probe(self.rank, *make_receive(*context, from, tag));
  *flag = message != nullptr ? 1 : 0;
  if (message) fill(status, *message);
  return MPI_SUCCESS;
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  RankState& self = nx2().self();
  const auto context = context_of(self, comm);
  if (!context) return PMPI_Probe(from, tag, comm, status);
  nx2().kernel_work(self, [&](NodeKernel& k) {
    enter(k, Call::cprobe);
    k.spend(nx2().syscall_cost());
  });
  const auto wanted = make_receive(*context, from, tag);
  auto message = nx2().probe(self.rank, *wanted);
  if (!message) {
    nx2().kernel_work(self, [&](NodeKernel& k) { switch_out(k); });
    const Waiting waiting(self, describe("MPI_Probe", from, tag, " for "));
    while (!(message = nx2().probe(self.rank, *wanted))) nx2().await_notice(self.rank);
    nx2().kernel_work(self, [&](NodeKernel& k) { switch_in(k); });
  }
  nx2().kernel_work(self, [&](NodeKernel& k) { leave(k, Call::cprobe); });
  fill(status, *message);
  return MPI_SUCCESS;
}

int MPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  if (!nx2().models_messages())
    return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
  if (nx2().is_short(bytes_of(out_count, out_type))) {
    MPI_Send(out, out_count, out_type, to, out_tag, comm);
    return MPI_Recv(in, in_count, in_type, from, in_tag, comm, status);
  }
  MPI_Request request = MPI_REQUEST_NULL; // a long send blocks until its receive is posted
  MPI_Irecv(in, in_count, in_type, from, in_tag, comm, &request);
  MPI_Send(out, out_count, out_type, to, out_tag, comm);
  return MPI_Wait(&request, status);
}

int MPI_Barrier(MPI_Comm comm) {
  if (!is_ours(comm)) return PMPI_Barrier(comm);
  char nothing = 0;
  return all_reduce(nx2().self(), &nothing, 1, MPI_CHAR, MPI_BOR);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (!is_ours(comm)) return PMPI_Bcast(data, count, type, root, comm);
  return broadcast(nx2().self(), data, count, type, root);
}

int MPI_Reduce(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  if (!is_ours(comm)) return PMPI_Reduce(in, result, count, type, op, root, comm);
  RankState& self = nx2().self();
  std::vector<char> own(extent_of(count, type));
  std::memcpy(own.data(), in == MPI_IN_PLACE ? result : in, own.size());
  const int status = reduce(self, own.data(), count, type, op, root);
  if (self.rank == root) std::memcpy(result, own.data(), own.size());
  return status;
}

int MPI_Allreduce(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (!is_ours(comm)) return PMPI_Allreduce(in, result, count, type, op, comm);
  if (in != MPI_IN_PLACE) std::memcpy(result, in, extent_of(count, type));
  return all_reduce(nx2().self(), result, count, type, op);
}

/// sw/include/hypermon.h
void hypermon_compute(double operations, double ns_per_operation) {
  nx2().compute(nx2().self(), Time::from_ns_rounded(operations * ns_per_operation));
}

/// sw/include/hypermon.h
void hypermon_emit(unsigned kind, unsigned a, unsigned b, unsigned c) {
  if (kind < user_kinds) nx2().emit(nx2().self(), user_point(kind), {.a = a, .b = b, .c = c});
}

/// sw/include/hypermon.h
void hypermon_event(unsigned char value) {
  nx2().kernel_work(nx2().self(), [&](NodeKernel& k) { k.emit(Point::user, {.value = value}); });
}
}
