#include "sw/monitors/supermon/core/query.hpp"

namespace hypermon::supermon {

std::string write(const Query& query) {
  SexprWriter out;
  out.open("query").number(query.id).open("sink").number(query.sink).close().open("nodes");
  query.nodes.write(out);
  out.close();
  if (!query.counters.empty()) {
    out.open("kernel");
    for (const std::string& counter : query.counters) out.atom(counter);
    out.close();
  }
  if (query.monhole) out.open("monhole").close();
  if (!query.aggregate.empty()) out.open("aggregate").atom(query.aggregate).close();
  if (!query.command.empty()) out.open("command").as_it_is(query.command).close();
  return out.close().take();
}

Query read_query(const Sexpr& message) {
  if (!message.is_named("query")) throw SexprError(message.at(), "must be a query");
  Query query;
  query.id = message[1].number();
  query.sink = static_cast<std::uint32_t>(message.named("sink")[1].number());
  query.nodes = NodeRuns::read(message.named("nodes"));
  for (const Sexpr part : message) {
    if (part.is_named("kernel"))
      for (const Sexpr counter : part) query.counters.push_back(counter.atom());
    else if (part.is_named("monhole"))
      query.monhole = true;
    else if (part.is_named("aggregate"))
      query.aggregate = part[1].atom();
    else if (part.is_named("command"))
      query.command = part[1].text();
  }
  if (!query.counters.empty()) query.counters.erase(query.counters.begin()); // the list's name
  return query;
}

} // namespace hypermon::supermon
