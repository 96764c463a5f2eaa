// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/message_counts.hpp"

#include <optional>
#include <vector>

namespace hypermon {

MessageCounts::~MessageCounts() {
  if (smpi_messages_) watched_smpi_messages = nullptr;
}

void MessageCounts::keep() {
  if (traffic_) return;
  std::vector<const simgrid::s4u::Host*> places;
  for (const RankState& rank : os_.ranks.all()) places.push_back(os_.ranks.place_of(rank.rank));
  traffic_ = std::make_unique<Traffic>(places);
  if (transfers_) traffic_->under_way(transfers_);
  if (os_.has_own_library) return;
  const auto rank_of_actor = [this](aid_t pid) -> std::optional<int> {
    const RankState* rank = os_.ranks.of_actor(static_cast<std::size_t>(pid));
    return rank == nullptr ? std::nullopt : std::optional(rank->rank);
  };
  const auto call_of = [this](int rank) {
    const RankState& sender = os_.ranks.all()[static_cast<std::size_t>(rank)];
    MessageStep step;
    step.cause = OperationId::of_call(sender.rank, sender.call.number);
    step.algorithm = sender.call.function != nullptr ? sender.call.function : "smpi";
    return step;
  };
  smpi_messages_ = std::make_unique<SmpiMessages>(*traffic_, places, rank_of_actor, observers_, call_of);
  watched_smpi_messages = smpi_messages_.get();
  traffic_->under_way([this](const Traffic::Moved& f) { smpi_messages_->for_transfers_under_way(f); });
  os_.deadlocks.tell_transfers(
      [this](const void* carrier, double start, double size) { smpi_messages_->transfer_ended(carrier, start, size); });
}

InterfaceTraffic MessageCounts::packets(NodeId node) const {
  return network_ == nullptr ? InterfaceTraffic{} : network_->traffic(Station{index(node)});
}

MessageCounts::Queues MessageCounts::queues(int rank) const {
  if (queues_) return queues_(rank);
  return {smpi_messages_->posted(rank), smpi_messages_->unexpected(rank), smpi_messages_->buffered_bytes(rank)};
}

} // namespace hypermon
