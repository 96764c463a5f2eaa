// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/monhole/monhole_report.hpp"

#include <optional>
#include <stdexcept>

namespace hypermon::supermon {
namespace {

Json json_of(const BufferAmount& amount) { return {{"entries", amount.entries}, {"bytes", amount.bytes}}; }

BufferAmount sum(std::initializer_list<BufferAmount> parts) {
  BufferAmount all;
  for (const BufferAmount& part : parts) all += part;
  return all;
}

void check(const BufferAmount& generated, std::initializer_list<BufferAmount> parts) {
  if (generated != sum(parts)) throw std::logic_error("the monhole's ledger does not balance");
}

Json json_of(std::uint32_t number, const SinkLedger& sink) {
  const bool any = sink.seen.entries > 0;
  return {{"sink", number},
          {"reads", sink.reads},
          {"reads_of_no", sink.reads_of_no},
          {"seen", json_of(sink.seen)},
          {"overwritten", json_of(sink.overwritten)},
          {"drained", json_of(sink.drained)},
          {"refused", json_of(sink.refused)},
          {"died", json_of(sink.died)},
          {"left_behind", json_of(sink.left_behind)},
          {"repeated", json_of(sink.repeated)},
          {"mean_age_s", any ? Json(sink.ages_s / static_cast<double>(sink.seen.entries)) : Json()},
          {"oldest_s", any ? Json(sink.oldest.seconds()) : Json()}};
}

} // namespace

Json to_json(const std::vector<const MonholeBuffer*>& nodes) {
  BufferLedger all;
  std::vector<SinkLedger> sinks(nodes.empty() ? 0 : nodes.front()->sinks());
  std::optional<std::size_t> fullest;
  std::optional<std::size_t> first_refused;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const MonholeBuffer& buffer = *nodes[n];
    all += buffer.ledger();
    for (std::uint32_t s = 0; s < sinks.size(); ++s) sinks[s] += buffer.ledger_of(s);
    if (buffer.peak().entries > 0 && (!fullest || buffer.peak().bytes > nodes[*fullest]->peak().bytes)) fullest = n;
    const auto& refused = buffer.first_refused();
    if (refused && (!first_refused || *refused < *nodes[*first_refused]->first_refused())) first_refused = n;
  }
  check(all.generated, {all.read, all.overwritten, all.refused, all.died, all.left_behind});
  const BufferPeak peak = fullest ? nodes[*fullest]->peak() : BufferPeak{};
  Json result{{"generated", json_of(all.generated)},
              {"read", json_of(all.read)},
              {"overwritten", json_of(all.overwritten)},
              {"refused", json_of(all.refused)},
              {"died", json_of(all.died)},
              {"left_behind", json_of(all.left_behind)},
              {"read_again", json_of(all.read_again)},
              {"peak",
               {{"bytes", peak.bytes},
                {"entries", peak.entries},
                {"node", fullest ? Json(*fullest) : Json()},
                {"at_s", fullest ? Json(peak.at.seconds()) : Json()}}},
              {"first_refused",
               {{"node", first_refused ? Json(*first_refused) : Json()},
                {"at_s", first_refused ? Json(nodes[*first_refused]->first_refused()->seconds()) : Json()}}},
              {"sinks", Json::array()}};
  for (std::uint32_t s = 0; s < sinks.size(); ++s) {
    const SinkLedger& sink = sinks[s];
    check(all.generated, {sink.seen, sink.overwritten, sink.drained, sink.refused, sink.died, sink.left_behind});
    result["sinks"].push_back(json_of(s, sink));
  }
  return result;
}

} // namespace hypermon::supermon
