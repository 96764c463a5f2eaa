// SPDX-License-Identifier: BSD-3-Clause
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
  if (query.combine != Combining::none) out.open("combine").atom(word(query.combine)).close();
  if (!query.command.empty()) out.open("command").as_it_is(query.command).close();
  return out.close().take();
}

namespace {

Combining read_combining(const Sexpr& expression) {
  const auto words = words_of(Combining{});
  for (std::size_t i = 1; i < words.size(); ++i)
    if (expression.is(words[i])) return static_cast<Combining>(i);
  throw SexprError(expression.at(), "must be sum, mean, min or max");
}

} // namespace

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
    else if (part.is_named("combine"))
      query.combine = read_combining(part[1]);
    else if (part.is_named("command"))
      query.command = part[1].text();
  }
  if (!query.counters.empty()) query.counters.erase(query.counters.begin()); // the list's name
  return query;
}

} // namespace hypermon::supermon
