// TAU whose profiles leave by the monhole of the node's mon: its parameters are tau_part.cpp's and Supermon's.
#include "sw/model/parts.hpp"
#include "sw/model/spec.hpp"
#include "sw/monitors/supermon/design_of.hpp"

namespace hypermon {
namespace {

void check(const Spec& spec) {
  if (spec.monitor == "tau_supermon") supermon::check_supermon(spec);
}

} // namespace

Part tau_supermon_part() {
  return {
      .kind = Part::Kind::monitor,
      .name = "tau_supermon",
      .check = check,
      .results = {{"monitor.monhole_writes.writes", "", "tau_supermon: of processes into their nodes' monholes."},
                  {"monitor.monhole_writes.bytes", "B", "tau_supermon: of these, as s-expressions."},
                  {"monitor.monhole_writes.failed", "", "tau_supermon: of these: there was no mon."},
                  {"monitor.monhole_writes.waited_s", "s", "tau_supermon: that processes waited to be rid of them."},
                  {"monitor.monhole_writes.longest_wait_s", "s", "tau_supermon: the longest of these waits."}},
      .monitor = {.ledger_unit = "bytes",
                  .losses = {{"monhole", "no_mon", "its node's mon was dead"},
                             {"monhole", "socket", "in the socket of a mon that died"},
                             {"monhole", "refused", "the buffer had no memory for it"},
                             {"monhole", "overwritten", "by its process's next profile, before a sink read it"},
                             {"monhole", "died", "in the buffer of a mon that died"},
                             {"monhole", "left_behind", "in the buffer when the run ended"},
                             {"monhole", "unfinished", "in the socket when the run ended"},
                             {"tree", "late", "its query had been answered without it"},
                             {"tree", "died", "with a daemon that died, or its client's connection"},
                             {"tree", "unfinished", "on its way when the run ended, or its connection broke"}},
                  .takes_samples = true}};
}

} // namespace hypermon
