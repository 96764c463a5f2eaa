// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core: replays of runs with HYPERMON.
#include "python/bindings/replay.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "hw/machine/node_seeds.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/hypermon/bindings.hpp"
#include "sw/monitors/hypermon/recorded_run.hpp"
#include "sw/monitors/hypermon/stream_run.hpp"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace hypermon {
namespace {

std::unique_ptr<Rerun> rerun(const Spec& spec, const std::string& directory, FateSink* fates, const Cut& cut) {
  if (workload_of(spec).workload.is_stream) return std::make_unique<StreamRun>(spec, directory, cut);
  return std::make_unique<RecordedRun>(spec, directory, fates, cut);
}

/// By node, in ps: time from the begin of a burst's writing to its first strobe, and time between two strobes.
py::tuple port_timing(const std::string& spec) {
  const Spec parsed = spec_of(spec);
  std::vector<std::int64_t> datum_cost_ps;
  std::vector<std::int64_t> pitch_ps;
  for (const NodeClock& clock : node_clocks(parsed)) {
    datum_cost_ps.push_back(datum_cost(parsed.get<PortParams>(), clock).ps());
    pitch_ps.push_back(datum_pitch(parsed.get<PortParams>(), clock).ps());
  }
  return py::make_tuple(datum_cost_ps, pitch_ps);
}

} // namespace

void bind_replay_of_boards(py::module_& m) {
  add_replays("hypermon", &rerun);
  m.def("contends", &contends, py::arg("spec"));
  m.def("port_timing", &port_timing, py::arg("spec"));
}

} // namespace hypermon
