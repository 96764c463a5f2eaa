// SPDX-License-Identifier: BSD-3-Clause
#include "sw/messages/library.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <stdexcept>

namespace hypermon::messages {
namespace {

Library* instance = nullptr;

std::vector<Endpoint> endpoints(const OperatingSystem& os) {
  std::vector<Endpoint> all;
  for (const RankState& rank : os.ranks.all()) all.emplace_back(Station{index(rank.kernel->node())}, rank.of_kernel);
  return all;
}

PacketNetwork& network_of(const MpiLayer& mpi) {
  if (mpi.packet_network == nullptr) throw std::logic_error("machine.messages = packets without a network of packets");
  return *mpi.packet_network;
}

} // namespace

Library& library() { return *instance; }

Library::Library(const PacketMessageParams& messages, const CollectivesParams& collectives, OperatingSystem& os,
                 MpiLayer& mpi)
    : os_(os), collectives_(collectives),
      wire_(network_of(mpi), mpi.io_observers, endpoints(os), [] { return simgrid_now(); }),
      messages_(wire_,
                {.eager_limit = messages.eager_limit_bytes.number,
                 .header = messages.header_bytes.number,
                 .announcement = messages.announcement_bytes.number,
                 .acknowledgement = messages.acknowledgement_bytes.number},
                os.ranks.all().size()),
      requests_(os.ranks.all().size()) {
  mpi.counts.ask_for_queues([this](int rank) {
    return MessageCounts::Queues{messages_.posted(rank), messages_.unexpected(rank), messages_.unexpected_bytes(rank)};
  });
  messages_.on_unexpected([this](int rank) { ring(rank); });
  instance = this;
}

Library::~Library() { instance = nullptr; }

void Library::complete(const RankState& rank, Request& request) {
  request.done = true;
  ring(rank.rank);
}

void Library::ring(int rank) {
  if (const auto bell = std::exchange(requests_[static_cast<std::size_t>(rank)].bell, nullptr)) bell->release();
}

void Library::sleep(RankState& self) {
  const auto bell = simgrid::s4u::Semaphore::create(0);
  requests_of(self).bell = bell;
  bell->acquire();
}

void Library::settle(RankState& self) {
  std::erase_if(requests_of(self).freed, [](const RequestPtr& request) {
    if (request->done && request->take) request->take();
    return request->done;
  });
}

void Library::await_freed(RankState& self) {
  const auto are_done = [&] {
    return std::ranges::all_of(requests_of(self).freed, [](const auto& r) { return r->done; });
  };
  await(self, {"MPI_Finalize, for a request that was freed"}, are_done);
}

void Library::step(RankState& self) {
  bool done = false;
  wire_.step(self.rank, [&] {
    done = true;
    ring(self.rank);
  });
  while (!done) sleep(self);
}

void Library::poll(RankState& self) {
  constexpr Time at_least = 1_us; // (chosen) the paper's step
  const Time begun = simgrid_now();
  step(self);
  if (simgrid_now() == begun) os_.execution.sleep_until(begun + at_least);
}

CollectiveCall& Library::next_call(const RankState& self, const Communicator& comm, const char* function) {
  const std::uint64_t context = context_of(comm);
  const std::uint64_t number = made_[{self.rank, context}]++;
  auto& call = calls_[{context, number}];
  if (!call) call = std::make_unique<CollectiveCall>(wire_, *comm.members, context, number, function);
  if (call->function != function)
    fail_simulation(name_of(self) + " calls " + function + " where another rank of its communicator calls " +
                    call->function);
  return *call;
}

void Library::leave(CollectiveCall& call) {
  if (++call.taken == call.messages.size()) calls_.erase({call.context, call.number});
}

int taken(Request& request, MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE && request.fill_status) request.fill_status(*status);
  return request.take ? request.take() : MPI_SUCCESS;
}

int finish(RankState& self, const RequestPtr& request, const WaitsFor& what, MPI_Status* status) {
  library().await(self, what, [&] { return request->done; });
  return taken(*request, status);
}

int hand_out(RankState& self, MPI_Request* request, int token, const RequestPtr& under_way) {
  if (token == MPI_SUCCESS) library().requests_of(self).active[*request] = under_way;
  return token;
}

} // namespace hypermon::messages
