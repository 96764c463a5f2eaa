// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core: replays of runs with the trace funnel, and their waves.
#include "hw/machine/node_seeds.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/replay.hpp"
#include "sw/monitors/funnel/chips.hpp"
#include "sw/monitors/funnel/recorded_run.hpp"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace hypermon {
namespace {

std::unique_ptr<Rerun> rerun_funnel(const Spec& spec, const std::string&, FateSink* fates, const Cut& cut) {
  return std::make_unique<FunnelRerun>(spec, fates, cut);
}

/// Duration of a store in ps, by node.
std::vector<std::int64_t> stores(const std::string& spec) {
  const Spec parsed = spec_of(spec);
  std::vector<std::int64_t> ps;
  for (const StimulusPort& port : stimulus_ports(parsed, node_clocks(parsed))) ps.push_back(port.store.ps());
  return ps;
}

/// Path, bits, names of the values and kind of each signal.
py::list signals(const std::string& spec) {
  py::list all;
  for (const Signal& s : chip_signals(spec_of(spec))) {
    const bool levels = s.kind == Signal::Kind::level;
    const char* kind = s.kind == Signal::Kind::event ? "event" : levels ? "level" : s.names.empty() ? "value" : "state";
    all.append(py::make_tuple(s.path, kind, s.bits, s.names));
  }
  return all;
}

/// A replay with waves, fed batch by batch.
class FunnelWaves {
public:
  FunnelWaves(const std::string& spec, const std::string& path, std::int64_t from_ps, std::int64_t to_ps)
      : run_(spec_of(spec), nullptr, Cut()) {
    run_.watch(path, Time::from_ps(from_ps), Time::from_ps(to_ps));
  }
  void program_ends(std::int64_t at_ps) { run_.program_ends(Time::from_ps(at_ps)); }
  void add(const Column<std::uint16_t>& node, const Column<std::int64_t>& first_ps, const Column<std::int32_t>& offsets,
           const Column<std::uint8_t>& data, const Column<std::uint64_t>& message, const Column<std::uint8_t>& side) {
    add_rows(run_, node, first_ps, offsets, data, message, side);
  }
  std::vector<std::uint64_t> finish() {
    const py::gil_scoped_release unlocked;
    run_.finish(Json::object(), "", Time(), Time());
    return run_.transitions();
  }

private:
  FunnelRerun run_;
};

} // namespace

void bind_funnel(py::module_& m);
void bind_funnel(py::module_& m) {
  add_replays("funnel", &rerun_funnel);
  m.def("stimulus_stores", &stores, py::arg("spec"));
  m.def(
      "longest_message", [](const std::string& spec) { return longest_message(spec_of(spec)); }, py::arg("spec"));
  m.def("funnel_signals", &signals, py::arg("spec"));
  py::class_<FunnelWaves>(m, "FunnelWaves")
      .def(py::init<const std::string&, const std::string&, std::int64_t, std::int64_t>(), py::arg("spec"),
           py::arg("path"), py::arg("from_ps"), py::arg("to_ps"))
      .def("program_ends", &FunnelWaves::program_ends, py::arg("at_ps"))
      .def("add", &FunnelWaves::add, py::kw_only(), py::arg("node"), py::arg("first_ps"), py::arg("offsets"),
           py::arg("data"), py::arg("message"), py::arg("side"))
      .def("finish", &FunnelWaves::finish);
}

} // namespace hypermon
