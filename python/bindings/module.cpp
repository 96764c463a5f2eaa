// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core: checks of specifications, what their events are; and what parts of the simulator bring
// (cmake/parts.cmake).
#include "base/recording.hpp"
#include "python/bindings/bindings.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/points.hpp"
#include "sw/instrumentation/system_calls.hpp"

namespace py = pybind11;

namespace hypermon {

void bind_parts(py::module_& m); // by CMake
void bind_replay(py::module_& m);

namespace {

bool acts_back(const Spec& spec) {
  const auto asked = monitor_of(spec).monitor.acts_back;
  return asked != nullptr && asked(spec);
}

/// Paths, and the value of another parameter that is the reason.
py::list without_effect_in(const Spec& spec) {
  py::list all;
  for (const WithoutEffect& one : without_effect(spec)) all.append(py::make_tuple(py::cast(one.paths), one.because));
  return all;
}

/// Number, name and MPI call of each system call.
py::list system_call_names() {
  py::list names;
  for (const SystemCallInfo& row : system_calls)
    names.append(py::make_tuple(static_cast<std::uint32_t>(row.call), std::string(row.name), std::string(row.mpi)));
  return names;
}

void bind_specifications(py::module_& m) {
  py::register_exception<UserError>(m, "BadSpecification");
  py::class_<Spec>(m, "Specification")
      .def(py::init(&spec_of), py::arg("text"))
      .def(
          "changed", [](const Spec& spec, const std::string& changes) { return changed(spec, Json::parse(changes)); },
          py::arg("changes"));
  m.def("without_effect", &without_effect_in, py::arg("spec"));
  m.def("acts_back", &acts_back, py::arg("spec"));
  m.def(
      "emission_parameters", [](const Spec& spec) { return emission_parameters(spec).dump(); }, py::arg("spec"));
}

void bind_events(py::module_& m) {
  m.def(
      "catalogue_value", [](const std::string& catalogue) { return catalogue_value(read_catalogue(catalogue)); },
      py::arg("catalogue"));
  m.def(
      "describe_catalogue", [](const std::string& catalogue) { return describe(read_catalogue(catalogue)).dump(); },
      py::arg("catalogue"));
  m.def("describe_points", [] { return describe_points().dump(); });
  m.def("system_calls", &system_call_names);
}

} // namespace
} // namespace hypermon

PYBIND11_MODULE(_core, m) {
  m.doc() = "What needs no simulation kernel, from C++.";
#ifdef __clang__
  m.attr("compiler") = __VERSION__; // says that it is Clang
#else
  m.attr("compiler") = "GCC " __VERSION__;
#endif
  hypermon::bind_specifications(m);
  hypermon::bind_events(m);
  hypermon::bind_replay(m);
  hypermon::bind_parts(m);
}
