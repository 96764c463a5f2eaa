// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core: waves of recorded runs. hypermon.waves is the public interface.
#include "python/bindings/bindings.hpp"
#include "python/bindings/hypermon/bindings.hpp"
#include "python/bindings/hypermon/rows.hpp"
#include "sw/monitors/hypermon/waves/module_signals.hpp"
#include "sw/monitors/hypermon/waves/wave_replay.hpp"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace hypermon {
namespace {

constexpr std::array<const char*, 4> kinds{"event", "value", "level", "state"};

} // namespace

void bind_waves(py::module_& m) {
  m.attr("loss_causes") = std::vector<std::string>(loss_cause_names.begin(), loss_cause_names.end());
  m.def(
      "wave_signals",
      [](const std::string& spec) {
        py::list list;
        for (const Signal& s : signals_of(spec_of(spec)))
          list.append(py::make_tuple(s.path, kinds[static_cast<std::size_t>(s.kind)], s.bits, s.names));
        return list;
      },
      py::arg("spec"));
  m.def(
      "has_waves_of_modules", [](const std::string& spec) { return has_waves_of_modules(spec_of(spec)); },
      py::arg("spec"));
  py::class_<WaveReplay> waves(m, "WaveReplay");
  waves
      .def(py::init([](const std::string& spec, const std::string& path, std::int64_t from_ps, std::int64_t to_ps,
                       const std::vector<bool>& wanted) {
             if (from_ps < 0 || to_ps <= from_ps) throw std::invalid_argument("no window of time");
             const Spec all = spec_of(spec);
             if (wanted.size() != signals_of(all).size()) throw std::invalid_argument("signals of another machine");
             auto waves = std::make_unique<WaveReplay>(all, path, wanted);
             waves->window(Time::from_ps(from_ps), Time::from_ps(to_ps));
             return waves;
           }),
           py::arg("spec"), py::arg("path"), py::arg("from_ps"), py::arg("to_ps"), py::arg("wanted"))
      .def_property_readonly("done", &WaveReplay::done)
      .def("finish", &WaveReplay::finish, py::call_guard<py::gil_scoped_release>());
  bind_add(waves);
  py::class_<TriggerSearch> search(m, "TriggerSearch");
  search
      .def(py::init([](const std::string& spec, std::optional<std::string> cause, std::optional<std::uint64_t> above,
                       std::optional<std::pair<std::uint32_t, std::string>> event,
                       std::optional<std::int64_t> watch_from_ps) {
             std::optional<Time> watch_from;
             if (watch_from_ps) watch_from = Time::from_ps(*watch_from_ps);
             const Spec all = spec_of(spec);
             return std::make_unique<TriggerSearch>(all, wave_trigger(all, cause, above, event), watch_from);
           }),
           py::arg("spec"), py::kw_only(), py::arg("cause") = std::nullopt, py::arg("above") = std::nullopt,
           py::arg("event") = std::nullopt, py::arg("watch_from_ps") = std::nullopt)
      .def_property_readonly("done", &TriggerSearch::done)
      .def("finish", [](TriggerSearch& s) -> py::object {
        {
          const py::gil_scoped_release unlocked;
          s.finish();
        }
        const auto found = s.found();
        if (!found) return py::none();
        return py::make_tuple(found->time.ps(), found->exact, found->board);
      });
  bind_add(search);
}

} // namespace hypermon
