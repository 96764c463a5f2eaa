// SPDX-License-Identifier: BSD-3-Clause
// Probes: one step, and a check for an arrived message.
#include "sw/messages/library.hpp"
#include "sw/mpi/arguments.hpp"

namespace hypermon::messages {
namespace {

int call_iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (flag == nullptr || !receivable(known, nullptr, 0, MPI_BYTE, from, tag, comm))
    return smpi().Iprobe(from, tag, comm, flag, status);
  library().poll(self);
  const auto message = library().messages().probe(*make_receive(self, *known, from, tag));
  *flag = message ? 1 : 0;
  if (message && status != MPI_STATUS_IGNORE) fill(*status, *known, *message);
  return MPI_SUCCESS;
}

int call_probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (!receivable(known, nullptr, 0, MPI_BYTE, from, tag, comm)) return smpi().Probe(from, tag, comm, status);
  library().step(self);
  const auto wanted = make_receive(self, *known, from, tag);
  std::shared_ptr<const Message> message;
  library().await(self, {"MPI_Probe", " for ", source_in_world(*known, from), tag},
                  [&] { return (message = library().messages().probe(*wanted)) != nullptr; });
  if (status != MPI_STATUS_IGNORE) fill(*status, *known, *message);
  return MPI_SUCCESS;
}

} // namespace

void add_probe_calls(MpiTable& table) {
  table.Iprobe = call_iprobe;
  table.Probe = call_probe;
}

} // namespace hypermon::messages
