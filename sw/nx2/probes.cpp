// SPDX-License-Identifier: BSD-3-Clause
// Probes, answered from NX/2's own records of messages.
#include "sw/nx2/point_to_point.hpp"

#include <algorithm>

namespace hypermon {
using namespace point_to_point;

namespace {

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
  RankState& self = rank_table().self();
  plain_call(self, Call::iprobe);
  const Communicator* known = find(self, comm);
  if (flag == nullptr || !receivable(known, nullptr, 0, MPI_BYTE, from, tag, comm))
    return smpi().Iprobe(from, tag, comm, flag, status);
  const auto message = protocol().probe(self.rank, *make_receive(*known, from, tag));
  *flag = message != nullptr ? 1 : 0;
  if (message) fill(status, *known, *message);
  return MPI_SUCCESS;
}

int call_improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  plain_call(rank_table().self(), Call::iprobe);
  return smpi().Improbe(from, tag, comm, flag, message, status);
}

int call_probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!receivable(known, nullptr, 0, MPI_BYTE, from, tag, comm)) return smpi().Probe(from, tag, comm, status);
  begin_wait(self, Call::cprobe);
  const auto wanted = make_receive(*known, from, tag);
  auto message = protocol().probe(self.rank, *wanted);
  if (!message) {
    execution().kernel_work(self, [&](NodeKernel& k) { switch_out(k); });
    const Waiting waiting(self.waits_for, {"MPI_Probe", " for ", from, tag});
    while (!(message = protocol().probe(self.rank, *wanted))) protocol().await_notice(self.rank);
    execution().kernel_work(self, [&](NodeKernel& k) { switch_in(k); });
  }
  execution().kernel_work(self, [&](NodeKernel& k) { leave(k, Call::cprobe); });
  fill(status, *known, *message);
  return MPI_SUCCESS;
}

} // namespace

void add_probe_calls(MpiTable& table) {
  table.Iprobe = call_iprobe;
  table.Improbe = call_improbe;
  table.Probe = call_probe;
}

} // namespace hypermon
