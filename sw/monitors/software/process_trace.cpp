// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/software/process_trace.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/monitors/footprint.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/os/program_run.hpp"

#include <algorithm>
#include <sstream>

namespace hypermon::software {
namespace {

/// False for reads of the clock and queries of the own rank, which Score-P does not record by default either.
bool is_traced(const MpiCall& call) {
  switch (call.function()) {
  case MpiFunction::Wtime:
  case MpiFunction::Comm_rank:
  case MpiFunction::Comm_size:
    return false;
  default:
    return true;
  }
}

/// True if all members of a communicator exchange data or wait for each other.
bool is_collective(const MpiCall& call) {
  return call.comm() != MPI_COMM_NULL && call.file() == nullptr && !call.sent().peer && !call.received().peer &&
         (call.function() == MpiFunction::Barrier || call.root() || call.op() || call.bytes() > 0 || call.in_place());
}

} // namespace

ProcessTrace::ProcessTrace(const Spec& spec) : spec_(spec), params_(spec.get<SoftwareParams>()) {}

void ProcessTrace::start(Site& site) {
  const std::vector<NodeClock> clocks = node_clocks(spec_);
  std::vector<ServerId> servers;
  std::istringstream names(params_.servers);
  for (std::string name; names >> name;) servers.push_back(site.server(name, "software.servers"));
  if (!params_.directory.empty()) directory_ = site.server(params_.directory, "software.directory");
  std::vector<NodeId> nodes;
  for (const RankState& rank : rank_table().all()) {
    number_of_.push_back(traced_.size());
    std::unique_ptr<Process>& process = processes_.emplace_back();
    if (rank.program == 0 && rank.instrumented) {
      const NodeId node = rank.kernel->node();
      process = std::make_unique<Process>(node, clocks[index(node)], params_);
      process->file = "trace." + std::to_string(rank.rank);
      if (!servers.empty()) {
        process->server = servers[traced_.size() % servers.size()];
        site.daemon(
            Place::node(node), "trace", [this, &own = *process](Daemon& self) { serve(self, own); },
            "software.servers");
      }
      traced_.push_back(rank.rank);
      nodes.push_back(node);
      site.footprint().keep(Place::node(node), params_.buffer_bytes.number);
    }
  }
  file_.emplace(site.folder());
  if (params_.clocks == ClockCorrection::linear && nodes.size() > 1) {
    const std::string network = params_.network.empty() ? network_names(spec_).front() : params_.network;
    clocks_.emplace(params_, site, site.network(network, "software.network"), nodes);
  }
  mpi_layer().observers.add(*this);
}

// Records
// --------------------------------------------------------------------------------------------------------------

Process* ProcessTrace::traced(const RankState& rank) {
  Process* const process = find(rank);
  return process != nullptr && process->begun && !process->ended && !rank.is_child ? process : nullptr;
}

std::int64_t ProcessTrace::bytes_of(Kind kind) const {
  switch (kind) {
  case Kind::send:
  case Kind::receive:
    return params_.message_bytes;
  case Kind::collective_begin:
    return params_.collective_begin_bytes;
  case Kind::collective_end:
    return params_.collective_end_bytes;
  case Kind::flush:
    return params_.flush_bytes;
  default:
    return params_.region_bytes;
  }
}

Time ProcessTrace::record(RankState& rank, Process& process, Kind kind, std::uint64_t argument) {
  const std::int64_t bytes = bytes_of(kind);
  if (process.buffer.must_flush(bytes)) flush(rank, process);
  const Time made = Execution::date(rank);
  const Time stamp = process.clock.read(made);
  process.buffer.add({made, stamp, argument, kind}, bytes);
  const Time before = rank.computation.owed;
  execution().owe(rank, Time(params_.record_us) + Time(Microseconds{params_.us_per_byte}) * bytes);
  process.recording += rank.computation.owed - before;
  return stamp;
}

void ProcessTrace::enter(const RankState& state, const MpiCall& call) {
  Process* const process = find(state);
  if (process == nullptr || process->ended || state.is_child) return;
  RankState& rank = rank_table().self();
  if (call.function() == MpiFunction::Init || call.function() == MpiFunction::Init_thread) {
    if (clocks_ && !process->begun) clocks_->compare(rank, ClockComparison::When::begin);
    return;
  }
  if (!process->begun) return;
  if (call.function() == MpiFunction::Finalize) return finish_process(rank, *process);
  if (!is_traced(call)) return;
  record(rank, *process, Kind::enter, index(call.function()));
  if (is_collective(call)) record(rank, *process, Kind::collective_begin, index(call.function()));
  if (MessagePairs::sends(call))
    messages_.enter(rank.rank, call, record(rank, *process, Kind::send, static_cast<std::uint64_t>(call.sent().bytes)));
}

void ProcessTrace::leave(const RankState& state, const MpiCall& call) {
  Process* const process = find(state);
  if (process == nullptr || process->ended || state.is_child) return;
  process->begun |= call.function() == MpiFunction::Init || call.function() == MpiFunction::Init_thread;
  if (!process->begun || !is_traced(call)) return;
  RankState& rank = rank_table().self();
  for (const auto& sent : messages_.leave(rank.rank, call)) {
    const Time received = record(rank, *process, Kind::receive, static_cast<std::uint64_t>(call.received().bytes));
    if (sent && processes_[static_cast<std::size_t>(sent->rank)]->node != process->node)
      pairs_.push_back({sent->rank, rank.rank, sent->stamp, received});
  }
  if (is_collective(call)) record(rank, *process, Kind::collective_end, index(call.function()));
  record(rank, *process, Kind::leave, index(call.function()));
}

void ProcessTrace::event(const RankState& rank, unsigned char value) {
  if (Process* const process = traced(rank)) record(rank_table().self(), *process, Kind::mark, value);
}

void ProcessTrace::emit(const RankState& rank, const std::array<std::uint32_t, 4>& kind_and_data) {
  if (Process* const process = traced(rank)) record(rank_table().self(), *process, Kind::mark, kind_and_data[0]);
}

void ProcessTrace::start_timer(RankState& rank, const Routine& routine) {
  if (Process* const process = traced(rank)) record(rank, *process, Kind::routine_enter, routine.number);
}

void ProcessTrace::stop_timer(RankState& rank, const Routine& routine) {
  if (Process* const process = traced(rank)) record(rank, *process, Kind::routine_leave, routine.number);
}

// Files
// ----------------------------------------------------------------------------------------------------------------

void ProcessTrace::flush(RankState& rank, Process& process) {
  execution().pay(rank);
  const Time begin = simgrid_now();
  write_out(rank, process);
  const Time took = simgrid_now() - begin;
  ++process.flushes;
  process.flushing += took;
  process.longest_flush = std::max(process.longest_flush, took);
  process.buffer.add({begin, process.clock.read(begin), static_cast<std::uint64_t>(took.ps()), Kind::flush},
                     params_.flush_bytes);
}

void ProcessTrace::serve(Daemon& self, Process& process) const {
  for (;;) {
    process.asked->acquire();
    if (directory_ && !std::exchange(process.made, true)) self.write(*directory_, process.file, 0);
    for (const std::int64_t bytes : process.buffer.writes(params_.write_bytes.number)) {
      self.write(*process.server, process.file, bytes);
      ++process.writes;
    }
    process.done->release();
  }
}

void ProcessTrace::write_out(RankState& rank, Process& process) {
  execution().in_system_call(rank, "write", [&] {
    process.asked->release();
    process.done->acquire();
  });
  const Time arrived = simgrid_now();
  const std::vector<Record> records = process.buffer.take();
  for (const Record& record : records) age_.add(arrived - record.made);
  file_->add(static_cast<std::uint32_t>(rank.rank), records, arrived);
}

/// MPI_Finalize: after the measured section the clocks are compared again, and the rest of the buffer is written.
void ProcessTrace::finish_process(RankState& rank, Process& process) {
  record(rank, process, Kind::enter, index(MpiFunction::Finalize));
  process.ended = true;
  execution().pay(rank);
  program_run().end_measured(rank);
  if (clocks_) {
    clocks_->compare(rank, ClockComparison::When::end);
    process.closing = clocks_->took(ClockComparison::When::end);
  }
  const Time begin = simgrid_now();
  if (process.server && process.buffer.held() > 0) write_out(rank, process);
  process.closing += simgrid_now() - begin;
}

void ProcessTrace::finish(Time) {
  std::vector<ClockLine> lines(processes_.size());
  for (const int rank : traced_) {
    Process& process = *processes_[static_cast<std::size_t>(rank)];
    if (clocks_) lines[static_cast<std::size_t>(rank)] = clocks_->line(number_of_[static_cast<std::size_t>(rank)]);
    if (!process.server) file_->add(static_cast<std::uint32_t>(rank), process.buffer.take(), Time::never());
  }
  timestamp_error_ = file_->close(lines);
  violations_ = violations(lines);
  violations_as_written_ = violations(std::vector<ClockLine>(lines.size()));
}

std::uint64_t ProcessTrace::violations(const std::vector<ClockLine>& lines) const {
  return static_cast<std::uint64_t>(std::ranges::count_if(pairs_, [&](const Pair& pair) {
    return lines[static_cast<std::size_t>(pair.receiver)].right(pair.received) <
           lines[static_cast<std::size_t>(pair.sender)].right(pair.sent);
  }));
}

} // namespace hypermon::software
