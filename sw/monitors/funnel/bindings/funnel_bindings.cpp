// hypermon._core: the trace funnel's runs again from their recordings.
#include "platforms/machine/node_seeds.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/replay.hpp"
#include "sw/monitors/funnel/chips.hpp"
#include "sw/monitors/funnel/recorded_run.hpp"
#include "sw/monitors/funnel/stimulus_port.hpp"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace hypermon {
namespace {

/// By node: how long a store takes, in ps.
std::vector<std::int64_t> stores(const std::string& spec) {
  const Spec of = spec_of(spec);
  std::vector<std::int64_t> ps;
  for (const StimulusPort& port : stimulus_ports(of, node_clocks(of))) ps.push_back(port.store.ps());
  return ps;
}

} // namespace

void bind_funnel(py::module_& m);
void bind_funnel(py::module_& m) {
  add_replays("funnel", &funnel_rerun);
  m.def("stimulus_stores", &stores, py::arg("spec"));
  m.def(
      "longest_message", [](const std::string& spec) { return longest_message(spec_of(spec)); }, py::arg("spec"));
}

} // namespace hypermon
