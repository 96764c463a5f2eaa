// SPDX-License-Identifier: BSD-3-Clause
// Sends. Those that do not wait for the receiver are isends. The data of a long message leave after the grant.
#include "sw/nx2/point_to_point.hpp"

namespace hypermon {
namespace point_to_point {

Payload payload(const std::shared_ptr<Message>& m, const void* data, int count, MPI_Datatype type) {
  const auto receive = m->receive.lock();
  if (!receive || protocol().is_short(m->bytes) || !protocol().is_short(receive->room)) return {data, count, type};
  m->cut.resize(static_cast<std::size_t>(m->bytes));
  copy(data, count, type, m->cut.data(), static_cast<int>(m->bytes), MPI_BYTE);
  const std::int64_t sent = receive->room + (protocol().is_short(receive->room + 1) ? 1 : 0);
  m->cut.resize(static_cast<std::size_t>(sent));
  protocol().shorten(m, sent);
  return {m->cut.data(), static_cast<int>(sent), MPI_BYTE};
}

void wait_for_ever() {
  for (;;) simgrid::s4u::Semaphore::create(0)->acquire();
}

int read_data(const void* data, int count, MPI_Datatype type) {
  const auto bytes = static_cast<int>(bytes_of(count, type));
  std::vector<char> left(static_cast<std::size_t>(bytes));
  return copy(data, count, type, left.data(), bytes, MPI_BYTE);
}

int make_lost_request(Message& message, MPI_Comm comm, MPI_Request* request) {
  static const char nothing = 0;
  message.is_apart = true;
  return smpi().Send_init(&nothing, 0, MPI_BYTE, 0, 0, comm, request);
}

int wait_for_apart(const Message& message, bool is_persistent, MPI_Request* request, MPI_Status* status) {
  if (!message.is_short) wait_for_ever();
  if (status != MPI_STATUS_IGNORE) *status = MPI_Status{MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
  return is_persistent ? MPI_SUCCESS : smpi().Request_free(request);
}

int call_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!sendable(known, data, count, type, to, tag, comm)) return smpi().Send(data, count, type, to, tag, comm);
  return send(self, *known, data, count, type, to, tag);
}

} // namespace point_to_point

using namespace point_to_point;

namespace {

using Isend = decltype(&::PMPI_Isend);

template <Isend MpiTable::*Real, bool synchronous>
int call_isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  const bool fits = Real != &MpiTable::Ibsend || is_bufferable(data, count, type, to, tag, comm);
  if (request == nullptr || !sendable(known, data, count, type, to, tag, comm) || !fits)
    return (smpi().*Real)(data, count, type, to, tag, comm, request);
  std::shared_ptr<Message> message;
  const int status = begin_isend(self, *known, bytes_of(count, type), to, tag, synchronous, message, [&] {
    if (is_lost(*message)) return make_lost_request(*message, known->smpi, request);
    const Payload p = payload(message, data, count, type);
    message->skip = skipping(*known, to, tag);
    return (smpi().*Real)(p.data, p.count, p.type, to, tag, known->smpi, request);
  });
  if (status == MPI_SUCCESS) calls(self).sends[*request] = message;
  return status;
}

/// The system keeps a copy, which proceeds like an isend without a wait.
int call_bsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!sendable(known, data, count, type, to, tag, comm) || !is_bufferable(data, count, type, to, tag, comm))
    return smpi().Bsend(data, count, type, to, tag, comm);
  std::shared_ptr<Message> message;
  return begin_isend(self, *known, bytes_of(count, type), to, tag, false, message, [&]() -> int {
    if (is_lost(*message)) return MPI_SUCCESS;
    const Payload p = payload(message, data, count, type);
    return smpi().Bsend(p.data, p.count, p.type, to, tag, known->smpi);
  });
}

int call_ssend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!sendable(known, data, count, type, to, tag, comm)) return smpi().Ssend(data, count, type, to, tag, comm);
  return send(self, *known, data, count, type, to, tag, true);
}

} // namespace

int send(RankState& self, const Communicator& comm, const void* data, int count, MPI_Datatype type, int to, int tag,
         bool synchronous) {
  const int there = comm.world(to);
  const auto message =
      protocol().prepare(self.rank, there, tag, comm.context, bytes_of(count, type), true, synchronous);
  execution().kernel_work(self, [&](NodeKernel& k) { begin_send(k, Call::csend, *message); });
  protocol().send(message);
  const Waiting waiting(self.waits_for, {"MPI_Send", " to ", there, tag});
  if (message->is_short) {
    const int status =
        is_lost(*message) ? read_data(data, count, type) : smpi().Send(data, count, type, to, tag, comm.smpi);
    execution().kernel_work(self, [&](NodeKernel& k) { leave(k, Call::csend); });
    return status;
  }
  execution().kernel_work(self, [&](NodeKernel& k) {
    k.emit(Point::request_sent, protocol().describe(*message, message->destination));
    switch_out(k);
  });
  message->grant->acquire();
  if (is_lost(*message)) wait_for_ever(); // the receive was posted, and its rank has ended since
  execution().kernel_work(self, [&](NodeKernel& k) { protocol().take_grant(k, *message); });
  const Payload p = payload(message, data, count, type);
  const int status = synchronous ? smpi().Ssend(p.data, p.count, p.type, to, tag, comm.smpi)
                                 : smpi().Send(p.data, p.count, p.type, to, tag, comm.smpi);
  execution().kernel_work(self, [&](NodeKernel& k) {
    protocol().finish_departure(k, *message);
    switch_in(k);
    leave(k, Call::csend);
  });
  return status;
}

void add_send_calls(MpiTable& table) {
  table.Send = call_send;
  table.Rsend = call_send;
  table.Ssend = call_ssend;
  table.Bsend = call_bsend;
  table.Isend = call_isend<&MpiTable::Isend, false>;
  table.Irsend = call_isend<&MpiTable::Irsend, false>;
  table.Issend = call_isend<&MpiTable::Issend, true>;
  table.Ibsend = call_isend<&MpiTable::Ibsend, false>;
}

} // namespace hypermon
