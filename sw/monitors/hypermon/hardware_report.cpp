// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/hardware_report.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "hw/machine/node_seeds.hpp"
#include "hw/machine/params.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/monitors/hypermon/result_keys.hpp"

#include <algorithm>
#include <functional>
#include <utility>

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

ResultValues values_of(const Counts& c) {
  const HypermonKeys& keys = hypermon_keys;
  return {keys.frames.built(c.frames_built),
          keys.frames.lost(c.frames_lost),
          keys.frames.merged(c.merged),
          keys.frames.drained(c.drained),
          keys.frames.peak_occupancy(c.peak_frame_fifo),
          keys.overrun(c.frames_lost > 0),
          keys.first_overrun_s(c.first_overrun),
          keys.strobes(c.strobes),
          keys.aliasing(c.aliasing),
          keys.node_overruns(c.node_overruns),
          keys.windows_lost(c.windows_lost),
          keys.discarded(c.discarded),
          keys.end_s(c.end)};
}

ResultValues drain_values(const CaptureChain& chain, Reduction reduction) {
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
  const auto& keys = hypermon_keys.drain;
  return {keys.bytes_read(read),
          keys.bytes_kept(idle ? read : sum.bytes_kept),
          keys.bytes_lost(sum.bytes_lost),
          keys.peak_buffer_bytes(sum.peak_buffer_bytes),
          keys.interrupts(sum.interrupts),
          keys.messages(sum.messages),
          keys.reducing_s(sum.reducing),
          keys.waiting_s(sum.waiting),
          keys.given_up(reduction == Reduction::statistics
                            ? "times within a period, order, arguments but for sums: statistics.csv"
                        : reduction == Reduction::streams ? "which data shared a frame, times beyond 2^16 windows apart"
                                                          : "")};
}

ResultValues values_of(const CaptureChain::Contention& c) {
  const auto& keys = hypermon_keys.pbx;
  return {keys.drain_waited_s(c.drain_waited), keys.longest_wait_us(c.longest_wait), keys.second_bursts(c.bursts),
          keys.second_waited_s(c.second_waited)};
}

namespace {

void add_lockstep(const CaptureChain::OwnBoardReport::Compared& compared, Results& results) {
  const auto& keys = hypermon_keys.own_boards.lockstep;
  results.set({keys.equal_frames(compared.equal_frames), keys.differences(compared.differences)});
  if (!compared.first) return results.set({keys.first.group.null()});
  const auto& [board, what] = *compared.first;
  results.set({keys.first.board(board), keys.first.window(what.window), keys.first.input(what.input),
               keys.first.time_s(what.time), keys.first.expected(what.expected), keys.first.actual(what.actual)});
}

} // namespace

void add_erb(const ErbParams& erb, const FaultCounts& faults, Results& results) {
  if (ErbLine::is_ideal(erb)) return;
  const auto& keys = hypermon_keys.erb;
  const auto count = [&faults](FaultKind kind) { return faults.at(static_cast<std::size_t>(kind)); };
  results.set({keys.short_pulses(count(FaultKind::short_pulse)),
               keys.overlapping_pulses(count(FaultKind::overlapping_pulse)),
               keys.unsettled_data(count(FaultKind::unsettled_data))});
}

void add_own_boards(const CaptureChain& chain, Results& results) {
  const auto report = chain.own_boards();
  if (!report) return;
  const auto& keys = hypermon_keys.own_boards;
  ResultRecords values(keys.values.list);
  for (const auto& v : report->values)
    values.add({keys.values.board(v.board), keys.values.key(v.key), keys.values.value(v.value),
                keys.values.unit(v.unit), keys.values.description(v.description)});
  results.set({keys.unmatched_frames(report->unmatched_frames), keys.unmatched_reports(report->unmatched_reports),
               std::move(values)});
  if (report->lockstep) add_lockstep(*report->lockstep, results);
}

ResultValues rate_values(std::span<const FrameRate* const> boards, Time begin, Time end) {
  constexpr std::size_t intervals = 100; // HYPERMON figures 10 to 13
  std::vector<double> rates(intervals);
  for (const FrameRate* board : boards) {
    const std::vector<double> of_board = board->divide(begin, end, intervals);
    std::transform(rates.begin(), rates.end(), of_board.begin(), rates.begin(), std::plus<>());
  }
  return {hypermon_keys.rates.interval_s((end - begin).seconds() / intervals), hypermon_keys.rates.frames(rates)};
}

} // namespace hypermon
