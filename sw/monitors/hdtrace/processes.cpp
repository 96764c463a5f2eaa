// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/processes.hpp"

namespace hypermon::hdtrace {

std::optional<CallOf> call_of(OperationId id) {
  const std::uint64_t rank = id.number >> 40;
  if (rank == 0 || rank > 1'000'000) return {};
  return CallOf{static_cast<int>(rank - 1), id.number & ((std::uint64_t{1} << 40) - 1)};
}

Processes::Processes(Recording& recording, const std::vector<RankPlace>& ranks) : recording_(recording) {
  for (const auto& [rank, node] : ranks) {
    const Path path{recording.host(node), std::to_string(rank), "0"};
    const auto stream = [&](std::string_view suffix) {
      return TraceStream(recording.output(path, suffix), file_name(recording.project(), path, "", suffix),
                         recording.params().buffer_bytes.number, recording.trace_ledger());
    };
    all_.resize(static_cast<std::size_t>(rank) + 1);
    all_.back().reset(new Process{.rank = rank,
                                  .node = node,
                                  .path = path,
                                  .trace = stream(".trc"),
                                  .relations = stream(".rel"),
                                  .info = recording.output(path, ".info")});
    recording.phases().alive(node, 1, recording.power(node), Time{});
    recording.power(node).at(Time{}).computing(Time{}, 1);
  }
}

std::optional<std::uint64_t> Processes::token(Process& process, std::uint64_t call, Time now) {
  if (const auto known = process.token_of_call.find(call); known != process.token_of_call.end()) return known->second;
  if (call != process.call) return {}; // the call was over before its first operation
  const std::uint64_t token = process.tokens++;
  process.token_of_call.emplace(call, token);
  process.token = token;
  const std::string when = stamp(recording_.trace_ledger().read(process.node, now));
  const std::string number = std::to_string(token);
  // This runs within maestro, which cannot wait. Text that does not fit now is written at the end of the call.
  process.relations.add("<rel t=\"" + number + "\" time=\"" + when + "\"/><s name=\"" + process.name + "\" t=\"" +
                            number + "\" time=\"" + when + "\"/>\n",
                        1);
  return token;
}

} // namespace hypermon::hdtrace
