// Every key of the result, once: what `hypermon params result` prints.
#include "platforms/worker/simulation.hpp"

#include <systemc>

#include <simgrid/s4u.hpp>

#include <simgrid/version.h>

namespace hypermon {

nlohmann::ordered_json versions() {
  return {{"hypermon", HYPERMON_VERSION},
          {"simgrid", std::to_string(SIMGRID_VERSION_MAJOR) + "." + std::to_string(SIMGRID_VERSION_MINOR)},
          {"systemc", SC_VERSION}};
}

nlohmann::ordered_json describe_results() {
  struct Key {
    const char* path;
    const char* unit;
    const char* description;
  };
  constexpr Key keys[] = {
      {"scenario", "", "Name of what was run."},
      {"spec", "", "Every parameter, resolved."},
      {"versions", "", "Of hypermon, SimGrid and SystemC."},
      {"fingerprint", "", "Hash of all emissions (node, time, type, arguments) and of the ranks' times."},
      {"elapsed_s", "s", "Time of the longest rank in the measured section."},
      {"ranks[].elapsed_s", "s", "Time of the rank in the measured section."},
      {"ranks[].compute_s", "s", "Of it: what the program computed."},
      {"ranks[].mpi_s", "s", "Of it: messages, system calls and waiting."},
      {"ranks[].monitor_s", "s",
       "Of it: CPU time that emitting events took on the node, interrupts and ticks included."},
      {"ranks[].events", "events", "Events emitted on the node."},
      {"cpu.nodes[].working_s", "s",
       "Only where processes share processors: what a node's processors worked until the program's end; null for a "
       "node "
       "that nobody shares."},
      {"cpu.nodes[].kernel_s", "s", "Of them: the kernel's."},
      {"cpu.nodes[].switching_s", "s", "Of them: context switches."},
      {"cpu.nodes[].idle_s", "s", "Of them: nothing."},
      {"cpu.nodes[].switches", "", "How often they went on with another process."},
      {"cpu.ranks[].used_s", "s",
       "CPU time of the rank, polling included; null for a rank of a node that nobody shares."},
      {"cpu.ranks[].waited_s", "s", "Time for which it wanted a processor and had none."},
      {"cpu.ranks[].switches", "", "How often a processor went over to it from another process."},
      {"events", "events", "Events of all nodes."},
      {"event_bytes", "B", "Their data, without timestamps and padding."},
      {"logged_bytes", "B", "Table 2's logged data: trace records in node memory, or frames read over the PBX."},
      {"warnings", "", "What would be misread: only there if there is such."},
      {"ledger.unit", "", "The monitor's own unit: nibbles for hypermon, bytes for software."},
      {"ledger.generated", "unit, events", "What was emitted."},
      {"ledger.delivered", "unit, events", "What arrived; events: decoded, and equal to what was emitted."},
      {"ledger.in_flight", "unit, events", "What was still under way when the run ended."},
      {"ledger.lost_total", "unit, events", "Sum of all losses."},
      {"ledger.lost[]", "unit, events",
       "Losses by stage and cause. (decoder, resync): all nibbles arrived, the decoder "
       "could not place them."},
      {"monitor.frames.built", "frames", "hypermon: frames that the frame builder made."},
      {"monitor.frames.lost", "frames", "hypermon: frames that found the frame FIFO full."},
      {"monitor.frames.merged", "nibbles", "hypermon: nibbles beyond the first of each frame."},
      {"monitor.frames.drained", "frames", "hypermon: frames that the I/O node read."},
      {"monitor.frames.peak_occupancy", "frames", "hypermon: most frames in the frame FIFO of the fullest board."},
      {"monitor.overrun", "", "Was anything lost to a full frame FIFO (hypermon) or trace buffer (software)?"},
      {"monitor.first_overrun_s", "s", "When first; null if never."},
      {"monitor.strobes", "nibbles", "hypermon: strobes that reached the boards."},
      {"monitor.aliasing", "nibbles", "hypermon: lost, a node's second strobe in one window."},
      {"monitor.node_overruns", "nibbles", "hypermon: lost to a full node FIFO."},
      {"monitor.windows_lost", "windows", "hypermon: windows that found the strobe-vector FIFO full."},
      {"monitor.discarded", "nibbles", "hypermon: nibbles of lost windows."},
      {"monitor.end_s", "s", "hypermon: end of the last frame read."},
      {"monitor.spurious_events", "events", "hypermon: decoded, but never emitted."},
      {"monitor.buffer_bytes[]", "B", "software: trace in each node's memory."},
      {"latency_us.p50", "us",
       "Median time from an event's emission to the I/O node's memory; null if none travelled."},
      {"latency_us.p99", "us", "99th percentile."},
      {"latency_us.max", "us", "Maximum."},
      {"latency_us.distribution.upper_us[]", "us",
       "The distribution in at most 100 bins, the finest that are so few (1024, 512, ... 1 to a doubling), empty ones "
       "left out: no event of the bin took longer. The last is the maximum."},
      {"latency_us.distribution.events[]", "events", "Events in each bin, exact."},
      {"timestamp_error_us.min", "us", "Least of: the monitor's timestamp less true time of the event."},
      {"timestamp_error_us.mean", "us", "Its mean."},
      {"timestamp_error_us.max", "us", "Its maximum."},
      {"causality_violations", "messages", "Messages received before they were sent, by the monitor's timestamps."},
      {"monitor.falsified_events", "events",
       "hypermon: decoded in the place of events that bit errors or skew had changed; the ledger counts those as "
       "lost."},
      {"monitor.garbage_nibbles", "nibbles", "hypermon: read from frames that were in the FIFO at power-on."},
      {"monitor.ambiguous_silences", "",
       "hypermon: silences in which the timestamp may have wrapped more often than the decoder could tell."},
      {"monitor.impossible_frames", "frames", "hypermon: frames that no run of this board can have made, given up."},
      {"monitor.held_s", "s", "hypermon: by how much longer all nodes' writes took because full node FIFOs held them."},
      {"monitor.drain.bytes_read", "B", "hypermon: read over the PBX by all I/O nodes."},
      {"monitor.drain.bytes_kept", "B", "Of them: what the reduction left and the destination took."},
      {"monitor.drain.bytes_lost", "B", "Lost for want of memory."},
      {"monitor.drain.peak_buffer_bytes", "B", "Most in the buffer of the fullest I/O node."},
      {"monitor.drain.interrupts", "", "Of the SCSI card (drain.destination = cfs)."},
      {"monitor.drain.messages", "messages", "To the host (drain.destination = host)."},
      {"monitor.drain.reducing_s", "s", "CPU time of the reduction, of all I/O nodes."},
      {"monitor.drain.waiting_s", "s", "Time that the programs waited for room in their buffers."},
      {"monitor.drain.given_up", "", "What detail the reduction gave up."},
      {"bursts.interval_ms", "ms", "Interval in which event data are added up (Figure 14)."},
      {"bursts.bytes", "B", "The nodes' event data as software records, under every monitor."},
      {"bursts.mean_bytes_per_s", "B/s", "Over the measured section."},
      {"bursts.max_1ms_bytes_per_s", "B/s", "In the fullest interval."},
      {"bursts.max_20ms_bytes_per_s", "B/s", "In the fullest 20 intervals that follow each other."},
      {"program.compute", "", "workload program: what its own code took, as program.compute says."},
      {"program.charges", "", "How often the program (explicit) or the calibration (calibrated) said what that took."},
      {"program.charged_s", "s", "All that they said, of all ranks; zero: counted, but not taken."},
      {"program.regions", "", "calibrated: places between two MPI calls that were passed and had been measured."},
      {"program.unmeasured_regions", "", "calibrated: places that were passed, but never measured: they took no time."},
      {"program.unmeasured_passes", "", "calibrated: how often they were passed."},
      {"rates.interval_s", "s", "hypermon: a hundredth of the measured section (Figures 10 to 13)."},
      {"rates.frames[]", "frames",
       "hypermon: frames that the I/O nodes' programs got, by when they were captured, in true time: in each "
       "hundredth. Of frames across a border each side has a share. Not among them: frames lost to a full FIFO, a bus "
       "error or want of memory, and what was in the FIFO at power-on."},
      {"stream.rows", "", "workload stream: rows of the file."},
      {"stream.without_data", "events", "Of them without data: nothing is written, they are left out."},
      {"stream.contents", "", "Where what the events hold comes from."},
      {"stream.begin", "stream.time_unit", "Time in the file that became 0."},
      {"stream.rounded_times", "events", "Whose times are no whole picoseconds: rounded."},
      {"stream.reordered", "", "Rows that are earlier than the row before: sorted by time."},
      {"stream.padded", "events", "That do not fill their last datum: padded with 0."},
      {"stream.delayed", "events", "That waited for their node's port, which was still writing."},
      {"stream.max_delay_us", "us", "The longest such wait."},
      {"stream.ignored_columns", "", "Columns of the file that say nothing here."},
  };
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Key& k : keys) list.push_back({{"path", k.path}, {"unit", k.unit}, {"description", k.description}});
  return list;
}

} // namespace hypermon
