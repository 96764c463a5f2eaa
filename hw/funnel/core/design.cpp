// SPDX-License-Identifier: BSD-3-Clause
#include "hw/funnel/core/design.hpp"

#include "hw/funnel/core/formatter.hpp"
#include "hw/funnel/core/protocol.hpp"

#include <charconv>
#include <cmath>

namespace hypermon {
namespace {

using Part = TraceProblem::Part;

std::optional<TraceProblem> problem_of_source(const TraceFunnelDesign& design, std::size_t number) {
  const TraceSourceParams& source = design.sources[number];
  const TraceProtocol protocol(design.protocol);
  const std::int64_t width = design.link.width_bits / 8;
  const auto problem = [&](const char* parameter, Bytes value, const std::string& must) {
    return TraceProblem{Part::source, number, parameter, std::to_string(value.number), must};
  };
  if (source.port_bytes > Bytes(width))
    return problem("port_bytes", source.port_bytes,
                   "must be at most " + std::to_string(width) +
                       ", a word of the link (width_bits = " + std::to_string(design.link.width_bits) + ")");
  const auto first = static_cast<std::int64_t>(protocol.overflow_size() + protocol.longest_sync());
  const std::int64_t longest = static_cast<std::int64_t>(protocol.longest_data(1));
  if (source.fifo_bytes < Bytes(std::max(first, longest)))
    return problem("fifo_bytes", source.fifo_bytes,
                   "must be at least " + std::to_string(std::max(first, longest)) +
                       ", what an overflow marker and a synchronisation message, or the shortest message take");
  if (source.resume_bytes.number > source.fifo_bytes.number - first)
    return problem("resume_bytes", source.resume_bytes,
                   "must be at most " + std::to_string(source.fifo_bytes.number - first) + " (fifo_bytes less " +
                       std::to_string(first) + " for an overflow marker and a synchronisation message)");
  return std::nullopt;
}

std::optional<TraceProblem> problem_of_sink(const TraceFunnelDesign& design) {
  const TraceSinkParams& sink = design.sink;
  const auto width = static_cast<std::size_t>(design.link.width_bits / 8);
  const auto most = static_cast<std::int64_t>(TraceFormatter(design.formatter, false).most_bytes(width));
  if (sink.buffer_bytes.number < sink.burst_bytes.number + most)
    return TraceProblem{Part::sink, 0, "buffer_bytes", std::to_string(sink.buffer_bytes.number),
                        "must be at least " + std::to_string(sink.burst_bytes.number + most) + ": a burst and the " +
                            std::to_string(most) + " bytes that a word can make of the formatter's"};
  const auto in_ms = [](Milliseconds ms) { return std::to_string(ms.number); };
  if (sink.blackout_every_ms.number > 0 && Time(sink.blackout_every_ms) <= Time(sink.blackout_for_ms))
    return TraceProblem{Part::sink, 0, "blackout_every_ms", in_ms(sink.blackout_every_ms),
                        "must be 0, or more than blackout_for_ms = " + in_ms(sink.blackout_for_ms)};
  if (!listed_blackouts(sink.blackouts_ms))
    return TraceProblem{Part::sink, 0, "blackouts_ms", "\"" + sink.blackouts_ms + "\"",
                        "must be BEGIN+LENGTH in ms, one after the other with blanks between: \"1.5+0.25 7+1\""};
  if (sink.reads == SinkReads::at_end && sink.full == WhenFull::stall)
    for (std::size_t i = 0; i < design.sources.size(); ++i)
      if (design.sources[i].full == WhenFull::stall)
        return TraceProblem{Part::source, i, "full", std::string(word(WhenFull::stall)),
                            "must be drop with a sink that holds back and is read at the end: nobody would go on"};
  return std::nullopt;
}

} // namespace

std::optional<TraceProblem> problem_of(const TraceFunnelDesign& design) {
  const std::size_t sources = design.sources.size();
  const bool formatted = design.formatter.format == TraceFormat::frames;
  const bool nexus = design.protocol.encoding == TraceEncoding::nexus;
  const std::size_t most = formatted ? most_formatted_sources : std::size_t{1} << design.protocol.source_bits;
  if (sources == 0 || sources > most)
    return TraceProblem{Part::design, 0, "sources", std::to_string(sources),
                        "must be 1 to " + std::to_string(most) + (formatted ? ", what a frame's ID can say" : "")};
  if (nexus && sources > std::size_t{1} << design.protocol.source_bits)
    return TraceProblem{Part::protocol, 0, "source_bits", std::to_string(design.protocol.source_bits),
                        "must number " + std::to_string(sources) + " sources"};
  if (!formatted && (!nexus || design.link.grant != TraceGrant::message))
    return TraceProblem{Part::formatter, 0, "format", std::string(word(TraceFormat::none)),
                        "must be frames, but with encoding = nexus and grant = message, which say whose each byte is"};
  for (std::size_t i = 0; i < sources; ++i)
    if (auto problem = problem_of_source(design, i)) return problem;
  return problem_of_sink(design);
}

std::optional<std::vector<Blackout>> listed_blackouts(std::string_view text) {
  std::vector<Blackout> all;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto milliseconds = [&](double most) -> std::optional<Time> {
    double ms = 0;
    const auto [rest, error] = std::from_chars(at, end, ms);
    if (error != std::errc{} || !std::isfinite(ms) || ms < 0 || ms > most) return std::nullopt;
    at = rest;
    return Time(Milliseconds(ms));
  };
  for (;;) {
    while (at != end && *at == ' ') ++at;
    if (at == end) return all;
    const std::optional<Time> begin = milliseconds(1e9);
    if (!begin || at == end || *at++ != '+') return std::nullopt;
    const std::optional<Time> length = milliseconds(1e9);
    if (!length || *length == Time() || (at != end && *at != ' ')) return std::nullopt;
    if (!all.empty() && *begin < all.back().end) return std::nullopt;
    all.push_back({*begin, *begin + *length});
  }
}

} // namespace hypermon
