// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/message_pairs.hpp"

namespace hypermon {
namespace {

bool is_persistent(const MpiCall& call) { return call.name().ends_with("_init"); }
bool is_probe(const MpiCall& call) { return call.name().find("robe") != std::string_view::npos; }

} // namespace

const MessagePairs::Members& MessagePairs::members(int rank, MPI_Comm comm) {
  const Members*& own = of_rank_[{rank, comm}];
  if (own == nullptr) own = &*known_.insert(world_ranks(comm)).first;
  return *own;
}

bool MessagePairs::sends(const MpiCall& call) {
  const MpiPart& out = call.sent();
  const bool to_somebody = out.peer && *out.peer >= 0 && *out.peer < call.comm_size();
  return to_somebody && out.tag && call.comm() != MPI_COMM_NULL && !is_persistent(call); // one-sided calls have no tag
}

void MessagePairs::enter(int rank, const MpiCall& call, Time stamp) {
  if (!sends(call)) return;
  const MpiPart& out = call.sent();
  const Members& all = members(rank, call.comm());
  on_the_way_[{&all, rank, all[static_cast<std::size_t>(*out.peer)], *out.tag}].push_back({rank, stamp});
}

std::vector<std::optional<MessagePairs::Sent>> MessagePairs::leave(int rank, const MpiCall& call) {
  std::vector<std::optional<Sent>> received;
  if (const auto made = call.new_comm()) of_rank_.erase({rank, *made}); // SMPI reuses handles
  const MpiPart& in = call.received();
  if (in.peer && call.comm() != MPI_COMM_NULL) {
    if (is_persistent(call) || is_probe(call)) return received;
    if (const auto made = call.new_request())
      posted_.insert_or_assign({rank, *made}, &members(rank, call.comm()));
    else if (call.completed().size() == 1 && call.completed().front().status.MPI_SOURCE >= 0)
      received.push_back(take(members(rank, call.comm()), rank, call.completed().front().status));
    return received;
  }
  for (const MpiCall::Completed& completed : call.completed()) {
    if (completed.index >= call.requests().size()) continue;
    const auto posted = posted_.extract({rank, call.requests()[completed.index]});
    if (!posted.empty() && completed.status.MPI_SOURCE >= 0)
      received.push_back(take(*posted.mapped(), rank, completed.status));
  }
  return received;
}

std::optional<MessagePairs::Sent> MessagePairs::take(const Members& members, int rank, const MPI_Status& status) {
  if (static_cast<std::size_t>(status.MPI_SOURCE) >= members.size()) return {};
  const int source = members[static_cast<std::size_t>(status.MPI_SOURCE)];
  const auto sent = on_the_way_.find({&members, source, rank, status.MPI_TAG});
  if (sent == on_the_way_.end() || sent->second.empty()) return {};
  const Sent first = sent->second.front();
  sent->second.pop_front();
  if (sent->second.empty()) on_the_way_.erase(sent);
  return first;
}

} // namespace hypermon
