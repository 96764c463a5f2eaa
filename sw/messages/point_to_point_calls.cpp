// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives. The blocking ones wait for their request.
#include "sw/messages/library.hpp"
#include "sw/mpi/arguments.hpp"
#include "sw/mpi/buffers.hpp"
#include "sw/mpi/errors.hpp"

#include <algorithm>

namespace hypermon::messages {

std::shared_ptr<Message> make_message(const RankState& self, const Communicator& comm, Bytes data, int to, int tag) {
  auto message = std::make_shared<Message>();
  message->context = context_of(comm);
  message->from = self.rank;
  message->to = comm.world(to);
  message->tag = tag;
  message->is_plain = comm.is_plain;
  message->bytes = static_cast<std::int64_t>(data.size());
  message->cause = call_of(self);
  message->data = std::move(data);
  if (Traffic* traffic = mpi_layer().counts.counted()) [[unlikely]]
    traffic->sent(message->from, message->bytes);
  return message;
}

std::shared_ptr<Receive> make_receive(const RankState& self, const Communicator& comm, int from, int tag) {
  auto receive = std::make_shared<Receive>();
  receive->context = context_of(comm);
  receive->rank = self.rank;
  if (from != MPI_ANY_SOURCE) receive->from = comm.world(from);
  if (tag != MPI_ANY_TAG) receive->tag = tag;
  receive->cause = call_of(self);
  return receive;
}

void fill(MPI_Status& status, const Communicator& comm, const Message& message) {
  const auto source = std::find(comm.members->begin(), comm.members->end(), message.from) - comm.members->begin();
  status.MPI_SOURCE = static_cast<int>(source);
  status.MPI_TAG = message.tag;
  status.MPI_ERROR = MPI_SUCCESS;
  status.count = static_cast<int>(message.bytes);
  status.cancelled = 0;
}

void describe(Request& request, const std::shared_ptr<Receive>& receive, const Communicator& comm, void* data,
              int count, MPI_Datatype type) {
  request.fill_status = [receive, comm, room = bytes_of(count, type)](MPI_Status& status) {
    if (!receive->message) {
      status = MPI_Status{MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 1};
      return;
    }
    fill(status, comm, *receive->message);
    if (receive->message->bytes <= room) return;
    status.MPI_ERROR = MPI_ERR_TRUNCATE;
    status.count = static_cast<int>(room);
  };
  request.take = [receive, comm, data, count, type] {
    if (Traffic* traffic = mpi_layer().counts.counted(); traffic != nullptr && receive->message) [[unlikely]]
      traffic->received(receive->rank, receive->message->bytes);
    const int status = receive->message ? unpack(receive->message->data, data, count, type) : MPI_SUCCESS;
    if (status == MPI_ERR_TRUNCATE) note_truncated(rank_table().self(), programs(rank_table().self(), comm.smpi));
    return status;
  };
  request.cancel = [receive] { library().messages().withdraw(receive); };
  request.held.push_back(hold(type));
}

RequestPtr begin_send(RankState& self, const Communicator& comm, const void* data, int count, MPI_Datatype type, int to,
                      int tag, bool synchronous) {
  auto request = std::make_shared<Request>();
  const auto message = make_message(self, comm, packed(data, count, type), to, tag);
  message->synchronous = synchronous;
  request->fill_status = [message](MPI_Status& status) {
    status = MPI_Status{MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, message->is_cancelled ? 1 : 0};
  };
  request->cancel = [message] { library().messages().withdraw(message); };
  run(library().messages().send(message), [&self, request] { library().complete(self, *request); });
  return request;
}

RequestPtr begin_receive(RankState& self, const Communicator& comm, void* data, int count, MPI_Datatype type, int from,
                         int tag) {
  auto request = std::make_shared<Request>();
  const auto receive = make_receive(self, comm, from, tag);
  describe(*request, receive, comm, data, count, type);
  run(library().messages().receive(receive), [&self, request] { library().complete(self, *request); });
  return request;
}

namespace {

template <auto Real, bool synchronous>
int call_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!sendable(known, data, count, type, to, tag, comm)) return (smpi().*Real)(data, count, type, to, tag, comm);
  const RequestPtr request = begin_send(self, *known, data, count, type, to, tag, synchronous);
  return finish(self, request, {"MPI_Send", " to ", known->world(to), tag}, MPI_STATUS_IGNORE);
}

/// The library keeps a copy, so that no call waits for the send.
int call_bsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!sendable(known, data, count, type, to, tag, comm) || !is_bufferable(data, count, type, to, tag, comm))
    return smpi().Bsend(data, count, type, to, tag, comm);
  begin_send(self, *known, data, count, type, to, tag, false);
  return MPI_SUCCESS;
}

template <auto Real, bool synchronous>
int call_isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  const bool fits = Real != &MpiTable::Ibsend || is_bufferable(data, count, type, to, tag, comm);
  if (request == nullptr || !sendable(known, data, count, type, to, tag, comm) || !fits)
    return (smpi().*Real)(data, count, type, to, tag, comm, request);
  const int token = smpi().Send_init(data, count, type, to, tag, known->smpi, request);
  const RequestPtr begun = begin_send(self, *known, data, count, type, to, tag, synchronous);
  if constexpr (Real == &MpiTable::Ibsend) begun->done = true; // the copy is sent without the request
  return hand_out(self, request, token, begun);
}

int call_recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!receivable(known, data, count, type, from, tag, comm))
    return smpi().Recv(data, count, type, from, tag, comm, status);
  const RequestPtr request = begin_receive(self, *known, data, count, type, from, tag);
  return finish(self, request, {"MPI_Recv", " from ", source_in_world(*known, from), tag}, status);
}

int call_irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !receivable(known, data, count, type, from, tag, comm))
    return smpi().Irecv(data, count, type, from, tag, comm, request);
  const int token = smpi().Recv_init(data, count, type, from, tag, known->smpi, request);
  return hand_out(self, request, token, begin_receive(self, *known, data, count, type, from, tag));
}

} // namespace

void add_point_to_point_calls(MpiTable& table) {
  table.Send = call_send<&MpiTable::Send, false>;
  table.Rsend = call_send<&MpiTable::Rsend, false>;
  table.Ssend = call_send<&MpiTable::Ssend, true>;
  table.Bsend = call_bsend;
  table.Isend = call_isend<&MpiTable::Isend, false>;
  table.Irsend = call_isend<&MpiTable::Irsend, false>;
  table.Issend = call_isend<&MpiTable::Issend, true>;
  table.Ibsend = call_isend<&MpiTable::Ibsend, false>;
  table.Recv = call_recv;
  table.Irecv = call_irecv;
}

} // namespace hypermon::messages
