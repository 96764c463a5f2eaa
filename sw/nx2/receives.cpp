// SPDX-License-Identifier: BSD-3-Clause
// Receives: each posts its buffer; a blocking one then sleeps until the data have arrived.
#include "sw/nx2/point_to_point.hpp"

namespace hypermon {
namespace point_to_point {

std::shared_ptr<Receive> make_receive(const Communicator& comm, int from, int tag, std::int64_t room) {
  auto receive = std::make_shared<Receive>();
  receive->room = room;
  receive->context = comm.context;
  receive->members = comm.members;
  if (from != MPI_ANY_SOURCE) receive->source = comm.world(from);
  if (tag != MPI_ANY_TAG) receive->tag = tag;
  return receive;
}

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
  protocol().matcher(self.rank).correct(receive, source, status.MPI_TAG, status.count);
}

int call_irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !receivable(known, data, count, type, from, tag, comm))
    return smpi().Irecv(data, count, type, from, tag, comm, request);
  *request = MPI_REQUEST_NULL;
  int status = MPI_SUCCESS;
  begin_irecv(self, *known, bytes_of(count, type), from, tag, *request,
              [&] { status = smpi().Irecv(data, count, type, from, tag, known->smpi, request); });
  return status;
}

int call_recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!receivable(known, data, count, type, from, tag, comm))
    return smpi().Recv(data, count, type, from, tag, comm, status);
  return receive(self, *known, data, count, type, from, tag, status);
}

} // namespace point_to_point

using namespace point_to_point;

int receive(RankState& self, const Communicator& comm, void* data, int count, MPI_Datatype type, int from, int tag,
            MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  int begun = MPI_SUCCESS;
  const auto receive = post(self, Call::crecv, comm, bytes_of(count, type), from, tag,
                            [&] { begun = smpi().Irecv(data, count, type, from, tag, comm.smpi, &request); });
  if (begun != MPI_SUCCESS) return begun; // unlikely: the arguments were checked
  return complete(self, Call::crecv, receive, status, [&](MPI_Status* s) {
    const Waiting waiting(self.waits_for, {"MPI_Recv", " from ", source_in_world(comm, from), tag});
    return smpi().Wait(&request, s);
  });
}

void add_receive_calls(MpiTable& table) {
  table.Recv = call_recv;
  table.Irecv = call_irecv;
}

} // namespace hypermon
