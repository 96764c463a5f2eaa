// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/mon.hpp"

namespace hypermon::supermon {

void Mon::receive(Peer from, const Text& message, Time now, Outbox& out) {
  const Document document(message);
  const Query query = read_query(document.root());
  SexprWriter answer;
  answer.open("answer").number(query.id);
  Time cpu;
  if (query.nodes.contains(node_)) {
    if (!query.command.empty()) around_.command(node_, query.command, now);
    if (!query.counters.empty()) cpu += design_.costs.kernel;
    around_.sample(node_, query, now, answer);
  }
  auto text = std::make_shared<const std::string>(answer.close().take());
  cpu += design_.costs.sending(text->size());
  out.push_back({from, std::move(text), cpu});
}

void Mon::write(const std::string& source, Text text, Time now) {
  const Document document(text); // an invalid expression would spoil every answer
  around_.put(node_, source, std::move(text), now);
}

} // namespace hypermon::supermon
