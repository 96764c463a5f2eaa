// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives in one call: one step, then both at once.
#include "sw/messages/library.hpp"
#include "sw/mpi/arguments.hpp"

namespace hypermon::messages {
namespace {

/// Either argument may be null, for MPI_PROC_NULL.
Task exchange(int rank, std::shared_ptr<Message> message, std::shared_ptr<Receive> receive) {
  Library& own = library();
  co_await messages::step(own.wire(), rank);
  AllOf both;
  if (message) both.add(own.messages().send(message));
  if (receive) both.add(own.messages().receive(receive));
  co_await both;
}

int call_sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in, int in_count,
                  MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!exchangeable(known, out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm) ||
      known == nullptr)
    return smpi().Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
  const auto request = std::make_shared<Request>();
  std::shared_ptr<Message> message;
  if (to != MPI_PROC_NULL) message = make_message(self, *known, packed(out, out_count, out_type), to, out_tag);
  std::shared_ptr<Receive> receive;
  if (from != MPI_PROC_NULL) {
    receive = make_receive(self, *known, from, in_tag);
    describe(*request, receive, *known, in, in_count, in_type);
  } else {
    request->fill_status = [](MPI_Status& s) { s = MPI_Status{MPI_PROC_NULL, MPI_ANY_TAG, MPI_SUCCESS, 0, 0}; };
  }
  run(exchange(self.rank, message, receive), [&self, request] { library().complete(self, *request); });
  return finish(self, request, {"MPI_Sendrecv"}, status);
}

int call_sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                          MPI_Comm comm, MPI_Status* status) {
  const Communicator* known = find(rank_table().self(), comm);
  if (!exchangeable(known, data, count, type, to, out_tag, data, count, type, from, in_tag, comm))
    return smpi().Sendrecv_replace(data, count, type, to, out_tag, from, in_tag, comm, status);
  return call_sendrecv(data, count, type, to, out_tag, data, count, type, from, in_tag, comm, status); // copies first
}

} // namespace

void add_exchange_calls(MpiTable& table) {
  table.Sendrecv = call_sendrecv;
  table.Sendrecv_replace = call_sendrecv_replace;
}

} // namespace hypermon::messages
