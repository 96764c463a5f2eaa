// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/hardware_report.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "hw/machine/node_seeds.hpp"
#include "hw/machine/params.hpp"
#include "sw/instrumentation/params.hpp"

#include <algorithm>
#include <functional>

namespace hypermon {

FrameFileInfo frame_file_info(const Spec& spec, std::size_t board, NodeId first_node) {
  const EcbParams ecb = ecb_of(spec, board);
  return {ecb.inputs,
          spec.get<PortParams>().width_bits,
          ecb.accumulate_bits,
          ecb.timestamp_bits,
          ecb.timestamp_policy == TimestampPolicy::on_request,
          ecb.wrap_frames,
          ecb.window_ns.number,
          nominal_pitch(spec.get<PortParams>()).number,
          spec.get<NodeParams>().clock_resolution_ns.number,
          static_cast<std::int64_t>(board),
          index(first_node),
          spec.get<InstrumentationParams>().catalogue};
}

Json counts_to_json(const Counts& c) {
  Json m;
  m["frames"] = {{"built", c.frames_built},
                 {"lost", c.frames_lost},
                 {"merged", c.merged},
                 {"drained", c.drained},
                 {"peak_occupancy", c.peak_frame_fifo}};
  m["overrun"] = c.frames_lost > 0;
  m["first_overrun_s"] = c.first_overrun ? Json(c.first_overrun->seconds()) : nullptr;
  m["strobes"] = c.strobes;
  m["aliasing"] = c.aliasing;
  m["node_overruns"] = c.node_overruns;
  m["windows_lost"] = c.windows_lost;
  m["discarded"] = c.discarded;
  m["end_s"] = c.end.seconds();
  return m;
}

Json drain_to_json(const CaptureChain& chain, Reduction reduction) {
  DrainProgram::Totals sum;
  for (std::size_t b = 0; b < chain.boards(); ++b) {
    const DrainProgram* program = chain.drain_program(b);
    if (program == nullptr) continue;
    const auto& t = program->totals();
    sum.bytes_kept += t.bytes_kept;
    sum.bytes_lost += t.bytes_lost;
    sum.peak_buffer_bytes = std::max(sum.peak_buffer_bytes, t.peak_buffer_bytes);
    sum.interrupts += t.interrupts;
    sum.messages += t.messages;
    sum.reducing += t.reducing;
    sum.waiting += t.waiting;
  }
  const std::uint64_t read = chain.bytes_read();
  const bool idle = chain.drain_program(0) == nullptr;
  Json d;
  d["bytes_read"] = read;
  d["bytes_kept"] = idle ? read : sum.bytes_kept;
  d["bytes_lost"] = sum.bytes_lost;
  d["peak_buffer_bytes"] = sum.peak_buffer_bytes;
  d["interrupts"] = sum.interrupts;
  d["messages"] = sum.messages;
  d["reducing_s"] = sum.reducing.seconds();
  d["waiting_s"] = sum.waiting.seconds();
  d["given_up"] = reduction == Reduction::statistics
                      ? "times within a period, order, arguments but for sums: statistics.csv"
                  : reduction == Reduction::streams ? "which data shared a frame, times beyond 2^16 windows apart"
                                                    : "";
  return d;
}

Json contention_to_json(const CaptureChain::Contention& c) {
  return {{"drain_waited_s", c.drain_waited.seconds()},
          {"longest_wait_us", c.longest_wait.microseconds()},
          {"second_bursts", c.bursts},
          {"second_waited_s", c.second_waited.seconds()}};
}

Json rates_to_json(std::span<const FrameRate* const> boards, Time begin, Time end) {
  constexpr std::size_t intervals = 100; // HYPERMON figures 10 to 13
  std::vector<double> rates(intervals);
  for (const FrameRate* board : boards) {
    const std::vector<double> of_board = board->divide(begin, end, intervals);
    std::transform(rates.begin(), rates.end(), of_board.begin(), rates.begin(), std::plus<>());
  }
  return {{"interval_s", (end - begin).seconds() / intervals}, {"frames", rates}};
}

} // namespace hypermon
